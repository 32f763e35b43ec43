import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inCommon, inputFacts } from '../../../../src-main/history/failures/common.ts';
import type { CommonFact } from '../../../../src-preload/failure-cause.ts';

const of = (input: object) => inputFacts(JSON.stringify(input));
const these = (count: number, input: (at: number) => object) => Array.from({ length: count }, (_, at) => of(input(at)));
const traits = (facts: readonly CommonFact[]) => facts.map(({ name, trait }) => ({ name, ...trait }));

const scalar = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('a', '7', 'x'.repeat(200)),
  fc.boolean(),
  fc.constant(null),
  fc.constant([1]),
);
const input = fc.dictionary(
  fc.constantFrom('steps', 'size', 'style', 'in'),
  fc.oneof(scalar, fc.record({ a: scalar })),
  {
    maxKeys: 4,
  },
);
const inputs = fc.array(input, { minLength: 1, maxLength: 12 });

describe('what failed jobs have in common', () => {
  it('is what the message names and of another type in all of them, whatever else separates them', () => {
    fc.assert(
      fc.property(inputs, inputs, fc.boolean(), (failed, completed, isKnown) => {
        fc.pre(failed.length > 1);
        const [fact] = inCommon(
          failed.map((each, at) => of({ ...each, max_tokens: 40, seed: String(at) })),
          completed.map((each, at) => of({ ...each, max_tokens: 400, ...(isKnown && { seed: at }) })),
          'seed must be an integer from 0 to 9007199254740992.',
        );
        expect(fact).toEqual({
          name: 'seed',
          trait: { kind: 'type', type: 'text' },
          isNamed: true,
          failed: failed.length,
          completed: 0,
          instead: null,
        });
      }),
    );
  });

  it('is in most failed jobs, clearly rarer among completed ones, and nothing if both are the same', () => {
    fc.assert(
      fc.property(inputs, inputs, (failed, completed) => {
        const those = failed.map(of);
        const others = completed.map(of);
        expect(inCommon(those, those, 'size')).toEqual([]);
        const facts = inCommon(those, others, 'size');
        expect(new Set(facts.map(({ name }) => name)).size).toBe(facts.length);
        for (const fact of facts) {
          expect(fact.failed / those.length).toBeGreaterThanOrEqual(0.6);
          expect(fact.failed / those.length - fact.completed / others.length).toBeGreaterThanOrEqual(0.25);
          const { name, trait } = fact;
          if (trait.kind === 'present' || trait.kind === 'missing') {
            const count = (jobs: typeof those) =>
              jobs.filter((job) => job.has(name) === (trait.kind === 'present')).length;
            expect([fact.failed, fact.completed]).toEqual([count(those), count(others)]);
          }
        }
        const named = facts.map(({ isNamed }) => isNamed);
        expect(named).toEqual([...named].sort((one, other) => Number(other) - Number(one)));
      }),
    );
  });

  it('is a key that only they have, or that they lack, and of an object not each of its parts', () => {
    expect(
      traits(
        inCommon(
          these(4, (at) => ({ style: `s${at}` })),
          these(4, (at) => ({ prompt: `p${at}` })),
          "KeyError: 'prompt'",
        ),
      ),
    ).toEqual([
      { name: 'prompt', kind: 'missing' },
      { name: 'style', kind: 'present' },
    ]);
    const failed = these(4, (at) => ({ sampling: { top_p: at, deep: { k: `k${at}` } } }));
    expect(
      traits(
        inCommon(
          failed,
          these(4, () => ({})),
          '',
        ),
      ),
    ).toEqual([{ name: 'sampling', kind: 'present' }]);
    const lists = inCommon(
      these(4, () => ({ size: [1, 2] })),
      these(4, () => ({ size: 512 })),
      '',
    );
    expect(traits(lists)).toEqual([{ name: 'size', kind: 'type', type: 'list' }]);
  });

  it('names a type only if completed jobs have another, or numbers are in quotes', () => {
    const by = (failed: object, completed: object) =>
      traits(
        inCommon(
          these(3, () => failed),
          these(3, () => completed),
          '',
        ),
      );
    expect(by({ style: 'bold' }, {})).toEqual([{ name: 'style', kind: 'value', text: '"bold"' }]);
    expect(by({ style: 'bold' }, { style: 3 })).toEqual([{ name: 'style', kind: 'type', type: 'text' }]);
    expect(by({ seed: '7' }, {})).toEqual([{ name: 'seed', kind: 'type', type: 'text' }]);
    expect(by({ seed: 7 }, { seed: 8 })).toEqual([{ name: 'seed', kind: 'value', text: '7' }]);
  });

  it('is named by a word of the message, and by a short one only in quotes', () => {
    const first = (message: string) =>
      inCommon(
        these(3, () => ({ top: 1, sampling: { top_p: 5 }, n: 1 })),
        these(3, () => ({ top: 2, sampling: { top_p: 6 }, n: 2 })),
        message,
      )
        .filter(({ isNamed }) => isNamed)
        .map(({ name }) => name);
    expect(first('top_p must be below 1')).toEqual(['sampling.top_p']);
    expect(first('sampling.top_p must be below 1')).toEqual(['sampling.top_p']);
    expect(first('n must be 2')).toEqual([]);
    expect(first("Field 'n' must be 2")).toEqual(['n']);
    expect(first('no worker')).toEqual([]);
    expect(first('stopped at non-top_pick')).toEqual([]);
  });

  it('is nothing by chance: not with one job, no completed ones, or a unique text', () => {
    expect(inCommon([of({ a: 1 })], [of({ a: 2 })], '')).toEqual([]);
    expect(inCommon([of({ a: 1 }), of({ a: 1 })], [], '')).toEqual([]);
    expect(
      inCommon(
        these(3, (at) => ({ a: `b${at}` })),
        these(3, (at) => ({ a: `c${at}` })),
        '',
      ),
    ).toEqual([]);
    expect(inputFacts(JSON.stringify({ prompt: 'x'.repeat(200), deep: { list: [1], n: null } }))).toEqual(
      new Map([
        ['prompt', { type: 'text', value: null }],
        ['deep', { type: 'object', value: null }],
        ['deep.list', { type: 'list', value: null }],
        ['deep.n', { type: 'null', value: 'null' }],
      ]),
    );
    expect(inputFacts('no json')).toEqual(new Map());
  });
});

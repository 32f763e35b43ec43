import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnInputs, startingPoints } from '../../../src-main/history/jobs/learned-inputs.ts';

const learnedOf = (...inputs: unknown[]) => learnInputs(inputs.map((input) => JSON.stringify(input)));

describe('learned inputs', () => {
  it('is their keys with types, frequent values and bounds, the most frequent key first', () => {
    const { jobs, keys } = learnedOf(
      { guidance: 6.5, steps: 20, refiner: { enabled: true } },
      { guidance: 6.5, steps: 32, refiner: { enabled: false }, seed: null },
      { guidance: 7, list: [1, { inner: 2 }] },
    );
    expect(jobs).toBe(3);
    expect(keys[0]).toEqual({
      path: ['guidance'],
      types: ['number'],
      count: 3,
      values: [
        { json: '6.5', count: 2 },
        { json: '7', count: 1 },
      ],
      range: { min: 6.5, max: 7 },
    });
    expect(keys.map(({ path, types }) => [path.join('.'), ...types])).toEqual([
      ['guidance', 'number'],
      ['steps', 'number'],
      ['refiner', 'object'],
      ['refiner.enabled', 'boolean'],
      ['seed', 'null'],
      ['list', 'list'],
    ]);
    expect(keys.find(({ path }) => path[0] === 'list')).toMatchObject({ values: [], range: null });
  });

  it('is never a long text, nor anything with the name of a secret', () => {
    const secret = 'hf_AbCdEf0123456789xyz';
    const learned = learnedOf({ prompt: 'x'.repeat(200), hf_token: secret, auth: { password: secret }, apiKey: 12345 });
    expect(learned.keys.map(({ path, values, range }) => [path.join('.'), values, range])).toEqual([
      ['prompt', [], null],
      ['hf_token', [], null],
      ['auth', [], null],
      ['apiKey', [], null],
      ['auth.password', [], null],
    ]);
    expect(JSON.stringify(learned)).not.toContain(secret);
  });

  it('is limited and accepts any text', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
    expect(learnedOf(many).keys.length).toBeLessThanOrEqual(200);
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    expect(learnInputs([deep, '', 'no JSON', '[1]', 'null', '{"__proto__": 1}'])).toMatchObject({ jobs: 2 });
    fc.assert(
      fc.property(fc.array(fc.json()), (texts) => {
        const { jobs, keys } = learnInputs(texts);
        for (const key of keys) {
          expect(key.count).toBeLessThanOrEqual(jobs);
          expect(key.types.length).toBeGreaterThan(0);
          expect(key.values.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(key.count);
        }
      }),
    );
  });
});

describe('inputs to start from', () => {
  it('are the one with the fewest keys, and that of the last finished job', () => {
    const sample = [
      { jobKey: 'late', finishedAtMs: 30, text: '{"a": 1, "b": {"c": 2, "d": 3}}' },
      { jobKey: 'odd', finishedAtMs: 90, text: 'no JSON' },
      { jobKey: 'small', finishedAtMs: 10, text: '{"a": 1}' },
      { jobKey: 'small too', finishedAtMs: 20, text: '{"a": 10000}' },
    ];
    expect(startingPoints(sample)).toEqual({
      smallest: { jobKey: 'small', keys: 1, finishedAtMs: 10 },
      last: { jobKey: 'late', keys: 2, finishedAtMs: 30 },
    });
    expect(startingPoints([])).toEqual({ smallest: null, last: null });
  });
});

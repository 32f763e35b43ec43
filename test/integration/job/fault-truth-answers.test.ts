import { afterAll, describe, it } from 'vitest';
import type { FaultRule } from '../../../src-main/sandbox/faults/faults.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import { removeEngineFolders } from '../../kit/engine.ts';
import { playsAll } from '../../kit/plays-all.ts';
import { expectTruth } from './fault-truth/judge-bag.ts';
import { lengths, nameOf, strangeAnswers } from './fault-truth/truth-faults.ts';

afterAll(removeEngineFolders);

interface Case {
  name: string;
  rules: readonly FaultRule[];
  dialect: Dialect;
  seed: number;
}

const dialects: readonly Dialect[] = ['spec', 'observed'];

const all = [
  'for one answer',
  'for ten seconds',
  'for five minutes',
  'to reads of the stream for five minutes',
  'to reads of the status for five minutes',
] as const;

const alone = all.map((length, at) =>
  strangeAnswers.map((rule, index): Case => {
    const dialect: Dialect = dialects[(at + index) % 2] ?? 'spec';
    return { name: `${nameOf(rule)} ${length}`, rules: lengths[length](rule), dialect, seed: 201 + index };
  }),
);

/** Every answer for every length takes ten minutes: in an ordinary run each is played for one of them, by turns. */
const byTurns = alone.map((cases, at) => cases.filter((_case, index) => index % all.length === at));
const [forOne = [], forTenSeconds = [], forFiveMinutes = [], ofStream = [], ofStatus = []] = byTurns;

/** Two in a bag: each at an endpoint of its own, so that neither comes between two answers of the other. */
const beside = (cases: readonly Case[]): Case[] =>
  cases.flatMap((one, index) => {
    const other = cases[index + 1];
    if (index % 2 === 1) return [];
    return [other === undefined ? one : joined(at(one, 'plain'), at(other, 'llm'))];
  });
const at = (one: Case, endpointId: string): Case => ({
  ...one,
  name: `${one.name} at ${endpointId}`,
  rules: one.rules.map((rule) => ({ ...rule, endpointId })),
});
const joined = (one: Case, other: Case): Case => ({
  ...one,
  name: `${one.name}, ${other.name}`,
  rules: [...one.rules, ...other.rules],
});

const inPairs = [
  ...[forOne, forTenSeconds, forFiveMinutes].flatMap(beside),
  // One to reads of the stream, the other to those of the status.
  ...ofStream.map((one, index) => {
    const other = ofStatus[index];
    return other === undefined ? one : joined(one, other);
  }),
].map((one, bag): Case => ({ ...one, dialect: dialects[bag % 2] ?? 'spec' }));

describe('a strange answer', () => {
  it.for(playsAll ? alone.flat() : inPairs)(
    '$name ($dialect, seed $seed) leaves every job in its true state',
    async (one, { annotate }) => {
      await expectTruth(one, annotate);
    },
  );
});

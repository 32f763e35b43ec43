import { afterAll, describe, it } from 'vitest';
import type { FaultKind } from '../../../src-main/sandbox/faults/faults.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import { removeEngineFolders } from '../../kit/engine.ts';
import { playsAll } from '../../kit/plays-all.ts';
import { expectTruth } from './fault-truth/judge-bag.ts';
import { nameOf, strangeAnswers, stumbles, together } from './fault-truth/truth-faults.ts';

afterAll(removeEngineFolders);

const probability = 0.3;
const dialects: readonly Dialect[] = ['spec', 'observed'];
/** Kinds that look otherwise in the other dialect. */
const inBothDialects: readonly FaultKind[] = [
  'invalid-json',
  'truncated-json',
  'drop-after-accept',
  'unknown-status',
  'duplicate-chunks',
  'replay-chunks',
];
/** Bags in which a reply repeated one or two chunks that were all there were, or in which a runsync's reads hung. */
const moreSeeds: Partial<Record<FaultKind, readonly number[]>> = { 'replay-chunks': [2002, 2020], hang: [3017, 3125] };

const alone = stumbles.flatMap((rule, index) => {
  const played = dialects.filter((dialect) => dialect === 'spec' || inBothDialects.includes(rule.kind));
  const seeds = [index + 1, ...(moreSeeds[rule.kind] ?? [])];
  const parts = { name: nameOf(rule), rules: [{ ...rule, probability }] };
  return played.flatMap((dialect) => seeds.map((seed) => ({ ...parts, dialect, seed })));
});
/** An ordinary run plays two faults in a bag, in the two dialects by turns. */
const inPairs = stumbles.flatMap((_rule, index) => {
  if (index % 2 === 1) return [];
  const rules = stumbles.slice(index, index + 2);
  const dialect: Dialect = dialects[(index / 2) % 2] ?? 'spec';
  const name = rules.map(nameOf).join(' and ');
  return [{ name, rules: rules.map((one) => ({ ...one, probability })), dialect, seed: index + 1 }];
});
const seedsTogether = { spec: playsAll ? [101, 102] : [101], observed: playsAll ? [101, 102] : [102] };
const togetherCases = dialects.flatMap((dialect) => seedsTogether[dialect].map((seed) => ({ dialect, seed })));
const truth = '($dialect, seed $seed) leaves every job in its true state';

describe('each fault at 30 %', () => {
  it.for(playsAll ? alone : inPairs)(`$name ${truth}`, async (one, { annotate }) => {
    await expectTruth(one, annotate);
  });
});

describe('all faults together at 30 %', () => {
  it.for(togetherCases)(`a bag ${truth}`, async (one, { annotate }) => {
    await expectTruth({ ...one, rules: together([...stumbles, ...strangeAnswers], probability) }, annotate);
  });
});

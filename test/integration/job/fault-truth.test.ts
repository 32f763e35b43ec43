import { afterAll, describe, it } from 'vitest';
import type { FaultKind } from '../../../src-main/sandbox/faults/fault-rule.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import { removeEngineFolders } from '../../kit/engine.ts';
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
/** Bags in which a reply told one or two chunks again that were all there was. */
const moreSeeds: Partial<Record<FaultKind, readonly number[]>> = { 'replay-chunks': [2002, 2020] };

const cases = stumbles.flatMap((rule, index) => {
  const played = dialects.filter((dialect) => dialect === 'spec' || inBothDialects.includes(rule.kind));
  const seeds = [index + 1, ...(moreSeeds[rule.kind] ?? [])];
  const parts = { name: nameOf(rule), rules: [{ ...rule, probability }] };
  return played.flatMap((dialect) => seeds.map((seed) => ({ ...parts, dialect, seed })));
});
const togetherCases = dialects.flatMap((dialect) => [101, 102].map((seed) => ({ dialect, seed })));
const truth = '($dialect, seed $seed) leaves every job with the truth';

/**
 * A bag in which chunks are lost that could be had: a read that hangs right before a job's ttl is not given up in time
 * for another, because a service may hold a read for ten seconds, and what it holds would be lost with it. Whoever
 * mends that finds this test red and moves the bag to the others.
 */
const isKnownLoss = ({ name, seed }: (typeof cases)[number]): boolean => name === 'hang' && seed === 8;

describe('each fault alone at 30 %', () => {
  it.for(cases.filter((one) => !isKnownLoss(one)))(`$name ${truth}`, { timeout: 60_000 }, async (one, { annotate }) => {
    await expectTruth(one, annotate);
  });
  for (const one of cases.filter(isKnownLoss))
    it.fails(
      `${one.name} (seed ${one.seed}) still loses chunks right before a ttl`,
      { timeout: 60_000 },
      async ({ annotate }) => {
        await expectTruth(one, annotate);
      },
    );
});

describe('all faults together at 30 %', () => {
  it.for(togetherCases)(`a bag ${truth}`, { timeout: 120_000 }, async (one, { annotate }) => {
    await expectTruth({ ...one, rules: together([...stumbles, ...strangeAnswers], probability) }, annotate);
  });
});

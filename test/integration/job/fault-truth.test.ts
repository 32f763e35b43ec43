import { afterAll, describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import type { Dialect } from '../../../src-main/sandbox/dialect.ts';
import type { FaultRule } from '../../../src-main/sandbox/faults/faults.ts';
import { removeEngineFolders } from '../../kit/engine.ts';
import { packBag } from './fault-truth/bag.ts';
import { playBag } from './fault-truth/play-bag.ts';
import { judgeBag } from './fault-truth/verdict.ts';
import type { BagFigures, Leeway } from './fault-truth/verdict.ts';
import { faultDelayMs } from './one-clock/scene.ts';

afterAll(removeEngineFolders);

const probability = 0.3;
/** Real time after which an answer that never comes is given up, in place of half a minute. */
const hangTimeoutMs = 120;

interface Case {
  name: string;
  rules: readonly FaultRule[];
  leeway: Leeway;
  dialects: readonly Dialect[];
  /** Besides the one by its place. */
  seeds?: readonly number[];
}

const exact: Leeway = { mayBeUnknown: false, mayDouble: false, mayRepeat: false, mayLoseChunks: false, mayMissStream: false };
const both: readonly Dialect[] = ['spec', 'observed'];
const alone = (rule: FaultRule, leeway: Partial<Leeway> = {}, dialects: readonly Dialect[] = ['spec']): Case => ({
  name: [rule.kind, rule.status, rule.retryAfterS === undefined ? null : 'with Retry-After'].filter((part) => part != null).join(' '),
  rules: [{ ...rule, probability }],
  leeway: { ...exact, ...leeway },
  dialects,
});

const cases: readonly Case[] = [
  alone({ kind: 'status', status: 500 }, { mayBeUnknown: true, mayMissStream: true }),
  alone({ kind: 'status', status: 502 }, { mayBeUnknown: true, mayMissStream: true }),
  alone({ kind: 'status', status: 503, retryAfterS: 3 }, { mayBeUnknown: true, mayMissStream: true }),
  alone({ kind: 'status', status: 429 }),
  alone({ kind: 'status', status: 429, retryAfterS: 4 }),
  alone({ kind: 'html' }, { mayBeUnknown: true, mayMissStream: true }),
  alone({ kind: 'reset' }, { mayBeUnknown: true }),
  alone({ kind: 'hang' }, { mayBeUnknown: true }),
  alone({ kind: 'delay', delayMs: faultDelayMs }),
  alone({ kind: 'invalid-json' }, { mayBeUnknown: true, mayLoseChunks: true }, both),
  alone({ kind: 'truncated-json' }, { mayBeUnknown: true, mayLoseChunks: true }, both),
  alone({ kind: 'drop-after-accept' }, { mayBeUnknown: true, mayLoseChunks: true }, both),
  alone({ kind: 'late-in-progress' }),
  alone({ kind: 'unknown-status' }, {}, both),
  alone({ kind: 'duplicate-chunks' }, { mayDouble: true }, both),
  // Bags in which a reply told one or two chunks again that were all there was.
  { ...alone({ kind: 'replay-chunks' }, {}, both), seeds: [2002, 2020] },
  alone({ kind: 'drop-webhook' }),
  alone({ kind: 'clock-skew', skewMs: 7_200_000 }),
];

async function judge({ rules, dialect, seed, leeway }: Pick<Case, 'rules' | 'leeway'> & { dialect: Dialect; seed: number }, annotate: TestContext['annotate']): Promise<BagFigures> {
  const bag = packBag(seed);
  const has = (wanted: FaultRule['kind']): boolean => rules.some(({ kind }) => kind === wanted);
  const played = await playBag(bag, { seed, dialect, faults: rules, hasWebhooks: has('drop-webhook'), ...(has('hang') ? { timeoutMs: hangTimeoutMs } : {}) });
  try {
    const { figures, complaints } = await judgeBag(bag, played, leeway);
    await annotate(JSON.stringify(figures), 'figures');
    expect(complaints).toEqual([]);
    // Else there was nothing to tell the truth of.
    expect(figures.finished).toBeGreaterThan(10);
    return figures;
  } finally {
    await played.scene.close();
  }
}

describe('each fault alone at 30 %', () => {
  it.for(cases.flatMap(({ dialects, seeds = [], ...rest }, index) => dialects.flatMap((dialect) => [index + 1, ...seeds].map((seed) => ({ ...rest, dialect, seed })))))('$name ($dialect, seed $seed) leaves every job with the truth', { timeout: 60_000 }, async (one, { annotate }) => {
    const figures = await judge(one, annotate);
    expect(figures.expired).toBe(0);
  });
});

/** Kinds that take a request or its answer in hand: of these, one hits three requests in ten. */
const wholeKinds = cases.flatMap(({ rules }) => rules).filter(({ kind }) => !['late-in-progress', 'unknown-status', 'duplicate-chunks', 'replay-chunks', 'drop-webhook', 'clock-skew'].includes(kind));
const together: readonly FaultRule[] = cases.flatMap(({ rules }) => rules).map((rule) => (wholeKinds.includes(rule) ? { ...rule, probability: 1 - (1 - probability) ** (1 / wholeKinds.length) } : rule));

describe('all faults together at 30 %', () => {
  it.for(both.flatMap((dialect) => [101, 102].map((seed) => ({ dialect, seed }))))('leave every job with the truth ($dialect, seed $seed)', { timeout: 60_000 }, async (one, { annotate }) => {
    await judge({ ...one, rules: together, leeway: { mayBeUnknown: true, mayDouble: true, mayRepeat: true, mayLoseChunks: true, mayMissStream: true } }, annotate);
  });
});

import { type Batch, isBatchLive, sendingTimeMs, submitLimits, type BatchState } from '../../src-preload/batch.ts';
import { classes } from '../design/class-names.ts';
import type { Budget } from '../../src-preload/app.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import type { StatusKind } from '../../src-preload/job.ts';
import { outcomesText, outcomeWords } from '../messages/batches.ts';
import styles from './outcome-bar.module.css';

/** A part of a batch's bar: rows with the same outcome, and the filter that shows them. */
interface Outcome {
  kind: StatusKind;
  word: string;
  count: number;
  /** Values for `status:`. Empty if no filter selects exactly these rows. */
  statuses: readonly string[];
}

const order: readonly { kind: StatusKind; word: string; states: readonly BatchState[]; statuses: readonly string[] }[] =
  [
    { kind: 'done', word: outcomeWords.completed, states: ['completed'], statuses: ['completed'] },
    { kind: 'fail', word: outcomeWords.failed, states: ['failed'], statuses: ['failed', 'timed_out'] },
    { kind: 'fail', word: outcomeWords.refused, states: ['refused'], statuses: ['refused'] },
    { kind: 'unknown', word: outcomeWords.unknown, states: ['unknown'], statuses: ['outcome_unknown'] },
    { kind: 'gone', word: outcomeWords.gone, states: ['gone'], statuses: ['gone'] },
    { kind: 'orphaned', word: outcomeWords.orphaned, states: ['orphaned'], statuses: ['orphaned'] },
    { kind: 'cancel', word: outcomeWords.cancelled, states: ['cancelled'], statuses: ['cancelled'] },
    { kind: 'run', word: outcomeWords.active, states: ['active'], statuses: ['in_queue', 'in_progress'] },
    { kind: 'to-send', word: outcomeWords.toSend, states: ['waiting', 'sending'], statuses: ['waiting'] },
  ];

/** The outcomes of a batch's rows, ended ones first. Outcomes without rows are left out. */
export function outcomesOf({ counts }: Pick<Batch, 'counts'>): Outcome[] {
  return order.flatMap(({ kind, word, states, statuses }) => {
    const count = states.reduce((sum, state) => sum + counts[state], 0);
    return count === 0 ? [] : [{ kind, word, count, statuses }];
  });
}

/** Rows that will not change any further. */
export function endedRows({ counts, total }: Pick<Batch, 'counts' | 'total'>): number {
  return total - counts.waiting - counts.sending - counts.active;
}

/** The accessible name of the bar: `12 rows: 7 completed, 1 failed, 4 to send`. */
export function outcomeText(batch: Pick<Batch, 'counts' | 'total'>): string {
  return outcomesText(batch.total, outcomesOf(batch));
}

/** How many rows had ended at a moment. */
export interface Sample {
  atMs: number;
  ended: number;
}

/** The rate is computed from the samples of this time. */
const rateWindowMs = 60_000;
/** If samples are closer together, only the last one is kept. */
const sampleEveryMs = 500;

/** The samples with one added. Older ones than the rate needs are dropped, except one. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && (sample.ended < last.ended || sample.atMs < last.atMs)) return [sample];
  const isSoon = sample.atMs - (samples.at(-2)?.atMs ?? -Infinity) < sampleEveryMs;
  const before = isSoon ? samples.slice(0, -1) : samples;
  const kept = last !== undefined && last.ended === sample.ended ? [...samples] : [...before, sample];
  const from = kept.findIndex(({ atMs }) => atMs >= sample.atMs - rateWindowMs);
  return from <= 0 ? kept : kept.slice(from - 1);
}

/** The samples by batch id with the present progress added. Batches that are over are dropped. */
export function withSamplesOf(
  samples: Readonly<Record<string, readonly Sample[]>>,
  batches: readonly Batch[],
  atMs: number,
): Record<string, readonly Sample[]> {
  const next = new Map(Object.entries(samples));
  for (const batch of batches) {
    if (isBatchLive(batch)) next.set(batch.id, withSample(next.get(batch.id) ?? [], { atMs, ended: endedRows(batch) }));
    else next.delete(batch.id);
  }
  return Object.fromEntries(next);
}

/** How many rows end per second, from the last minute. Null if there are too few samples. */
export function rowsPerSecond(samples: readonly Sample[], nowMs: number): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.ended - first.ended < 2) return null;
  return ((last.ended - first.ended) * 1_000) / Math.max(1_000, nowMs - first.atMs);
}

/**
 * An estimate of the time until the last row has ended, from the rate of the last minute. Never less than sending the
 * remaining rows takes at the allowed rate. Null if there is no estimate, or if it has not come true.
 */
export function timeLeftMs(
  batch: Batch,
  facts: {
    samples: readonly Sample[];
    nowMs: number;
    budget: Budget | null;
    rateShare: number;
    runTimes: RunTimes | null;
  },
): number | null {
  const left = batch.total - endedRows(batch);
  if (left === 0) return 0;
  const toSend = batch.counts.waiting + batch.counts.sending;
  if (batch.isPaused && toSend > 0) return null;
  const allowed = facts.budget?.allowed ?? Math.floor(submitLimits[batch.operation] * facts.rateShare);
  const sendingMs = sendingTimeMs(toSend, allowed);
  const rate = rowsPerSecond(facts.samples, facts.nowMs);
  if (rate !== null) return Math.max(sendingMs, (left / rate) * 1_000);
  const eachMs = facts.runTimes?.executionP50Ms ?? null;
  if (eachMs === null) return null;
  const estimateMs = Math.max(sendingMs + eachMs, eachMs * Math.ceil(left / (batch.limits.maxLive ?? Infinity)));
  // The rows that run now take longer than earlier jobs did.
  const quietMs = facts.nowMs - (facts.samples.at(-1)?.atMs ?? facts.nowMs);
  return quietMs > estimateMs ? null : estimateMs;
}

/** A batch's rows as one bar, divided by their outcome. */
export function OutcomeBar({ batch, isSmall = false }: { batch: Batch; isSmall?: boolean }) {
  return (
    <span className={classes(styles.bar, isSmall && styles.small)} role="img" aria-label={outcomeText(batch)}>
      {outcomesOf(batch).map(({ kind, word, count }) => (
        <span key={word} className={classes(styles.part, styles[kind])} style={{ flexGrow: count }} />
      ))}
    </span>
  );
}

import { attemptsOf, estimateCost, isRunningJob, type EndpointCost } from '../../src-preload/cost.ts';
import { endOf, statusKind, statusWord, type Job, type StatusKind } from '../../src-preload/job.ts';
import { certainUntilMs, knownAtMs } from '../data/certainty.ts';
import { markWord } from '../../src-preload/judgement.ts';
import { formatBytes, formatMeasured } from '../../src-preload/format.ts';
import { commonText } from '../messages/common.ts';
import { changeText, factsText } from '../messages/compare/differences.ts';
import type { SideRead } from './sides.ts';

/** A fact of one side: as text, and, if it is an amount, as its share of the largest. */
interface FactCell {
  text: string;
  amount: number | null;
}

export interface FactRow {
  name: string;
  cells: FactCell[];
  /** The colour of its bars: each side's own state, the wait, or none. */
  bars: 'state' | 'queue' | 'ink';
  isEqual: boolean;
  /** The second amount compared with the first, if there are two: `39 % less`. */
  change: string;
}

/** The facts of each side, apart from its input and output. */
export function factRows(sides: readonly SideRead[], costs: readonly EndpointCost[], nowMs: number): FactRow[] {
  const row = (
    name: string,
    cellOf: (side: SideRead) => FactCell | string | null,
    bars: FactRow['bars'] = 'ink',
  ): FactRow => {
    const cells = sides.map((side): FactCell => {
      const cell = cellOf(side);
      return typeof cell === 'string' || cell === null ? { text: cell ?? '–', amount: null } : cell;
    });
    const isEqual = cells.every(({ text }) => text === cells[0]?.text);
    return { name, cells, bars, isEqual, change: isEqual ? '' : changeOf(cells) };
  };
  const duration = (ms: number | null): FactCell | null =>
    ms === null ? null : { text: formatMeasured(ms), amount: ms };
  return [
    row(factsText.status, wordOf),
    row(factsText.execution, (side) => duration(ofAttempt(side, 'executionTimeMs')), 'state'),
    row(factsText.inQueue, (side) => duration(ofAttempt(side, 'delayTimeMs')), 'queue'),
    row(factsText.firstToken, (side) => duration(firstTokenMs(side))),
    row(factsText.cost, (side) => costOf(side, costs, nowMs)),
    row(factsText.outputSize, ({ detail: { job }, attempt }) => {
      const bytes = attempt?.outputBytes ?? job.outputBytes;
      return { text: formatBytes(bytes), amount: bytes };
    }),
    row(factsText.worker, ({ attempt }) => attempt?.workerId ?? null),
    row(commonText.endpoint, ({ detail: { job } }) => `${job.endpointId}, ${job.operation}`),
    row(factsText.mark, ({ detail: { job } }) => (job.mark === undefined ? null : markWord(job.mark))),
    row(factsText.label, ({ detail: { job } }) => job.label ?? null),
    row(factsText.error, ({ attempt }) => attempt?.errorText?.split('\n')[0]?.slice(0, 300) ?? null),
  ].filter(({ cells }) => cells.some(({ text }) => text !== '–'));
}

/** For the current attempt, the job has the newest value. */
function ofAttempt({ detail: { job }, attempt }: SideRead, field: 'executionTimeMs' | 'delayTimeMs'): number | null {
  return attempt === null || attempt.number === job.attempt ? (attempt?.[field] ?? job[field]) : attempt[field];
}

/** The status of a side. */
export function statusKindOf({ detail: { job }, attempt }: SideRead): StatusKind {
  return statusKind(attempt !== null && attempt.number !== job.attempt ? endOf(attempt) : job);
}

/** The time from the start on a worker to the arrival of its first chunk here. Null if either is not known. */
function firstTokenMs(side: SideRead): number | null {
  const arrivedAtMs = side.bodies?.firstReceivedAtMs ?? null;
  const waitedMs = ofAttempt(side, 'delayTimeMs');
  const startedAtMs = side.attempt?.startedAtMs ?? null;
  if (arrivedAtMs === null || waitedMs === null || startedAtMs === null) return null;
  return Math.max(0, arrivedAtMs - startedAtMs - waitedMs);
}

function wordOf({ detail: { job }, attempt }: SideRead): string {
  return statusWord(attempt !== null && attempt.number !== job.attempt ? endOf(attempt) : job);
}

/** The cost of the compared attempt alone. */
function costOf(
  { detail: { job }, attempt }: SideRead,
  costs: readonly EndpointCost[],
  nowMs: number,
): FactCell | null {
  const rates = costs.find(
    (cost) => cost.connectionId === job.connectionId && cost.endpointId === job.endpointId,
  )?.rates;
  const compared =
    attempt !== null && attempt.number !== job.attempt
      ? [{ executionMs: attempt.executionTimeMs, endedAtMs: attempt.finishedSeenAtMs, isRunning: false }]
      : attemptsOf(job, [], costedUntilMs(job, nowMs));
  const cost = estimateCost(compared, rates ?? [], nowMs);
  return cost.kind === 'estimate' ? { text: factsText.credits(cost.credits), amount: cost.credits } : null;
}

/** A job may have ended while nothing is known of it, so its cost stops with its time, as in its pane. */
function costedUntilMs(job: Job, nowMs: number): number {
  const isRead = { connectionState: { kind: 'ready' }, isPaused: false } as const;
  return certainUntilMs(isRunningJob(job) ? knownAtMs(job) : null, isRead, nowMs) ?? nowMs;
}

function changeOf(cells: readonly FactCell[]): string {
  const [first, second, ...others] = cells;
  if (others.length > 0 || first?.amount == null || second?.amount == null || first.amount === 0) return '';
  const percent = Math.round((second.amount / first.amount - 1) * 100);
  if (percent === 0) return changeText.nearlyEqual;
  return percent >= 1_000 ? changeText.times(second.amount / first.amount) : changeText.percent(percent);
}

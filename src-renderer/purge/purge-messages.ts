import type { Failure } from '../../src-preload/failure.ts';
import type { Purge, PurgeAllowance, PurgePreview } from '../../src-preload/purge.ts';
import { formatAge, formatCount, formatCountOf, formatDay, formatMinute } from '../../src-preload/format.ts';

/** The waiting jobs of a queue, ours and others' separately, as far as the numbers agree. */
export interface QueueShares {
  /** As the service says. Null if it was never read. */
  inQueue: number | null;
  tracked: number;
  /** Submitted from elsewhere. Null if that is not known. */
  elsewhere: number | null;
  running: number | null;
  /** Why the numbers cannot all be true. Null if they can. */
  disagreement: string | null;
}

/** Splits the waiting jobs into ours and others'. Pure. */
export function queueShares(preview: Pick<PurgePreview, 'health' | 'tracked'>): QueueShares {
  const { health, tracked } = preview;
  if (health === null) return { inQueue: null, tracked, elsewhere: null, running: null, disagreement: null };
  const { inQueue, inProgress } = health.jobs;
  const isMore = tracked > inQueue;
  return {
    inQueue,
    tracked,
    elsewhere: isMore ? null : inQueue - tracked,
    running: inProgress,
    disagreement: isMore
      ? `The service reports ${formatCount(inQueue)} waiting, and ${formatCount(tracked)} sent from here ` +
        'were waiting at the last check. One of the two is out of date.'
      : null,
  };
}

/** `12 jobs`, for the label of the button. Null if the number is not known. */
export function purgeCount({ inQueue, tracked }: QueueShares): string | null {
  if (inQueue === null) return tracked === 0 ? null : `${formatCountOf(tracked, 'job')} or more`;
  return formatCountOf(Math.max(inQueue, tracked), 'job');
}

/**
 * How old the health of a preview is. A health that was read before a purge from here (`hasPurged`) no longer describes
 * the queue.
 */
export function healthAge(preview: Pick<PurgePreview, 'health'>, nowMs: number, hasPurged = false): string {
  if (preview.health === null) return hasPurged ? 'not read since the purge' : 'not read yet';
  const ageMs = Math.max(0, nowMs - preview.health.atMs);
  return ageMs < 2_000 ? 'read just now' : `read ${formatAge(ageMs)} ago`;
}

/** Whole seconds, to the nearest, until a purge is allowed again. 0 if it is allowed. */
export function lockSeconds(allowance: PurgeAllowance, nowMs: number): number {
  const leftMs = (allowance.lockedUntilMs ?? 0) - nowMs;
  return leftMs <= 0 ? 0 : Math.max(1, Math.ceil((leftMs - 500) / 1_000));
}

/** The result of a purge: a headline, and sentences under it. */
export interface PurgeReport {
  tone: 'neutral' | 'warning' | 'error';
  title: string;
  lines: string[];
}

/** The report on a purge that was just sent. Pure. */
export function purgeReport(purge: Purge): PurgeReport {
  const { outcome } = purge;
  switch (outcome.kind) {
    case 'under-way':
      return { tone: 'neutral', title: 'Purging…', lines: [] };
    case 'removed':
      return {
        tone: 'neutral',
        title: `${formatCountOf(outcome.removed, 'job')} removed`,
        lines: [...comparedLine(purge.expected, outcome.removed), ...ownJobLines(purge)],
      };
    case 'unknown':
      return {
        tone: 'warning',
        title:
          `Outcome unknown: ${purge.expected === null ? 'waiting jobs' : formatCountOf(purge.expected, 'job')} ` +
          'may have been removed',
        lines: [
          `${sentence(outcome.reason)} Jobdeck will not send it again, because a second purge would remove newer jobs.`,
          ...ownJobLines(purge),
        ],
      };
    case 'refused':
      return { tone: 'error', title: 'Nothing was purged', lines: failureLines(outcome.failure) };
  }
}

function comparedLine(expected: number | null, removed: number): string[] {
  if (expected === null || expected === removed) return [];
  if (removed > expected)
    return [`${formatCount(removed - expected)} more than were waiting before: they arrived in between.`];
  return [
    `${formatCount(expected - removed)} fewer than were waiting: they started or left the queue in the meantime.`,
  ];
}

function ownJobLines({ tracked, purged, undecided }: Purge): string[] {
  if (tracked === 0) return ['None of them were sent from here.'];
  // The two are counted a moment apart, so a job that is gone may still count as undecided.
  const stillOpen = Math.min(undecided, Math.max(0, tracked - purged));
  const others = tracked - purged - stillOpen;
  const parts = [
    `${formatCount(purged)} of ${formatCount(tracked)} sent from here ${purged === 1 ? 'is' : 'are'} gone`,
  ];
  if (others > 0) parts.push(`${formatCount(others)} had left the queue before`);
  if (stillOpen > 0) parts.push(`${formatCount(stillOpen)} still being checked`);
  return [`${parts.join(', ')}. Their inputs stay saved.`];
}

/** A failure as sentences: ours, and the service's own message. */
export function failureLines(failure: Failure): string[] {
  const said = 'serviceSaid' in failure ? failure.serviceSaid : undefined;
  return said === undefined || failure.message.includes(said)
    ? [failure.message]
    : [failure.message, `The service said: ${said}`];
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** `Last purge 12 Nov, 16:02`, and its result. */
export function lastPurge(purge: Purge, nowMs: number): { when: string; result: string } {
  const result = { 'under-way': 'in progress', unknown: 'outcome unknown', refused: 'refused', removed: '' }[
    purge.outcome.kind
  ];
  return {
    when: `Last purge ${formatDay(purge.startedAtMs, nowMs)}, ${formatMinute(purge.startedAtMs)}`,
    result: purge.outcome.kind === 'removed' ? `${formatCount(purge.outcome.removed)} removed` : result,
  };
}

import type { StatusKind } from '../../src-preload/job.ts';
import { formatBytes, formatCountdown, formatDuration, formatMeasured } from '../../src-preload/format.ts';
import { ranText, type AttemptFacts } from './timeline.ts';

/** A step of the vertical timeline in a job's own window. */
export interface Step {
  id: string;
  kind: StatusKind | 'leaves';
  title: string;
  atMs: number | null;
  detail: string;
  /** The emphasised beginning of the detail (time left). */
  strong: string;
  /** The remaining share of the retention, for the meter. Null without a meter. */
  left: number | null;
  /** True if little of it is left. */
  isShort: boolean;
}

const endTitles: Partial<Record<StatusKind, string>> = {
  done: 'Completed',
  fail: 'Failed',
  timeout: 'Timed out',
  cancel: 'Cancelled',
};

/**
 * Queued, ran, ended, expires on the server: the steps that have happened or are in progress at `nowMs`. A step in
 * progress counts up to `certainUntilMs`, until which the state of a live job is known.
 */
export function timelineStepsOf(facts: AttemptFacts, nowMs: number, certainUntilMs: number = nowMs): Step[] {
  const plain = { strong: '', left: null, isShort: false };
  if (facts.isSending)
    return [
      { ...plain, id: 'sending', kind: 'to-send', title: 'Waiting to send', atMs: facts.startedAtMs, detail: '' },
    ];
  const isWaiting = facts.isLive && facts.runningSinceMs === null;
  const queuedMs = facts.queuedMs ?? (isWaiting ? Math.max(0, certainUntilMs - facts.startedAtMs) : null);
  const steps: Step[] = [
    {
      ...plain,
      id: 'queued',
      kind: 'queue',
      title: 'Queued',
      atMs: facts.startedAtMs,
      detail: queuedMs === null ? '' : formatMeasured(queuedMs),
    },
  ];
  steps.push(
    ...facts.formerStartsAtMs.map((atMs, index): Step => ({
      ...plain,
      id: `former-${index}`,
      kind: 'run',
      title: 'Was running',
      atMs,
      detail: 'returned to the queue',
    })),
  );
  if (facts.isLive) {
    if (facts.runningSinceMs !== null) {
      steps.push({
        ...plain,
        id: 'running',
        kind: facts.kind === 'unknown' ? 'unknown' : 'run',
        title: 'Running',
        atMs: facts.runningSinceMs,
        detail:
          `${formatDuration(certainUntilMs - facts.runningSinceMs)} of ${formatCountdown(facts.executionTimeoutMs)} ` +
          'execution timeout',
      });
    }
    if (facts.ttlEndsAtMs !== null)
      steps.push({
        ...plain,
        id: 'ttl',
        kind: 'gone',
        title: 'ttl ends',
        atMs: facts.ttlEndsAtMs,
        strong: `in ${formatCountdown(facts.ttlEndsAtMs - nowMs)}`,
        detail: ', then the service deletes the job',
      });
    return steps;
  }
  const hasRun = facts.ranMs !== null && (facts.kind !== 'cancel' || facts.ranMs > 0);
  if (hasRun)
    steps.push({
      ...plain,
      id: 'ran',
      kind: 'run',
      title: 'Ran',
      atMs: facts.queuedMs === null ? null : facts.startedAtMs + facts.queuedMs,
      detail: ranText(facts.ranMs ?? 0),
    });
  steps.push({
    ...plain,
    id: 'ended',
    kind: facts.kind,
    title: endTitles[facts.kind] ?? 'Ended',
    atMs: facts.finishedAtMs,
    detail: facts.isOutputForgotten
      ? 'Its output was deleted by your retention rule'
      : facts.isResultSaved
        ? `Saved here${facts.outputBytes > 0 ? `, ${formatBytes(facts.outputBytes)}` : ''}` +
          (facts.isStreamPending ? ', the rest of its stream is still being fetched' : '')
        : facts.isReplyUnread
          ? 'The reply is too large to read'
          : 'Not saved yet',
  });
  if (facts.retentionEndsAtMs !== null) {
    const leftMs = facts.retentionEndsAtMs - nowMs;
    steps.push(
      leftMs > 0
        ? {
            id: 'leaves',
            kind: 'leaves',
            title: 'Expires on server',
            atMs: facts.retentionEndsAtMs,
            strong: `in ${formatCountdown(leftMs)}`,
            detail: facts.isStreamPending
              ? ', with the rest of its stream'
              : facts.isResultSaved
                ? '; already saved here'
                : '',
            left: Math.min(1, leftMs / facts.retentionMs),
            isShort: leftMs < facts.retentionMs / 5,
          }
        : {
            ...plain,
            id: 'leaves',
            kind: 'leaves',
            title: 'Expired on server',
            atMs: facts.retentionEndsAtMs,
            detail: facts.isResultSaved && !facts.isOutputForgotten ? 'The copy saved here stays' : '',
          },
    );
  }
  return steps;
}

import type { StatusKind } from '../../../src-preload/job.ts';
import { formatDuration, formatMeasured } from '../../../src-preload/format.ts';
import { endTitles, stepText, timelineText } from '../../messages/job/timeline.ts';
import type { AttemptFacts } from './attempt-facts.ts';

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

const plain = { strong: '', left: null, isShort: false };

/**
 * Queued, ran, ended, expires on the server: the steps that have happened or are in progress at `nowMs`. A step in
 * progress counts up to `certainUntilMs`, until which the state of a live job is known.
 */
export function timelineStepsOf(facts: AttemptFacts, nowMs: number, certainUntilMs: number): Step[] {
  if (facts.isSending)
    return [
      { ...plain, id: 'sending', kind: 'to-send', title: stepText.waitingToSend, atMs: facts.startedAtMs, detail: '' },
    ];
  return [
    queuedStep(facts, certainUntilMs),
    ...facts.formerStartsAtMs.map((atMs, index): Step => ({
      ...plain,
      id: `former-${index}`,
      kind: 'run',
      title: stepText.wasRunning,
      atMs,
      detail: stepText.returned,
    })),
    ...(facts.isLive ? liveSteps(facts, nowMs, certainUntilMs) : endedSteps(facts, nowMs)),
  ];
}

function queuedStep(facts: AttemptFacts, certainUntilMs: number): Step {
  const isWaiting = facts.isLive && facts.runningSinceMs === null;
  const queuedMs = facts.queuedMs ?? (isWaiting ? Math.max(0, certainUntilMs - facts.startedAtMs) : null);
  return {
    ...plain,
    id: 'queued',
    kind: 'queue',
    title: timelineText.queued,
    atMs: facts.startedAtMs,
    detail: queuedMs === null ? '' : formatMeasured(queuedMs),
  };
}

/** What a live job does, and when the service gives it up. */
function liveSteps(facts: AttemptFacts, nowMs: number, certainUntilMs: number): Step[] {
  const steps: Step[] = [];
  if (facts.runningSinceMs !== null)
    steps.push({
      ...plain,
      id: 'running',
      kind: facts.kind === 'unknown' ? 'unknown' : 'run',
      title: timelineText.running,
      atMs: facts.runningSinceMs,
      detail: stepText.ofTimeout(certainUntilMs - facts.runningSinceMs, facts.executionTimeoutMs),
    });
  if (facts.ttlEndsAtMs !== null)
    steps.push({
      ...plain,
      id: 'ttl',
      kind: 'gone',
      title: stepText.ttlEnds,
      atMs: facts.ttlEndsAtMs,
      strong: stepText.in(facts.ttlEndsAtMs - nowMs),
      detail: stepText.thenDeleted,
    });
  return steps;
}

/** How a job ended, and how long its result stays on the server. */
function endedSteps(facts: AttemptFacts, nowMs: number): Step[] {
  const steps: Step[] = [];
  if (facts.ranMs !== null && (facts.kind !== 'cancel' || facts.ranMs > 0))
    steps.push({
      ...plain,
      id: 'ran',
      kind: 'run',
      title: stepText.ran,
      atMs: facts.queuedMs === null ? null : facts.startedAtMs + facts.queuedMs,
      detail: formatDuration(facts.ranMs),
    });
  steps.push({
    ...plain,
    id: 'ended',
    kind: facts.kind,
    title: endTitles[facts.kind] ?? timelineText.ended,
    atMs: facts.finishedAtMs,
    detail: facts.isOutputForgotten
      ? stepText.outputDeleted
      : facts.isResultSaved
        ? (facts.isStreamPending ? stepText.savedSoFar : stepText.saved)(facts.outputBytes)
        : facts.isReplyUnread
          ? stepText.replyTooLarge
          : timelineText.notSavedYet,
  });
  if (facts.retentionEndsAtMs !== null) steps.push(retentionStep(facts, facts.retentionEndsAtMs, nowMs));
  return steps;
}

function retentionStep(facts: AttemptFacts, endsAtMs: number, nowMs: number): Step {
  const leftMs = endsAtMs - nowMs;
  const { retentionMs, isResultSaved, isOutputForgotten, isStreamPending } = facts;
  if (leftMs <= 0)
    return {
      ...plain,
      id: 'leaves',
      kind: 'leaves',
      title: stepText.expired,
      atMs: endsAtMs,
      detail: isResultSaved && !isOutputForgotten ? stepText.copyStays : '',
    };
  return {
    id: 'leaves',
    kind: 'leaves',
    title: stepText.expires,
    atMs: endsAtMs,
    strong: stepText.in(leftMs),
    detail: isStreamPending ? stepText.withStream : isResultSaved ? stepText.alreadySaved : '',
    left: Math.min(1, leftMs / retentionMs),
    isShort: leftMs < retentionMs / 5,
  };
}

import { endOf } from '../../../src-preload/job.ts';
import { retentionMs } from '../../../src-preload/service-retention.ts';
import {
  isFromElsewhere,
  missingInputReason,
  isTerminalStatus,
  runningSinceMs,
  statusKind,
} from '../../../src-preload/job.ts';
import { policyDefaults } from '../../../src-preload/job-bounds.ts';
import type { Attempt, Job, StatusKind } from '../../../src-preload/job.ts';
import { formatClock, formatCountdown, formatDuration, formatMeasured } from '../../../src-preload/format.ts';
import { formatRan } from '../../messages/job/formats.ts';
import { endedAfterTexts, formerStartsText, stripText, timelineText } from '../../messages/job/timeline.ts';

/** What the strip needs of one attempt. Times are epoch ms of our clock, durations are ms from the service. */
export interface AttemptFacts {
  kind: StatusKind;
  /** True while the service still works on it. */
  isLive: boolean;
  isSending: boolean;
  startedAtMs: number;
  queuedMs: number | null;
  runningSinceMs: number | null;
  /** When it was seen running before it returned to the queue (ruling 40), oldest first. */
  formerStartsAtMs: readonly number[];
  ranMs: number | null;
  finishedAtMs: number | null;
  executionTimeoutMs: number;
  ttlEndsAtMs: number | null;
  retentionEndsAtMs: number | null;
  retentionMs: number;
  isResultSaved: boolean;
  /** Submitted from here, so that what it was sent with is known. */
  isFromHere: boolean;
  /** Its input is here. */
  hasInput: boolean;
  outputBytes: number;
  chunkCount: number;
  hasError: boolean;
  /** It is over, and the rest of its stream is still being read (ruling 36). */
  isStreamPending: boolean;
  /** The service's reply about it exceeds what is ever read (ruling 43). */
  isReplyUnread: boolean;
  /** The user's retention rule deleted its output here. */
  isOutputForgotten: boolean;
}

/** The facts of a job's current attempt, or of a former one (of which only less was saved). */
export function attemptFacts(job: Job, attempt: Attempt | null): AttemptFacts {
  const isCurrent = attempt === null || attempt.number === job.attempt;
  const policyFacts = {
    executionTimeoutMs: job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs,
    retentionMs: retentionMs[job.operation],
    isFromHere: !isFromElsewhere(job),
    hasInput: missingInputReason(job) === null,
    isOutputForgotten: job.outputForgottenAtMs !== undefined,
  };
  if (!isCurrent) {
    return {
      ...policyFacts,
      kind: statusKind(endOf(attempt)),
      isLive: false,
      isSending: false,
      startedAtMs: attempt.startedAtMs,
      queuedMs: attempt.delayTimeMs,
      runningSinceMs: null,
      formerStartsAtMs: [],
      ranMs: attempt.executionTimeMs,
      finishedAtMs: attempt.finishedSeenAtMs,
      ttlEndsAtMs: null,
      retentionEndsAtMs: null,
      isResultSaved: true,
      outputBytes: attempt.outputBytes,
      chunkCount: attempt.chunkCount,
      hasError: attempt.errorText !== null,
      isStreamPending: false,
      isReplyUnread: false,
    };
  }
  const startedAtMs =
    attempt !== null && attempt.number > 1 ? attempt.startedAtMs : (job.acceptedAtMs ?? job.createdAtMs);
  // A job that returned to the queue waits there, whatever was seen before (ruling 40).
  const isRunning = job.status !== 'IN_QUEUE' && (job.status === 'IN_PROGRESS' || job.startedSeenAtMs !== null);
  // As in the list's execution column, so that both show the same number.
  const runsSinceMs = isRunning ? runningSinceMs(job) : null;
  return {
    ...policyFacts,
    kind: statusKind(job),
    // A job with a final status whose stream is still being read is no longer running.
    isLive: job.phase === 'active' && (job.status === null || !isTerminalStatus(job.status)),
    isSending: job.phase === 'submitting' || job.phase === 'waiting',
    startedAtMs,
    queuedMs: job.delayTimeMs ?? (runsSinceMs === null ? null : runsSinceMs - startedAtMs),
    runningSinceMs: runsSinceMs,
    formerStartsAtMs: job.formerStartsAtMs ?? [],
    ranMs:
      job.executionTimeMs ??
      (job.finishedSeenAtMs !== null && runsSinceMs !== null ? Math.max(0, job.finishedSeenAtMs - runsSinceMs) : null),
    finishedAtMs: job.finishedSeenAtMs,
    ttlEndsAtMs: job.ttlEndsAtMs,
    retentionEndsAtMs: job.retentionEndsAtMs,
    isResultSaved: job.isResultSaved,
    outputBytes: job.outputBytes,
    chunkCount: job.chunkCount,
    hasError: attempt === null ? statusKind(job) === 'fail' : attempt.errorText !== null,
    isStreamPending: job.pendingStream !== undefined,
    isReplyUnread: job.unreadReply !== undefined || job.goneReason === 'too-large',
  };
}

export type MarkIcon = StatusKind | 'done-outline' | 'leaves' | 'retry' | 'saved';

/** A caption under the lane: what it is, how long, and a detail. */
export interface Mark {
  id: string;
  icon: MarkIcon;
  label: string;
  value: string;
  /** The colour of the value. Null for the text colour. */
  tone: StatusKind | null;
  detail: string;
  /** Replaces label and detail if there is little room. */
  short?: { label: string; detail: string; below: 'medium' | 'narrow' };
}

/** A segment of the lane. */
export interface Segment {
  id: string;
  /**
   * `track` is the grey rest of the execution timeout, `outline` what has not begun, `retention` the time on the
   * server.
   */
  texture: StatusKind | 'track' | 'outline' | 'retention';
  /** The requested width on the lane. See `laneWidths`. */
  wants: { kind: 'duration'; ms: number; scale: 'wait' | 'run' } | { kind: 'fixed'; px: number } | { kind: 'rest' };
  /** How much of it is filled, 0 to 1. Each phase has its own scale. */
  fill: number;
  /** The colour of the fill, if it differs from the texture. */
  fillKind: StatusKind | null;
}

export interface Timeline {
  segments: Segment[];
  marks: Mark[];
  /** The footer of a live job: the ttl that is left, and what is saved here already. */
  ttlLeft: string | null;
  isTtlShort: boolean;
  kept: { strong: string; rest: string } | null;
  /** That it ran before and returned to the queue. Null for nearly all jobs. */
  former: string | null;
}

/**
 * The strip of an attempt at `nowMs` (design language: Timeline strip). A live one counts up to `seenUntilMs`, if its
 * service cannot be reached since then.
 */
export function timelineOf(facts: AttemptFacts, nowMs: number, seenUntilMs: number): Timeline {
  if (facts.isSending)
    return {
      segments: [{ id: 'rest', texture: 'outline', wants: { kind: 'rest' }, fill: 0, fillKind: null }],
      marks: [],
      ttlLeft: null,
      isTtlShort: false,
      kept: null,
      former: null,
    };
  return facts.isLive ? liveTimeline(facts, nowMs, Math.min(nowMs, seenUntilMs)) : endedTimeline(facts, nowMs);
}

function liveTimeline(facts: AttemptFacts, nowMs: number, seenUntilMs: number): Timeline {
  const isRunning = facts.runningSinceMs !== null;
  const queuedMs = facts.queuedMs ?? Math.max(0, seenUntilMs - facts.startedAtMs);
  const ranMs = facts.runningSinceMs === null ? 0 : Math.max(0, seenUntilMs - facts.runningSinceMs);
  const kind: StatusKind = facts.kind === 'unknown' ? 'unknown' : 'run';
  const limitMs = facts.executionTimeoutMs;
  const ttlLeftMs = facts.ttlEndsAtMs === null ? null : facts.ttlEndsAtMs - nowMs;
  return {
    segments: [
      {
        id: 'queued',
        texture: 'queue',
        wants: { kind: 'duration', ms: queuedMs, scale: 'wait' },
        fill: 1,
        fillKind: null,
      },
      {
        id: 'running',
        texture: 'track',
        wants: { kind: 'rest' },
        fill: isRunning ? Math.min(1, ranMs / facts.executionTimeoutMs) : 0,
        fillKind: isRunning ? kind : null,
      },
      { id: 'done', texture: 'outline', wants: { kind: 'fixed', px: 118 }, fill: 0, fillKind: null },
    ],
    marks: [
      {
        id: 'queued',
        icon: 'queue',
        label: timelineText.queued,
        value: formatMeasured(queuedMs),
        tone: isRunning ? null : 'queue',
        detail: '',
      },
      isRunning
        ? {
            id: 'running',
            icon: kind,
            label: timelineText.running,
            value: formatDuration(ranMs),
            tone: kind,
            detail: stripText.ofTimeout(limitMs),
            short: { label: timelineText.running, detail: stripText.ofLimit(limitMs), below: 'narrow' },
          }
        : {
            id: 'running',
            icon: 'run',
            label: timelineText.running,
            value: '',
            tone: null,
            detail: stripText.atMost(limitMs),
          },
      {
        id: 'done',
        icon: 'done-outline',
        label: stripText.done,
        value: '',
        tone: null,
        detail: stripText.expiresAfter(facts.retentionMs),
      },
    ],
    // Only the sender of an external job knows it.
    ttlLeft: ttlLeftMs === null ? (facts.isFromHere ? null : stripText.ttlNotKnown) : stripText.left(ttlLeftMs),
    isTtlShort: ttlLeftMs !== null && ttlLeftMs < 60_000,
    kept:
      facts.chunkCount > 0
        ? { strong: stripText.chunksSaved(facts.chunkCount), rest: stripText.asTheyArrive }
        : facts.hasInput
          ? { strong: stripText.inputSaved, rest: '' }
          : { strong: stripText.nothingSaved, rest: '' },
    former: formerStarts(facts),
  };
}

function formerStarts({ formerStartsAtMs }: Pick<AttemptFacts, 'formerStartsAtMs'>): string | null {
  const last = formerStartsAtMs.at(-1);
  return last === undefined ? null : formerStartsText(formerStartsAtMs.length, last);
}

function endedTimeline(facts: AttemptFacts, nowMs: number): Timeline {
  const ranMs = facts.ranMs ?? 0;
  const hasRun = facts.ranMs !== null && (facts.kind !== 'cancel' || facts.ranMs > 0);
  const leftMs = facts.retentionEndsAtMs === null ? null : facts.retentionEndsAtMs - nowMs;
  const isOnServer = leftMs !== null && leftMs > 0;
  const segments: Segment[] = [];
  const marks: Mark[] = [];
  if (facts.queuedMs !== null) {
    segments.push({
      id: 'queued',
      texture: 'queue',
      wants: { kind: 'duration', ms: facts.queuedMs, scale: 'wait' },
      fill: 1,
      fillKind: null,
    });
    marks.push({
      id: 'queued',
      icon: 'queue',
      label: timelineText.queued,
      value: formatMeasured(facts.queuedMs),
      tone: null,
      detail: '',
    });
  }
  segments.push({
    id: 'ended',
    texture: facts.kind,
    wants: { kind: 'duration', ms: ranMs, scale: 'run' },
    fill: 1,
    fillKind: null,
  });
  marks.push(
    hasRun
      ? {
          id: 'ended',
          icon: facts.kind,
          label: endedAfterTexts[facts.kind] ?? stripText.endedAfter,
          value: formatRan(ranMs),
          tone: facts.kind,
          detail: '',
        }
      : {
          id: 'ended',
          icon: facts.kind,
          label: facts.kind === 'cancel' ? stripText.neverRan : timelineText.ended,
          value: facts.finishedAtMs === null ? '' : formatClock(facts.finishedAtMs),
          tone: facts.kind === 'cancel' ? null : facts.kind,
          detail: '',
        },
  );
  segments.push({
    id: 'retention',
    texture: isOnServer ? 'retention' : 'outline',
    wants: { kind: 'rest' },
    fill: isOnServer ? Math.min(1, leftMs / facts.retentionMs) : 0,
    fillKind: null,
  });
  const server = serverMark(facts, leftMs);
  if (server !== null) marks.push(server);
  marks.push({
    id: 'saved',
    icon: 'saved',
    label: savedLabel(facts),
    value: savedText(facts),
    tone: null,
    detail: '',
  });
  return { segments, marks, ttlLeft: null, isTtlShort: false, kept: null, former: formerStarts(facts) };
}

function serverMark(facts: AttemptFacts, leftMs: number | null): Mark | null {
  if (leftMs === null) return null;
  const canRetry = facts.kind === 'fail' || facts.kind === 'timeout';
  const instead = facts.hasInput;
  if (leftMs > 0) {
    return canRetry
      ? {
          id: 'server',
          icon: 'retry',
          label: stripText.canRetry,
          value: stripText.left(leftMs),
          tone: null,
          detail: instead ? stripText.thenResubmit : '',
          short: { label: stripText.canRetryShort, detail: '', below: 'medium' },
        }
      : {
          id: 'server',
          icon: 'leaves',
          label: stripText.expiresIn,
          value: formatCountdown(leftMs),
          tone: null,
          detail: stripText.ofRetention(facts.retentionMs),
          short: { label: stripText.expiresInShort, detail: stripText.ofRetention(facts.retentionMs), below: 'narrow' },
        };
  }
  return {
    id: 'server',
    icon: canRetry ? 'retry' : 'leaves',
    label: canRetry ? stripText.cannotRetry : stripText.expired,
    value: facts.retentionEndsAtMs === null ? '' : formatClock(facts.retentionEndsAtMs),
    tone: null,
    detail: canRetry && instead ? stripText.resubmit : '',
    ...(canRetry && {
      short: { label: stripText.cannotRetry, detail: instead ? stripText.resubmitShort : '', below: 'medium' },
    }),
  };
}

function savedLabel({ isStreamPending, isReplyUnread, isResultSaved, isOutputForgotten }: AttemptFacts): string {
  if (isOutputForgotten) return stripText.outputDeleted;
  if (isReplyUnread) return stripText.savedInPart;
  if (isStreamPending) return stripText.savedSoFar;
  return isResultSaved ? stripText.saved : timelineText.notSavedYet;
}

/** What is saved on this computer, as text. */
function savedText(facts: Pick<AttemptFacts, 'chunkCount' | 'outputBytes' | 'hasError' | 'hasInput'>): string {
  if (facts.chunkCount > 0 || facts.outputBytes > 0) return stripText.savedOutput(facts.chunkCount, facts.outputBytes);
  if (facts.hasError) return facts.hasInput ? stripText.savedInputAndError : stripText.savedError;
  return facts.hasInput ? stripText.savedInput : stripText.savedStatus;
}

/** No phase is narrower (design language: Timeline strip). */
export const minSegmentPx = 22;
/** Between two segments. */
const gapPx = 2;

/**
 * Widths in px of the segments on a lane of `lanePx` and the gaps between them. Phases do not share a scale: a wait
 * grows with the logarithm of its time up to a quarter of the lane, a run up to two fifths, fixed ones shrink if the
 * lane is narrow, and the rest gets what is left. The sum is the lane; no segment is below `minSegmentPx` if the lane
 * has that much room.
 */
export function laneWidths(segments: readonly Segment[], lanePx: number): number[] {
  if (segments.length === 0) return [];
  const available = Math.max(0, lanePx - gapPx * (segments.length - 1));
  const least = Math.min(minSegmentPx, available / segments.length);
  const widths = segments.map(({ wants }) => {
    switch (wants.kind) {
      case 'rest':
        return least;
      case 'fixed':
        return Math.max(least, Math.min(wants.px, available * 0.24));
      case 'duration': {
        const decades = Math.log10(1 + Math.max(0, wants.ms) / 1000);
        const [perDecade, share] = wants.scale === 'wait' ? [34, 0.25] : [140, 0.4];
        return Math.max(least, Math.min(least + perDecade * decades, available * share));
      }
    }
  });
  const spare = available - widths.reduce((sum, width) => sum + width, 0);
  const rests = segments.flatMap(({ wants }, index) => (wants.kind === 'rest' ? [index] : []));
  const takers = rests.length > 0 ? rests : [segments.length - 1];
  if (spare > 0) for (const index of takers) widths[index] = (widths[index] ?? 0) + spare / takers.length;
  return widths;
}

import { formatClock, formatCountdown, formatDuration, formatMeasured } from '../../../src-preload/format.ts';
import type { StatusKind } from '../../../src-preload/job.ts';
import { formatMoment } from '../../messages/job/formats.ts';
import { endedAfterTexts, formerStartsText, stripText, timelineText } from '../../messages/job/timeline.ts';
import type { AttemptFacts } from './attempt-facts.ts';

export type MarkIcon = StatusKind | 'done-outline' | 'leaves' | 'retry';

/** A caption under the lane: what it is, how long, and a detail. */
export interface TimelineMark {
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
  marks: TimelineMark[];
  /**
   * The left side of the footer, which every job has, so that nothing below it moves when the job ends: the ttl that is
   * left, or when the job ended. Null where that is not known or shown above.
   */
  ttlLeft: string | null;
  isTtlShort: boolean;
  endedAt: string | null;
  /** The right side of the footer: what is saved on this computer. */
  kept: { label: string; strong: string; rest: string };
  /** That it ran before and returned to the queue. Null for nearly all jobs. */
  former: string | null;
}

/**
 * The strip of an attempt at `nowMs` (design language: Timeline strip). A live one counts up to `seenUntilMs`, if its
 * service cannot be reached since then.
 */
export function timelineOf(facts: AttemptFacts, nowMs: number, seenUntilMs: number): Timeline {
  if (facts.isSending) return unsentTimeline(facts);
  return facts.isLive ? liveTimeline(facts, nowMs, Math.min(nowMs, seenUntilMs)) : endedTimeline(facts, nowMs);
}

/** The lines of a live job, without times: what is below the strip stays in place when the service has the job. */
function unsentTimeline(facts: AttemptFacts): Timeline {
  const queued = {
    id: 'queued',
    icon: 'queue',
    label: timelineText.queued,
    value: '–',
    tone: null,
    detail: '',
  } as const;
  return {
    segments: [{ id: 'rest', texture: 'outline', wants: { kind: 'rest' }, fill: 0, fillKind: null }],
    marks: [queued, waitingToRun(facts), notDone(facts)],
    ttlLeft: null,
    isTtlShort: false,
    endedAt: null,
    kept: { label: '', strong: stripText.inputSaved, rest: '' },
    former: null,
  };
}

function waitingToRun({ executionTimeoutMs }: AttemptFacts): TimelineMark {
  return {
    id: 'running',
    icon: 'run',
    label: timelineText.running,
    value: '',
    tone: null,
    detail: stripText.atMost(executionTimeoutMs),
  };
}

function notDone({ retentionMs }: AttemptFacts): TimelineMark {
  return {
    id: 'done',
    icon: 'done-outline',
    label: stripText.done,
    value: '',
    tone: null,
    detail: stripText.expiresAfter(retentionMs),
  };
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
        : waitingToRun(facts),
      notDone(facts),
    ],
    // Only the sender of an external job knows it.
    ttlLeft: ttlLeftMs === null ? (facts.isFromHere ? null : stripText.ttlNotKnown) : stripText.left(ttlLeftMs),
    isTtlShort: ttlLeftMs !== null && ttlLeftMs < 60_000,
    endedAt: null,
    kept:
      facts.chunkCount > 0
        ? { label: '', strong: stripText.chunksSaved(facts.chunkCount), rest: stripText.asTheyArrive }
        : { label: '', strong: facts.hasInput ? stripText.inputSaved : stripText.nothingSaved, rest: '' },
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
  const marks: TimelineMark[] = [];
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
          value: formatDuration(ranMs),
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
  return {
    segments,
    marks,
    ttlLeft: null,
    isTtlShort: false,
    endedAt: hasRun && facts.finishedAtMs !== null ? formatMoment(facts.finishedAtMs, nowMs) : null,
    kept: { label: savedLabel(facts), strong: savedText(facts), rest: '' },
    former: formerStarts(facts),
  };
}

function serverMark(facts: AttemptFacts, leftMs: number | null): TimelineMark | null {
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

import { statusWords } from '../../src-preload/messages/job.ts';
import { mentionedId } from '../../src-preload/job-reason.ts';
import { reasonText, whyHeldBack } from '../../src-preload/messages/job-reason.ts';
import { isExternal, missingInputReason, statusKind, type Job } from '../../src-preload/job.ts';
import { policyDefaults } from '../../src-preload/job-bounds.ts';
import type { Fact } from '../design/fact-list.tsx';
import { formatMoment } from '../messages/job/formats.ts';
import { setAheadMs } from '../data/engine-time.ts';
import {
  beingSent,
  calledBack,
  endpointNotKnown,
  idNotKnown,
  lastKnownText,
  lostBySandbox,
  neverSent,
  noLongerKnown,
  noLongerTracked,
  notConfirmed,
  notSentYet,
  purged,
  rejected,
  replyTooLarge,
  savedHereText,
  ttlRanOut,
} from '../messages/job/outcome.ts';

export type OutcomeAction =
  | 'confirm'
  | 'submit-again'
  | 'resubmit-edits'
  | 'check-service'
  | 'cancel'
  | 'open-output'
  | 'follow-at-other-endpoint'
  | 'add-connection'
  | 'check-now'
  | 'try-once-more';

/** A state that needs text instead of a timeline: what happened, what is known, what to do. */
export interface JobOutcome {
  kind: 'waiting' | 'outcome-unknown' | 'refused' | 'gone' | 'orphaned';
  title: string;
  text: string;
  /** The message of the service or the network, verbatim, or null. */
  detail: string | null;
  /** What is saved on this computer: "Saved here: the input, and 1,118 chunks of output". */
  saved: string;
  /** For a job whose ttl has passed: how its ttl was used, in milliseconds. */
  spent: { queuedMs: number; ranMs: number; ttlMs: number } | null;
  /** The first is the primary one. */
  actions: OutcomeAction[];
}

/**
 * The outcome card of a job that is waiting to be sent, refused, of unknown outcome or gone (rulings 9, 11). Null for
 * all others.
 */
export function outcomeOf(job: Job): JobOutcome | null {
  switch (job.phase) {
    case 'waiting':
      return {
        kind: 'waiting',
        ...notSentYet,
        detail: whyHeldBack(job.reason),
        saved: savedSentence(job),
        spent: null,
        actions: ['cancel', 'resubmit-edits'],
      };
    case 'submitting':
      // The card stays while it is retried. Otherwise the pane would change at every try.
      return job.requestCount === 0
        ? null
        : {
            kind: 'waiting',
            ...beingSent,
            detail: null,
            saved: savedSentence(job),
            spent: null,
            actions: ['cancel', 'resubmit-edits'],
          };
    case 'outcome-unknown':
      if (job.jobId !== null) return arrivedOutcome(job, job.jobId);
      return {
        kind: 'outcome-unknown',
        ...notConfirmed(job.createdAtMs, job.reason, job.isLikelyThere === true),
        detail: null,
        saved: savedSentence(job),
        spent: null,
        actions: unknownActions(job),
      };
    case 'refused':
      return {
        kind: 'refused',
        ...rejected,
        detail: job.reason === null ? null : reasonText(job.reason),
        saved: savedSentence(job),
        spent: null,
        actions: ['resubmit-edits', 'submit-again'],
      };
    case 'gone':
      return goneOutcome(job);
    case 'orphaned':
      return orphanedOutcome(job);
    case 'active':
    case 'finished':
      return null;
  }
}

/** If the job probably runs already, the first button does not submit it again. */
function unknownActions(job: Job): OutcomeAction[] {
  if (mentionedId(job.reason) !== null) return ['confirm', 'submit-again', 'resubmit-edits'];
  return job.isLikelyThere === true
    ? ['check-service', 'submit-again', 'resubmit-edits']
    : ['submit-again', 'check-service', 'resubmit-edits'];
}

function arrivedOutcome(job: Job, jobId: string): JobOutcome {
  return {
    kind: 'outcome-unknown',
    ...calledBack(job.createdAtMs),
    detail: jobId,
    saved: savedSentence(job),
    spent: null,
    actions: ['confirm', 'submit-again', 'check-service'],
  };
}

/** A job of a removed connection. The service may still run it. Without an id it was never sent. */
function orphanedOutcome(job: Job): JobOutcome {
  const base = { kind: 'orphaned' as const, detail: null, saved: savedSentence(job), spent: null };
  if (job.jobId === null) {
    return { ...base, ...neverSent, actions: ['resubmit-edits', 'cancel'] };
  }
  return {
    ...base,
    ...noLongerTracked,
    actions: missingInputReason(job) !== null ? ['add-connection'] : ['add-connection', 'resubmit-edits'],
  };
}

/** What is known of a job that is no longer tracked, and what its connection needs. Empty for any other job. */
export function lastKnownFacts(job: Job, nowMs: number): Fact[] {
  if (job.phase !== 'orphaned' || job.jobId === null) return [];
  const atMs = job.statusReadAtMs ?? job.acceptedAtMs;
  return [
    {
      name: lastKnownText.status,
      value: statusWords[statusKind({ ...job, phase: 'active' })],
      note: atMs === null ? undefined : lastKnownText.asOf(formatMoment(atMs, nowMs)),
    },
    { name: lastKnownText.baseUrl, value: job.baseUrl, isRaw: true },
  ];
}

function goneOutcome(job: Job): JobOutcome {
  const base = {
    kind: 'gone' as const,
    detail: null,
    saved: savedSentence(job),
    spent: null,
    actions: goneActions(job),
  };
  if (job.goneReason === 'too-large') return { ...base, ...replyTooLarge, actions: goneActions(job, 'try-once-more') };
  if (job.goneReason === 'purged') return { ...base, ...purged };
  if (job.goneReason === 'unknown-endpoint') {
    return {
      ...base,
      ...endpointNotKnown(job.endpointId),
      actions: ['check-service', ...goneActions(job)],
    };
  }
  if (job.goneReason === 'sandbox-restarted') return { ...base, ...lostBySandbox(missingInputReason(job) === null) };
  const ttl = ttlSpent(job);
  if (ttl !== null) {
    const { endedAtMs, ...spent } = ttl;
    return { ...base, ...ttlRanOut(endedAtMs, spent), spent };
  }
  if (isExternal(job) && job.status === null) {
    return {
      ...base,
      ...idNotKnown(job.endpointId),
      actions: ['follow-at-other-endpoint', ...goneActions(job)],
    };
  }
  return { ...base, ...noLongerKnown };
}

const clockSlackMs = 1_500;

/**
 * Probably the ttl, if it ended between the last successful read and the first 404. All times are as the clock had them
 * at that 404: what it was set ahead before did not pass at the service.
 */
function ttlSpent(job: Job): (NonNullable<JobOutcome['spent']> & { endedAtMs: number }) | null {
  if (job.acceptedAtMs === null || job.ttlEndsAtMs === null) return null;
  const noticedAtMs = job.finishedSeenAtMs ?? job.statusReadAtMs ?? job.ttlEndsAtMs;
  const aheadAt = (atMs: number): number => setAheadMs(atMs) - setAheadMs(noticedAtMs);
  const begunAtMs = job.acceptedAtMs + aheadAt(job.acceptedAtMs);
  const endedAtMs = job.ttlEndsAtMs + aheadAt(job.retriedAtMs ?? job.acceptedAtMs);
  // The service's clock began a moment before its reply arrived here.
  if (noticedAtMs < endedAtMs - clockSlackMs) return null;
  const ttlMs = Math.max(
    endedAtMs - begunAtMs,
    job.policy.ttl ?? Math.min(policyDefaults.ttlMs, endedAtMs - begunAtMs),
  );
  const startedSeenAtMs = job.startedSeenAtMs === null ? null : job.startedSeenAtMs + aheadAt(job.startedSeenAtMs);
  const startedAtMs =
    job.delayTimeMs !== null && startedSeenAtMs !== null ? begunAtMs + job.delayTimeMs : startedSeenAtMs;
  const queuedMs = Math.min(ttlMs, (startedAtMs ?? endedAtMs) - begunAtMs);
  return { queuedMs, ranMs: Math.max(0, ttlMs - queuedMs), ttlMs, endedAtMs };
}

/** A gone job can be checked again at any time (ruling 34), if it has an id. */
function goneActions(job: Job, check: 'check-now' | 'try-once-more' = 'check-now'): OutcomeAction[] {
  const checks: OutcomeAction[] = job.jobId === null ? [] : [check];
  const open: OutcomeAction[] = hasSavedOutput(job) ? ['open-output'] : [];
  if (missingInputReason(job) !== null) return [...checks, ...open];
  return check === 'try-once-more'
    ? [...checks, 'resubmit-edits', ...open]
    : ['resubmit-edits', ...checks, ...open, 'submit-again'];
}

/** Whether any of its output is here; the size of a deleted one is still known. */
function hasSavedOutput({ chunkCount, outputBytes, outputForgottenAtMs }: Job): boolean {
  return chunkCount > 0 || (outputBytes > 0 && outputForgottenAtMs === undefined);
}

function savedSentence(job: Job): string {
  const output =
    job.chunkCount > 0
      ? savedHereText.chunks(job.chunkCount)
      : hasSavedOutput(job)
        ? savedHereText.lastSeenOutput
        : null;
  if (isExternal(job)) return output === null ? savedHereText.nothingOfExternal : savedHereText.output(output);
  if (job.inputForgottenAtMs !== undefined)
    return output === null ? savedHereText.deleted : savedHereText.output(output);
  return output === null ? savedHereText.input : savedHereText.inputAndOutput(output);
}

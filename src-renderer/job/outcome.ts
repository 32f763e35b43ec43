import { reasonText, whyHeldBack } from '../../src-preload/messages/job-reason.ts';
import { isFromElsewhere, missingInputReason, policyDefaults, type Job } from '../../src-preload/job.ts';
import { formatClock, formatCountOf, formatDuration, formatMinute } from '../../src-preload/format.ts';
import { formatLimit } from './timeline.ts';

export type OutcomeAction =
  | 'claim'
  | 'submit-again'
  | 'resubmit-edits'
  | 'check-service'
  | 'cancel'
  | 'open-output'
  | 'follow-elsewhere'
  | 'add-connection'
  | 'check-now'
  | 'try-once-more';

/** A state that needs text instead of a timeline: what happened, what is known, what to do. */
export interface JobOutcome {
  kind: 'waiting' | 'outcome-unknown' | 'refused' | 'gone' | 'orphaned';
  title: string;
  text: string;
  /** The message of the service or the network, verbatim, or null. */
  said: string | null;
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
        title: 'Not sent yet',
        text: 'Not sent to the service so far. Jobdeck will send it once, as soon as it can.',
        said: whyHeldBack(job.reason),
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
            title: 'Sending…',
            text: 'The service has not accepted this job so far. Jobdeck is trying again now.',
            said: null,
            saved: savedSentence(job),
            spent: null,
            actions: ['cancel', 'resubmit-edits'],
          };
    case 'outcome-unknown':
      if (job.jobId !== null) return arrivedOutcome(job, job.jobId);
      return {
        kind: 'outcome-unknown',
        title: job.isLikelyThere === true ? 'It probably arrived' : 'It may have run',
        text:
          `Sent at ${formatClock(job.createdAtMs)}. ` +
          `${job.reason === null ? 'The service never confirmed it.' : reasonText(job.reason)} ` +
          `There is no job id to check.${job.reason?.kind === 'prose' ? '' : ' Submitting again may run it twice.'}`,
        said: null,
        saved: savedSentence(job),
        spent: null,
        // If the job probably runs already, the first button does not submit it again.
        actions:
          job.isLikelyThere === true
            ? ['check-service', 'submit-again', 'resubmit-edits']
            : ['submit-again', 'check-service', 'resubmit-edits'],
      };
    case 'refused':
      return {
        kind: 'refused',
        title: 'The service rejected this job',
        text: 'Nothing was queued. The input is saved as you sent it; edit it, or submit it again.',
        said: job.reason === null ? null : reasonText(job.reason),
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

function arrivedOutcome(job: Job, jobId: string): JobOutcome {
  return {
    kind: 'outcome-unknown',
    title: 'It probably arrived',
    text:
      `Sent at ${formatClock(job.createdAtMs)} without a reply. Since then a webhook arrived for this ` +
      'submission. Track the job to get its result; submitting again would run it twice.',
    said: jobId,
    saved: savedSentence(job),
    spent: null,
    actions: ['claim', 'submit-again', 'check-service'],
  };
}

/** A job of a removed connection. The service may still run it. Without an id it was never sent. */
function orphanedOutcome(job: Job): JobOutcome {
  const base = { kind: 'orphaned' as const, said: null, saved: savedSentence(job), spent: null };
  if (job.jobId === null) {
    return {
      ...base,
      title: 'Not sent: its connection was removed',
      text: 'This job was never sent, and Jobdeck will not send it, even when the connection is added again.',
      actions: ['resubmit-edits', 'cancel'],
    };
  }
  return {
    ...base,
    title: 'This job is no longer tracked',
    text:
      'The connection was removed, and its key with it. The service may still run the job, but its result ' +
      `will not be saved. Add the connection again, with the base URL ${job.baseUrl} and the endpoint ` +
      `${job.endpointId}, and Jobdeck tracks it again.`,
    actions: missingInputReason(job) !== null ? ['add-connection'] : ['add-connection', 'resubmit-edits'],
  };
}

function goneOutcome(job: Job): JobOutcome {
  const base = { kind: 'gone' as const, said: null, saved: savedSentence(job), spent: null, actions: goneActions(job) };
  if (job.goneReason === 'too-large') return { ...base, ...tooLargeText, actions: goneActions(job, 'try-once-more') };
  if (job.goneReason === 'purged') {
    return {
      ...base,
      title: 'Removed from the queue before it ran',
      text: "You purged the endpoint's queue while the job was waiting. It did not run.",
    };
  }
  if (job.goneReason === 'unknown-endpoint') {
    return {
      ...base,
      title: `${job.endpointId} is not known to the service`,
      text:
        "The endpoint's health returns 404 too: it was deleted or renamed, or the base URL is wrong. " +
        'Everything known about the job is saved here.',
      actions: ['check-service', ...goneActions(job)],
    };
  }
  if (job.goneReason === 'sandbox-restarted') {
    return {
      ...base,
      title: 'Lost when the sandbox restarted',
      text:
        'The sandbox was restarted and forgot this job. ' +
        (missingInputReason(job) === null
          ? 'Its input and what was received are saved here.'
          : 'What was received is saved here.'),
    };
  }
  const spent = ttlSpent(job);
  if (spent !== null) {
    const share =
      spent.ranMs > 0
        ? `It had run for ${formatDuration(spent.ranMs)}. A ttl covers waiting and running together, and ` +
          `${formatDuration(spent.queuedMs)} of its ${formatLimit(spent.ttlMs)} went to waiting.`
        : `It never started: all of its ${formatLimit(spent.ttlMs)} went to waiting. A ttl covers waiting and ` +
          'running together.';
    return {
      ...base,
      title: `Deleted when its ttl ran out at ${formatMinute(job.ttlEndsAtMs ?? job.createdAtMs)}`,
      text: share,
      spent,
    };
  }
  if (isFromElsewhere(job) && job.status === null) {
    return {
      ...base,
      title: 'The service does not know this id',
      text:
        `It returns 404 for this job on ${job.endpointId}, while that endpoint is healthy. Most likely the ` +
        'job runs on another endpoint, or its result had expired before you tracked it.',
      actions: ['follow-elsewhere', ...goneActions(job)],
    };
  }
  return {
    ...base,
    title: 'The service no longer knows this job',
    text:
      'Its status returned 404 repeatedly while the endpoint was healthy: the job expired, or someone else ' +
      'removed it, before Jobdeck could save a final result. While a result may still exist, Jobdeck ' +
      'checks now and then; use Check now at any time. If the service knows the job, Jobdeck tracks it ' +
      'again.',
  };
}

const tooLargeText = {
  title: "The service's reply is too large to read",
  text:
    'Jobdeck reads replies of up to 64 MB, compressed at most 500 times. This one is larger; its beginning ' +
    'is saved under Output as the raw reply. Jobdeck will not download it again automatically. The job ' +
    'itself may have completed normally.',
} as const;

const clockSlackMs = 1_500;

/** Probably the ttl, if it ended between the last successful read and the first 404. */
function ttlSpent(job: Job): JobOutcome['spent'] {
  const begunAtMs = job.acceptedAtMs;
  if (begunAtMs === null || job.ttlEndsAtMs === null) return null;
  const noticedAtMs = job.finishedSeenAtMs ?? job.lastCheckedAtMs ?? job.ttlEndsAtMs;
  // The service's clock began a moment before its reply arrived here.
  if (noticedAtMs < job.ttlEndsAtMs - clockSlackMs) return null;
  const ttlMs = Math.max(
    job.ttlEndsAtMs - begunAtMs,
    job.policy.ttl ?? Math.min(policyDefaults.ttlMs, job.ttlEndsAtMs - begunAtMs),
  );
  const startedAtMs =
    job.delayTimeMs !== null && job.startedSeenAtMs !== null ? begunAtMs + job.delayTimeMs : job.startedSeenAtMs;
  const queuedMs = Math.min(ttlMs, (startedAtMs ?? job.ttlEndsAtMs) - begunAtMs);
  return { queuedMs, ranMs: Math.max(0, ttlMs - queuedMs), ttlMs };
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
      ? `${formatCountOf(job.chunkCount, 'chunk')} of output`
      : hasSavedOutput(job)
        ? 'the output as last seen'
        : null;
  if (isFromElsewhere(job))
    return output === null ? 'Nothing saved here: it was submitted elsewhere' : `Saved here: ${output}`;
  if (job.inputForgottenAtMs !== undefined)
    return output === null ? 'Your retention rule deleted what was saved here' : `Saved here: ${output}`;
  return output === null ? 'Saved here: the input' : `Saved here: the input, and ${output}`;
}

/** Probable causes of COMPLETED without output, the most probable first (ruling 30). */
export function emptyOutputCauses(operation: Job['operation']): string[] {
  return [
    'The handler returned nothing: its last line has no return, or it returns null.',
    `The result was too large to send back${operation === 'run' ? '' : ' in one reply'}. Workers drop it and ` +
      'still report success; store it in a bucket (s3Config) and return its address.',
    'The handler streamed its output without returning the whole at the end, and another client read the chunks first.',
  ];
}

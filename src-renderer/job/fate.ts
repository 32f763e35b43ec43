import { policyDefaults } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { formatClock, formatCountOf, formatDuration, formatMinute } from '../design/format.ts';
import { formatLimit } from './timeline.ts';

export type FateAction = 'claim' | 'submit-again' | 'resubmit-edits' | 'check-service' | 'cancel' | 'open-output';

/** A state that needs words rather than a timeline: what happened, what is known, what to do. */
export interface Fate {
  kind: 'waiting' | 'outcome-unknown' | 'refused' | 'gone';
  title: string;
  text: string;
  /** What the service or the network said, verbatim; null when nothing. */
  said: string | null;
  /** "Saved here: the input, and 1,118 chunks of output" */
  saved: string;
  /** For a job whose ttl ran out: how its ttl was spent, in ms. */
  spent: { queuedMs: number; ranMs: number; ttlMs: number } | null;
  /** The first is the primary one. */
  actions: FateAction[];
}

/** The fate of a job that is waiting to be sent, refused, of unknown outcome or gone (rulings 9, 11); null for all others. */
export function fateOf(job: Job): Fate | null {
  switch (job.phase) {
    case 'waiting':
      return {
        kind: 'waiting',
        title: 'Not sent yet',
        text: 'The service has not been given this job. Jobdeck sends it by itself as soon as it can, once and no more.',
        said: job.note === null ? null : job.note.replace(/^Not sent yet: (.)/, (_all, first: string) => first.toUpperCase()),
        saved: savedSentence(job),
        spent: null,
        actions: ['cancel', 'resubmit-edits'],
      };
    case 'outcome-unknown':
      if (job.jobId !== null) return arrivedFate(job, job.jobId);
      return {
        kind: 'outcome-unknown',
        title: 'It may have run',
        text: `Sent at ${formatClock(job.createdAtMs)}. ${job.note ?? 'No reply told whether the service took it.'} There is no id to ask about.${job.note?.includes('twice') === true ? '' : ' Submitting again may run it twice.'}`,
        said: null,
        saved: savedSentence(job),
        spent: null,
        actions: ['submit-again', 'check-service', 'resubmit-edits'],
      };
    case 'refused':
      return {
        kind: 'refused',
        title: 'The service did not take this job',
        text: 'Nothing ran and nothing is queued. The input is kept as it was sent; change it, or send it again.',
        said: job.note,
        saved: savedSentence(job),
        spent: null,
        actions: ['resubmit-edits', 'submit-again'],
      };
    case 'gone':
      return goneFate(job);
    case 'submitting':
    case 'active':
    case 'finished':
      return null;
  }
}

function arrivedFate(job: Job, jobId: string): Fate {
  return {
    kind: 'outcome-unknown',
    title: 'It probably arrived',
    text: `Sent at ${formatClock(job.createdAtMs)} without a reply. Since then the service called back about a job with this very input. Follow it to have its result; submitting again would run it twice.`,
    said: jobId,
    saved: savedSentence(job),
    spent: null,
    actions: ['claim', 'submit-again', 'check-service'],
  };
}

function goneFate(job: Job): Fate {
  const base = { kind: 'gone' as const, said: null, saved: savedSentence(job), spent: null, actions: goneActions(job) };
  if (job.goneReason === 'purged') {
    return { ...base, title: 'Removed from the queue before it ran', text: 'The endpoint\'s queue was purged from here while the job waited. It did not run.' };
  }
  if (job.goneReason === 'unknown-endpoint') {
    return { ...base, title: `${job.endpointId} is not known to the service`, text: 'The endpoint answers 404 for its health as well: it was deleted or renamed, or the base URL points elsewhere. What was known of the job is kept here.', actions: ['check-service', ...goneActions(job)] };
  }
  if (job.goneReason === 'sandbox-restarted') {
    return { ...base, title: 'Gone with the sandbox', text: 'The sandbox was restarted and forgot this job. Its input and what was received are saved here.' };
  }
  const spent = ttlSpent(job);
  if (spent !== null) {
    const ran = spent.ranMs > 0 ? `It had run for ${formatDuration(spent.ranMs)}.` : 'It never started.';
    return { ...base, title: `Deleted when its ttl ran out at ${formatMinute(job.ttlEndsAtMs ?? job.createdAtMs)}`, text: `${ran} A ttl covers waiting and running together, and ${formatDuration(spent.queuedMs)} of its ${formatLimit(spent.ttlMs)} went to waiting.`, spent };
  }
  return { ...base, title: 'The service no longer knows this job', text: 'Its status answers 404 while the endpoint is well: the job expired, or was removed by someone else, before a final result was saved here.' };
}

const clockSlackMs = 1_500;

/** Most likely the ttl, when the last news and the first 404 lie on its two sides. */
function ttlSpent(job: Job): Fate['spent'] {
  const begunAtMs = job.acceptedAtMs;
  if (begunAtMs === null || job.ttlEndsAtMs === null) return null;
  const noticedAtMs = job.finishedSeenAtMs ?? job.lastCheckedAtMs ?? job.ttlEndsAtMs;
  // The service's clock began a moment before its reply reached us.
  if (noticedAtMs < job.ttlEndsAtMs - clockSlackMs) return null;
  const ttlMs = Math.max(job.ttlEndsAtMs - begunAtMs, job.policy.ttl ?? Math.min(policyDefaults.ttlMs, job.ttlEndsAtMs - begunAtMs));
  const startedAtMs = job.delayTimeMs !== null && job.startedSeenAtMs !== null ? begunAtMs + job.delayTimeMs : job.startedSeenAtMs;
  const queuedMs = Math.min(ttlMs, (startedAtMs ?? job.ttlEndsAtMs) - begunAtMs);
  return { queuedMs, ranMs: Math.max(0, ttlMs - queuedMs), ttlMs };
}

function goneActions(job: Job): FateAction[] {
  return job.chunkCount > 0 || job.outputBytes > 0 ? ['resubmit-edits', 'open-output', 'submit-again'] : ['resubmit-edits', 'submit-again'];
}

function savedSentence(job: Job): string {
  if (job.chunkCount > 0) return `Saved here: the input, and ${formatCountOf(job.chunkCount, 'chunk')} of output`;
  return job.outputBytes > 0 ? 'Saved here: the input, and the output as last seen' : 'Saved here: the input';
}

/** Likely causes of COMPLETED without output, the likeliest first (ruling 30). */
export function emptyOutputCauses(operation: Job['operation']): string[] {
  return [
    'The handler returned nothing: its last line has no return, or it returns null.',
    `The result was too large to send back${operation === 'run' ? '' : ' in one reply'}. Workers drop it and still report success; store it in a bucket (s3Config) and return its address.`,
    'The handler streamed its output without handing over the whole at the end, and another client read the chunks first.',
  ];
}

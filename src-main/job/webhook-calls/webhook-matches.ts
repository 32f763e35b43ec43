import type { Job } from '../../../src-preload/job.ts';
import type { WebhookHints } from './webhook-hints.ts';
import type { UnknownJobs } from './unknown-jobs.ts';
import type { JobContext } from '../context/job-context.ts';

/** A webhook call. */
export interface WebhookCall {
  /** The job that it is about. */
  jobId: string;
  /** The submission whose own path it came by; null where it came by the general one, which names none. */
  jobKey: string | null;
}

/** What webhook calls tell: which job to look at now, and which job a submission became (ruling 25). */
export interface WebhookMatches {
  /**
   * A call came. One on a submission's own path names that submission's job; one on the general path names a job by its
   * id alone.
   */
  note(call: WebhookCall): Promise<void>;
  /** Something became of a submission that was under way: what a call said of it meanwhile counts now. */
  settled(before: Job | null, after: Job): void;
}

/**
 * Of a submission whose outcome is unknown the id is noted on exactly that job: it arrived. Nothing is followed by that
 * alone: the user decides. The first id that a submission's path names stays; the input is never compared.
 */
export function createWebhookMatches(
  { history, ledger, log, onTrouble }: JobContext,
  webhookHints: WebhookHints,
  unknownJobs: UnknownJobs,
): WebhookMatches {
  /** Ids named for submissions whose one request is still under way, by key. */
  const early = new Map<string, string>();

  async function noteGeneral(jobId: string): Promise<void> {
    if (!webhookHints.note(jobId) && !(await history.knowsJobId(jobId))) unknownJobs.note(jobId);
  }

  async function noteOwn(jobId: string, jobKey: string): Promise<void> {
    const job = ledger.live().get(jobKey)?.job ?? (await history.get(jobKey))?.job ?? null;
    // Its record is not here: it was kept in another history.
    if (job === null) return await noteGeneral(jobId);
    if (job.jobId !== null) {
      if (job.jobId === jobId) webhookHints.note(jobId);
      else
        log.warn("A webhook call on a submission's own path named another job", {
          jobKey,
          jobId: job.jobId,
          named: jobId,
        });
      return;
    }
    if (job.phase === 'submitting') {
      if (!early.has(jobKey)) early.set(jobKey, jobId);
      // Its reply may well bring that id.
      webhookHints.note(early.get(jobKey) ?? jobId);
    } else await sight(job, jobId);
  }

  /**
   * Nobody but whoever received the submission knows its path: one that counts as never taken was taken, and must not
   * be sent again.
   */
  async function sight({ key, phase }: Job, jobId: string): Promise<void> {
    await ledger.change(key, [
      ...(phase === 'waiting' ? [{ kind: 'outcome-unknown', reason: calledBack, rawReply: null } as const] : []),
      { kind: 'sighted', jobId },
    ]);
  }

  return {
    note: ({ jobId, jobKey }) => (jobKey === null ? noteGeneral(jobId) : noteOwn(jobId, jobKey)),
    settled(before, after) {
      if (before?.phase !== 'submitting' || after.phase === 'submitting') return;
      const jobId = early.get(after.key);
      early.delete(after.key);
      if (jobId !== undefined && after.jobId === null) sight(after, jobId).catch(onTrouble);
    },
  };
}

const calledBack =
  'Its submission was taken for one that did not arrive, and the service called back about it all the same.';

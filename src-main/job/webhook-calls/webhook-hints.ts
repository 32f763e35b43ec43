import type { Job } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';

/** What webhook calls tell: only that a job may have ended, so that it is looked at now (ruling 25). */
export interface WebhookHints {
  /**
   * A call named this job. One that nobody knows yet is remembered: it may come before the reply to its submission.
   * Answers whether it is followed.
   */
  note(jobId: string): boolean;
  /** The service accepted a job: a call that named it before counts now. */
  accepted(job: Job): void;
}

/**
 * How many calls about unknown jobs are remembered, and for how long: anyone on this machine who knows the path can
 * call.
 */
const mostRemembered = 1_000;
const rememberedForMs = 600_000;

export function createWebhookHints({ ledger, pollingStates, events, now }: JobContext): WebhookHints {
  /** By job id, oldest first. */
  const early = new Map<string, number>();

  function readSoon(job: Job): void {
    const polling = pollingStates.of(job);
    polling.hasWebhookHint = true;
    polling.isStatusReadWanted = true;
    events.emit('plan-outdated', null);
  }

  function remember(jobId: string): void {
    early.delete(jobId);
    early.set(jobId, now());
    for (const [id, atMs] of early) {
      if (early.size <= mostRemembered && now() - atMs < rememberedForMs) break;
      early.delete(id);
    }
  }

  return {
    note(jobId) {
      let isUnknown = true;
      for (const { job } of ledger.live().values()) {
        if (job.jobId !== jobId) continue;
        isUnknown = false;
        readSoon(job);
      }
      if (isUnknown) remember(jobId);
      return !isUnknown;
    },
    accepted(job) {
      if (job.jobId !== null && early.delete(job.jobId)) readSoon(job);
    },
  };
}

import type { Handlers } from '../../src-preload/contract.ts';
import type { BatchSubmission } from '../../src-preload/batch.ts';
import type { BatchRequest } from '../../src-preload/batch-schema.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { failed, ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { Job, SubmissionDraft } from '../../src-preload/job.ts';
import { InFlight } from '../async/queues.ts';
import type { Purges } from './purges.ts';
import { submitAsBatches, submitAsJobs } from './submit-again.ts';
import { submitAgainText } from '../messages/purge.ts';

type PurgeCall = Extract<keyof Handlers, `purge:${string}`>;

/** What is needed to submit purged jobs again. */
export interface Submitting {
  resubmit(key: string): Promise<Result<Job>>;
  draftOf(key: string): Promise<Result<SubmissionDraft>>;
  /** `originKeys`: the job that each row is submitted again from. */
  batches: { submit(request: BatchRequest, originKeys: readonly string[]): Promise<Result<BatchSubmission>> };
}

/** Handlers of the calls about purging queues. */
export function purgeHandlers(purges: Purges, jobs: Submitting, now: () => number): Pick<Handlers, PurgeCall> {
  /** By endpoint, so that neither a second click nor another purge of the same jobs submits them twice. */
  const submitting = new InFlight();

  async function submitAgain(
    id: string,
    as: 'jobs' | 'batch',
  ): Promise<Result<{ submitted: number; failure: Failure | null }>> {
    const keys = await purges.toSubmitAgain(id);
    if (!keys.ok) return keys;
    if (keys.value.length === 0) return failed({ kind: 'refused', message: submitAgainText.nothingLeft });
    const note = (submitted: readonly string[]): Promise<void> => purges.noteSubmittedAgain(id, submitted);
    const done =
      as === 'jobs'
        ? await submitAsJobs(keys.value, { resubmit: (key) => jobs.resubmit(key), note })
        : await submitAsBatches(keys.value, {
            name: submitAgainText.batchName(now()),
            draftOf: (key) => jobs.draftOf(key),
            submit: (request, originKeys) => jobs.batches.submit(request, originKeys),
            note,
          });
    return ok({ submitted: done.keys.length, failure: done.failure });
  }

  return {
    'purge:preview': (of) => purges.preview(of),
    'purge:send': (order) => purges.send(order),
    'purge:log': (of) => purges.log(of),
    'purge:dismiss': ({ id }) => purges.dismiss(id),
    'purge:submitAgain'({ id, as }) {
      const endpoint = purges.endpointOfPurge(id);
      const submission = submitting.run(endpoint === null ? id : endpointKey(endpoint), () => submitAgain(id, as));
      return submission ?? failed({ kind: 'refused', message: submitAgainText.inProgress });
    },
  };
}

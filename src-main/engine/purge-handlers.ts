import type { Handlers } from '../../src-preload/contract.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Jobs } from '../job/jobs.ts';
import type { Purges } from '../purge/purges.ts';
import { submitAsBatches, submitAsJobs } from '../purge/submit-again.ts';

type PurgeCall = Extract<keyof Handlers, `purge:${string}`>;

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** The contract's calls about purging queues. */
export function purgeHandlers({
  purges,
  jobs,
  now,
}: {
  purges: Purges;
  jobs: Pick<Jobs, 'resubmit' | 'draftOf' | 'batches'>;
  now: () => number;
}): Pick<Handlers, PurgeCall> {
  /** Purges whose jobs are being submitted: a second click must not send them twice. */
  const underWay = new Set<string>();

  return {
    'purge:preview': (of) => purges.preview(of),
    'purge:send': (order) => purges.send(order),
    'purge:log': (of) => purges.log(of),
    'purge:submitAgain': async ({ id, as }) => {
      if (underWay.has(id)) return failed({ kind: 'refused', message: 'These jobs are being submitted already.' });
      underWay.add(id);
      try {
        const keys = await purges.toSubmitAgain(id);
        if (!keys.ok) return keys;
        if (keys.value.length === 0)
          return failed({ kind: 'refused', message: 'No job of this purge is left to submit again.' });
        const note = (submitted: readonly string[]): Promise<void> => purges.noteSubmittedAgain(id, submitted);
        const done =
          as === 'jobs'
            ? await submitAsJobs(keys.value, { resubmit: jobs.resubmit, note })
            : await submitAsBatches(keys.value, {
                name: `Purged, again ${dayFormat.format(now())}`,
                draftOf: jobs.draftOf,
                submit: jobs.batches.submit,
                note,
              });
        return ok({ submitted: done.keys.length, failure: done.failure });
      } finally {
        underWay.delete(id);
      }
    },
  };
}

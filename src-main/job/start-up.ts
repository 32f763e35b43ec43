import type { Job } from '../../src-preload/job.ts';
import type { Arrivals } from './submission/arrivals.ts';
import type { Batches } from './submission/batches.ts';
import type { GoneJobs } from './gone-jobs.ts';
import type { Jobs } from './jobs.ts';
import type { KeptCounts } from './kept-counts.ts';
import type { Ledger } from './ledger.ts';
import type { Retries } from './retry/retry.ts';
import type { StreamReader } from './stream/stream-reader.ts';

export interface StartUpParts {
  ledger: Pick<Ledger, 'resume' | 'change'>;
  keptCounts: Pick<KeptCounts, 'start'>;
  batches: Pick<Batches, 'start'>;
  arrivals: Pick<Arrivals, 'takeUp'>;
  retries: Pick<Retries, 'start'>;
  streams: Pick<StreamReader, 'takeUp'>;
  goneJobs: Pick<GoneJobs, 'start'>;
  /** Plans anew. */
  wake: () => void;
}

/** What becomes of the jobs that a former run of the app left. */
export function createStartUp({
  ledger,
  keptCounts,
  batches,
  arrivals,
  retries,
  streams,
  goneJobs,
  wake,
}: StartUpParts): Pick<Jobs, 'takeUp' | 'start'> {
  let left: Promise<Job[]> | null = null;

  async function readLeft(): Promise<Job[]> {
    await keptCounts.start();
    await batches.start();
    return ledger.resume();
  }

  return {
    async takeUp() {
      await (left ??= readLeft());
    },
    async start() {
      const jobs = await (left ??= readLeft());
      // Their one request was under way when the former run ended: it may have arrived (ruling 9).
      const crashed = jobs.filter(({ phase }) => phase === 'submitting');
      for (const { key } of crashed)
        await ledger.change(key, [{ kind: 'outcome-unknown', reason: endedWhileSending, rawReply: null }]);
      await arrivals.takeUp(crashed);
      await retries.start();
      wake();
      await streams.takeUp();
      await goneJobs.start();
    },
  };
}

const endedWhileSending =
  'Jobdeck ended while this was being sent. The service may have it; submit it again only if running twice does ' +
  'no harm.';

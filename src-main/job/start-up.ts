import type { Job } from '../../src-preload/job.ts';
import type { OutcomeEvidence } from './submission/outcome-evidence.ts';
import type { Batches } from './submission/batches.ts';
import type { GoneJobs } from './polling/gone-jobs.ts';
import type { Jobs } from './jobs.ts';
import type { KeptCounts } from './store/kept-counts.ts';
import type { Ledger } from './store/ledger.ts';
import type { Retries } from './retry/retry.ts';
import type { StreamReader } from './stream/stream-reader.ts';

export interface StartUpParts {
  ledger: Pick<Ledger, 'live' | 'resume' | 'change'>;
  keptCounts: Pick<KeptCounts, 'start'>;
  batches: Pick<Batches, 'start'>;
  outcomeEvidence: Pick<OutcomeEvidence, 'takeUp'>;
  retries: Pick<Retries, 'start'>;
  streams: Pick<StreamReader, 'takeUp'>;
  goneJobs: Pick<GoneJobs, 'start'>;
  /** Plans anew. */
  wake: () => void;
}

/** What becomes of the jobs that a former run of the app, or of the service, left. */
export function createStartUp({
  ledger,
  keptCounts,
  batches,
  outcomeEvidence,
  retries,
  streams,
  goneJobs,
  wake,
}: StartUpParts): Pick<Jobs, 'takeUp' | 'start' | 'noteForgotten'> {
  let left: Promise<Job[]> | null = null;

  async function readLeft(): Promise<Job[]> {
    await keptCounts.start();
    await batches.start();
    return ledger.resume();
  }

  async function noteForgotten(connectionId: string): Promise<void> {
    const keys = [...ledger.live().values()]
      .filter(({ job }) => job.connectionId === connectionId)
      .map(({ job }) => job.key);
    await Promise.all(keys.map((key) => ledger.change(key, [{ kind: 'forgotten' }])));
    wake();
  }

  return {
    noteForgotten,
    async takeUp() {
      await (left ??= readLeft());
    },
    async start(forgottenBy = []) {
      const jobs = await (left ??= readLeft());
      for (const connectionId of forgottenBy) await noteForgotten(connectionId);
      // Their one request was under way when the former run ended: it may have arrived (ruling 9).
      const crashed = jobs.filter(({ phase }) => phase === 'submitting');
      for (const { key } of crashed)
        await ledger.change(key, [{ kind: 'outcome-unknown', reason: endedWhileSending, rawReply: null }]);
      // The counters of a service that began anew say nothing of what it had before.
      await outcomeEvidence.takeUp(crashed.filter(({ connectionId }) => !forgottenBy.includes(connectionId)));
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

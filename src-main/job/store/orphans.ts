import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { Ledger } from './ledger.ts';

/**
 * Why a live job is not tracked. `other-host`: it was sent to another host than its connection has now, and the key is
 * not for that host. `no-connection`: its connection was removed, and its key with it.
 */
export type WhyNotFollowed = 'other-host' | 'no-connection';

/** Jobs whose connection was removed. They are not live until it is back. */
export interface Orphans {
  /** Stops tracking a live job. */
  mark(job: Job): void;
  /** The connection exists: those of its jobs that the service has are tracked again. Returns them. */
  resume(connectionId: string): Promise<Job[]>;
}

export interface OrphansParts {
  ledger: Pick<Ledger, 'change'>;
  history: Pick<History, 'list'>;
  onTrouble: (error: unknown) => void;
}

/** How many jobs are read at a time while a connection's are resumed. */
const pageSize = 500;

/** Marks jobs whose connection was removed, and resumes them when it is back. */
export function createOrphans({ ledger, history, onTrouble }: OrphansParts): Orphans {
  /** In progress: every plan would mark them again until that is committed. */
  const marking = new Set<string>();

  return {
    mark({ key }) {
      if (marking.has(key)) return;
      marking.add(key);
      ledger
        .change(key, [{ kind: 'connection-removed' }])
        .catch(onTrouble)
        .finally(() => marking.delete(key));
    },
    async resume(connectionId) {
      const resumed: Job[] = [];
      let beforeKey: string | null = null;
      do {
        const page = await history.list({ ...emptyFilter, connectionId, statuses: ['orphaned'] }, beforeKey, pageSize);
        const sent = page.jobs.filter(({ jobId }) => jobId !== null);
        const changed = await Promise.all(sent.map(({ key }) => ledger.change(key, [{ kind: 'connection-back' }])));
        for (const job of changed) if (job !== null) resumed.push(job);
        beforeKey = page.nextBeforeKey;
      } while (beforeKey !== null);
      return resumed;
    },
  };
}

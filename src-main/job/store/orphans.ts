import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { Ledger } from './ledger.ts';

/**
 * Why a live job is not asked about. `elsewhere`: it was sent to another host than its connection names now, and the
 * key is not for that host. `no-connection`: its connection was removed, and its key with it.
 */
export type WhyNotFollowed = 'elsewhere' | 'no-connection';

/** The answer to a user who wants such a job checked. */
export const notFollowedMessages: Record<WhyNotFollowed, string> = {
  elsewhere:
    'This job was sent to another address than its connection has now, so Jobdeck does not check it. It is ' +
    'tracked again when the connection has its old address.',
  'no-connection': 'The connection of this job was removed, so Jobdeck cannot check it. Saved data stays.',
};

/** Jobs whose connection was removed: they are live no more, and are so again when it is back. */
export interface Orphans {
  /** Takes a live job out of what is followed. */
  mark(job: Job): void;
  /** The connection is there: those of its jobs that the service has are followed again. Answers them. */
  resume(connectionId: string): Promise<Job[]>;
}

export interface OrphansParts {
  ledger: Pick<Ledger, 'change'>;
  history: Pick<History, 'list'>;
  onTrouble: (error: unknown) => void;
}

/** Jobs read at once while a connection's are resumed. */
const pageSize = 500;

/** Marks jobs whose connection was removed, and resumes them when it is back. */
export function createOrphans({ ledger, history, onTrouble }: OrphansParts): Orphans {
  /** In progress: every plan asks again until it is committed. */
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
      const taken: Job[] = [];
      let beforeKey: string | null = null;
      do {
        const page = await history.list({ ...emptyFilter, connectionId, statuses: ['orphaned'] }, beforeKey, pageSize);
        const sent = page.jobs.filter(({ jobId }) => jobId !== null);
        const changed = await Promise.all(sent.map(({ key }) => ledger.change(key, [{ kind: 'connection-back' }])));
        for (const job of changed) if (job !== null) taken.push(job);
        beforeKey = page.nextBeforeKey;
      } while (beforeKey !== null);
      return taken;
    },
  };
}

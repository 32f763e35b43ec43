import type { Job } from '../../src-preload/job.ts';
import type { Ledger } from './ledger.ts';

/**
 * Why a live job is not asked about. `elsewhere`: it was sent to another host than its connection names now, and the
 * key is not for that host. `no-connection`: its connection was removed, and its key with it.
 */
export type WhyNotFollowed = 'elsewhere' | 'no-connection';

/** What a user is told who asks for a look at such a job. */
export const wordsForNotFollowed: Record<WhyNotFollowed, string> = {
  elsewhere: 'This job was sent to another address than its connection has now, so it is not asked about. It is followed again when the connection has its old address.',
  'no-connection': 'The connection of this job was removed, so nothing can be asked about it. What is saved of it stays.',
};

/** Tells on jobs whose connection was removed that this is why nothing happens. */
export interface LeftBehind {
  /** Marks the job, once for each run of the app. */
  mark(job: Job): void;
}

export function createLeftBehind(parts: { ledger: Pick<Ledger, 'change'>; onTrouble: (error: unknown) => void }): LeftBehind {
  const marked = new Set<string>();

  return {
    mark({ key }) {
      if (marked.has(key)) return;
      marked.add(key);
      parts.ledger.change(key, [{ kind: 'connection-removed' }]).catch((error: unknown) => {
        marked.delete(key);
        parts.onTrouble(error);
      });
    },
  };
}

import type { Failure } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { Ledger } from './ledger.ts';

/** There is no job of that key. */
export const absent: Failure = { kind: 'absent', message: 'This job is not in the history any more.' };

/** A job by its key: as it stands while it is followed, else as it was saved. Null where there is none. */
export function createFindJob(
  ledger: Pick<Ledger, 'live'>,
  history: Pick<History, 'get'>,
): (key: string) => Promise<Job | null> {
  return async (key) => ledger.live().get(key)?.job ?? (await history.get(key))?.job ?? null;
}

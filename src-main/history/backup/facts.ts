import type { DatabaseSync } from 'node:sqlite';
import type { BackupFacts } from '../../../src-preload/backup.ts';
import { number, numberOrNull, statement } from '../file/row.ts';

/** The content of an open history. */
export function readFacts(db: DatabaseSync): Omit<BackupFacts, 'bytes'> {
  const row = statement(
    db,
    'SELECT count(*) AS jobs, min(created_at_ms) AS oldest, max(created_at_ms) AS newest FROM jobs',
  ).get();
  if (row === undefined) return { jobs: 0, oldestMs: null, newestMs: null };
  return { jobs: number(row, 'jobs'), oldestMs: numberOrNull(row, 'oldest'), newestMs: numberOrNull(row, 'newest') };
}

import type { DatabaseSync } from 'node:sqlite';
import type { PurgedJobs } from './history.ts';
import { number, statement, text } from './row.ts';

/** How many of these jobs are gone because their queue was purged, and the first `mostNamed` of them by key. */
export function readPurged(db: DatabaseSync, keys: readonly string[], mostNamed: number): PurgedJobs {
  const wanted = JSON.stringify(keys);
  const counted = statement(db, `SELECT count(*) AS jobs ${purgedAmong}`).get(wanted);
  return {
    count: counted === undefined ? 0 : number(counted, 'jobs'),
    first: statement(db, `SELECT j.key, j.title ${purgedAmong} ORDER BY j.key LIMIT ?`)
      .all(wanted, mostNamed)
      .map((row) => ({ key: text(row, 'key'), title: text(row, 'title') })),
  };
}

const purgedAmong = `FROM json_each(?) AS wanted CROSS JOIN jobs AS j ON j.key = wanted.value
  WHERE j.gone_reason = 'purged'`;

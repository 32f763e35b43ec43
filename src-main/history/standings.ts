import type { DatabaseSync } from 'node:sqlite';
import { goneReasons } from './jobs.ts';
import { phases } from './facets.ts';
import type { JobStanding } from './history.ts';
import { oneOf, oneOfOrNull, statement, text } from './row.ts';

/** Where these jobs stand; one that is not known is left out. */
export function readStandings(db: DatabaseSync, keys: readonly string[]): JobStanding[] {
  return statement(db, 'SELECT key, title, phase, gone_reason FROM jobs WHERE key IN (SELECT value FROM json_each(?))').all(JSON.stringify(keys)).map((row) => ({
    key: text(row, 'key'),
    title: text(row, 'title'),
    phase: oneOf(row, 'phase', phases),
    goneReason: oneOfOrNull(row, 'gone_reason', goneReasons),
  }));
}

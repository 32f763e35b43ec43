import type { DatabaseSync } from 'node:sqlite';
import { numberOrNull, statement } from '../file/row.ts';

/**
 * A block is 65,536 jobs whose ids follow each other (births.ts). The indexes of what has nothing to do with time (id
 * at the service, title, wait, run time) begin with it: what is kept together then lies together there as well, and a
 * batch of thousands writes a few hundred pages of each instead of one for each job. Who reads them asks block by
 * block.
 */

/** The block of an id, in SQL: as the indexes have it, word for word. */
export const blockOf = (id: string): string => `${id} >> 32`;

/** The blocks there are, as a table of SQL with the column `block`. */
const blocks = `(WITH RECURSIVE known (block) AS (
  SELECT min(id) >> 32 FROM jobs
  UNION ALL SELECT block + 1 FROM known WHERE block < (SELECT max(id) >> 32 FROM jobs)
) SELECT block FROM known)`;

/** As `blocks`; the newest last. */
export function readBlocks(db: DatabaseSync): number[] {
  return statement(db, `SELECT block FROM ${blocks}`)
    .all()
    .flatMap((row) => numberOrNull(row, 'block') ?? []);
}

/** Jobs by an index that begins with the block, as `j` in SQL behind `FROM`; a condition on its next column follows. */
export const jobsOfBlocks = (index: string): string =>
  `${blocks} AS b CROSS JOIN jobs AS j INDEXED BY ${index} WHERE ${blockOf('j.id')} = b.block`;

import type { DatabaseSync } from 'node:sqlite';
import { numberOrNull, statement } from '../file/row.ts';

/**
 * A block is 65,536 jobs whose ids follow each other (inserted-jobs.ts). The indexes of what has nothing to do with
 * time (id at the service, title, wait, run time, input) begin with the block. So jobs that are saved together are also
 * close together in these indexes, and a batch of thousands changes a few hundred pages of each instead of one page for
 * each job. Such an index is read block by block.
 */

const idsPerBlock = 2 ** 32;

/** All blocks from the first to the last one, as a table of SQL with the column `block`. */
const blocks = `(WITH RECURSIVE known (block) AS (
  SELECT min(id) >> 32 FROM jobs
  UNION ALL SELECT block + 1 FROM known WHERE block < (SELECT max(id) >> 32 FROM jobs)
) SELECT block FROM known)`;

/** The numbers of the blocks with jobs whose ids are from `firstId` to `lastId`, newest first. */
export function newestBlocks(
  db: DatabaseSync,
  firstId = Number.MIN_SAFE_INTEGER,
  lastId = Number.MAX_SAFE_INTEGER,
): number[] {
  return statement(db, `SELECT block FROM ${blocks} WHERE block BETWEEN ? AND ? ORDER BY block DESC`)
    .all(Math.floor(firstId / idsPerBlock), Math.floor(lastId / idsPerBlock))
    .flatMap((row) => numberOrNull(row, 'block') ?? []);
}

/**
 * The jobs of one block by an index that begins with it, as `j` in SQL after `FROM`. The block is the first parameter,
 * and a condition on the index's next column follows.
 */
export const jobsOfBlock = (index: string): string => `jobs AS j INDEXED BY ${index} WHERE j.id >> 32 = ?`;

/** As `jobsOfBlock`, for all blocks, and so without the parameter. */
export const jobsOfBlocks = (index: string): string =>
  `${blocks} AS b CROSS JOIN jobs AS j INDEXED BY ${index} WHERE j.id >> 32 = b.block`;

/** Reads up to `limit` rows block by block: `read` returns at most as many rows of one block as it is given. */
export function readByBlock<T>(
  blocksToRead: readonly number[],
  limit: number,
  read: (block: number, limit: number) => T[],
): T[] {
  const found: T[] = [];
  for (const block of blocksToRead) {
    if (found.length >= limit) break;
    found.push(...read(block, limit - found.length));
  }
  return found;
}

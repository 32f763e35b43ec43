import type { DatabaseSync } from 'node:sqlite';
import { sumOfJobs, readFacets } from './facets.ts';
import type { Preparing } from './history.ts';
import { statement, text } from './row.ts';

/** Kinds of documents that say how a window looks and where it lies. */
const windowKinds = ['settings', 'window'] as const;

/**
 * What is to be told before the open database, of any version, is prepared. What cannot be read of it is left out:
 * it may be damaged, and that is found and told later.
 */
export function preparingOf(db: DatabaseSync, kind: Preparing['kind']): Preparing {
  return {
    kind,
    jobs: orElse(() => sumOfJobs(readFacets(db)), null),
    documents: orElse(
      () =>
        windowKinds.flatMap((of) =>
          statement(db, 'SELECT id, json FROM documents WHERE kind = ?')
            .all(of)
            .map((row) => ({ kind: of, id: text(row, 'id'), json: text(row, 'json') })),
        ),
      [],
    ),
  };
}

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

import { DatabaseSync } from 'node:sqlite';
import { writeDocument } from './documents.ts';
import { statement, text } from './row.ts';

/**
 * Copies what can still be read of the small documents (connections, profiles, settings, drafts) out of a database that
 * was set aside, so that a damaged history does not also cost the user's connections. Only reads there. Answers how
 * many were kept; a file that gives nothing away is no error.
 */
export function salvageDocuments(asidePath: string, into: DatabaseSync): number {
  let kept = 0;
  let aside: DatabaseSync | null = null;
  try {
    aside = new DatabaseSync(asidePath, { readOnly: true });
    // Row by row: what stands before the damage is still good.
    for (const row of statement(aside, 'SELECT kind, id, json FROM documents').iterate()) {
      const json = text(row, 'json');
      JSON.parse(json);
      writeDocument(into, text(row, 'kind'), text(row, 'id'), json);
      kept += 1;
    }
  } catch {
    // The damage begins here, or the table was never there.
  } finally {
    if (aside?.isOpen === true) aside.close();
  }
  return kept;
}

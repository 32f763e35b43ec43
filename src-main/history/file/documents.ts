import { DatabaseSync } from 'node:sqlite';
import { statement, text } from './row.ts';

/** All documents of a kind, by id. */
export function readDocuments(db: DatabaseSync, kind: string): { id: string; json: string }[] {
  return statement(db, 'SELECT id, json FROM documents WHERE kind = ? ORDER BY id')
    .all(kind)
    .map((row) => ({ id: text(row, 'id'), json: text(row, 'json') }));
}

/** One document's JSON text, or null. */
export function readDocument(db: DatabaseSync, kind: string, id: string): string | null {
  const row = statement(db, 'SELECT json FROM documents WHERE kind = ? AND id = ?').get(kind, id);
  return row === undefined ? null : text(row, 'json');
}

/** Saves a document, replacing the former one. */
export function writeDocument(db: DatabaseSync, kind: string, id: string, json: string): void {
  statement(
    db,
    'INSERT INTO documents (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
  ).run(kind, id, json);
}

/** Removes a document, if there is one. */
export function removeDocument(db: DatabaseSync, kind: string, id: string): void {
  statement(db, 'DELETE FROM documents WHERE kind = ? AND id = ?').run(kind, id);
}

/**
 * Copies what can still be read of the small documents (connections, profiles, settings, drafts) from a database that
 * was set aside, so that a damaged history does not also cost the user's connections. Only reads from it. Returns how
 * many were saved; it is no error if there are none.
 */
export function salvageDocuments(asidePath: string, into: DatabaseSync): number {
  let kept = 0;
  let aside: DatabaseSync | null = null;
  try {
    aside = new DatabaseSync(asidePath, { readOnly: true });
    // Row by row, because everything before the damage can be read.
    for (const row of statement(aside, 'SELECT kind, id, json FROM documents').iterate()) {
      const json = text(row, 'json');
      JSON.parse(json);
      writeDocument(into, text(row, 'kind'), text(row, 'id'), json);
      kept += 1;
    }
  } catch {
    // The damage begins here, or the table does not exist.
  } finally {
    if (aside?.isOpen === true) aside.close();
  }
  return kept;
}

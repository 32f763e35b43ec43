import type { DatabaseSync } from 'node:sqlite';
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

/** Keeps a document in place of the one there was. */
export function writeDocument(db: DatabaseSync, kind: string, id: string, json: string): void {
  statement(
    db,
    'INSERT INTO documents (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
  ).run(kind, id, json);
}

/** Removes a document; nothing happens when there is none. */
export function removeDocument(db: DatabaseSync, kind: string, id: string): void {
  statement(db, 'DELETE FROM documents WHERE kind = ? AND id = ?').run(kind, id);
}

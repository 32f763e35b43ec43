import { parseJson } from '../../src-preload/json-spans.ts';
import type { z } from 'zod';
import type { History } from './history.ts';

/** The part of the History that keeps documents. */
export type Documents = Pick<History, 'documents' | 'readDocument' | 'putDocument' | 'removeDocument'>;

/** Describes the documents of one kind. `K` is what identifies one of them. */
export interface DocumentKind<T, K> {
  /** It is saved in files, so it must never be changed. */
  kind: string;
  /** The content of a document. A saved text that does not match is unreadable. */
  schema: z.ZodType<T>;
  /** The id of a document. */
  id: (of: K) => string;
}

/** A saved document. Null if it cannot be read, because it may be from a newer version. */
interface KeptDocument<T> {
  id: string;
  value: T | null;
}

/**
 * Small values of one kind, saved as JSON beside the jobs. Each promise rejects if the disk refuses. What cannot be
 * read stays until it is replaced. `of`: what the kind makes the id from, or the id itself.
 */
export interface Collection<T, K> {
  /** All of them by id, including unreadable ones. */
  all(): Promise<KeptDocument<T>[]>;
  /** Null if there is none, or it cannot be read. */
  read(of: K | string): Promise<T | null>;
  /** As `read`, but null only if there is none. */
  find(of: K | string): Promise<KeptDocument<T> | null>;
  /** Saves the value, replacing the former one. */
  put(of: K | string, value: T): Promise<void>;
  /** Does nothing if there is none. */
  remove(of: K | string): Promise<void>;
}

/** The documents of one kind, over the history. */
export function openCollection<T, K = string>(
  documents: Documents,
  { kind, schema, id }: DocumentKind<T, K>,
): Collection<T, K> {
  const idOf = (of: K | string): string => (typeof of === 'string' ? of : id(of));
  const kept = (documentId: string, json: string): KeptDocument<T> => ({
    id: documentId,
    value: parseDocument(schema, json),
  });
  async function find(of: K | string): Promise<KeptDocument<T> | null> {
    const json = await documents.readDocument(kind, idOf(of));
    return json === null ? null : kept(idOf(of), json);
  }

  return {
    all: async () => (await documents.documents(kind)).map(({ id: documentId, json }) => kept(documentId, json)),
    find,
    read: async (of) => (await find(of))?.value ?? null,
    put: (of, value) => documents.putDocument(kind, idOf(of), JSON.stringify(value)),
    remove: (of) => documents.removeDocument(kind, idOf(of)),
  };
}

/** The value in a saved text. Null if it is not valid. */
export function parseDocument<T>(schema: z.ZodType<T>, json: string): T | null {
  return schema.safeParse(parseJson(json)).data ?? null;
}

/** The id for kinds whose documents are identified by name alone. */
export const byName = (name: string): string => name;

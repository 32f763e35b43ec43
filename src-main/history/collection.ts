import { parseJson } from '../../src-preload/json-spans.ts';
import type { z } from 'zod';
import type { History } from './history.ts';

/** The part of the History that keeps documents. */
export type Documents = Pick<History, 'documents' | 'readDocument' | 'putDocument' | 'removeDocument'>;

/** What the documents of one kind are. `K` is what tells one from the others. */
export interface DocumentKind<T, K> {
  /** It is in files: never changed. */
  kind: string;
  /** What a document holds. Kept text that does not fit counts as unreadable. */
  schema: z.ZodType<T>;
  /** The id a document is kept under. */
  id: (of: K) => string;
}

/** A document as it lies there; null where it cannot be read, for it may be from a newer version. */
interface KeptDocument<T> {
  id: string;
  value: T | null;
}

/**
 * Small values of one kind, kept as JSON beside the jobs. Each promise rejects when the disk does. What cannot be read
 * stays as it is until something is put in its place. `of`: what the kind makes the id of, or the id itself.
 */
export interface Collection<T, K> {
  /** All of them, by id, the unreadable ones too. */
  all(): Promise<KeptDocument<T>[]>;
  /** Null when there is none, and when it cannot be read. */
  read(of: K | string): Promise<T | null>;
  /** As `read`, and tells the two apart; null only when there is none. */
  find(of: K | string): Promise<KeptDocument<T> | null>;
  /** Keeps the value in place of the one there was. */
  put(of: K | string, value: T): Promise<void>;
  /** Nothing happens when there is none. */
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

/** The value in a kept text; null where it is no JSON or does not fit. */
export function parseDocument<T>(schema: z.ZodType<T>, json: string): T | null {
  return schema.safeParse(parseJson(json)).data ?? null;
}

/** The id of kinds whose documents differ by name alone. */
export const byName = (name: string): string => name;

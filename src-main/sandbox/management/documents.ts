import { isObject } from '../json-object.ts';
import type { Documents } from '../state/state-file.ts';

/** Documents for a sandbox without a state file. */
export function createMemoryDocuments(): Documents {
  const texts = new Map<string, string>();
  return {
    read: (name) => texts.get(name) ?? null,
    write: (name, text) => void texts.set(name, text),
  };
}

/** The object a document holds; null when there is none, or none that can be read. Never throws. */
export function readObject(documents: Documents, name: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(documents.read(name) ?? 'null');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

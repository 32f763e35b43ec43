import { isObject } from './checked.ts';

/** JSON texts saved by name, for everything except jobs. */
export interface Documents {
  /** Null if there is none with this name. */
  read(name: string): string | null;
  write(name: string, text: string): void;
}

/** Documents for a sandbox without a state file. */
export function createMemoryDocuments(): Documents {
  const texts = new Map<string, string>();
  return {
    read: (name) => texts.get(name) ?? null,
    write: (name, text) => void texts.set(name, text),
  };
}

/** The object in a document. Null if there is none or it cannot be read. Never throws. */
export function readObject(documents: Documents, name: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(documents.read(name) ?? 'null');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** An endpoint's version over restarts, so that `slsVersion` never falls (ruling 31). */
export interface SavedVersion {
  firstVersion: number;
  onReleased(version: number): void;
}

/** A document that cannot be read counts as missing. */
export function savedVersion(documents: Documents, endpointId: string): SavedVersion {
  const name = `endpoint-version/${endpointId}`;
  const kept = Number(documents.read(name));
  return {
    firstVersion: Number.isSafeInteger(kept) && kept > 1 ? kept : 1,
    onReleased: (version) => documents.write(name, String(version)),
  };
}

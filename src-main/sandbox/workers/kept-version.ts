import type { Documents } from '../state/state-file.ts';

/** An endpoint's version over restarts, so that `slsVersion` only ever goes up (ruling 31). */
export interface KeptVersion {
  firstVersion: number;
  onReleased(version: number): void;
}

/** A document that cannot be read counts as not there. */
export function keptVersion(documents: Documents, endpointId: string): KeptVersion {
  const name = `endpoint-version/${endpointId}`;
  const kept = Number(documents.read(name));
  return {
    firstVersion: Number.isSafeInteger(kept) && kept > 1 ? kept : 1,
    onReleased: (version) => documents.write(name, String(version)),
  };
}

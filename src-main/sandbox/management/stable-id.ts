import { createHash } from 'node:crypto';

/** How long the field's ids are (field notes: Pod, Template). */
export const ID_LENGTH = {
  pod: 14,
  template: 10,
  networkVolume: 10,
  machine: 12,
  savingsPlan: 14,
  registryAuth: 25,
  user: 27,
} as const;

export type IdKind = keyof typeof ID_LENGTH;

/** An id of lower-case letters and digits like the field's, the same at every start for the same kind and key. */
export function stableId(kind: IdKind, key: string): string {
  const hex = createHash('sha256').update(`${kind}\n${key}`).digest('hex');
  return BigInt(`0x${hex}`).toString(36).padStart(49, '0').slice(-ID_LENGTH[kind]);
}

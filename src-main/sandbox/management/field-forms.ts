import { createHash } from 'node:crypto';

/** The length of ids in the field (field notes: Pod, Template). */
const ID_LENGTH = {
  pod: 14,
  template: 10,
  networkVolume: 10,
  machine: 12,
  savingsPlan: 14,
  registryAuth: 25,
  user: 27,
} as const;

export type IdKind = keyof typeof ID_LENGTH;

/** An id of lower-case letters and digits as in the field, the same at every start for the same kind and key. */
export function stableId(kind: IdKind, key: string): string {
  const hex = createHash('sha256').update(`${kind}\n${key}`).digest('hex');
  return BigInt(`0x${hex}`).toString(36).padStart(49, '0').slice(-ID_LENGTH[kind]);
}

/** Epoch milliseconds in the forms of the pod's fields, always UTC. The clock's times are not always whole. */

/** `2026-10-04T11:09:24.633Z`. */
export function isoTimestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** `2026-10-04 11:09:24.633 +0000 UTC`, which was seen in addition to the ISO form (field notes: Pod; ruling 29). */
export function oddTimestamp(atMs: number): string {
  return `${isoTimestamp(atMs).replace('T', ' ').slice(0, -1)} +0000 UTC`;
}

/**
 * `Rented by User: Fri Jul 12 2024 19:14:40 GMT+0000 (Coordinated Universal Time)` (field notes: Pod,
 * lastStatusChange).
 */
export function statusChange(event: string, atMs: number): string {
  const [weekday = '', day, month, year, time] = new Date(atMs).toUTCString().split(' ');
  return `${event}: ${weekday.replace(',', '')} ${month} ${day} ${year} ${time} GMT+0000 (Coordinated Universal Time)`;
}

import { z } from 'zod';
import { connectionDraft } from '../../src-preload/connection-schema.ts';
import type { Connection, ConnectionState, Endpoint, EndpointFlavour } from '../../src-preload/connection.ts';
import type { ServiceTarget } from '../service/reply.ts';

/** A connection as it is stored: everything but the key. */
export const connectionRecord = connectionDraft.omit({ id: true }).extend({
  id: z.string().min(1),
  isSandbox: z.boolean(),
  createdAtMs: z.number(),
  /** Outlives a restart, so that a refused key is not tried again at every start. */
  refusal: z.object({ httpStatus: z.number(), path: z.string(), sinceMs: z.number() }).nullable(),
});
export type ConnectionRecord = z.infer<typeof connectionRecord>;

/** Where requests go and how the key is said. */
export type Place = Pick<ConnectionRecord, 'baseUrl' | 'restUrl' | 'authorization'>;

export type Offline = Extract<ConnectionState, { kind: 'offline' }>;

/** Reads a stored record; null when the text is not one. */
export function parseConnectionRecord(json: string): ConnectionRecord | null {
  try {
    return connectionRecord.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** The connection as windows see it. What the user must mend (key) goes before what may mend itself (network). */
export function connectionOf(record: ConnectionRecord, hasKey: boolean, offline: Offline | null): Connection {
  const { refusal, ...shown } = record;
  return { ...shown, endpoints: [...record.endpoints], hasKey, state: stateOf(refusal, hasKey, offline) };
}

function stateOf(refusal: ConnectionRecord['refusal'], hasKey: boolean, offline: Offline | null): ConnectionState {
  if (!hasKey) return { kind: 'no-key' };
  if (refusal !== null) return { kind: 'key-refused', nextTryMs: null, ...refusal };
  return offline ?? { kind: 'ready' };
}

/** Same service, asked in the same way: what it answered about a key holds for both. */
export function isSamePlace(one: Place, other: Place): boolean {
  return one.baseUrl === other.baseUrl && one.authorization === other.authorization;
}

/** The place as requests are made with; a connection without pods has no REST URL. */
export function targetPlace(place: Place): Omit<ServiceTarget, 'readKey'> {
  return { baseUrl: place.baseUrl, restUrl: place.restUrl === '' ? null : place.restUrl, authorization: place.authorization };
}

/** Endpoints of the built-in sandbox as the sidebar shows them. */
export function sandboxEndpoint(id: string): Endpoint {
  const flavours: Record<string, EndpointFlavour> = { text: 'text', image: 'image' };
  return { id, label: id.charAt(0).toUpperCase() + id.slice(1), flavour: flavours[id] ?? 'other' };
}

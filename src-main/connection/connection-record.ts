import { z } from 'zod';
import { connectionDraft } from '../../src-preload/connection.ts';
import type { Connection, ConnectionState, Endpoint, EndpointFlavour } from '../../src-preload/connection.ts';

/** A connection as it is stored: everything but the key. */
export const connectionRecord = connectionDraft.omit({ id: true }).extend({
  id: z.string().min(1),
  isSandbox: z.boolean(),
  createdAtMs: z.number(),
  /** Outlives a restart, so that a refused key is not tried again at every start. */
  refusal: z.object({ httpStatus: z.number(), path: z.string(), sinceMs: z.number() }).nullable(),
});
export type ConnectionRecord = z.infer<typeof connectionRecord>;

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
  if (refusal !== null) return { kind: 'key-refused', ...refusal };
  return offline ?? { kind: 'ready' };
}

/** Endpoints of the built-in sandbox as the sidebar shows them. */
export function sandboxEndpoint(id: string): Endpoint {
  const flavours: Record<string, EndpointFlavour> = { text: 'text', image: 'image' };
  return { id, label: id.charAt(0).toUpperCase() + id.slice(1), flavour: flavours[id] ?? 'other' };
}

import { z } from 'zod';
import { connectionDraft } from '../../src-preload/connection-schema.ts';
import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import { byName } from '../history/collection.ts';
import type { DocumentKind } from '../history/collection.ts';
import type { ServiceTarget } from '../service/reply.ts';
import { originsOf, plainHttpOf } from './origins.ts';

/** A connection as it is stored: everything but the key. What former versions kept beside it is left out. */
const connectionRecord = connectionDraft
  .omit({ id: true })
  .extend({
    id: z.string().min(1),
    isSandbox: z.boolean(),
    createdAtMs: z.number(),
    /** Not in records of former versions: their key was typed for the addresses they name. */
    keyOrigins: z.array(z.string()).optional(),
    /** Not in records of former versions, which did not ask. */
    plainHttpOrigins: z.array(z.string()).default([]),
  })
  .transform((record) => ({ ...record, keyOrigins: record.keyOrigins ?? originsOf(record) }));
export type ConnectionRecord = z.infer<typeof connectionRecord>;

/** Where requests go and how the key is said. */
export type Place = Pick<ConnectionRecord, 'baseUrl' | 'restUrl' | 'authorization'>;

/** What talking to the service showed: it lives in memory, for a restart asks anew (ruling 35). */
export type Trouble = Extract<ConnectionState, { kind: 'offline' | 'key-refused' }>;

/** How connections are kept. */
export const connectionKind: DocumentKind<ConnectionRecord, string> = {
  kind: 'connection',
  schema: connectionRecord,
  id: byName,
};

/** The connection as windows see it. What only the user can mend (no key) goes before what may mend itself. */
export function connectionOf(record: ConnectionRecord, hasKey: boolean, trouble: Trouble | null): Connection {
  const { keyOrigins: _theirs, plainHttpOrigins, ...shown } = record;
  const state: ConnectionState = hasKey ? (trouble ?? { kind: 'ready' }) : { kind: 'no-key' };
  return {
    ...shown,
    endpoints: [...record.endpoints],
    plainHttp: plainHttpOf(record, plainHttpOrigins),
    hasKey,
    state,
  };
}

/** Same service, asked in the same way: what it answered about a key holds for both. */
export function isSamePlace(one: Place, other: Place): boolean {
  return one.baseUrl === other.baseUrl && one.authorization === other.authorization;
}

/** The place as requests are made with; a connection without pods has no REST URL. */
export function targetPlace(place: Place): Omit<ServiceTarget, 'readKey'> {
  return {
    baseUrl: place.baseUrl,
    restUrl: place.restUrl === '' ? null : place.restUrl,
    authorization: place.authorization,
  };
}

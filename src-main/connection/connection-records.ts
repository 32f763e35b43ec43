import { z } from 'zod';
import { connectionDraft } from '../../src-preload/connection-schema.ts';
import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import { byName, type DocumentKind, openCollection, type Documents } from '../history/collection.ts';
import { storageFailure } from '../history/storage-failure.ts';
import type { ServiceTarget } from '../service/reply.ts';
import { originsOf, plainHttpOf } from './origins.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { Log } from '../log.ts';
import { connectionText } from '../messages/connection.ts';
import { createRemovedConnections, type RemovedConnection } from './removed-connections.ts';

/** A connection as it is stored: everything except the key. Further fields of former versions are dropped. */
const connectionRecord = connectionDraft
  .omit({ id: true })
  .extend({
    id: z.string().min(1),
    isSandbox: z.boolean(),
    createdAtMs: z.number(),
    /** Missing in records of former versions: their key was entered for their addresses. */
    keyOrigins: z.array(z.string()).optional(),
    /** Missing in records of former versions, which did not ask for consent. */
    plainHttpOrigins: z.array(z.string()).default([]),
  })
  .transform((record) => ({ ...record, keyOrigins: record.keyOrigins ?? originsOf(record) }));
export type ConnectionRecord = z.infer<typeof connectionRecord>;

/** Where requests go, and in which form the key is sent. */
export type ServiceAddress = Pick<ConnectionRecord, 'baseUrl' | 'restUrl' | 'authorization'>;

/** What requests to the service showed. Kept in memory only, because a restart tries again (ruling 35). */
export type Trouble = Extract<ConnectionState, { kind: 'offline' | 'key-refused' }>;

/** How connections are kept. */
const connectionKind: DocumentKind<ConnectionRecord, string> = {
  kind: 'connection',
  schema: connectionRecord,
  id: byName,
};

/**
 * The connection as windows see it. A problem that only the user can solve (no key) takes precedence over one that may
 * end on its own.
 */
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

/** The same address and authorization form, so that an answer about the key applies to both. */
export function isSameAddress(one: ServiceAddress, other: ServiceAddress): boolean {
  return one.baseUrl === other.baseUrl && one.authorization === other.authorization;
}

/** The address in the form that requests need. A connection without pods has no REST URL. */
export function targetOf(place: ServiceAddress): Omit<ServiceTarget, 'readKey'> {
  return {
    baseUrl: place.baseUrl,
    restUrl: place.restUrl === '' ? null : place.restUrl,
    authorization: place.authorization,
  };
}

/** The stored connections. Read on first use and then kept in memory, because only this object writes them. */
export interface ConnectionRecords {
  /** Oldest first. */
  all(): Promise<Result<ConnectionRecord[]>>;
  find(connectionId: string): Promise<Result<ConnectionRecord>>;
  /** Visible to other calls when it is on disk. */
  put(record: ConnectionRecord): Promise<Result<null>>;
  /** Keeps what is needed to recognise the connection later, and no key. `atMs`: epoch milliseconds. */
  remove(record: ConnectionRecord, atMs: number): Promise<Result<null>>;
  /** What this new connection was, if it was removed before. Otherwise null. */
  removed(
    connection: Pick<ConnectionRecord, 'baseUrl' | 'endpoints' | 'isSandbox'>,
  ): Promise<Result<RemovedConnection | null>>;
  /** What this saved connection was when it was last removed. Null if it never was. */
  removedById(connectionId: string): Promise<Result<RemovedConnection | null>>;
}

/** Connection records over the document store. */
export function createConnectionRecords({ documents, log }: { documents: Documents; log: Log }): ConnectionRecords {
  const collection = openCollection(documents, connectionKind);
  const removed = createRemovedConnections(documents);
  let loading: Promise<Map<string, ConnectionRecord>> | null = null;

  async function load(): Promise<Map<string, ConnectionRecord>> {
    const records: ConnectionRecord[] = [];
    for (const { id, value: record } of await collection.all()) {
      // Left in place: it may be from a newer Jobdeck, or the user may repair it.
      if (record === null) log.warn('A saved connection is unreadable', { connectionId: id });
      else records.push(record);
    }
    records.sort((a, b) => a.createdAtMs - b.createdAtMs);
    return new Map(records.map((record) => [record.id, record]));
  }

  async function loaded(): Promise<Result<Map<string, ConnectionRecord>>> {
    loading ??= load();
    try {
      return ok(await loading);
    } catch (error) {
      // The next call tries again.
      loading = null;
      return failed(storageFailure(log, connectionText.couldNotReadAll, error));
    }
  }

  async function change(
    work: (records: Map<string, ConnectionRecord>) => Promise<void>,
    message: string,
  ): Promise<Result<null>> {
    const records = await loaded();
    if (!records.ok) return records;
    try {
      await work(records.value);
      return ok(null);
    } catch (error) {
      return failed(storageFailure(log, message, error));
    }
  }

  async function readRemoved<T>(read: () => Promise<T>): Promise<Result<T>> {
    try {
      return ok(await read());
    } catch (error) {
      return failed(storageFailure(log, connectionText.couldNotReadRemoved, error));
    }
  }

  return {
    async all() {
      const records = await loaded();
      return records.ok ? ok([...records.value.values()]) : records;
    },
    async find(connectionId) {
      const records = await loaded();
      if (!records.ok) return records;
      const record = records.value.get(connectionId);
      return record === undefined
        ? failed({
            kind: 'absent',
            message: connectionText.removed,
          })
        : ok(record);
    },
    put: (record) =>
      change(async (records) => {
        await collection.put(record.id, record);
        records.set(record.id, record);
      }, connectionText.couldNotSave),
    remove: (record, atMs) =>
      change(async (records) => {
        await removed.remember(record, atMs);
        await collection.remove(record.id);
        records.delete(record.id);
      }, connectionText.couldNotRemove),
    async removed(connection) {
      const records = await loaded();
      if (!records.ok) return records;
      return readRemoved(async () => {
        const like = await removed.like(connection);
        return like.find(({ id }) => !records.value.has(id)) ?? null;
      });
    },
    removedById: (connectionId) => readRemoved(() => removed.find(connectionId)),
  };
}

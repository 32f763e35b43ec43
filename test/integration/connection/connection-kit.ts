import { join } from 'node:path';
import { Connections } from '../../../src-main/connection/connections.ts';
import type { ConnectionsParts } from '../../../src-main/connection/connections.ts';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import type { SecretStore, SecretStoreParts } from '../../../src-main/secret/secret-store.ts';
import type { HealthRecord, Reply, ServiceTarget } from '../../../src-main/service/reply.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Connection, ConnectionDraft } from '../../../src-preload/connection.ts';
import type { ServiceFailure } from '../../../src-preload/failure.ts';
import type { SavedDocuments } from './documents.ts';
import { openedSecretStore, recordedLog, scriptedKeytar, valueOf } from '../../kit/connection-parts.ts';
import type { ScriptedKeytar } from '../../kit/connection-parts.ts';

export const key = 'sk-live-0123456789abcdef';
export const draft: ConnectionDraft = {
  name: 'Production',
  baseUrl: 'https://queue.example.test',
  restUrl: 'https://rest.example.test',
  authorization: 'bearer',
  endpoints: [{ id: 'ep-1', label: 'Text', flavour: 'text' }],
};

/** Connections over the real history and secret store. Only the keychain and the service are simulated. */
export interface ConnectionKit {
  keytar: ScriptedKeytar;
  log: ReturnType<typeof recordedLog>;
  nowMs: number;
  /** What `onChange` was called with, in order. */
  told: Connection[][];
  reopened: string[];
  /** The service's answer to a health request. */
  health: (target: ServiceTarget, endpointId: string) => Promise<Reply<HealthRecord>>;
  secrets: SecretStore;
  connections: Connections;
  /** Reads everything from the disk again, as after a restart. */
  restart(secrets?: Partial<SecretStoreParts>, connections?: Partial<ConnectionsParts>): Promise<void>;
  /** Saves a connection (c1, then c2, ...), with `key` unless given another. */
  save(extra?: Partial<ConnectionDraft>, withKey?: string | null): Promise<Connection>;
  /** Saves a connection unchanged, with another key. */
  replaceKey(id: string, withKey: string): ReturnType<Connections['save']>;
}

/** A kit with nothing saved, over documents that are reused from test to test. */
export async function beginConnections(kept: SavedDocuments): Promise<ConnectionKit> {
  await kept.clear();
  const keytar = scriptedKeytar();
  const log = recordedLog();
  let nextId = 0;
  const openSecrets = (parts: Partial<SecretStoreParts> = {}): Promise<SecretStore> =>
    openedSecretStore({
      loadKeytar: () => Promise.resolve(keytar),
      safeStorage: null,
      files: createSecretFiles(join(kept.folder, 'secrets')),
      known: createKnownSecrets(log.log),
      log: log.log,
      ...parts,
    });
  const openConnections = (secrets: SecretStore, parts: Partial<ConnectionsParts> = {}): Connections =>
    new Connections({
      documents: kept.history,
      secrets,
      now: () => kit.nowMs,
      newId: () => `c${(nextId += 1)}`,
      onChange: (all) => kit.told.push(all),
      onReopened: (connectionId) => kit.reopened.push(connectionId),
      probeHealth: (target, endpointId) => kit.health(target, endpointId),
      log: log.log,
      ...parts,
    });
  const secrets = await openSecrets();
  const kit: ConnectionKit = {
    keytar,
    log,
    nowMs: 1_000,
    told: [],
    reopened: [],
    health: () => Promise.resolve(healthy()),
    secrets,
    connections: openConnections(secrets),
    async restart(secretParts, connectionParts) {
      await kept.reopen();
      kit.secrets = await openSecrets(secretParts);
      kit.connections = openConnections(kit.secrets, connectionParts);
    },
    async replaceKey(id, withKey) {
      const found = await kit.connections.get(id);
      if (!found.ok) return found;
      const { name, baseUrl, restUrl, authorization, endpoints } = found.value;
      return kit.connections.save({ draft: { id, name, baseUrl, restUrl, authorization, endpoints }, key: withKey });
    },
    save: async (extra = {}, withKey = key) =>
      valueOf(await kit.connections.save({ draft: { ...draft, ...extra }, key: withKey ?? undefined })).connection,
  };
  return kit;
}

/** The key that requests to the target's base URL are sent with. */
export function keyAt(target: ServiceTarget): Promise<string | null> {
  return target.readKey(new URL(target.baseUrl).origin);
}

export function healthy(): Reply<HealthRecord> {
  return answered(
    200,
    ok({
      jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
      workers: { idle: 1, running: 0 },
      extra: {},
    }),
  );
}

export function refusedWith(httpStatus: number, serviceSaid?: string): Reply<HealthRecord> {
  const failure: ServiceFailure = {
    kind: httpStatus === 404 ? 'not-found' : 'unauthorized',
    message: 'Refused.',
    httpStatus,
    mayHaveArrived: true,
  };
  return answered(httpStatus, failed(serviceSaid === undefined ? failure : { ...failure, serviceSaid }));
}

function answered(httpStatus: number, result: Reply<HealthRecord>['result']): Reply<HealthRecord> {
  return {
    result,
    exchange: {
      atMs: 0,
      method: 'GET',
      operation: 'health',
      path: '/v2/ep-1/health',
      httpStatus,
      tookMs: 3,
      bytesReceived: 2,
    },
  };
}

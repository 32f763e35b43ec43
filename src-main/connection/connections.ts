import type { Connection, ConnectionCheck, ConnectionDraft, ConnectionState, Endpoint } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import type { ServiceTarget } from '../service/reply.ts';
import { keyVerdict, runCheck } from './connection-check.ts';
import type { CheckInput, ProbeHealth } from './connection-check.ts';
import { checkDraft, withEndpoint } from './connection-draft.ts';
import { connectionOf, isSamePlace, sandboxEndpoint, targetPlace } from './connection-record.ts';
import type { ConnectionRecord, Offline } from './connection-record.ts';
import { createConnectionRecords } from './connection-records.ts';
import { createHeldKeys } from './held-keys.ts';
import { cleanKey } from './key-text.ts';
import type { SecretStore } from './secret-store.ts';

/** What the tracker can say of a connection. `sinceMs` of a refusal: when the refused request was sent. */
export type ReportedState = Exclude<ConnectionState, { kind: 'no-key' }>;

/** Where the running sandbox is, and its key. */
export interface SandboxAddress {
  baseUrl: string;
  restUrl: string;
  apiKey: string;
  endpoints: string[];
}

/** The named connections and what stands between Jobdeck and each. Their keys lie in the secret store, nowhere else. */
export interface Connections {
  /** Oldest first. */
  list(): Promise<Result<Connection[]>>;
  get(connectionId: string): Promise<Result<Connection>>;
  /**
   * Creates or changes a connection. `notes` says what was normalised (ruling 28), and when the key could not be kept:
   * the connection is saved all the same, and its key can be set again.
   */
  save(input: { draft: ConnectionDraft; key?: string | undefined }): Promise<Result<{ connection: Connection; notes: string[] }>>;
  /** Also its key. Its jobs stay. */
  remove(connectionId: string): Promise<Result<null>>;
  setKey(connectionId: string, key: string): Promise<Result<null>>;
  deleteKey(connectionId: string): Promise<Result<null>>;
  /** Reads each endpoint's health once, with `key` or else the kept one, at the draft's address or else the saved one. */
  test(input: CheckInput): Promise<Result<ConnectionCheck[]>>;
  /** Adds the endpoint, or gives the one with its id this label and flavour. */
  addEndpoint(connectionId: string, endpoint: Endpoint): Promise<Result<Connection>>;
  removeEndpoint(connectionId: string, endpointId: string): Promise<Result<Connection>>;
  /** What following jobs showed. `ready` ends an outage; a refused key stays refused until it changes or a test passes. */
  reportState(connectionId: string, state: ReportedState): Promise<void>;
  /**
   * Where and as whom to send, for the queue API. `pinnedBaseUrl`: where a job was sent at the time.
   * `readKey` answers null when no key is kept, and rejects with a sentence when the key storage does not answer.
   */
  target(connectionId: string, pinnedBaseUrl?: string): Promise<Result<ServiceTarget>>;
  /** The built-in sandbox's connection: made on first use, later brought to its present address and key. */
  ensureSandboxConnection(address: SandboxAddress): Promise<Result<Connection>>;
  /** Forgets the keys in memory. */
  close(): void;
}

export interface ConnectionsParts {
  documents: Pick<History, 'documents' | 'putDocument' | 'removeDocument'>;
  secrets: Pick<SecretStore, 'has' | 'read' | 'write' | 'remove'>;
  /** Epoch milliseconds. */
  now: () => number;
  newId: () => string;
  /** All connections as they now stand; told after the change is on disk. */
  onChange: (connections: Connection[]) => void;
  probeHealth: ProbeHealth;
  log: Log;
}

/** Connections kept as documents, with their keys in `secrets`. */
export function createConnections(parts: ConnectionsParts): Connections {
  const { secrets, now, newId, onChange, probeHealth, log } = parts;
  const records = createConnectionRecords(parts);
  const heldKeys = createHeldKeys({ read: secrets.read, now });
  const offline = new Map<string, Offline>();
  const keyChangedAtMs = new Map<string, number>();

  function shown(record: ConnectionRecord): Connection {
    return connectionOf(record, secrets.has(keyId(record.id)), offline.get(record.id) ?? null);
  }

  async function list(): Promise<Result<Connection[]>> {
    const all = await records.all();
    return all.ok ? ok(all.value.map(shown)) : all;
  }

  async function tell(): Promise<void> {
    const all = await list();
    if (all.ok) onChange(all.value);
  }

  /** Changes happen one after the other, so that none overwrites another with what it read before. */
  let changes: Promise<unknown> = Promise.resolve();
  function inOrder<T>(change: () => Promise<T>): Promise<T> {
    const turn = changes.then(change);
    changes = turn.catch(() => undefined);
    return turn;
  }

  /** Stores what `edit` makes of the connection, and tells it. */
  function change(connectionId: string, edit: (record: ConnectionRecord) => Result<ConnectionRecord>): Promise<Result<Connection>> {
    return inOrder(async () => {
      const found = await records.find(connectionId);
      if (!found.ok) return found;
      const edited = edit(found.value);
      if (!edited.ok) return edited;
      const kept = await records.put(edited.value);
      if (!kept.ok) return kept;
      await tell();
      return ok(shown(edited.value));
    });
  }

  /** The key is another one now: nothing that was said of the former holds. */
  async function forgetKeyNews(record: ConnectionRecord): Promise<Result<null>> {
    heldKeys.drop(keyId(record.id));
    keyChangedAtMs.set(record.id, now());
    offline.delete(record.id);
    return record.refusal === null ? ok(null) : records.put({ ...record, refusal: null });
  }

  async function keepKey(record: ConnectionRecord, key: string): Promise<Result<null>> {
    const written = await secrets.write(keyId(record.id), key);
    heldKeys.drop(keyId(record.id));
    return written.ok ? forgetKeyNews(record) : written;
  }

  /** The connection as it would be stored for a valid draft, and what to say of it. */
  async function recordFor(draft: ConnectionDraft): Promise<Result<{ record: ConnectionRecord; former: ConnectionRecord | null; notes: string[] }>> {
    const checked = checkDraft(draft);
    if (!checked.ok) return checked;
    const { fields, notes } = checked.value;
    if (draft.id === undefined) {
      return ok({ record: { ...fields, id: newId(), isSandbox: false, createdAtMs: now(), refusal: null }, former: null, notes });
    }
    const found = await records.find(draft.id);
    if (!found.ok) return found;
    const former = found.value;
    const refusal = isSamePlace(former, fields) ? former.refusal : null;
    return ok({ record: { ...former, ...fields, refusal }, former, notes });
  }

  async function save({ draft, key }: { draft: ConnectionDraft; key?: string | undefined }): Promise<Result<{ connection: Connection; notes: string[] }>> {
    const clean = key === undefined ? null : cleanKey(key);
    if (clean !== null && !clean.ok) return clean;
    const made = await recordFor(draft);
    if (!made.ok) return made;
    const { record, former, notes } = made.value;
    const kept = await records.put(record);
    if (!kept.ok) return kept;
    if (former !== null && !isSamePlace(former, record)) offline.delete(record.id);

    if (clean !== null) {
      const written = await keepKey(record, clean.value.key);
      if (written.ok) notes.push(...clean.value.notes);
      else notes.push(`The connection is saved, but its key could not be kept. ${written.failure.message}`);
    } else if (former !== null && former.baseUrl !== record.baseUrl && secrets.has(keyId(record.id))) {
      notes.push(`The kept key is sent to ${record.baseUrl} from now on.`);
    }
    await tell();
    const stored = await records.find(record.id);
    return stored.ok ? ok({ connection: shown(stored.value), notes }) : stored;
  }

  async function remove(connectionId: string): Promise<Result<null>> {
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    const forgotten = await secrets.remove(keyId(connectionId));
    heldKeys.drop(keyId(connectionId));
    const removed = await records.remove(connectionId);
    if (!removed.ok) return removed;
    offline.delete(connectionId);
    keyChangedAtMs.delete(connectionId);
    await tell();
    if (forgotten.ok) return ok(null);
    return failed({ ...forgotten.failure, message: `The connection is removed, but its key could not be taken away yet. ${forgotten.failure.message}` });
  }

  async function setKey(connectionId: string, key: string): Promise<Result<null>> {
    const clean = cleanKey(key);
    if (!clean.ok) return clean;
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    const written = await keepKey(found.value, clean.value.key);
    await tell();
    return written;
  }

  async function deleteKey(connectionId: string): Promise<Result<null>> {
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    const forgotten = await secrets.remove(keyId(connectionId));
    const cleared = await forgetKeyNews(found.value);
    await tell();
    return forgotten.ok ? cleared : forgotten;
  }

  /** The kept key, or why there is none to use. A key that vanished from the keychain shows on the connection. */
  async function keptKey(connectionId: string): Promise<Result<string | null>> {
    const hadKey = secrets.has(keyId(connectionId));
    const read = await heldKeys.read(keyId(connectionId));
    if (read.ok && read.value === null && hadKey) await tell();
    return read;
  }

  async function test(input: CheckInput): Promise<Result<ConnectionCheck[]>> {
    const sentAtMs = now();
    const checked = await runCheck(input, { findRecord: records.find, keptKey, probeHealth, log });
    if (!checked.ok) return checked;
    const { checks, tellsOf } = checked.value;
    if (tellsOf !== null) await inOrder(() => applyVerdict(tellsOf, checks, sentAtMs));
    return ok(checks);
  }

  /** A test of the saved connection with its kept key tells as much as a job's request would. */
  async function applyVerdict(connectionId: string, checks: ConnectionCheck[], sentAtMs: number): Promise<void> {
    const verdict = keyVerdict(checks);
    if (verdict.kind === 'open') return;
    if (verdict.kind === 'refused') {
      await report(connectionId, { kind: 'key-refused', httpStatus: verdict.httpStatus, path: verdict.path, sinceMs: sentAtMs });
      return;
    }
    const found = await records.find(connectionId);
    const isClear = found.ok && found.value.refusal === null && !offline.has(connectionId);
    if (!found.ok || isClear) return;
    offline.delete(connectionId);
    if (found.value.refusal !== null) await records.put({ ...found.value, refusal: null });
    await tell();
  }

  async function report(connectionId: string, state: ReportedState): Promise<void> {
    const found = await records.find(connectionId);
    if (!found.ok) return;
    const before = JSON.stringify(shown(found.value).state);
    const record = found.value;
    if (state.kind === 'offline') {
      offline.set(connectionId, { ...state, sinceMs: offline.get(connectionId)?.sinceMs ?? state.sinceMs });
    } else {
      // Refused or not, it answered.
      offline.delete(connectionId);
    }
    const isOfFormerKey = state.kind === 'key-refused' && state.sinceMs < (keyChangedAtMs.get(connectionId) ?? 0);
    if (state.kind === 'key-refused' && record.refusal === null && !isOfFormerKey) {
      const { httpStatus, path, sinceMs } = state;
      await records.put({ ...record, refusal: { httpStatus, path, sinceMs } });
    }
    const after = await records.find(connectionId);
    if (after.ok && JSON.stringify(shown(after.value).state) !== before) await tell();
  }

  async function ensureSandboxConnection({ baseUrl, restUrl, apiKey, endpoints }: SandboxAddress): Promise<Result<Connection>> {
    const all = await records.all();
    if (!all.ok) return all;
    const former = all.value.find((record) => record.isSandbox);
    const known = former?.endpoints ?? [];
    const added = endpoints.filter((id) => !known.some((endpoint) => endpoint.id === id)).map(sandboxEndpoint);
    const { name, authorization } = former ?? { name: 'Sandbox', authorization: 'bearer' as const };
    const address = checkDraft({ name, authorization, baseUrl, restUrl, endpoints: [...known, ...added] });
    if (!address.ok) return address;
    const record: ConnectionRecord = {
      ...address.value.fields,
      // Random, not a fixed name: two data folders on one computer share its keychain.
      id: former?.id ?? newId(),
      createdAtMs: former?.createdAtMs ?? now(),
      isSandbox: true,
      refusal: null,
    };
    const kept = await records.put(record);
    if (!kept.ok) return kept;
    const written = await keepKey(record, apiKey);
    await tell();
    return written.ok ? ok(shown(record)) : written;
  }

  return {
    list,
    async get(connectionId) {
      const found = await records.find(connectionId);
      return found.ok ? ok(shown(found.value)) : found;
    },
    save: (input) => inOrder(() => save(input)),
    remove: (connectionId) => inOrder(() => remove(connectionId)),
    setKey: (connectionId, key) => inOrder(() => setKey(connectionId, key)),
    deleteKey: (connectionId) => inOrder(() => deleteKey(connectionId)),
    test,
    addEndpoint: (connectionId, endpoint) => 
      change(connectionId, (record) => {
        const endpoints = withEndpoint(record.endpoints, endpoint);
        return endpoints.ok ? ok({ ...record, endpoints: endpoints.value }) : endpoints;
      }),
    removeEndpoint: (connectionId, endpointId) =>
      change(connectionId, (record) => {
        const endpoints = record.endpoints.filter((endpoint) => endpoint.id !== endpointId);
        return endpoints.length < record.endpoints.length
          ? ok({ ...record, endpoints })
          : failed({ kind: 'absent', message: 'This connection has no endpoint with this id.' });
      }),
    reportState: (connectionId, state) => inOrder(() => report(connectionId, state)),
    async target(connectionId, pinnedBaseUrl) {
      const found = await records.find(connectionId);
      if (!found.ok) return found;
      return ok({
        ...targetPlace({ ...found.value, baseUrl: pinnedBaseUrl ?? found.value.baseUrl }),
        async readKey() {
          const read = await keptKey(connectionId);
          if (read.ok) return read.value;
          // Shown on the connection, which waits as in an outage; the key itself may be right.
          void inOrder(() => report(connectionId, { kind: 'offline', sinceMs: now(), nextTryMs: null, message: read.failure.message }));
          throw new Error(read.failure.message);
        },
      });
    },
    ensureSandboxConnection: (address) => inOrder(() => ensureSandboxConnection(address)),
    close: heldKeys.close,
  };
}

/** The id a connection's key is kept under. */
function keyId(connectionId: string): string {
  return `connection:${connectionId}`;
}

import type {
  AddressNeeds,
  Connection,
  ConnectionCheck,
  ConnectionDraft,
  ConnectionState,
} from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import type { ServiceTarget } from '../service/reply.ts';
import { createAccounts } from './accounts.ts';
import { runCheck } from './connection-check.ts';
import type { CheckInput, ProbeHealth } from './connection-check.ts';
import { checkDraft, readAddresses } from './connection-draft.ts';
import { isSamePlace, targetPlace } from './connection-record.ts';
import type { ConnectionRecord } from './connection-record.ts';
import { createConnectionRecords } from './connection-records.ts';
import { createConnectionStates } from './connection-states.ts';
import { createHeldKeys } from '../secret/held-keys.ts';
import { cleanKey } from './key-text.ts';
import { agreedPlainHttp, keyNotFor, mayHaveKey, originsOf, originsOfBothKeys, plainHttpOf } from './origins.ts';
import type { Addresses } from './origins.ts';
import { sandboxRecord } from './sandbox-record.ts';
import type { SandboxAddress } from './sandbox-record.ts';
import { keyId } from '../secret/secret-store.ts';
import type { SecretStore } from '../secret/secret-store.ts';

/** The named connections and what stands between Jobdeck and each. Their keys lie in the secret store, nowhere else. */
export interface Connections {
  /** Oldest first. */
  list(): Promise<Result<Connection[]>>;
  get(connectionId: string): Promise<Result<Connection>>;
  /**
   * Creates or changes a connection. `notes` says what was normalised (ruling 28), and when the key could not be kept:
   * the connection is saved all the same, and its key can be set again. Refused where the kept key was not typed for an
   * address (field `key`), and where http:// to another machine was not agreed to (field `plainHttp`; ruling 44).
   */
  save(input: {
    draft: ConnectionDraft;
    key?: string | undefined;
  }): Promise<Result<{ connection: Connection; notes: string[] }>>;
  /**
   * Also its key. Its jobs stay, and are its own again when it is added once more with the same base URL and an
   * endpoint of before.
   */
  remove(connectionId: string): Promise<Result<null>>;
  deleteKey(connectionId: string): Promise<Result<null>>;
  /**
   * What addresses, as they are typed, ask of the user before anything is sent there (ruling 44); one that is none,
   * nothing.
   */
  addressNeeds(input: Addresses & { connectionId?: string | undefined }): Promise<Result<AddressNeeds>>;
  /**
   * Reads each endpoint's health once, with `key` or else the kept one, at the draft's address or else the saved one.
   */
  test(input: CheckInput): Promise<Result<ConnectionCheck[]>>;
  /**
   * What following jobs showed; `sinceMs` of a refusal is when the refused request was sent. `ready` ends an outage
   * and a refusal (ruling 35). `no-key` is known here better and changes nothing.
   */
  reportState(connectionId: string, state: ConnectionState): Promise<void>;
  /**
   * The service took a request that left at `atMs` (epoch milliseconds): whatever a check said before, the key is good.
   */
  noteTaken(connectionId: string, atMs: number): void;
  /**
   * Where and as whom to send, for the queue API. `pinnedBaseUrl`: where a job was sent at the time. `readKey` answers
   * null when no key is kept for the origin, and rejects with a sentence when the key storage does not answer.
   */
  target(connectionId: string, pinnedBaseUrl?: string): Promise<Result<ServiceTarget>>;
  /** The same for pods and templates; refused (field `key`) where the kept key was not typed for the REST URL. */
  managementTarget(connectionId: string): Promise<Result<ServiceTarget>>;
  /** Whose limits a connection spends (ruling 42): one account for all of a base URL and key, once each was used. */
  accountOf(connectionId: string): string;
  /** The built-in sandbox's connection: made on first use, later brought to its present address and key. */
  ensureSandboxConnection(address: SandboxAddress): Promise<Result<Connection>>;
  /** Forgets the keys in memory. */
  close(): void;
}

export interface ConnectionsParts {
  documents: Documents;
  secrets: Pick<SecretStore, 'has' | 'read' | 'write' | 'remove' | 'onReadable'>;
  /** Epoch milliseconds. */
  now: () => number;
  newId: () => string;
  /** All connections as they now stand; told after the change is on disk. */
  onChange: (connections: Connection[]) => void;
  /** Requests may leave again: the key or address changed, a test passed, or the key can be read again. */
  onReopened: (connectionId: string) => void;
  probeHealth: ProbeHealth;
  log: Log;
}

/** Connections kept as documents, with their keys in `secrets`. */
export function createConnections(parts: ConnectionsParts): Connections {
  const { secrets, now, newId, onChange, onReopened, probeHealth, log } = parts;
  const records = createConnectionRecords(parts);
  const hasKey = (record: ConnectionRecord): boolean =>
    secrets.has(keyId(record.id)) && mayHaveKey(record.keyOrigins, record.baseUrl);
  const states = createConnectionStates({ records, hasKey, now });
  const heldKeys = createHeldKeys({ read: (id) => secrets.read(id), now });
  const accounts = createAccounts();
  const { shown } = states;

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

  secrets.onReadable(
    () =>
      void inOrder(async () => {
        const opened = states.openUnreadable();
        if (opened.length > 0) await tell();
        opened.forEach(onReopened);
      }),
  );

  /**
   * Keeps a record with a key that was typed for it. While it is uncertain which key is kept, it goes only where both
   * may.
   */
  async function putWithKey(record: ConnectionRecord, key: string): Promise<Record<'kept' | 'written', Result<null>>> {
    const keyOrigins = originsOf(record);
    const between = originsOfBothKeys(record.keyOrigins, keyOrigins);
    const kept = await records.put({ ...record, keyOrigins: between });
    if (!kept.ok) return { kept, written: kept };
    const written = await secrets.write(keyId(record.id), key);
    heldKeys.drop(keyId(record.id));
    if (!written.ok) return { kept, written };
    const noted = between.length === keyOrigins.length ? kept : await records.put({ ...record, keyOrigins });
    states.open(record.id);
    onReopened(record.id);
    return { kept, written: noted };
  }

  async function save({
    draft,
    key,
  }: {
    draft: ConnectionDraft;
    key?: string | undefined;
  }): Promise<Result<{ connection: Connection; notes: string[] }>> {
    const clean = key === undefined ? null : cleanKey(key);
    if (clean !== null && !clean.ok) return clean;
    const checked = checkDraft(draft);
    if (!checked.ok) return checked;
    const found = draft.id === undefined ? null : await records.find(draft.id);
    if (found !== null && !found.ok) return found;
    const former = found?.value ?? null;
    const { fields } = checked.value;
    const notes = [...checked.value.notes];
    const agreed = agreedPlainHttp(fields, draft.plainHttpOrigins, former);
    if (!agreed.ok) return agreed;
    const usesKept = clean === null && former !== null && secrets.has(keyId(former.id));
    const refusal = usesKept ? keyNotFor(fields, former.keyOrigins) : null;
    if (refusal !== null) return failed(refusal);
    const formerId = former === null ? await records.formerId({ ...fields, isSandbox: false }) : ok(null);
    if (!formerId.ok) return formerId;
    if (formerId.value !== null)
      notes.push(
        'Jobdeck knows this connection from before it was removed: its jobs are shown with it again, and those ' +
          'that were left behind are followed.',
      );
    const base = former ?? { id: formerId.value ?? newId(), isSandbox: false, createdAtMs: now(), keyOrigins: [] };
    const record: ConnectionRecord = { ...base, ...fields, plainHttpOrigins: agreed.value };
    const { id } = record;
    const put =
      clean === null
        ? { kept: await records.put(record), written: ok(null) }
        : await putWithKey(record, clean.value.key);
    const { kept, written } = put;
    if (!kept.ok) return kept;

    if (former !== null && !isSamePlace(former, record)) {
      states.open(id);
      onReopened(id);
    }
    if (!written.ok) notes.push(`The connection is saved, but its key could not be kept. ${written.failure.message}`);
    else if (clean !== null) notes.push(...clean.value.notes);
    await tell();
    const stored = await records.find(id);
    return stored.ok ? ok({ connection: shown(stored.value), notes }) : stored;
  }

  async function addressNeeds({
    connectionId,
    ...typed
  }: Parameters<Connections['addressNeeds']>[0]): Promise<Result<AddressNeeds>> {
    const addresses = readAddresses(typed);
    if (connectionId === undefined) return ok({ key: null, plainHttp: plainHttpOf(addresses, []) });
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    const { keyOrigins, plainHttpOrigins } = found.value;
    const refusal = secrets.has(keyId(connectionId)) ? keyNotFor(addresses, keyOrigins) : null;
    return ok({ key: refusal?.message ?? null, plainHttp: plainHttpOf(addresses, plainHttpOrigins) });
  }

  async function remove(connectionId: string): Promise<Result<null>> {
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    const forgotten = await secrets.remove(keyId(connectionId));
    heldKeys.drop(keyId(connectionId));
    const removed = await records.remove(found.value, now());
    if (!removed.ok) return removed;
    states.forget(connectionId);
    accounts.forget(connectionId);
    await tell();
    if (forgotten.ok) return ok(null);
    return failed({
      ...forgotten.failure,
      message: `The connection is removed, but its key could not be taken away yet. ${forgotten.failure.message}`,
    });
  }

  async function deleteKey(connectionId: string): Promise<Result<null>> {
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    const forgotten = await secrets.remove(keyId(connectionId));
    heldKeys.drop(keyId(connectionId));
    states.open(connectionId);
    await tell();
    return forgotten;
  }

  /** The kept key, or why it cannot be read. A key that vanished from the keychain shows on the connection. */
  async function keptKey(connectionId: string): Promise<Result<string | null>> {
    const hadKey = secrets.has(keyId(connectionId));
    const read = await heldKeys.read(keyId(connectionId));
    if (read.ok && read.value === null && hadKey) await tell();
    return read;
  }

  /** Null also where the kept key was not typed for this origin: whoever asks, it is not sent there (ruling 44). */
  async function readKey(connectionId: string, origin: string): Promise<string | null> {
    const found = await records.find(connectionId);
    if (!found.ok || !mayHaveKey(found.value.keyOrigins, origin)) return null;
    const read = await keptKey(connectionId);
    if (read.ok && read.value !== null) accounts.learn(connectionId, found.value.baseUrl, read.value);
    if (read.ok) return read.value;
    const { message } = read.failure;
    void inOrder(async () => {
      if (await states.reportUnreadable(connectionId, message)) await tell();
    });
    throw new Error(message);
  }

  async function target(connectionId: string, pinnedBaseUrl?: string): Promise<Result<ServiceTarget>> {
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    const place = targetPlace({ ...found.value, baseUrl: pinnedBaseUrl ?? found.value.baseUrl });
    return ok({ ...place, readKey: (origin) => readKey(connectionId, origin) });
  }

  async function test(input: CheckInput): Promise<Result<ConnectionCheck[]>> {
    const sentAtMs = now();
    const checked = await runCheck(input, { findRecord: records.find, keptKey, probeHealth, log });
    if (!checked.ok) return checked;
    const { checks, tellsOf } = checked.value;
    if (tellsOf === null) return ok(checks);
    await inOrder(async () => {
      const learned = await states.learn(tellsOf, checks, sentAtMs);
      if (learned !== 'same') await tell();
      if (learned === 'opened') onReopened(tellsOf);
    });
    return ok(checks);
  }

  async function ensureSandboxConnection(address: SandboxAddress): Promise<Result<Connection>> {
    const all = await records.all();
    if (!all.ok) return all;
    const former = all.value.find((each) => each.isSandbox) ?? null;
    const formerId =
      former === null ? await records.formerId({ ...address, endpoints: [], isSandbox: true }) : ok(null);
    if (!formerId.ok) return formerId;
    const made = sandboxRecord(former, address, { newId: () => formerId.value ?? newId(), now });
    if (!made.ok) return made;
    const record = made.value;
    // Its key belongs to its address, whichever port it has now.
    const { kept, written } = await putWithKey(record, address.apiKey);
    if (!kept.ok) return kept;
    await tell();
    const stored = await records.find(record.id);
    if (!stored.ok) return stored;
    return written.ok ? ok(shown(stored.value)) : written;
  }

  return {
    list,
    async get(connectionId) {
      const found = await records.find(connectionId);
      return found.ok ? ok(shown(found.value)) : found;
    },
    save: (input) => inOrder(() => save(input)),
    remove: (connectionId) => inOrder(() => remove(connectionId)),
    deleteKey: (connectionId) => inOrder(() => deleteKey(connectionId)),
    addressNeeds,
    test,
    reportState: (connectionId, state) =>
      inOrder(async () => {
        if (await states.report(connectionId, state)) await tell();
      }),
    accountOf: accounts.of,
    noteTaken(connectionId, atMs) {
      if (states.taken(connectionId, atMs)) void tell();
    },
    target,
    async managementTarget(connectionId) {
      const found = await records.find(connectionId);
      if (!found.ok) return found;
      const { restUrl, keyOrigins } = found.value;
      const refusal = keyNotFor({ baseUrl: '', restUrl }, keyOrigins);
      return refusal === null ? target(connectionId) : failed(refusal);
    },
    ensureSandboxConnection: (address) => inOrder(() => ensureSandboxConnection(address)),
    close: heldKeys.close,
  };
}

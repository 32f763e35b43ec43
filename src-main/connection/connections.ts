import type {
  AddressNeeds,
  Connection,
  ConnectionCheck,
  ConnectionDraft,
  ConnectionState,
  EndpointFlavour,
} from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { createSerialQueue, createSharedReads, type SharedReads } from '../async/queues.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import type { ServiceTarget } from '../service/reply.ts';
import { createAccounts } from './accounts.ts';
import { ConnectionStates } from './connection-states.ts';
import { runCheck, type CheckInput, type ProbeHealth } from './connection-check.ts';
import { checkDraft, readAddresses, cleanKey, sandboxRecord, type SandboxAddress } from './connection-draft.ts';
import {
  isSameAddress,
  targetOf,
  type ConnectionRecord,
  createConnectionRecords,
  type ConnectionRecords,
} from './connection-records.ts';
import {
  agreedPlainHttp,
  keyNotFor,
  mayHaveKey,
  originsOf,
  originsOfBothKeys,
  plainHttpOf,
  type Addresses,
} from './origins.ts';
import { withFormer } from './removed-connections.ts';
import { keyId, type SecretStore } from '../secret/secret-store.ts';
import { connectionText } from '../messages/connection.ts';

export interface ConnectionsParts {
  documents: Documents;
  secrets: Pick<SecretStore, 'has' | 'read' | 'write' | 'keepForSession' | 'remove' | 'onReadable'>;
  /** Epoch milliseconds. */
  now: () => number;
  newId: () => string;
  /** Called with all connections when a change is on disk. */
  onChange: (connections: Connection[]) => void;
  /** Requests may leave again: the key or address changed, a test passed, or the key can be read again. */
  onReopened: (connectionId: string) => void;
  probeHealth: ProbeHealth;
  log: Log;
}

/** A connection as entered by the user, with its key if one was entered. */
export interface TypedConnection {
  draft: ConnectionDraft;
  key?: string | undefined;
}

/**
 * How long a key stays in memory after it was read. Polling needs it many times a second, which is too often for a
 * keychain.
 */
export const keyHeldMs = 60_000;

/** The connections and what keeps Jobdeck from reaching each. Their keys are in the secret store only. */
export class Connections {
  readonly #parts: ConnectionsParts;
  readonly #records: ConnectionRecords;
  readonly #states: ConnectionStates;
  readonly #heldKeys: SharedReads<KeyRead>;
  readonly #accounts = createAccounts();
  /** One change at a time, so that none overwrites another with values that it read before. */
  readonly #changes = createSerialQueue();

  constructor(parts: ConnectionsParts) {
    const { secrets, now } = parts;
    this.#parts = parts;
    this.#records = createConnectionRecords(parts);
    this.#states = new ConnectionStates({
      records: this.#records,
      hasKey: ({ id, keyOrigins, baseUrl }) => secrets.has(keyId(id)) && mayHaveKey(keyOrigins, baseUrl),
      now,
    });
    this.#heldKeys = createSharedReads({
      now,
      freshForMs: keyHeldMs,
      read: (id) => secrets.read(id),
      isKept: (read) => read.ok && read.value !== null,
    });
    secrets.onReadable(() => void this.#changes.run(() => this.#openUnreadable()));
  }

  /** Oldest first. */
  async list(): Promise<Result<Connection[]>> {
    const all = await this.#records.all();
    return all.ok ? ok(all.value.map((record) => this.#states.shown(record))) : all;
  }

  /** One connection as windows show it. Fails with `absent` or `storage`. */
  async get(connectionId: string): Promise<Result<Connection>> {
    const found = await this.#records.find(connectionId);
    return found.ok ? ok(this.#states.shown(found.value)) : found;
  }

  /**
   * Creates or changes a connection. `notes` says what was normalised (ruling 28), and whether the key could not be
   * saved: the connection is saved anyway, and its key can be set again. Refused if the saved key was not entered for
   * an address (field `key`), and if the user has not agreed to http:// to another machine (field `plainHttp`; ruling
   * 44).
   */
  save(input: TypedConnection): Promise<Result<{ connection: Connection; notes: string[] }>> {
    return this.#changes.run(() => this.#saveNow(input));
  }

  /**
   * Removes its key too. Its jobs stay. They belong to it again if it is added again with the same base URL and a
   * common endpoint.
   */
  remove(connectionId: string): Promise<Result<null>> {
    return this.#changes.run(() => this.#removeNow(connectionId));
  }

  /** Deletes the connection's key from its place. The connection stays. */
  deleteKey(connectionId: string): Promise<Result<null>> {
    return this.#changes.run(() => this.#deleteKeyNow(connectionId));
  }

  /**
   * What the user must confirm about entered addresses before anything is sent to them (ruling 44). Nothing for an
   * invalid address.
   */
  async addressNeeds({
    connectionId,
    ...typed
  }: Addresses & { connectionId?: string | undefined }): Promise<Result<AddressNeeds>> {
    const addresses = readAddresses(typed);
    if (connectionId === undefined) return ok({ key: null, plainHttp: plainHttpOf(addresses, []) });
    const found = await this.#records.find(connectionId);
    if (!found.ok) return found;
    const { keyOrigins, plainHttpOrigins } = found.value;
    const refusal = this.#parts.secrets.has(keyId(connectionId)) ? keyNotFor(addresses, keyOrigins) : null;
    return ok({ key: refusal?.message ?? null, plainHttp: plainHttpOf(addresses, plainHttpOrigins) });
  }

  /**
   * Reads each endpoint's health once, with `key` or else the saved key, at the draft's address or else the saved one.
   */
  async check(input: CheckInput): Promise<Result<ConnectionCheck[]>> {
    const sentAtMs = this.#parts.now();
    const checked = await runCheck(input, {
      findRecord: this.#records.find,
      savedKey: (connectionId) => this.#savedKey(connectionId),
      probeHealth: this.#parts.probeHealth,
      log: this.#parts.log,
    });
    if (!checked.ok) return checked;
    const { checks, savedConnectionId } = checked.value;
    if (savedConnectionId === null) return ok(checks);
    await this.#changes.run(async () => {
      const learned = await this.#states.learn(savedConnectionId, checks, sentAtMs);
      if (learned !== 'same') await this.#showAll();
      if (learned === 'opened') this.#parts.onReopened(savedConnectionId);
    });
    return ok(checks);
  }

  /**
   * Takes the state that requests about jobs showed. For a refusal, `sinceMs` is when the refused request was sent.
   * `ready` ends an outage and a refusal (ruling 35). `no-key` is ignored, because it is known better here.
   */
  reportState(connectionId: string, state: ConnectionState): Promise<void> {
    return this.#changes.run(async () => {
      if (await this.#states.report(connectionId, state)) await this.#showAll();
    });
  }

  /**
   * The service accepted a request that left at `atMs` (epoch milliseconds), so the key is valid, whatever a check said
   * before.
   */
  noteAccepted(connectionId: string, atMs: number): void {
    if (this.#states.accepted(connectionId, atMs)) void this.#showAll();
  }

  /**
   * The address and authorization for the queue API. `pinnedBaseUrl`: where a job was sent. `readKey` returns null if
   * no key is saved for the origin, and rejects with a sentence if the key storage does not answer.
   */
  async target(connectionId: string, pinnedBaseUrl?: string): Promise<Result<ServiceTarget>> {
    const found = await this.#records.find(connectionId);
    if (!found.ok) return found;
    const place = targetOf({ ...found.value, baseUrl: pinnedBaseUrl ?? found.value.baseUrl });
    return ok({ ...place, readKey: (origin) => this.#readKey(connectionId, origin) });
  }

  /** As `target`, for pods and templates. Refused (field `key`) if the saved key was not entered for the REST URL. */
  async managementTarget(connectionId: string): Promise<Result<ServiceTarget>> {
    const found = await this.#records.find(connectionId);
    if (!found.ok) return found;
    const { restUrl, keyOrigins } = found.value;
    const refusal = keyNotFor({ baseUrl: '', restUrl }, keyOrigins);
    return refusal === null ? this.target(connectionId) : failed(refusal);
  }

  /** Whether the kind of an endpoint is still unknown. */
  async isFlavourUnknown(connectionId: string, endpointId: string): Promise<boolean> {
    const found = await this.#records.find(connectionId);
    return found.ok && found.value.endpoints.some(({ id, flavour }) => id === endpointId && flavour === 'unknown');
  }

  /** An output showed the kind of an endpoint. A kind chosen by the user stays. */
  learnFlavour(connectionId: string, endpointId: string, flavour: EndpointFlavour): Promise<void> {
    return this.#changes.run(async () => {
      const found = await this.#records.find(connectionId);
      if (!found.ok) return;
      const endpoints = found.value.endpoints.map((endpoint) =>
        endpoint.id === endpointId && endpoint.flavour === 'unknown' ? { ...endpoint, flavour } : endpoint,
      );
      if ((await this.#records.put({ ...found.value, endpoints })).ok) await this.#showAll();
    });
  }

  /**
   * The account whose limits a connection uses (ruling 42): the same for all connections with the same base URL and
   * key, once each was used.
   */
  accountOf(connectionId: string): string {
    return this.#accounts.of(connectionId);
  }

  /** The built-in sandbox's connection: created on first use, and later updated to its current address and key. */
  ensureSandboxConnection(address: SandboxAddress): Promise<Result<Connection>> {
    return this.#changes.run(() => this.#ensureSandboxConnectionNow(address));
  }

  /** Removes the keys from memory. */
  close(): void {
    this.#heldKeys.clear();
  }

  /** The current connections, for windows and other listeners. */
  async #showAll(): Promise<void> {
    const all = await this.list();
    if (all.ok) this.#parts.onChange(all.value);
  }

  /**
   * Saves a record with a key that was entered for it. While it is uncertain which of two keys is saved, that key may
   * only be sent where both may.
   */
  async #putWithKey(record: ConnectionRecord, key: string): Promise<Record<'kept' | 'written', Result<null>>> {
    const keyOrigins = originsOf(record);
    const between = originsOfBothKeys(record.keyOrigins, keyOrigins);
    const kept = await this.#records.put({ ...record, keyOrigins: between });
    if (!kept.ok) return { kept, written: kept };
    const { secrets } = this.#parts;
    // The sandbox makes a new key at each start, so the key is not saved.
    const written = await (record.isSandbox
      ? secrets.keepForSession(keyId(record.id), key)
      : secrets.write(keyId(record.id), key));
    this.#heldKeys.drop(keyId(record.id));
    if (!written.ok) return { kept, written };
    const noted = between.length === keyOrigins.length ? kept : await this.#records.put({ ...record, keyOrigins });
    this.#states.open(record.id);
    this.#parts.onReopened(record.id);
    return { kept, written: noted };
  }

  async #saveNow({ draft, key }: TypedConnection): Promise<Result<{ connection: Connection; notes: string[] }>> {
    const clean = key === undefined ? null : cleanKey(key);
    if (clean !== null && !clean.ok) return clean;
    const checked = checkDraft(draft);
    if (!checked.ok) return checked;
    const found = draft.id === undefined ? null : await this.#records.find(draft.id);
    if (found !== null && !found.ok) return found;
    const former = found?.value ?? null;
    const { fields } = checked.value;
    const notes = [...checked.value.notes];
    const agreed = agreedPlainHttp(fields, draft.plainHttpOrigins, former);
    if (!agreed.ok) return agreed;
    const usesKept = clean === null && former !== null && this.#parts.secrets.has(keyId(former.id));
    const refusal = usesKept ? keyNotFor(fields, former.keyOrigins) : null;
    if (refusal !== null) return failed(refusal);
    const removed = await (former === null
      ? this.#records.removed({ ...fields, isSandbox: false })
      : this.#records.removedById(former.id));
    if (!removed.ok) return removed;
    if (former === null && removed.value !== null) notes.push(connectionText.knownAgain);
    const known = former === null ? null : former.endpoints.map(({ id: endpointId }) => endpointId);
    const base = former ?? {
      id: removed.value?.id ?? this.#parts.newId(),
      isSandbox: false,
      createdAtMs: this.#parts.now(),
      keyOrigins: [],
    };
    const completed = removed.value === null ? fields : withFormer(fields, removed.value, known);
    const record: ConnectionRecord = { ...base, ...completed, plainHttpOrigins: agreed.value };
    const { id } = record;
    const put =
      clean === null
        ? { kept: await this.#records.put(record), written: ok(null) }
        : await this.#putWithKey(record, clean.value.key);
    const { kept, written } = put;
    if (!kept.ok) return kept;

    if (former !== null && !isSameAddress(former, record)) {
      this.#states.open(id);
      this.#parts.onReopened(id);
    }
    if (!written.ok) notes.push(connectionText.couldNotSaveKey(written.failure.message));
    else if (clean !== null) notes.push(...clean.value.notes);
    await this.#showAll();
    const stored = await this.#records.find(id);
    return stored.ok ? ok({ connection: this.#states.shown(stored.value), notes }) : stored;
  }

  async #removeNow(connectionId: string): Promise<Result<null>> {
    const found = await this.#records.find(connectionId);
    if (!found.ok) return found;
    const forgotten = await this.#parts.secrets.remove(keyId(connectionId));
    this.#heldKeys.drop(keyId(connectionId));
    const removed = await this.#records.remove(found.value, this.#parts.now());
    if (!removed.ok) {
      // It stays, without its key.
      this.#states.open(connectionId);
      await this.#showAll();
      return removed;
    }
    this.#states.forget(connectionId);
    this.#accounts.forget(connectionId);
    await this.#showAll();
    if (forgotten.ok) return ok(null);
    return failed({
      ...forgotten.failure,
      message: connectionText.couldNotDeleteKey(forgotten.failure.message),
    });
  }

  async #deleteKeyNow(connectionId: string): Promise<Result<null>> {
    const found = await this.#records.find(connectionId);
    if (!found.ok) return found;
    const forgotten = await this.#parts.secrets.remove(keyId(connectionId));
    this.#heldKeys.drop(keyId(connectionId));
    this.#states.open(connectionId);
    await this.#showAll();
    return forgotten;
  }

  /** The saved key, or why it cannot be read. If a key has disappeared from the keychain, the connection shows that. */
  async #savedKey(connectionId: string): Promise<Result<string | null>> {
    const hadKey = this.#parts.secrets.has(keyId(connectionId));
    const read = await this.#heldKeys.read(keyId(connectionId));
    if (read.ok && read.value === null && hadKey) await this.#showAll();
    return read;
  }

  /** Also null if the saved key was not entered for this origin: it is never sent there (ruling 44). */
  async #readKey(connectionId: string, origin: string): Promise<string | null> {
    const found = await this.#records.find(connectionId);
    if (!found.ok || !mayHaveKey(found.value.keyOrigins, origin)) return null;
    const read = await this.#savedKey(connectionId);
    if (read.ok && read.value !== null) this.#accounts.learn(connectionId, found.value.baseUrl, read.value);
    if (read.ok) return read.value;
    const { message } = read.failure;
    void this.#changes.run(async () => {
      if (await this.#states.reportUnreadable(connectionId, message)) await this.#showAll();
    });
    throw new Error(message);
  }

  async #ensureSandboxConnectionNow(address: SandboxAddress): Promise<Result<Connection>> {
    const all = await this.#records.all();
    if (!all.ok) return all;
    const former = all.value.find((each) => each.isSandbox) ?? null;
    const removed =
      former === null ? await this.#records.removed({ ...address, endpoints: [], isSandbox: true }) : ok(null);
    if (!removed.ok) return removed;
    const { newId, now } = this.#parts;
    const made = sandboxRecord(former, address, { newId: () => removed.value?.id ?? newId(), now });
    if (!made.ok) return made;
    const record = made.value;
    // The sandbox's key belongs to its address, whatever port that has.
    const { kept, written } = await this.#putWithKey(record, address.apiKey);
    if (!kept.ok) return kept;
    await this.#showAll();
    const stored = await this.#records.find(record.id);
    if (!stored.ok) return stored;
    return written.ok ? ok(this.#states.shown(stored.value)) : written;
  }

  /** The key storage answers again. */
  async #openUnreadable(): Promise<void> {
    const opened = this.#states.openUnreadable();
    if (opened.length > 0) await this.#showAll();
    opened.forEach(this.#parts.onReopened);
  }
}

type KeyRead = Awaited<ReturnType<SecretStore['read']>>;

import type { KeyPlace, KeyStorage } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { createSerialQueue } from '../async/queues.ts';
import type { MaskText } from '../redaction/find-secrets.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import type { Keychain, Keytar, StorageFailure } from './keychain.ts';
import type { KnownSecrets } from '../redaction/redactor.ts';
import type { AsyncSafeStorage } from './safe-storage.ts';
import { openSecretIndex, sealedFile, type SecretFiles, type SecretIndex } from './secret-index.ts';
import { SecretPlaces } from './secret-places.ts';
import { keychainText, secretText } from '../messages/secret.ts';

/**
 * Keeps API keys and s3 secrets in the strongest place of this computer. Calls never reject and never hang for long.
 */
export interface SecretStore {
  /**
   * Where new secrets go, for the user. While the app runs it can get stronger (a keychain unlocked late), never
   * weaker.
   */
  readonly storage: KeyStorage;
  /** Whether a secret is saved, without reading it and without accessing the keychain. */
  has(id: string): boolean;
  /** Null if none is saved. A keychain that is locked or gone is a failure, never null. */
  read(id: string): Promise<Result<string | null, StorageFailure>>;
  /** A secret in a strong place is replaced there or not at all. */
  write(id: string, secret: string): Promise<Result<null, StorageFailure>>;
  /** The secret is no longer used in any case. The failure says where it could not be removed yet. */
  remove(id: string): Promise<Result<null, StorageFailure>>;
  /** Keeps it in memory only, whatever places there are. For secrets that are made again at each start. */
  keepForSession(id: string, secret: string): Promise<Result<null, StorageFailure>>;
  /** Resolves when it is known where new secrets can go. Writing waits for this, reading only for what it needs. */
  ready(): Promise<void>;
  /**
   * Makes this the place for new secrets and moves the others there. `save` saves the choice, as soon as the place is
   * known to work and before anything is moved. The failure says why nothing was changed.
   */
  move(to: KeyPlace, save: () => Promise<Result<unknown>>): Promise<Result<MovedSecrets>>;
  /** Calls `listener` when a keychain answers again: failed reads may succeed now. */
  onReadable(listener: () => void): void;
  /** Drops what was kept for this session only. */
  close(): void;
}

/** What became of the secrets when another place was chosen for them. */
interface MovedSecrets {
  /** How many are where they belong now. */
  moved: number;
  /** How many are still in their former places. */
  notMoved: number;
  /** Why one is still in its former place, or a copy of it. */
  problem: StorageFailure | null;
}

export interface SecretStoreParts {
  /** Rejects if keytar is not installed or does not load. */
  loadKeytar: () => Promise<Keytar>;
  /** Null without Electron. */
  safeStorage: AsyncSafeStorage | null;
  files: SecretFiles;
  /** Gets every secret that is read or saved here. */
  known: Pick<KnownSecrets, 'add'>;
  log: Log;
  /** New secrets go to no stronger place than this, by the user's choice. */
  strongest?: KeyPlace;
  /** The name of the entries in the system's keychain window. */
  serviceName?: string;
  /** How long to wait for a place's first answer, which it may also give later. Milliseconds. */
  checkLimitMs?: number;
  /** How long a later call may take, while the user may be entering a password. Milliseconds. */
  callLimitMs?: number;
  /** The machine's timers by default. */
  after?: Clock['after'];
  /** Called when what is known of the places changed. */
  onStorageChange?: (storage: KeyStorage) => void;
  /** Called with how many secrets were on the disk in a form that anybody could open. They were removed from there. */
  onOpenToAll?: (count: number) => void;
  /** Called if it cannot be read which keys are saved: until the next start there seem to be none. */
  onUnreadable?: (detail: string) => void;
}

const keyPrefix = 'connection:';

/** The id of a connection's key. */
export function keyId(connectionId: string): string {
  return `${keyPrefix}${connectionId}`;
}

function markOf(id: string): MaskText {
  return id.startsWith(keyPrefix) ? '[key]' : '[secret]';
}

const defaultCheckLimitMs = 4_000;
const defaultCallLimitMs = 30_000;

/**
 * Opens the saved secrets. Where new ones can go is found out in parallel (`ready`), so that a keychain that hangs only
 * delays what needs a key from it.
 */
export async function openSecretStore(parts: SecretStoreParts): Promise<SecretStore> {
  const store = new PlacedSecrets(parts, await openIndex(parts));
  void store.ready();
  return store;
}

/** Secrets in the strongest place, and in the places where earlier runs left some. */
class PlacedSecrets implements SecretStore {
  readonly #parts: SecretStoreParts;
  readonly #index: SecretIndex;
  readonly #places: SecretPlaces;
  readonly #readableListeners: (() => void)[] = [];
  /** Secrets that belong to this session and are never moved. */
  readonly #sessionOnly = new Set<string>();
  /** Changes of secrets run one after the other. */
  readonly #changes = createSerialQueue();
  /** By id, how often a secret was saved since the start. */
  readonly #saves = new Map<string, number>();
  #ready: Promise<void> | null = null;

  constructor(parts: SecretStoreParts, index: SecretIndex) {
    this.#parts = parts;
    this.#index = index;
    this.#places = new SecretPlaces({
      loadKeytar: parts.loadKeytar,
      safeStorage: parts.safeStorage,
      files: parts.files,
      log: parts.log,
      serviceName: parts.serviceName ?? 'Jobdeck',
      checkLimitMs: parts.checkLimitMs ?? defaultCheckLimitMs,
      callLimitMs: parts.callLimitMs ?? defaultCallLimitMs,
      after: parts.after ?? systemClock.after,
      onAnswering: () => void this.#placeAnswers(),
      onChange: () => this.#changed(),
    });
  }

  get storage(): KeyStorage {
    return this.#places.storage((kind) => this.#idsIn(kind).length);
  }

  ready(): Promise<void> {
    return (this.#ready ??= this.#prepare());
  }

  async #prepare(): Promise<void> {
    if (this.#parts.strongest !== undefined) await this.#places.want(this.#parts.strongest);
    else await this.#places.find();
    const keychain = await this.#places.keychain();
    if (keychain !== null && this.#places.best() === keychain) await this.#removeLeftovers(keychain);
    await this.#resaveOpenToAll();
  }

  async #placeAnswers(): Promise<void> {
    this.#readableListeners.forEach((listener) => listener());
    const keychain = await this.#places.keychain();
    if (keychain !== null) await this.#removeLeftovers(keychain);
    await this.#saveFromMemory();
  }

  /** Moves secrets that were saved while their place did not answer out of memory, where a restart would lose them. */
  async #saveFromMemory(): Promise<void> {
    const waited = this.#places.session.ids().filter((id) => !this.#sessionOnly.has(id));
    for (const id of waited) {
      await this.#changes.run(async () => {
        const { kind } = this.#places.best();
        if (kind === 'session' || this.#placeOf(id) !== 'session') return;
        const moved = await this.#moveOne(id, kind);
        if (!moved.ok) this.#parts.log.warn('A key stays in memory', { failure: moved.failure });
      });
    }
    if (waited.length > 0) this.#changed();
  }

  async move(to: KeyPlace, save: () => Promise<Result<unknown>>): Promise<Result<MovedSecrets>> {
    await this.ready();
    const unusable = await this.#places.checkAgain(to);
    if (unusable !== null) return failed({ kind: 'storage', message: secretText.notMoved(unusable) });
    const saved = await save();
    if (!saved.ok) return saved;
    await this.#places.want(to);
    const counts = { moved: 0, notMoved: 0 };
    let problem: StorageFailure | null = null;
    for (const id of new Set([...this.#index.ids(), ...this.#places.session.ids()])) {
      if (this.#sessionOnly.has(id)) continue;
      const moved = await this.#changes.run(() => this.#moveOne(id, to));
      if (!moved.ok) problem = moved.failure;
      counts[this.#placeOf(id) === to ? 'moved' : 'notMoved'] += 1;
    }
    this.#changed();
    return ok({ ...counts, problem });
  }

  async #moveOne(id: string, to: KeyPlace): Promise<Result<null, StorageFailure>> {
    const from = this.#placeOf(id);
    if (from === to) return ok(null);
    const read = await this.#readInPlace(id);
    if (!read.ok) return read;
    if (read.value === null) return this.#forgetMissing(id);
    if (to === 'session') {
      this.#places.session.keep(id, read.value);
      const removed = from === 'keychain' ? await this.#removeFromKeychain(id) : await this.#removeSealed(id);
      return removed;
    }
    const keychain = await this.#places.keychain();
    if (to === 'keychain')
      return keychain === null ? failed(this.#noKeychain('use')) : this.#writeToKeychain(keychain, id, read.value);
    const { sealed } = this.#places;
    if (sealed === null) return failed(sealedUnusable);
    const written = await sealed.write(id, read.value);
    if (!written.ok) return written;
    this.#index.noteSealed(id, true);
    this.#places.session.forget(id);
    return from === 'keychain' ? this.#removeFromKeychain(id) : ok(null);
  }

  #placeOf(id: string): KeyPlace {
    return this.#index.placeOf(id) ?? 'session';
  }

  #idsIn(kind: KeyPlace): string[] {
    const all = new Set([...this.#index.ids(), ...this.#places.session.ids()]);
    return [...all].filter((id) => this.#placeOf(id) === kind && !this.#sessionOnly.has(id));
  }

  #changed(): void {
    this.#parts.onStorageChange?.(this.storage);
  }

  /** Moves what a former version encrypted with a publicly known password off the disk. */
  async #resaveOpenToAll(): Promise<void> {
    const { sealed, session } = this.#places;
    if (sealed === null) return;
    let count = 0;
    for (const id of this.#idsIn('safe-storage')) {
      await this.#changes.run(async () => {
        if (!(await sealed.isOpenToAll(id))) return;
        const read = await sealed.read(id);
        if (!read.ok || read.value === null) return;
        count += 1;
        this.#parts.known.add(read.value, markOf(id));
        session.keep(id, read.value);
        await this.#removeSealed(id);
        const best = this.#places.best();
        if (best.kind !== 'session') await this.#writeToItsPlace(id, read.value);
        if (this.#index.placeOf(id) !== null) session.forget(id);
      });
    }
    if (count > 0) this.#parts.onOpenToAll?.(count);
  }

  has(id: string): boolean {
    return this.#index.placeOf(id) !== null || this.#places.session.has(id);
  }

  async read(id: string): Promise<Result<string | null, StorageFailure>> {
    const saves = this.#saves.get(id);
    const read = await this.#readInPlace(id);
    if (!read.ok || read.value !== null || this.#index.placeOf(id) === null) return read;
    // In turn, because it may have been saved while its place looked for it.
    return this.#changes.run(() => (this.#saves.get(id) === saves ? this.#forgetMissing(id) : this.#readInPlace(id)));
  }

  /** The user removed it outside of Jobdeck. */
  async #forgetMissing(id: string): Promise<Result<null, StorageFailure>> {
    if (this.#index.placeOf(id) === 'keychain') await this.#onDisk(() => this.#index.unmarkKeychain(id));
    else this.#index.noteSealed(id, false);
    return ok(null);
  }

  /** A secret from where it is known to be. Null if it is not there. */
  async #readInPlace(id: string): Promise<Result<string | null, StorageFailure>> {
    const place = this.#index.placeOf(id);
    // What is in memory is newest, also while it is being saved elsewhere.
    if (place === null || this.#places.session.has(id)) return this.#places.session.read(id);
    const from = place === 'keychain' ? await this.#places.keychain() : this.#places.sealed;
    if (from === null) return failed(place === 'keychain' ? this.#noKeychain('read') : sealedUnusable);
    const read = await from.read(id);
    if (read.ok && read.value !== null) this.#parts.known.add(read.value, markOf(id));
    return read;
  }

  write(id: string, secret: string): Promise<Result<null, StorageFailure>> {
    this.#parts.known.add(secret, markOf(id));
    return this.#changes.run(async () => {
      await this.#places.find();
      const written = await this.#writeToItsPlace(id, secret);
      if (written.ok) this.#saves.set(id, (this.#saves.get(id) ?? 0) + 1);
      if (written.ok && this.#index.placeOf(id) !== null) this.#places.session.forget(id);
      this.#changed();
      return written;
    });
  }

  keepForSession(id: string, secret: string): Promise<Result<null, StorageFailure>> {
    this.#parts.known.add(secret, markOf(id));
    this.#sessionOnly.add(id);
    this.#places.session.keep(id, secret);
    // A former version saved one. Nothing waits for the keychain because of it.
    if (this.#index.placeOf(id) !== null) void this.#changes.run(() => this.#removeLasting(id));
    return Promise.resolve(ok(null));
  }

  remove(id: string): Promise<Result<null, StorageFailure>> {
    return this.#changes.run(async () => {
      this.#places.session.forget(id);
      const removed = await this.#removeLasting(id);
      this.#changed();
      return removed;
    });
  }

  async #removeLasting(id: string): Promise<Result<null, StorageFailure>> {
    const removed = this.#index.placeOf(id) === 'keychain' ? await this.#removeFromKeychain(id) : ok(null);
    const cleared = this.#index.placeOf(id) === null ? ok(null) : await this.#removeSealed(id);
    return removed.ok ? cleared : removed;
  }

  onReadable(listener: () => void): void {
    this.#readableListeners.push(listener);
  }

  close(): void {
    this.#places.session.clear();
  }

  /** Removes what an earlier session could not. */
  async #removeLeftovers(from: Keychain): Promise<void> {
    for (const id of this.#index.leftovers()) {
      await this.#changes.run(async () => {
        // A key that was saved there since then is not a leftover.
        const isGone = this.#index.placeOf(id) === 'keychain' || (await from.remove(id)).ok;
        if (isGone) await this.#onDisk(() => this.#index.unmarkLeftover(id));
      });
    }
  }

  async #writeToItsPlace(id: string, secret: string): Promise<Result<null, StorageFailure>> {
    const former = this.#index.placeOf(id);
    const place = this.#places.best();
    if (former === 'keychain' || place.kind === 'keychain') {
      const keychain = await this.#places.keychain();
      return keychain === null ? failed(this.#noKeychain('replace')) : this.#writeToKeychain(keychain, id, secret);
    }
    if (former === 'safe-storage' && place.kind === 'session') return failed(sealedUnusable);
    const written = await place.write(id, secret);
    if (written.ok && place.kind === 'safe-storage') this.#index.noteSealed(id, true);
    return written;
  }

  /** The mark is written first: a crash in between leaves a mark without a key, never a key without a mark. */
  async #writeToKeychain(to: Keychain, id: string, secret: string): Promise<Result<null, StorageFailure>> {
    const former = this.#index.placeOf(id);
    const marked = await this.#onDisk(() => this.#index.markKeychain(id));
    if (!marked.ok) return marked;
    const written = await to.write(id, secret);
    if (written.ok) {
      await this.#onDisk(() => this.#index.unmarkLeftover(id));
      if (former === 'safe-storage') await this.#removeSealed(id);
      this.#places.session.forget(id);
      return ok(null);
    }
    if (former !== 'keychain') {
      // The write was refused or is overdue, and an overdue write may still succeed later.
      await this.#onDisk(() => this.#index.markLeftover(id));
      await this.#onDisk(() => this.#index.unmarkKeychain(id));
    }
    return written;
  }

  async #removeFromKeychain(id: string): Promise<Result<null, StorageFailure>> {
    const keychain = await this.#places.keychain();
    const removed = keychain === null ? failed(this.#noKeychain('remove')) : await keychain.remove(id);
    if (!removed.ok) {
      const noted = await this.#onDisk(() => this.#index.markLeftover(id));
      if (!noted.ok) return noted;
    }
    const unmarked = await this.#onDisk(() => this.#index.unmarkKeychain(id));
    if (!unmarked.ok) return unmarked;
    if (removed.ok) return ok(null);
    return failed({
      ...removed.failure,
      message: secretText.removedLater(removed.failure.message),
    });
  }

  async #removeSealed(id: string): Promise<Result<null, StorageFailure>> {
    const removed = await this.#onDisk(() => this.#parts.files.remove(sealedFile(id)));
    if (removed.ok) this.#index.noteSealed(id, false);
    return removed;
  }

  /** Why the keychain cannot be used: there is none, or it has not been loaded yet. */
  #noKeychain(todo: keyof typeof secretText.keychainUnusable): StorageFailure {
    const requests = { use: 'save', read: 'read', replace: 'save', remove: 'remove' } as const;
    const message = this.#places.isKeychainLate
      ? keychainText.notResponding(requests[todo])
      : secretText.keychainUnusable[todo];
    return { kind: 'storage', message };
  }

  async #onDisk(work: () => Promise<void>): Promise<Result<null, StorageFailure>> {
    const { log } = this.#parts;
    try {
      await work();
      return ok(null);
    } catch (error) {
      log.error('The folder for keys cannot be changed', { error });
      return failed({
        kind: 'storage',
        message: secretText.couldNotWrite,
        detail: log.redact(errorText(error)),
      });
    }
  }
}

/** Without a readable folder no saved secret is known. Writing to it will say why. */
async function openIndex({ files, log, onUnreadable }: SecretStoreParts): Promise<SecretIndex> {
  try {
    return await openSecretIndex(files);
  } catch (error) {
    log.error('The folder for keys cannot be read', { error });
    onUnreadable?.(errorText(error));
    return openSecretIndex({ ...files, list: () => Promise.resolve([]) });
  }
}

const sealedUnusable: StorageFailure = { kind: 'storage', message: secretText.cannotEncrypt };

import type { KeyStorage } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { createSerialQueue } from '../async/queues.ts';
import type { Mark } from './find-secrets.ts';
import {
  createKeychain,
  type Keychain,
  type Keytar,
  systemTimer,
  within,
  type SecretPlace,
  type SetTimer,
  type StorageFailure,
} from './keychain.ts';
import type { KnownSecrets } from './redactor.ts';
import { createSafeStoragePlace, type AsyncSafeStorage, type SafeStoragePlace } from './safe-storage.ts';
import { openSecretIndex, sealedFile, type SecretFiles, type SecretIndex } from './secret-index.ts';

/** Keeps API keys and s3 secrets in the strongest place this computer has. Nothing rejects; nothing hangs for long. */
export interface SecretStore {
  /**
   * Where new secrets go, said for the user. Can get stronger while the app runs (a keychain unlocked late), never
   * weaker.
   */
  readonly storage: KeyStorage;
  /** Whether a secret is kept, without reading it and without asking the keychain. */
  has(id: string): boolean;
  /** Null when none is kept. A keychain that is locked or gone is a failure, never "none". */
  read(id: string): Promise<Result<string | null, StorageFailure>>;
  /** A secret that lies in a strong place is replaced there or not at all. */
  write(id: string, secret: string): Promise<Result<null, StorageFailure>>;
  /** The secret is forgotten in any case; the failure says where it could not be taken away yet. */
  remove(id: string): Promise<Result<null, StorageFailure>>;
  /** Calls `listener` whenever a keychain that did not answer does so again: reads that failed may succeed now. */
  onReadable(listener: () => void): void;
  /** Forgets what was kept for this session only. */
  close(): void;
}

export interface SecretStoreParts {
  /** Rejects where keytar is not installed or does not load. */
  loadKeytar: () => Promise<Keytar>;
  /** Null where there is no Electron. */
  safeStorage: AsyncSafeStorage | null;
  files: SecretFiles;
  /** Learns every secret that is read or kept here. */
  known: Pick<KnownSecrets, 'add'>;
  log: Log;
  /** The name Jobdeck's entries are listed under in the system's keychain window. */
  serviceName?: string;
  /** How long the start waits for the keychain's first answer, which it may also give later. Milliseconds. */
  probeLimitMs?: number;
  /** How long one later call may take; a person may be typing a password. Milliseconds. */
  callLimitMs?: number;
  setTimer?: SetTimer;
  /** Called when the keychain answers after all and takes over for new secrets. */
  onStorageChange?: (storage: KeyStorage) => void;
}

const keyPrefix = 'connection:';

/** The id a connection's key is kept under. */
export function keyId(connectionId: string): string {
  return `${keyPrefix}${connectionId}`;
}

function markOf(id: string): Mark {
  return id.startsWith(keyPrefix) ? '[key]' : '[secret]';
}

const explanations = {
  keychain: 'Keys are stored in the system keychain. You may be asked to unlock it.',
  'safe-storage':
    'Jobdeck found no keychain it can use directly, so keys are stored encrypted in its own folder, under a ' +
    'key that your system protects.',
  session: 'No keychain found on this computer. Keys are kept in memory until Jobdeck closes, and written nowhere.',
} as const;
const waitingExplanation =
  'The system keychain has not responded yet; your system may be asking you to unlock it. Until then, keys ' +
  'are kept in memory until Jobdeck closes, and written nowhere.';

const strength = { session: 0, 'safe-storage': 1, keychain: 2 } as const;

/**
 * Finds the strongest place once: the OS keychain, else Electron's safe storage, else this session's memory.
 * A keychain that hangs cannot hang the app: it is waited for `probeLimitMs` and takes over if it answers later.
 */
export async function createSecretStore(parts: SecretStoreParts): Promise<SecretStore> {
  const store = new PlacedSecrets(parts, await openIndex(parts.files, parts.log));
  await store.choosePlace();
  return store;
}

const probeLimitMsUsual = 4_000;
const callLimitMsUsual = 30_000;

/** Secrets in the strongest place there is, and in those where former runs left some. */
class PlacedSecrets implements SecretStore {
  readonly #parts: SecretStoreParts;
  readonly #index: SecretIndex;
  readonly #session = createSessionPlace();
  readonly #sealed: SafeStoragePlace | null;
  #keychain: Keychain | null = null;
  #best: SecretPlace = this.#session;
  #storage: KeyStorage = { kind: 'session', explanation: explanations.session };
  readonly #readableListeners: (() => void)[] = [];
  /** Changes of secrets happen one after the other. */
  readonly #changes = createSerialQueue();

  constructor(parts: SecretStoreParts, index: SecretIndex) {
    this.#parts = parts;
    this.#index = index;
    const { safeStorage, files, callLimitMs = callLimitMsUsual, setTimer = systemTimer, log } = parts;
    this.#sealed =
      safeStorage === null
        ? null
        : createSafeStoragePlace({ safeStorage, files, fileName: sealedFile, limitMs: callLimitMs, setTimer, log });
  }

  get storage(): KeyStorage {
    return this.#storage;
  }

  has(id: string): boolean {
    return this.#index.placeOf(id) !== null || this.#session.has(id);
  }

  async read(id: string): Promise<Result<string | null, StorageFailure>> {
    const place = this.#index.placeOf(id);
    if (place === null) return this.#session.read(id);
    const from = place === 'keychain' ? this.#keychain : this.#sealed;
    if (from === null) return failed(place === 'keychain' ? noKeychain('read it') : sealedUnusable);
    const read = await from.read(id);
    if (!read.ok) return read;
    if (read.value !== null) {
      this.#parts.known.add(read.value, markOf(id));
      return read;
    }
    // Someone removed it outside Jobdeck.
    if (place === 'keychain') await this.#onDisk(() => this.#index.unmarkKeychain(id));
    else this.#index.noteSealed(id, false);
    return ok(null);
  }

  write(id: string, secret: string): Promise<Result<null, StorageFailure>> {
    this.#parts.known.add(secret, markOf(id));
    return this.#changes.run(async () => {
      const written = await this.#writeWhereItBelongs(id, secret);
      if (written.ok && this.#index.placeOf(id) !== null) this.#session.forget(id);
      return written;
    });
  }

  remove(id: string): Promise<Result<null, StorageFailure>> {
    return this.#changes.run(async () => {
      this.#session.forget(id);
      const place = this.#index.placeOf(id);
      const removed = place === 'keychain' ? await this.#removeFromKeychain(id) : ok(null);
      const cleared = this.#index.placeOf(id) === null ? ok(null) : await this.#removeSealed(id);
      return removed.ok ? cleared : removed;
    });
  }

  onReadable(listener: () => void): void {
    this.#readableListeners.push(listener);
  }

  close(): void {
    this.#session.clear();
  }

  /** Once, before anything is read or written. */
  async choosePlace(): Promise<void> {
    const { probeLimitMs = probeLimitMsUsual, onStorageChange, log } = this.#parts;
    this.#keychain = await this.#openKeychain();
    const keychain = this.#keychain;
    if (keychain !== null) {
      const answer = await keychain.probe(probeLimitMs, () => {
        this.#use(keychain);
        onStorageChange?.(this.#storage);
        void this.#takeAwayLeftovers(keychain);
      });
      if (answer === 'works') {
        this.#use(keychain);
        await this.#takeAwayLeftovers(keychain);
        return;
      }
      if (answer === 'late' && this.#best === this.#session)
        this.#storage = { kind: 'session', explanation: waitingExplanation };
    }
    if (this.#sealed === null) return;
    const works = await this.#sealed.probe(probeLimitMs);
    if (works.ok) this.#use(this.#sealed);
    else log.info('Safe storage is not used', { failure: works.failure });
  }

  async #openKeychain(): Promise<Keychain | null> {
    const {
      loadKeytar,
      serviceName = 'Jobdeck',
      probeLimitMs = probeLimitMsUsual,
      callLimitMs = callLimitMsUsual,
      setTimer = systemTimer,
      log,
    } = this.#parts;
    const loaded = await within(loadKeytar(), probeLimitMs, setTimer);
    if (loaded.kind === 'value') {
      const onAnswering = (): void => this.#readableListeners.forEach((listener) => listener());
      return createKeychain({ keytar: loaded.value, serviceName, limitMs: callLimitMs, setTimer, onAnswering, log });
    }
    log.info('There is no keychain to use', {
      reason: loaded.kind === 'late' ? 'keytar did not load in time' : errorText(loaded.error),
    });
    return null;
  }

  #use(place: SecretPlace): void {
    // The keychain may have answered while safe storage was being tried.
    if (strength[place.kind] <= strength[this.#best.kind]) return;
    this.#best = place;
    this.#storage = { kind: place.kind, explanation: explanations[place.kind] };
  }

  /** What an earlier session could not remove. */
  async #takeAwayLeftovers(from: Keychain): Promise<void> {
    for (const id of this.#index.leftovers()) {
      await this.#changes.run(async () => {
        // A key kept there since then is not a leftover.
        const isGone = this.#index.placeOf(id) === 'keychain' || (await from.remove(id)).ok;
        if (isGone) await this.#onDisk(() => this.#index.unmarkLeftover(id));
      });
    }
  }

  async #writeWhereItBelongs(id: string, secret: string): Promise<Result<null, StorageFailure>> {
    const former = this.#index.placeOf(id);
    const place = this.#best;
    if (former === 'keychain' || place.kind === 'keychain') {
      return this.#keychain === null
        ? failed(noKeychain('replace it there'))
        : this.#writeToKeychain(this.#keychain, id, secret);
    }
    if (former === 'safe-storage' && place.kind === 'session') return failed(sealedUnusable);
    const written = await place.write(id, secret);
    if (written.ok && place.kind === 'safe-storage') this.#index.noteSealed(id, true);
    return written;
  }

  /** The mark comes first: a crash in between leaves a mark without a key, never a key nobody knows of. */
  async #writeToKeychain(to: Keychain, id: string, secret: string): Promise<Result<null, StorageFailure>> {
    const former = this.#index.placeOf(id);
    const marked = await this.#onDisk(() => this.#index.markKeychain(id));
    if (!marked.ok) return marked;
    const written = await to.write(id, secret);
    if (written.ok) {
      await this.#onDisk(() => this.#index.unmarkLeftover(id));
      if (former === 'safe-storage') await this.#removeSealed(id);
      return ok(null);
    }
    if (former !== 'keychain') {
      // It was refused or is overdue: an overdue write may still succeed behind our back.
      await this.#onDisk(() => this.#index.markLeftover(id));
      await this.#onDisk(() => this.#index.unmarkKeychain(id));
    }
    return written;
  }

  async #removeFromKeychain(id: string): Promise<Result<null, StorageFailure>> {
    const removed = this.#keychain === null ? failed(noKeychain('remove it')) : await this.#keychain.remove(id);
    if (!removed.ok) {
      const noted = await this.#onDisk(() => this.#index.markLeftover(id));
      if (!noted.ok) return noted;
    }
    const unmarked = await this.#onDisk(() => this.#index.unmarkKeychain(id));
    if (!unmarked.ok) return unmarked;
    if (removed.ok) return ok(null);
    return failed({
      ...removed.failure,
      message:
        `${removed.failure.message} Jobdeck will not use this key again, and will delete it when the ` +
        'keychain responds at a later start.',
    });
  }

  async #removeSealed(id: string): Promise<Result<null, StorageFailure>> {
    const removed = await this.#onDisk(() => this.#parts.files.remove(sealedFile(id)));
    if (removed.ok) this.#index.noteSealed(id, false);
    return removed;
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
        message:
          "Could not change Jobdeck's folder for keys. Check that the disk is not full and that you own the folder.",
        detail: log.redact(errorText(error)),
      });
    }
  }
}

interface SessionPlace extends SecretPlace {
  has(id: string): boolean;
  forget(id: string): void;
  clear(): void;
}

function createSessionPlace(): SessionPlace {
  const kept = new Map<string, string>();
  return {
    kind: 'session',
    read: (id) => Promise.resolve(ok(kept.get(id) ?? null)),
    write(id, secret) {
      kept.set(id, secret);
      return Promise.resolve(ok(null));
    },
    remove(id) {
      kept.delete(id);
      return Promise.resolve(ok(null));
    },
    has: (id) => kept.has(id),
    forget: (id) => void kept.delete(id),
    clear: () => kept.clear(),
  };
}

/** Without a readable folder nothing is known to be kept; writing to it will say why. */
async function openIndex(files: SecretFiles, log: Log): Promise<SecretIndex> {
  try {
    return await openSecretIndex(files);
  } catch (error) {
    log.error('The folder for keys cannot be read', { error });
    return openSecretIndex({ ...files, list: () => Promise.resolve([]) });
  }
}

function noKeychain(what: string): StorageFailure {
  return {
    kind: 'storage',
    message:
      `This key is in the computer's keychain, which Jobdeck cannot use now, so it could not ${what}. Delete ` +
      'the key first to save a new one elsewhere.',
  };
}

const sealedUnusable: StorageFailure = {
  kind: 'storage',
  message:
    'This key is stored encrypted, and this computer cannot encrypt for Jobdeck now. Delete the key first to ' +
    'keep a new one for this session only.',
};

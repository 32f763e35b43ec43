import type { KeyStorage } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import type { Mark } from './find-secrets.ts';
import { createKeychain } from './keychain.ts';
import type { Keychain, Keytar } from './keychain.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { createSafeStoragePlace } from './safe-storage.ts';
import type { AsyncSafeStorage } from './safe-storage.ts';
import { openSecretIndex, sealedFile } from './secret-index.ts';
import type { SecretFiles, SecretIndex } from './secret-index.ts';
import { systemTimer, within } from './secret-place.ts';
import type { SecretPlace, SetTimer, StorageFailure } from './secret-place.ts';

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
  /** Is told of every secret that is read or kept here. */
  known: Pick<KnownSecrets, 'add'>;
  log: Log;
  /** The name Jobdeck's entries are listed under in the system's keychain window. */
  serviceName?: string;
  /** How long the start waits for the keychain's first answer, which it may also give later. Milliseconds. */
  probeLimitMs?: number;
  /** How long one later call may take; a person may be typing a password. Milliseconds. */
  callLimitMs?: number;
  setTimer?: SetTimer;
  /** Told when the keychain answers after all and takes over for new secrets. */
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
  keychain:
    "Keys are kept in this computer's keychain; your system may ask you to unlock it, because Jobdeck reads a " +
    'key there when it talks to that service.',
  'safe-storage':
    "No keychain was found that Jobdeck can use directly, so keys are kept encrypted in Jobdeck's own folder, " +
    'under a key that your system guards.',
  session: 'No keychain was found on this computer. Keys are kept until Jobdeck closes and are not written anywhere.',
} as const;
const waitingExplanation =
  "This computer's keychain has not answered yet; your system may be asking you to unlock it. Until then, keys " +
  'are kept until Jobdeck closes and are not written anywhere.';

const strength = { session: 0, 'safe-storage': 1, keychain: 2 } as const;

/**
 * Finds the strongest place once: the OS keychain, else Electron's safe storage, else this session's memory.
 * A keychain that hangs cannot hang the app: it is waited for `probeLimitMs` and takes over if it answers later.
 */
export async function createSecretStore(parts: SecretStoreParts): Promise<SecretStore> {
  const { log, files, known } = parts;
  const { serviceName = 'Jobdeck', probeLimitMs = 4_000, callLimitMs = 30_000, setTimer = systemTimer } = parts;
  const index = await openIndex(files, log);
  const session = createSessionPlace();
  const readableListeners: (() => void)[] = [];
  const keychain = await openKeychain();
  const sealed =
    parts.safeStorage === null
      ? null
      : createSafeStoragePlace({
          safeStorage: parts.safeStorage,
          files,
          fileName: sealedFile,
          limitMs: callLimitMs,
          setTimer,
          log,
        });

  let best: SecretPlace = session;
  let storage: KeyStorage = { kind: 'session', explanation: explanations.session };

  async function openKeychain(): Promise<Keychain | null> {
    const loaded = await within(parts.loadKeytar(), probeLimitMs, setTimer);
    if (loaded.kind === 'value') {
      const onAnswering = () => readableListeners.forEach((listener) => listener());
      return createKeychain({ keytar: loaded.value, serviceName, limitMs: callLimitMs, setTimer, onAnswering, log });
    }
    log.info('There is no keychain to use', {
      reason: loaded.kind === 'late' ? 'keytar did not load in time' : errorText(loaded.error),
    });
    return null;
  }

  function adopt(place: SecretPlace): void {
    // The keychain may have answered while safe storage was being tried.
    if (strength[place.kind] <= strength[best.kind]) return;
    best = place;
    storage = { kind: place.kind, explanation: explanations[place.kind] };
  }

  async function choosePlace(): Promise<void> {
    if (keychain !== null) {
      const answer = await keychain.probe(probeLimitMs, () => {
        adopt(keychain);
        parts.onStorageChange?.(storage);
        void takeAwayLeftovers(keychain);
      });
      if (answer === 'works') {
        adopt(keychain);
        await takeAwayLeftovers(keychain);
        return;
      }
      if (answer === 'late' && best === session) storage = { kind: 'session', explanation: waitingExplanation };
    }
    if (sealed === null) return;
    const works = await sealed.probe(probeLimitMs);
    if (works.ok) adopt(sealed);
    else log.info('Safe storage is not used', { failure: works.failure });
  }

  /** What an earlier session could not remove. */
  async function takeAwayLeftovers(from: Keychain): Promise<void> {
    for (const id of index.leftovers()) {
      await inOrder(async () => {
        // A key kept there since then is not a leftover.
        const isGone = index.placeOf(id) === 'keychain' || (await from.remove(id)).ok;
        if (isGone) await onDisk(() => index.unmarkLeftover(id));
      });
    }
  }

  /** The mark comes first: a crash in between leaves a mark without a key, never a key nobody knows of. */
  async function writeToKeychain(to: Keychain, id: string, secret: string): Promise<Result<null, StorageFailure>> {
    const former = index.placeOf(id);
    const marked = await onDisk(() => index.markKeychain(id));
    if (!marked.ok) return marked;
    const written = await to.write(id, secret);
    if (written.ok) {
      await onDisk(() => index.unmarkLeftover(id));
      if (former === 'safe-storage') await removeSealed(id);
      return ok(null);
    }
    if (former !== 'keychain') {
      // It was refused or is overdue: an overdue write may still succeed behind our back.
      await onDisk(() => index.markLeftover(id));
      await onDisk(() => index.unmarkKeychain(id));
    }
    return written;
  }

  async function removeFromKeychain(id: string): Promise<Result<null, StorageFailure>> {
    const removed = keychain === null ? failed(noKeychain('remove it')) : await keychain.remove(id);
    if (!removed.ok) {
      const noted = await onDisk(() => index.markLeftover(id));
      if (!noted.ok) return noted;
    }
    const unmarked = await onDisk(() => index.unmarkKeychain(id));
    if (!unmarked.ok) return unmarked;
    if (removed.ok) return ok(null);
    return failed({
      ...removed.failure,
      message:
        `${removed.failure.message} Jobdeck will not use this key again, and removes it when the keychain answers ` +
        'at a later start.',
    });
  }

  async function removeSealed(id: string): Promise<Result<null, StorageFailure>> {
    const removed = await onDisk(() => files.remove(sealedFile(id)));
    if (removed.ok) index.noteSealed(id, false);
    return removed;
  }

  async function onDisk(work: () => Promise<void>): Promise<Result<null, StorageFailure>> {
    try {
      await work();
      return ok(null);
    } catch (error) {
      log.error('The folder for keys cannot be changed', { error });
      return failed({
        kind: 'storage',
        message:
          "Jobdeck's folder for keys cannot be changed. Check that the disk is not full and that the folder is yours.",
        detail: log.redact(errorText(error)),
      });
    }
  }

  async function write(id: string, secret: string): Promise<Result<null, StorageFailure>> {
    const former = index.placeOf(id);
    const place = best;
    if (former === 'keychain' || place.kind === 'keychain') {
      return keychain === null ? failed(noKeychain('replace it there')) : writeToKeychain(keychain, id, secret);
    }
    if (former === 'safe-storage' && place.kind === 'session') return failed(sealedUnusable);
    const written = await place.write(id, secret);
    if (written.ok && place.kind === 'safe-storage') index.noteSealed(id, true);
    return written;
  }

  /** Changes of secrets happen one after the other. */
  let changes: Promise<unknown> = Promise.resolve();
  function inOrder<T>(change: () => Promise<T>): Promise<T> {
    const turn = changes.then(change);
    changes = turn.catch(() => undefined);
    return turn;
  }

  await choosePlace();

  return {
    get storage() {
      return storage;
    },
    has: (id) => index.placeOf(id) !== null || session.has(id),
    async read(id) {
      const place = index.placeOf(id);
      if (place === null) return session.read(id);
      const from = place === 'keychain' ? keychain : sealed;
      if (from === null) return failed(place === 'keychain' ? noKeychain('read it') : sealedUnusable);
      const read = await from.read(id);
      if (!read.ok) return read;
      if (read.value !== null) {
        known.add(read.value, markOf(id));
        return read;
      }
      // Someone removed it outside Jobdeck.
      if (place === 'keychain') await onDisk(() => index.unmarkKeychain(id));
      else index.noteSealed(id, false);
      return ok(null);
    },
    write(id, secret) {
      known.add(secret, markOf(id));
      return inOrder(async () => {
        const written = await write(id, secret);
        if (written.ok && index.placeOf(id) !== null) session.forget(id);
        return written;
      });
    },
    remove: (id) =>
      inOrder(async () => {
        session.forget(id);
        const place = index.placeOf(id);
        const removed = place === 'keychain' ? await removeFromKeychain(id) : ok(null);
        const cleared = index.placeOf(id) === null ? ok(null) : await removeSealed(id);
        return removed.ok ? cleared : removed;
      }),
    onReadable: (listener) => void readableListeners.push(listener),
    close: session.clear,
  };
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
      `This key is in the computer's keychain, which Jobdeck cannot use now, so it could not ${what}. Delete the ` +
      'key first if you want to keep a new one elsewhere.',
  };
}

const sealedUnusable: StorageFailure = {
  kind: 'storage',
  message:
    'This key was kept encrypted, and the computer cannot encrypt for Jobdeck now. Delete the key first if you ' +
    'want to keep a new one for this session only.',
};

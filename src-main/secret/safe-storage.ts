import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import type { SecretFiles } from './secret-index.ts';
import type { Clock } from '../time/clock.ts';
import { within } from '../time/timers.ts';
import type { SecretPlace, StorageFailure } from './keychain.ts';
import { encryptedKeyText, noPlaceText } from '../messages/secret.ts';

/**
 * The part of Electron's `safeStorage` that is used here: its asynchronous methods, because the others end with
 * Electron 46.
 */
export interface AsyncSafeStorage {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(plainText: string): Promise<Buffer>;
  decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>;
  /**
   * The beginning of ciphertext that anybody can open. Null if there is no such kind. On Linux without a keyring,
   * Chromium encrypts with a password that is the same for everyone and does not report it
   * (docs/decisions/040-where-keys-are-kept.md).
   */
  openTag: string | null;
}

const probeText = 'jobdeck-check';

export interface SafeStoragePlace extends SecretPlace {
  kind: 'safe-storage';
  /**
   * Whether this computer can really encrypt. Fails with the reason. Writes nothing. `late`: it has not answered within
   * `timeMs`, for the user may be entering a password; `onLate` is then called with whether it can.
   */
  check(timeMs: number, onLate: (works: boolean) => void): Promise<Result<'there' | 'late', StorageFailure>>;
  /** Whether anybody could open what is saved under this id. */
  isOpenToAll(id: string): Promise<boolean>;
}

export interface SafeStorageParts {
  safeStorage: AsyncSafeStorage;
  files: SecretFiles;
  /** The name of the file with a secret's ciphertext. */
  fileName: (id: string) => string;
  limitMs: number;
  after: Clock['after'];
  log: Log;
}

/** Secrets as ciphertext files of this user, encrypted with a key that the system protects. */
export function createSafeStoragePlace(parts: SafeStorageParts): SafeStoragePlace {
  const { safeStorage, files, fileName, limitMs, after, log } = parts;
  async function attempt<T>(
    message: string,
    work: () => Promise<T>,
    timeMs = limitMs,
  ): Promise<Result<T, StorageFailure>> {
    const [outcome] = (await within(Promise.allSettled([work()]), timeMs, after)) ?? [];
    if (outcome?.status === 'fulfilled') return ok(outcome.value);
    const detail = outcome === undefined ? encryptedKeyText.noAnswer : log.redact(errorText(outcome.reason));
    return failed({ kind: 'storage', message, detail });
  }

  const isOpen = (sealed: Buffer): boolean =>
    safeStorage.openTag !== null && sealed.subarray(0, safeStorage.openTag.length).toString() === safeStorage.openTag;

  /**
   * Encrypts with a key that the system protects. Every result is checked, because the keyring may disappear at any
   * time.
   */
  async function encrypt(secret: string): Promise<Buffer> {
    const sealed = await safeStorage.encryptStringAsync(secret);
    if (isOpen(sealed)) throw new Error('No keyring answers, so anyone could open what is encrypted');
    return sealed;
  }

  /** Rejects if what was encrypted cannot be decrypted again. */
  async function tryIt(): Promise<void> {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) throw new Error('Encryption is not available');
    const back = await safeStorage.decryptStringAsync(await encrypt(probeText));
    if (back.result !== probeText) throw new Error('What was encrypted did not come back');
  }

  async function seal(id: string, secret: string): Promise<null> {
    await files.write(fileName(id), await encrypt(secret));
    return null;
  }

  return {
    kind: 'safe-storage',
    async check(timeMs, onLate) {
      let isSettled = false;
      const probe = tryIt().finally(() => void (isSettled = true));
      const works = await attempt(noPlaceText.cannotEncrypt, () => probe, timeMs);
      if (works.ok) return ok('there');
      if (isSettled) return works;
      probe.then(
        () => onLate(true),
        () => onLate(false),
      );
      return ok('late');
    },
    async isOpenToAll(id) {
      const sealed = await files.read(fileName(id)).catch(() => null);
      return sealed !== null && isOpen(sealed);
    },
    read: (id) =>
      attempt(encryptedKeyText.couldNotDecrypt, async () => {
        const sealed = await files.read(fileName(id));
        if (sealed === null) return null;
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed);
        // The system changed its key, and the old one may be removed some day.
        if (shouldReEncrypt)
          await seal(id, result).catch((error: unknown) =>
            log.warn('A key could not be encrypted again', { error: errorText(error) }),
          );
        return result;
      }),
    write: (id, secret) => attempt(encryptedKeyText.couldNotSave, () => seal(id, secret)),
    remove: (id) =>
      attempt(encryptedKeyText.couldNotDelete, async () => {
        await files.remove(fileName(id));
        return null;
      }),
  };
}

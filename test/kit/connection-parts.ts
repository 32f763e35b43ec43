import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keytar } from '../../src-main/secret/keychain.ts';
import type { Clock } from '../../src-main/time/clock.ts';
import type { AsyncSafeStorage } from '../../src-main/secret/safe-storage.ts';
import { openSecretStore } from '../../src-main/secret/secret-store.ts';
import type { SecretStore, SecretStoreParts } from '../../src-main/secret/secret-store.ts';
import { createLog } from '../../src-main/log.ts';
import type { Log } from '../../src-main/log.ts';

/** A keychain in memory that can be made to fail. */
export interface ScriptedKeytar extends Keytar {
  entries: Map<string, string>;
  /** Calls since the start, as "set id", "get id", "delete id". */
  calls: string[];
  mood: 'works' | 'throws' | 'hangs' | 'locked';
  /** Resolves as soon as a call that begins like this has reached the keychain. */
  called(beginning: string): Promise<void>;
  /** Lets every waiting call continue in the current mood. */
  release(): void;
}

export function scriptedKeytar(entries = new Map<string, string>()): ScriptedKeytar {
  let waiting: (() => void)[] = [];
  let awaited: { beginning: string; resolve: () => void }[] = [];
  const keytar: ScriptedKeytar = {
    entries,
    calls: [],
    mood: 'works',
    called: (beginning) =>
      new Promise((resolve) => {
        if (keytar.calls.some((name) => name.startsWith(beginning))) resolve();
        else awaited.push({ beginning, resolve });
      }),
    release() {
      const released = waiting;
      waiting = [];
      for (const go of released) go();
    },
    setPassword: (_, account, password) =>
      call(`set ${account}`, () => {
        // The answer of gnome-keyring while it is locked and stays locked.
        if (keytar.mood === 'locked') throw new Error(`Cannot create an item in a locked collection (${password})`);
        entries.set(account, password);
      }),
    getPassword: (_, account) =>
      call(`get ${account}`, () => (keytar.mood === 'locked' ? null : (entries.get(account) ?? null))),
    deletePassword: (_, account) =>
      call(`delete ${account}`, () => keytar.mood !== 'locked' && entries.delete(account)),
  };
  async function call<T>(name: string, act: () => T): Promise<T> {
    keytar.calls.push(name);
    for (const { resolve } of awaited.filter(({ beginning }) => name.startsWith(beginning))) resolve();
    awaited = awaited.filter(({ beginning }) => !name.startsWith(beginning));
    if (keytar.mood === 'hangs') await new Promise<void>((resolve) => waiting.push(resolve));
    if (keytar.mood === 'throws') throw new Error('org.freedesktop.Secret.Error');
    return act();
  }
  return keytar;
}

export interface ScriptedSafeStorage extends AsyncSafeStorage {
  isAvailable: boolean;
  shouldReEncrypt: boolean;
  /** False: no keyring answers, and Chromium encrypts under a password that everyone knows. */
  hasKeyring: boolean;
}

/** Really encrypts, with a key in the role of the system's. As on Linux, the tag names the key. */
export function scriptedSafeStorage(systemKey: Buffer = randomBytes(32)): ScriptedSafeStorage {
  const knownToAll = Buffer.alloc(32, 'peanuts');
  const storage: ScriptedSafeStorage = {
    isAvailable: true,
    shouldReEncrypt: false,
    hasKeyring: true,
    openTag: 'v10',
    isAsyncEncryptionAvailable: () => Promise.resolve(storage.isAvailable),
    async encryptStringAsync(plainText) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', storage.hasKeyring ? systemKey : knownToAll, iv);
      const tag = Buffer.from(storage.hasKeyring ? 'v11' : 'v10');
      return Buffer.concat([tag, iv, cipher.update(plainText, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    async decryptStringAsync(encrypted) {
      const sealed = encrypted.subarray(3);
      const isKnownToAll = encrypted.subarray(0, 3).toString() === 'v10';
      const decipher = createDecipheriv('aes-256-gcm', isKnownToAll ? knownToAll : systemKey, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(-16));
      return {
        result: Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8'),
        shouldReEncrypt: storage.shouldReEncrypt,
      };
    },
  };
  return storage;
}

/** A store that has already determined where secrets can be kept. */
export async function openedSecretStore(parts: SecretStoreParts): Promise<SecretStore> {
  const store = await openSecretStore(parts);
  await store.ready();
  return store;
}

/** A timer that a test fires. */
export function manualTimer(): { after: Clock['after']; pass(ms: number): Promise<void> } {
  let nowMs = 0;
  const due = new Set<{ atMs: number; run: () => void }>();
  return {
    after(delayMs, run) {
      const entry = { atMs: nowMs + delayMs, run };
      due.add(entry);
      return { cancel: () => void due.delete(entry) };
    },
    async pass(ms) {
      nowMs += ms;
      for (const entry of [...due].filter(({ atMs }) => atMs <= nowMs)) {
        due.delete(entry);
        entry.run();
      }
      await settled();
    },
  };
}

/** Resolves when every promise has settled that does not wait for something outside the process. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** A log whose text can be read. */
export function recordedLog(): { log: Log; text: () => string } {
  const lines: string[] = [];
  return {
    log: createLog({ write: (line) => lines.push(line), now: () => 0, lowestLevel: 'debug' }),
    text: () => lines.join(''),
  };
}

/** The value of a success. Fails the test otherwise. */
export function valueOf<T>(result: { ok: true; value: T } | { ok: false; failure: unknown }): T {
  if (!result.ok) throw new Error(`Expected a value, got ${JSON.stringify(result.failure)}`);
  return result.value;
}

/** The failure. Fails the test if the result is a success. */
export function failureOf<F>(result: { ok: true; value: unknown } | { ok: false; failure: F }): F {
  if (result.ok) throw new Error(`Expected a failure, got ${JSON.stringify(result.value)}`);
  return result.failure;
}

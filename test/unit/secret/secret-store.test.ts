import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import type { KeyPlace } from '../../../src-preload/connection.ts';
import { ok } from '../../../src-preload/failure.ts';
import { moveKeys } from '../../../src-main/secret/move-keys.ts';
import type { SecretStore, SecretStoreParts } from '../../../src-main/secret/secret-store.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import {
  openedSecretStore,
  failureOf,
  recordedLog,
  manualTimer,
  scriptedKeytar,
  scriptedSafeStorage,
  settled,
  valueOf,
} from '../../kit/connection-parts.ts';
import { modeOf } from '../../kit/file-mode.ts';

const missing = () => Promise.reject(new Error("Cannot find package 'keytar'"));
const secret = 'sk-live-0123456789abcdef';

let root = '';
let folder = '';
let kept = recordedLog();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jobdeck-secrets-'));
  folder = join(root, 'secrets');
  kept = recordedLog();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(parts: Partial<SecretStoreParts>) {
  return openedSecretStore({
    loadKeytar: missing,
    safeStorage: null,
    files: createSecretFiles(folder),
    known: createKnownSecrets(kept.log),
    log: kept.log,
    ...parts,
  });
}

/** Moves the secrets of a store to another place, as the settings do. */
function movedTo(store: SecretStore, to: KeyPlace) {
  return moveKeys(store, to, () => Promise.resolve(ok(null)));
}

/** Every byte below the folder, as text. */
function everythingOnDisk(): string {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name + readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('in the keychain', () => {
  it('saves, reads after a restart and removes, and leaves no trace of the check', async () => {
    const keytar = scriptedKeytar();
    const first = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(first.storage.kind).toBe('keychain');
    expect(first.storage.explanation).toMatch(/system keychain\. You may be asked to unlock it/);
    expect([...keytar.entries]).toEqual([]);
    valueOf(await first.write('connection:a', secret));
    expect([...keytar.entries]).toEqual([['connection:a', secret]]);

    const second = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(second.has('connection:a')).toBe(true);
    expect(second.has('connection:b')).toBe(false);
    expect(valueOf(await second.read('connection:a'))).toBe(secret);
    valueOf(await second.remove('connection:a'));
    expect(second.has('connection:a')).toBe(false);
    expect(valueOf(await second.read('connection:a'))).toBeNull();
    expect([...keytar.entries]).toEqual([]);
    expect(everythingOnDisk()).toBe('');
  });

  it('knows whether a key is saved without asking the keychain', async () => {
    const keytar = scriptedKeytar();
    valueOf(await (await open({ loadKeytar: () => Promise.resolve(keytar) })).write('connection:a', secret));
    const store = await open({ loadKeytar: () => Promise.resolve(keytar) });
    const before = keytar.calls.length;
    expect(store.has('connection:a')).toBe(true);
    expect(keytar.calls.length).toBe(before);
  });

  it('never puts the secret on disk or in the log', async () => {
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar), safeStorage: scriptedSafeStorage() });
    valueOf(await store.write('connection:a', secret));
    keytar.mood = 'throws';
    failureOf(await store.write('connection:a', secret));
    expect(everythingOnDisk()).not.toContain(secret);
    expect(kept.text()).not.toContain(secret);
  });

  it('reports a later failure, and saves the key nowhere weaker', async () => {
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar), safeStorage: scriptedSafeStorage() });
    valueOf(await store.write('connection:a', secret));
    keytar.mood = 'throws';
    for (const result of [
      await store.write('connection:a', 'sk-other-1'),
      await store.write('connection:b', 'sk-other-2'),
      await store.read('connection:a'),
    ]) {
      expect(failureOf(result)).toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('keychain') as string,
      });
    }
    expect(store.has('connection:b')).toBe(false);
    keytar.mood = 'works';
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
    expect(valueOf(await store.read('connection:b'))).toBeNull();
  });

  it('distinguishes the "no such entry" of a locked keychain from a removed entry', async () => {
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar) });
    valueOf(await store.write('connection:a', secret));
    keytar.mood = 'locked';
    expect(failureOf(await store.read('connection:a')).message).toMatch(/locked/);
    expect(store.has('connection:a')).toBe(true);
    keytar.mood = 'works';
    keytar.entries.clear();
    expect(valueOf(await store.read('connection:a'))).toBeNull();
    expect(store.has('connection:a')).toBe(false);
  });

  it('does not repeat the secret if the keychain quotes it in its error', async () => {
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar) });
    keytar.mood = 'locked';
    const failure = failureOf(await store.write('connection:a', secret));
    expect(failure.detail).toContain('locked collection');
    expect(JSON.stringify(failure)).not.toContain(secret);
    expect(kept.text()).not.toContain(secret);
  });

  it('drops a deleted key immediately and removes it from the keychain at a later start', async () => {
    const keytar = scriptedKeytar();
    const first = await open({ loadKeytar: () => Promise.resolve(keytar) });
    valueOf(await first.write('connection:a', secret));
    keytar.mood = 'locked';
    expect(failureOf(await first.remove('connection:a')).message).toMatch(/will delete it when the keychain responds/);
    expect(first.has('connection:a')).toBe(false);
    expect(keytar.entries.size).toBe(1);
    keytar.mood = 'works';
    const second = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(keytar.entries.size).toBe(0);
    expect(second.has('connection:a')).toBe(false);
    expect(everythingOnDisk()).toBe('');
  });

  it('does not delete a key that was set again after a failed deletion', async () => {
    const keytar = scriptedKeytar();
    const first = await open({ loadKeytar: () => Promise.resolve(keytar) });
    valueOf(await first.write('connection:a', secret));
    keytar.mood = 'locked';
    failureOf(await first.remove('connection:a'));
    keytar.mood = 'works';
    valueOf(await first.write('connection:a', 'sk-second'));
    const second = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(valueOf(await second.read('connection:a'))).toBe('sk-second');
    // Even where the mark of the failed deletion could not be taken away.
    const [mark = ''] = readdirSync(folder);
    writeFileSync(join(folder, mark.replace('.keychain', '.leftover')), '');
    const third = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(valueOf(await third.read('connection:a'))).toBe('sk-second');
    expect(readdirSync(folder)).toEqual([mark]);
  });

  it('hides read secrets from the log, too', async () => {
    const keytar = scriptedKeytar();
    valueOf(await (await open({ loadKeytar: () => Promise.resolve(keytar) })).write('connection:a', secret));
    kept = recordedLog();
    valueOf(await (await open({ loadKeytar: () => Promise.resolve(keytar) })).read('connection:a'));
    kept.log.error(`someone says ${secret}`);
    expect(kept.text()).toContain('someone says [hidden]');
  });
});

describe('safe storage that asks the user for a password', () => {
  /** Encrypts only after `enter`, as a keyring that is locked. */
  function locked() {
    const storage = scriptedSafeStorage();
    const password = Promise.withResolvers<null>();
    const asked = Promise.withResolvers<null>();
    const encrypt = storage.encryptStringAsync.bind(storage);
    storage.encryptStringAsync = async (plainText) => {
      asked.resolve(null);
      await password.promise;
      return encrypt(plainText);
    };
    const enter = (): void => password.resolve(null);
    const refuse = (): void => password.reject(new Error('denied'));
    return { storage, asked: asked.promise, enter, refuse };
  }

  async function openedLate(kept: ReturnType<typeof locked>) {
    const timer = manualTimer();
    const waits: boolean[] = [];
    let readable = 0;
    const opening = open({
      safeStorage: kept.storage,
      after: timer.after,
      onStorageChange: ({ isWaiting }) => waits.push(isWaiting),
    });
    await kept.asked;
    await timer.pass(2_000);
    const whileAsked = waits.at(-1);
    await timer.pass(2_000);
    const store = await opening;
    store.onReadable(() => (readable += 1));
    return { store, whileAsked, waits, readable: () => readable };
  }

  it('is waited for with a message, and used as soon as it answers', async () => {
    const kept = locked();
    const { store, whileAsked, waits, readable } = await openedLate(kept);
    expect(whileAsked).toBe(true);
    expect(store.storage).toMatchObject({ kind: 'session', isWaiting: true });
    expect(store.storage.explanation).toMatch(/has not responded yet; your system may be asking you/);
    kept.enter();
    await settled();
    expect(store.storage).toMatchObject({ kind: 'safe-storage', isWaiting: false });
    expect([waits.at(-1), readable()]).toEqual([false, 1]);
    valueOf(await store.write('connection:a', secret));
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });

  it('gets the keys that were entered in the meantime, but not those created at each start', async () => {
    const kept = locked();
    const { store } = await openedLate(kept);
    valueOf(await store.write('connection:a', secret));
    valueOf(await store.keepForSession('connection:sandbox', 'made at each start'));
    kept.enter();
    await settled();
    const places = (): number[] => store.storage.places.map(({ secrets }) => secrets);
    await expect.poll(() => places()).toEqual([0, 1, 0]);
    store.close();
    const later = await open({ safeStorage: kept.storage });
    expect(valueOf(await later.read('connection:a'))).toBe(secret);
    expect(valueOf(await later.read('connection:sandbox'))).toBeNull();
  });

  it('is not used if the password is refused, and no longer waited for', async () => {
    const kept = locked();
    const { store, readable } = await openedLate(kept);
    kept.refuse();
    await settled();
    expect(store.storage).toMatchObject({ kind: 'session', isWaiting: false });
    expect(store.storage.explanation).toMatch(/No keychain found on this computer/);
    expect(readable()).toBe(0);
  });

  it('that the user chose and that fails is named, and no keychain is reported missing', async () => {
    const keyring = scriptedSafeStorage();
    keyring.isAvailable = false;
    const store = await open({
      loadKeytar: () => Promise.resolve(scriptedKeytar()),
      safeStorage: keyring,
      strongest: 'safe-storage',
    });
    expect(store.storage.explanation).toMatch(/^This computer cannot encrypt keys for Jobdeck/);
  });
});

describe('a keychain that hangs', () => {
  it('does not delay the start: keys last for the session and the message says why', async () => {
    const keytar = scriptedKeytar();
    keytar.mood = 'hangs';
    const timer = manualTimer();
    const opening = open({ loadKeytar: () => Promise.resolve(keytar), after: timer.after, checkLimitMs: 8_000 });
    await keytar.called('get check');
    await timer.pass(8_000);
    const store = await opening;
    expect(store.storage).toMatchObject({
      kind: 'session',
      explanation: expect.stringContaining('has not responded yet') as string,
    });
    valueOf(await store.write('connection:a', secret));
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
    expect(everythingOnDisk()).toBe('');
    keytar.mood = 'works';
    keytar.release();
    await expect.poll(() => keytar.entries.get('connection:a')).toBe(secret);
    store.close();
    const later = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(valueOf(await later.read('connection:a'))).toBe(secret);
  });

  it('is used when its library loads after all: what was saved meanwhile goes there, and what is there is read', async () => {
    const keytar = scriptedKeytar();
    valueOf(await (await open({ loadKeytar: () => Promise.resolve(keytar) })).write('connection:a', secret));
    const asked = Promise.withResolvers<undefined>();
    const loading = Promise.withResolvers<typeof keytar>();
    const loadKeytar = (): Promise<typeof keytar> => {
      asked.resolve(undefined);
      return loading.promise;
    };
    const timer = manualTimer();
    const opening = open({ loadKeytar, after: timer.after, checkLimitMs: 4_000 });
    await asked.promise;
    await timer.pass(4_000);
    const store = await opening;
    expect(store.storage.explanation).toContain('has not responded yet');
    expect(failureOf(await store.read('connection:a')).message).toContain('does not respond');
    valueOf(await store.write('connection:b', 'sk-meanwhile'));
    const readable: string[] = [];
    store.onReadable(() => void readable.push(store.storage.kind));
    loading.resolve(keytar);
    await expect.poll(() => keytar.entries.get('connection:b')).toBe('sk-meanwhile');
    expect(readable).toEqual(['keychain']);
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
    store.close();
    const later = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(valueOf(await later.read('connection:b'))).toBe('sk-meanwhile');
  });

  it('leaves a key in memory if it eventually refuses it, and the key still works', async () => {
    const keytar = scriptedKeytar();
    keytar.mood = 'hangs';
    const timer = manualTimer();
    const opening = open({ loadKeytar: () => Promise.resolve(keytar), after: timer.after, checkLimitMs: 8_000 });
    await keytar.called('get check');
    await timer.pass(8_000);
    const store = await opening;
    valueOf(await store.write('connection:a', secret));
    keytar.mood = 'locked';
    keytar.release();
    await keytar.called('set connection:a');
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
    await expect.poll(() => store.storage.places.find(({ kind }) => kind === 'session')?.secrets).toBe(1);
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
  });

  it('is used when it answers after all, and that is reported', async () => {
    const keytar = scriptedKeytar();
    keytar.mood = 'hangs';
    const timer = manualTimer();
    const told: string[] = [];
    const opening = open({
      loadKeytar: () => Promise.resolve(keytar),
      after: timer.after,
      checkLimitMs: 8_000,
      onStorageChange: (storage) => told.push(storage.kind),
    });
    await keytar.called('get check');
    await timer.pass(8_000);
    const store = await opening;
    keytar.mood = 'works';
    keytar.release();
    await settled();
    expect([told[0], told.at(-1)]).toEqual(['session', 'keychain']);
    expect(store.storage.kind).toBe('keychain');
    valueOf(await store.write('connection:a', secret));
    expect(keytar.entries.get('connection:a')).toBe(secret);
  });

  it('fails further calls immediately instead of occupying a thread for each', async () => {
    const keytar = scriptedKeytar();
    const timer = manualTimer();
    const store = await open({
      loadKeytar: () => Promise.resolve(keytar),
      after: timer.after,
      callLimitMs: 30_000,
    });
    valueOf(await store.write('connection:a', secret));
    keytar.mood = 'hangs';
    const callsBefore = keytar.calls.length;
    const first = store.read('connection:a');
    await keytar.called('get connection:a');
    await timer.pass(30_000);
    expect(failureOf(await first).message).toMatch(/does not respond/);
    for (let index = 0; index < 20; index += 1) failureOf(await store.read('connection:a'));
    expect(keytar.calls.length).toBe(callsBefore + 1);
    keytar.mood = 'works';
    keytar.release();
    await settled();
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
  });

  it('a key that is saved again while the former one is found missing is there', async () => {
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar) });
    valueOf(await store.write('connection:a', secret));
    // Removed by other means, and the keychain is slow to say so.
    keytar.entries.clear();
    const [answered, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { getPassword, setPassword } = keytar;
    keytar.getPassword = async (service, account) => {
      const found = await getPassword(service, account);
      await answered.promise;
      return found;
    };
    keytar.setPassword = async (service, account, password) => {
      await saved.promise;
      return await setPassword(service, account, password);
    };
    const reading = store.read('connection:a');
    await keytar.called('get connection:a');
    const writing = store.write('connection:a', 'sk-second-key');
    await settled();
    answered.resolve();
    await settled();
    saved.resolve();
    valueOf(await writing);
    expect(valueOf(await reading)).toBe('sk-second-key');
    expect(store.has('connection:a')).toBe(true);
    expect(valueOf(await store.read('connection:a'))).toBe('sk-second-key');
  });

  it('a write that succeeds too late is reverted', async () => {
    const keytar = scriptedKeytar();
    const timer = manualTimer();
    const store = await open({
      loadKeytar: () => Promise.resolve(keytar),
      after: timer.after,
      callLimitMs: 30_000,
    });
    keytar.mood = 'hangs';
    const writing = store.write('connection:a', secret);
    await keytar.called('set connection:a');
    await timer.pass(30_000);
    failureOf(await writing);
    expect(store.has('connection:a')).toBe(false);
    keytar.mood = 'works';
    keytar.release();
    await settled();
    await keytar.called('delete connection:a');
    await settled();
    expect(keytar.entries.size).toBe(0);
  });
});

describe('in safe storage', () => {
  it('saves ciphertext readable by this user only, and survives a restart', async () => {
    const safeStorage = scriptedSafeStorage();
    // A folder that is open to others, as a copied data folder may be.
    mkdirSync(folder, { mode: 0o755 });
    const first = await open({ safeStorage });
    expect(first.storage.kind).toBe('safe-storage');
    valueOf(await first.write('connection:ä/1', secret));
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    expect(modeOf(join(folder, names[0] ?? ''), 0o600)).toBe(0o600);
    expect(modeOf(folder, 0o700)).toBe(0o700);
    expect(everythingOnDisk()).not.toContain(secret);

    const second = await open({ safeStorage });
    expect(second.has('connection:ä/1')).toBe(true);
    expect(valueOf(await second.read('connection:ä/1'))).toBe(secret);
    valueOf(await second.remove('connection:ä/1'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused if no keyring answers, even if Chromium says that it can encrypt', async () => {
    const safeStorage = scriptedSafeStorage();
    safeStorage.hasKeyring = false;
    const store = await open({ safeStorage });
    expect(store.storage.kind).toBe('session');
    valueOf(await store.write('connection:a', secret));
    expect(everythingOnDisk()).toBe('');
  });

  it('is checked after every write: a keyring that has gone away protects nothing', async () => {
    const safeStorage = scriptedSafeStorage();
    const store = await open({ safeStorage });
    expect(store.storage.kind).toBe('safe-storage');
    safeStorage.hasKeyring = false;
    expect(failureOf(await store.write('connection:a', secret))).toMatchObject({
      kind: 'storage',
      detail: expect.stringContaining('No keyring answers') as string,
    });
    expect(everythingOnDisk()).toBe('');
  });

  it('removes from disk what a former version left readable for anyone, and says so', async () => {
    const former = scriptedSafeStorage();
    former.openTag = null;
    former.hasKeyring = false;
    valueOf(await (await open({ safeStorage: former })).write('connection:a', secret));
    expect(everythingOnDisk()).toContain('v10');

    const told: number[] = [];
    const safeStorage = scriptedSafeStorage();
    safeStorage.hasKeyring = false;
    const store = await open({ safeStorage, onOpenToAll: (count) => told.push(count) });
    expect(told).toEqual([1]);
    expect(everythingOnDisk()).toBe('');
    expect(valueOf(await store.read('connection:a'))).toBe(secret);

    // With a keyring it goes where new ones go.
    valueOf(await (await open({ safeStorage: former })).write('connection:a', secret));
    valueOf(await (await open({ safeStorage: scriptedSafeStorage() })).read('connection:a'));
    expect(everythingOnDisk()).toContain('v11');
  });

  it('is used if no ciphertext is open to anyone (macOS, Windows), and refused if encryption is not available', async () => {
    const { isAsyncEncryptionAvailable, encryptStringAsync, decryptStringAsync } = scriptedSafeStorage();
    const elsewhere = { isAsyncEncryptionAvailable, encryptStringAsync, decryptStringAsync, openTag: null };
    expect((await open({ safeStorage: elsewhere })).storage.kind).toBe('safe-storage');
    expect(
      (await open({ safeStorage: { ...elsewhere, isAsyncEncryptionAvailable: () => Promise.resolve(false) } })).storage
        .kind,
    ).toBe('session');
  });

  it('reports a saved key that cannot be decrypted, and accepts a new one', async () => {
    valueOf(await (await open({ safeStorage: scriptedSafeStorage() })).write('connection:a', secret));
    const other = await open({ safeStorage: scriptedSafeStorage() });
    expect(failureOf(await other.read('connection:a'))).toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('Could not decrypt') as string,
    });
    valueOf(await other.write('connection:a', 'sk-new'));
    expect(valueOf(await other.read('connection:a'))).toBe('sk-new');
  });

  it('does not fall back to the session for a key that was saved encrypted', async () => {
    const safeStorage = scriptedSafeStorage();
    valueOf(await (await open({ safeStorage })).write('connection:a', secret));
    safeStorage.hasKeyring = false;
    const weaker = await open({ safeStorage });
    expect(weaker.storage.kind).toBe('session');
    expect(failureOf(await weaker.write('connection:a', 'sk-new')).message).toMatch(/Delete the key first/);
    valueOf(await weaker.remove('connection:a'));
    valueOf(await weaker.write('connection:a', 'sk-new'));
    expect(valueOf(await weaker.read('connection:a'))).toBe('sk-new');
  });

  it('encrypts again when the system changed its key', async () => {
    const safeStorage = scriptedSafeStorage();
    const store = await open({ safeStorage });
    valueOf(await store.write('connection:a', secret));
    const before = readFileSync(join(folder, readdirSync(folder)[0] ?? ''));
    safeStorage.shouldReEncrypt = true;
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? '')).equals(before)).toBe(false);
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
  });

  it('moves a key to the keychain when it is replaced there', async () => {
    const safeStorage = scriptedSafeStorage();
    valueOf(await (await open({ safeStorage })).write('connection:a', secret));
    const keytar = scriptedKeytar();
    const store = await open({ safeStorage, loadKeytar: () => Promise.resolve(keytar) });
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
    valueOf(await store.write('connection:a', 'sk-new'));
    expect(keytar.entries.get('connection:a')).toBe('sk-new');
    expect(readdirSync(folder).filter((name) => name.endsWith('.sealed'))).toEqual([]);
    expect(valueOf(await store.read('connection:a'))).toBe('sk-new');
  });
});

describe('the place of keys', () => {
  it('is determined without writing or removing anything, and not in safe storage if a keychain answers', async () => {
    const keytar = scriptedKeytar();
    const safeStorage = { ...scriptedSafeStorage(), encryptStringAsync: () => Promise.reject(new Error('asked')) };
    const store = await open({ loadKeytar: () => Promise.resolve(keytar), safeStorage });
    expect(keytar.calls).toEqual(['get check']);
    expect(store.storage.places.map(({ problem }) => problem)).toEqual([null, null, null]);
  });

  it('can be changed: all keys move, whole, and are found there after a restart', async () => {
    const keytar = scriptedKeytar();
    const parts = { loadKeytar: () => Promise.resolve(keytar), safeStorage: scriptedSafeStorage() };
    const store = await open(parts);
    valueOf(await store.write('connection:a', secret));
    valueOf(await store.write('s3:b', 'other'));
    const counts = (of: typeof store): number[] => of.storage.places.map(({ secrets }) => secrets);
    expect(counts(store)).toEqual([2, 0, 0]);

    valueOf(await movedTo(store, 'safe-storage'));
    expect([...keytar.entries]).toEqual([]);
    expect([store.storage.kind, counts(store)]).toEqual(['safe-storage', [0, 2, 0]]);
    const again = await open({ ...parts, strongest: 'safe-storage' });
    expect(valueOf(await again.read('connection:a'))).toBe(secret);
    valueOf(await again.write('connection:c', 'third'));
    expect(counts(again)).toEqual([0, 3, 0]);

    valueOf(await movedTo(again, 'session'));
    expect([everythingOnDisk(), counts(again)]).toEqual(['', [0, 0, 3]]);
    valueOf(await movedTo(again, 'keychain'));
    expect(counts(again)).toEqual([3, 0, 0]);
    expect(valueOf(await again.read('s3:b'))).toBe('other');
  });

  it('stays the same if the new place cannot store them', async () => {
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar) });
    valueOf(await store.write('connection:a', secret));
    expect(failureOf(await movedTo(store, 'safe-storage')).message).toContain('No key was moved');
    keytar.mood = 'locked';
    expect(failureOf(await movedTo(store, 'session')).message).toMatch(/locked/);
    keytar.mood = 'works';
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
  });

  it('is not the keychain for keys created at each start', async () => {
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar) });
    valueOf(await store.write('connection:sandbox', 'of a former version'));
    valueOf(await store.keepForSession('connection:sandbox', secret));
    expect(valueOf(await store.read('connection:sandbox'))).toBe(secret);
    valueOf(await movedTo(store, 'keychain'));
    expect([...keytar.entries]).toEqual([]);
    expect(valueOf(await store.read('connection:sandbox'))).toBe(secret);
  });
});

describe('for the session only', () => {
  it('says so, writes nothing and drops the keys at close', async () => {
    const store = await open({});
    expect(store.storage).toMatchObject({
      kind: 'session',
      explanation:
        'No keychain found on this computer. Keys are kept in memory until Jobdeck closes, and written nowhere.',
    });
    valueOf(await store.write('connection:a', secret));
    expect(store.has('connection:a')).toBe(true);
    expect(valueOf(await store.read('connection:a'))).toBe(secret);
    expect(everythingOnDisk()).toBe('');
    store.close();
    expect(store.has('connection:a')).toBe(false);
    expect(valueOf(await (await open({})).read('connection:a'))).toBeNull();
  });

  it('a key in a missing keychain is a failure, not "no key", and is not replaced', async () => {
    const keytar = scriptedKeytar();
    valueOf(await (await open({ loadKeytar: () => Promise.resolve(keytar) })).write('connection:a', secret));
    const store = await open({});
    expect(store.storage.kind).toBe('session');
    expect(store.has('connection:a')).toBe(true);
    expect(failureOf(await store.read('connection:a')).kind).toBe('storage');
    expect(failureOf(await store.write('connection:a', 'sk-new')).message).toMatch(/could not replace it there/);
    failureOf(await store.remove('connection:a'));
    valueOf(await store.write('connection:a', 'sk-new'));
    expect(valueOf(await store.read('connection:a'))).toBe('sk-new');
  });

  it('starts even if the folder for keys cannot be read', async () => {
    writeFileSync(folder, 'in the way');
    const keytar = scriptedKeytar();
    const store = await open({ loadKeytar: () => Promise.resolve(keytar) });
    expect(failureOf(await store.write('connection:a', secret)).kind).toBe('storage');
    expect(keytar.entries.size).toBe(0);
    expect(kept.text()).not.toContain(secret);
  });
});

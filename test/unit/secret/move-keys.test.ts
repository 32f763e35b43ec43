import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { KeyPlace } from '../../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { moveKeys } from '../../../src-main/secret/move-keys.ts';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import {
  failureOf,
  openedSecretStore,
  recordedLog,
  scriptedKeytar,
  scriptedSafeStorage,
  valueOf,
} from '../../kit/connection-parts.ts';

/** A store with keys of these connections in the keychain. */
async function withKeysOf(connections: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { log } = recordedLog();
  const keytar = scriptedKeytar();
  const safeStorage = scriptedSafeStorage();
  const open = (strongest: KeyPlace) =>
    openedSecretStore({
      loadKeytar: () => Promise.resolve(keytar),
      safeStorage,
      files: createSecretFiles(join(folder, 'secrets')),
      known: createKnownSecrets(log),
      log,
      strongest,
    });
  const store = await open('keychain');
  for (const id of connections) valueOf(await store.write(`connection:${id}`, `sk-${id}`));
  const saved: KeyPlace[] = [];
  const save = async (place: KeyPlace) => ok(saved.push(place));
  return { keytar, safeStorage, store, open, saved, save };
}

it('a place that is chosen is saved, even if a key cannot be moved there', async () => {
  const { keytar, store, open, saved, save } = await withKeysOf(['a', 'b']);
  const read = keytar.getPassword.bind(keytar);
  keytar.getPassword = (service, account) =>
    account === 'connection:b' ? Promise.reject(new Error('denied')) : read(service, account);

  const failure = failureOf(await moveKeys(store, 'safe-storage', save));

  expect(failure.message).toMatch(/^Could not move 1 of 2 keys: .*New keys are kept in the place that you chose\.$/);
  expect(saved).toEqual(['safe-storage']);
  expect(store.storage).toMatchObject({ kind: 'safe-storage' });
  expect([...keytar.entries.keys()]).toEqual(['connection:b']);
  // After a restart with the saved place both are found, and new keys go where they went before.
  keytar.getPassword = read;
  const later = await open('safe-storage');
  expect(later.storage.kind).toBe('safe-storage');
  expect(valueOf(await later.read('connection:a'))).toBe('sk-a');
  expect(valueOf(await later.read('connection:b'))).toBe('sk-b');
});

it('a copy that the keychain does not give up is reported, and the key counts as moved', async () => {
  const { keytar, store, saved, save } = await withKeysOf(['a']);
  keytar.deletePassword = () => Promise.reject(new Error('denied'));

  const failure = failureOf(await moveKeys(store, 'safe-storage', save));

  expect(failure.message).toMatch(/^All keys were moved, but a copy of one is left\./);
  expect(saved).toEqual(['safe-storage']);
  expect(store.storage.places.map(({ secrets }) => secrets)).toEqual([0, 1, 0]);
  expect(valueOf(await store.read('connection:a'))).toBe('sk-a');
});

it('nothing is changed if the place cannot be used, or the choice not be saved', async () => {
  const { keytar, safeStorage, store, saved, save } = await withKeysOf(['a']);
  const full: Result<null> = failed({ kind: 'storage', message: 'The disk is full.' });
  expect(await moveKeys(store, 'session', () => Promise.resolve(full))).toEqual(full);
  safeStorage.isAvailable = false;
  expect(failureOf(await moveKeys(store, 'safe-storage', save)).message).toMatch(/No key was moved\.$/);
  expect(saved).toEqual([]);
  expect(store.storage.kind).toBe('keychain');
  expect(keytar.entries.size).toBe(1);
});

it('all keys are moved', async () => {
  const { keytar, store, saved, save } = await withKeysOf(['a', 'b']);
  expect(valueOf(await moveKeys(store, 'session', save))).toMatchObject({ kind: 'session' });
  expect([saved, keytar.entries.size]).toEqual([['session'], 0]);
  expect(valueOf(await store.read('connection:b'))).toBe('sk-b');
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretFiles } from '../../../src-main/connection/secret-files.ts';
import { createSecretStore } from '../../../src-main/connection/secret-store.ts';
import { createVault } from '../../../src-main/connection/vault.ts';
import type { Vault } from '../../../src-main/connection/vault.ts';
import type { Keytar } from '../../../src-main/connection/keychain.ts';
import { failureOf, keptLog, scriptedKeytar, valueOf } from './parts.ts';

const missing = (): Promise<Keytar> => Promise.reject(new Error("Cannot find package 'keytar'"));
const env = JSON.stringify({ HF_TOKEN: 'hf_0123456789', NAME: 'é ✓' });

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jobdeck-vault-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A vault as after a start, over the keychain given or none. */
async function start(loadKeytar: () => Promise<Keytar> = missing): Promise<Vault> {
  return createVault(await createSecretStore({ loadKeytar, safeStorage: null, files: createSecretFiles(join(root, 'secrets')), log: keptLog().log }));
}

describe('the vault', () => {
  it('seals a text so that only it opens it, also after a restart', async () => {
    const keytar = scriptedKeytar();
    const first = await start(() => Promise.resolve(keytar));
    const sealed = valueOf(await first.seal(env));
    expect(sealed).not.toContain('HF_TOKEN');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('hf_0123456789');
    expect(first.isLasting()).toBe(true);
    expect(valueOf(await first.open(sealed))).toBe(env);
    expect(valueOf(await (await start(() => Promise.resolve(keytar))).open(sealed))).toBe(env);
  });

  it('seals the same text differently each time', async () => {
    const vault = await start();
    expect(valueOf(await vault.seal(env))).not.toBe(valueOf(await vault.seal(env)));
  });

  it('makes one key when several texts are sealed at once', async () => {
    const vault = await start();
    const sealed = await Promise.all(['one', 'two', 'three'].map(async (text) => valueOf(await vault.seal(text))));
    expect(await Promise.all(sealed.map(async (text) => valueOf(await vault.open(text))))).toEqual(['one', 'two', 'three']);
  });

  it('says that what is sealed without a keychain does not last, and opens it as gone later', async () => {
    const vault = await start();
    const sealed = valueOf(await vault.seal(env));
    expect(vault.isLasting()).toBe(false);
    expect(valueOf(await vault.open(sealed))).toBe(env);
    expect(valueOf(await (await start()).open(sealed))).toBeNull();
  });

  it('answers null for a text that was changed, cut or never sealed', async () => {
    const vault = await start();
    const sealed = valueOf(await vault.seal(env));
    const changed = Buffer.from(sealed.slice(3), 'base64');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    for (const text of [`v1.${changed.toString('base64')}`, sealed.slice(0, 30), 'v2.AAAA', '', env]) expect(valueOf(await vault.open(text))).toBeNull();
  });

  it('fails while the keychain cannot be read, and opens again once it can', async () => {
    const keytar = scriptedKeytar();
    const sealed = valueOf(await (await start(() => Promise.resolve(keytar))).seal(env));
    const later = await start(() => Promise.resolve(keytar));
    keytar.mood = 'locked';
    expect(failureOf(await later.open(sealed)).kind).toBe('storage');
    expect(failureOf(await later.seal('more')).kind).toBe('storage');
    keytar.mood = 'works';
    expect(valueOf(await later.open(sealed))).toBe(env);
  });
});

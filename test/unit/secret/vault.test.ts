import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import type { Documents } from '../../../src-main/history/collection.ts';
import type { SecretStore } from '../../../src-main/secret/secret-store.ts';
import { KeyedVault, readVaultKeyId } from '../../../src-main/secret/vault.ts';
import type { Vault } from '../../../src-main/secret/vault.ts';
import { ok } from '../../../src-preload/failure.ts';
import type { Keytar } from '../../../src-main/secret/keychain.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { openedSecretStore, failureOf, recordedLog, scriptedKeytar, valueOf } from '../../kit/connection-parts.ts';

const missing = (): Promise<Keytar> => Promise.reject(new Error("Cannot find package 'keytar'"));
const env = JSON.stringify({ HF_TOKEN: 'hf_0123456789', NAME: 'é ✓' });

const keyId = 'vault:one';
const belonging = 'pod/c/p';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jobdeck-vault-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function openStore(loadKeytar: () => Promise<Keytar>): Promise<SecretStore> {
  return openedSecretStore({
    loadKeytar,
    safeStorage: null,
    files: createSecretFiles(join(root, 'secrets')),
    known: createKnownSecrets(recordedLog().log),
    log: recordedLog().log,
  });
}

/** A vault as after a start, over the keychain given or none. */
async function start(loadKeytar: () => Promise<Keytar> = missing): Promise<Vault> {
  return new KeyedVault(await openStore(loadKeytar), keyId, null);
}

describe('the vault', () => {
  it('seals a text so that only it opens it, even after a restart', async () => {
    const keytar = scriptedKeytar();
    const first = await start(() => Promise.resolve(keytar));
    const sealed = valueOf(await first.seal(env, belonging));
    expect(sealed).not.toContain('HF_TOKEN');
    const [, payload = ''] = sealed.split('.');
    expect(Buffer.from(payload, 'base64').toString('latin1')).not.toContain('hf_0123456789');
    expect(first.isLasting()).toBe(true);
    expect(valueOf(await first.open(sealed, belonging))).toBe(env);
    expect(valueOf(await (await start(() => Promise.resolve(keytar))).open(sealed, belonging))).toBe(env);
  });

  it('seals the same text differently each time', async () => {
    const vault = await start();
    expect(valueOf(await vault.seal(env, belonging))).not.toBe(valueOf(await vault.seal(env, belonging)));
  });

  it('creates one key for several simultaneous texts', async () => {
    const vault = await start();
    const sealed = await Promise.all(
      ['one', 'two', 'three'].map(async (text) => valueOf(await vault.seal(text, belonging))),
    );
    expect(await Promise.all(sealed.map(async (text) => valueOf(await vault.open(text, belonging))))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('leaves the key of another data folder in the same keychain alone, and finds its own', async () => {
    const keytar = scriptedKeytar();
    const folders = ['here', 'there'].map((name) => ({ name, documents: new Map<string, string>() }));
    const open = async ({ name, documents }: (typeof folders)[number]): Promise<Vault> => {
      const keyId = await readVaultKeyId(
        {
          documents: () => Promise.resolve([]),
          removeDocument: () => Promise.resolve(),
          readDocument: (kind, id) => Promise.resolve(documents.get(`${kind}/${id}`) ?? null),
          putDocument: (kind, id, json) => Promise.resolve(void documents.set(`${kind}/${id}`, json)),
        },
        randomUUID,
      );
      return new KeyedVault(
        await openedSecretStore({
          loadKeytar: () => Promise.resolve(keytar),
          safeStorage: null,
          files: createSecretFiles(join(root, name)),
          known: createKnownSecrets(recordedLog().log),
          log: recordedLog().log,
        }),
        keyId,
        null,
      );
    };
    const sealed: string[] = [];
    for (const folder of folders) sealed.push(valueOf(await (await open(folder)).seal(folder.name, belonging)));
    for (const [index, folder] of folders.entries())
      expect(valueOf(await (await open(folder)).open(sealed[index] ?? '', belonging))).toBe(folder.name);
  });

  it('says that texts sealed without a keychain do not last, and opens them as gone later', async () => {
    const vault = await start();
    const sealed = valueOf(await vault.seal(env, belonging));
    expect(vault.isLasting()).toBe(false);
    expect(valueOf(await vault.open(sealed, belonging))).toBe(env);
    expect(valueOf(await (await start()).open(sealed, belonging))).toBeNull();
  });

  it('returns null for a text that was changed, cut or never sealed', async () => {
    const vault = await start();
    const sealed = valueOf(await vault.seal(env, belonging));
    const [form = '', payload = ''] = sealed.split('.');
    const changed = Buffer.from(payload, 'base64');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const texts = [
      `${form}.${changed.toString('base64')}`,
      sealed.slice(0, 30),
      sealed.slice(0, -8),
      'v2.AAAA',
      '',
      env,
    ];
    for (const text of texts) expect(valueOf(await vault.open(text, belonging))).toBeNull();
  });

  it('fails while the keychain cannot be read, and works again once it can', async () => {
    const keytar = scriptedKeytar();
    const sealed = valueOf(await (await start(() => Promise.resolve(keytar))).seal(env, belonging));
    const later = await start(() => Promise.resolve(keytar));
    keytar.mood = 'locked';
    expect(failureOf(await later.open(sealed, belonging)).kind).toBe('storage');
    expect(failureOf(await later.seal('more', belonging)).kind).toBe('storage');
    keytar.mood = 'works';
    expect(valueOf(await later.open(sealed, belonging))).toBe(env);
  });

  it('creates one key if a text is sealed while the first key is being saved, however slow the reads', async () => {
    const kept = new Map<string, string>();
    const [reading, writing, begun] = [
      Promise.withResolvers<null>(),
      Promise.withResolvers<null>(),
      Promise.withResolvers<null>(),
    ];
    let isReadSlow = false;
    const place: ConstructorParameters<typeof KeyedVault>[0] = {
      storage: { kind: 'keychain', explanation: '', isWaiting: false, places: [] },
      ready: () => Promise.resolve(),
      async read(id) {
        const found = kept.get(id) ?? null;
        if (isReadSlow) await reading.promise;
        return ok(found);
      },
      async write(id, secret) {
        begun.resolve(null);
        await writing.promise;
        kept.set(id, secret);
        return ok(null);
      },
    };
    const vault = new KeyedVault(place, keyId, null);
    const first = vault.seal('one', belonging);
    await begun.promise;
    isReadSlow = true;
    const second = vault.seal('two', belonging);
    writing.resolve(null);
    const one = valueOf(await first);
    reading.resolve(null);
    const two = valueOf(await second);
    const later = new KeyedVault(place, keyId, null);
    expect([valueOf(await later.open(one, belonging)), valueOf(await later.open(two, belonging))]).toEqual([
      'one',
      'two',
    ]);
  });

  it('moves its key to a keychain that answers late, and until then says that it does not last', async () => {
    const keytar = scriptedKeytar();
    keytar.mood = 'hangs';
    const secrets = await openedSecretStore({
      loadKeytar: () => Promise.resolve(keytar),
      safeStorage: null,
      files: createSecretFiles(join(root, 'secrets')),
      known: createKnownSecrets(recordedLog().log),
      log: recordedLog().log,
      checkLimitMs: 1,
    });
    const vault = new KeyedVault(secrets, keyId, null);
    const early = valueOf(await vault.seal('early', belonging));
    expect(vault.isLasting()).toBe(false);
    keytar.mood = 'works';
    keytar.release();
    while (secrets.storage.kind !== 'keychain') await new Promise(setImmediate);
    // What is sealed already does not last until the key is there.
    expect(vault.isLasting()).toBe(false);
    const late = valueOf(await vault.seal('late', belonging));
    expect(vault.isLasting()).toBe(true);
    const again = await start(() => Promise.resolve(keytar));
    expect([valueOf(await again.open(early, belonging)), valueOf(await again.open(late, belonging))]).toEqual([
      'early',
      'late',
    ]);
  });

  it('continues with a new key if the keychain lost the old one', async () => {
    const keytar = scriptedKeytar();
    const sealed = valueOf(await (await start(() => Promise.resolve(keytar))).seal('old', belonging));
    keytar.entries.clear();
    const later = await start(() => Promise.resolve(keytar));
    expect(valueOf(await later.open(sealed, belonging))).toBeNull();
    const anew = valueOf(await later.seal('new', belonging));
    expect(valueOf(await (await start(() => Promise.resolve(keytar))).open(anew, belonging))).toBe('new');
  });

  it('creates no other key if the name of its key cannot be read: sealed texts would stay closed', async () => {
    const kept = new Map([['vault/key-id', '{"cut']]);
    const reading = readVaultKeyId(
      {
        documents: () => Promise.resolve([]),
        removeDocument: () => Promise.resolve(),
        readDocument: (kind, id) => Promise.resolve(kept.get(`${kind}/${id}`) ?? null),
        putDocument: (kind, id, json) => Promise.resolve(void kept.set(`${kind}/${id}`, json)),
      },
      randomUUID,
    );
    await expect(reading).rejects.toThrow('cannot be read');
    expect(kept.get('vault/key-id')).toBe('{"cut');
  });

  it('opens a text only for the subject it belongs to', async () => {
    const vault = await start();
    const sealed = valueOf(await vault.seal(env, 'pod/c/one'));
    expect(valueOf(await vault.open(sealed, 'pod/c/two'))).toBeNull();
    expect(valueOf(await vault.open(sealed, 'template/c/one'))).toBeNull();
    expect(valueOf(await vault.open(sealed, 'pod/c/one'))).toBe(env);
  });

  it('binds texts sealed by a former version, and opens no such text once nothing is left to bind', async () => {
    const keytar = scriptedKeytar();
    const key = randomBytes(32).toString('base64');
    valueOf(await (await openStore(() => Promise.resolve(keytar))).write(keyId, key));
    const kept = new Map<string, string>();
    const former = formerSealed(key, env);
    kept.set('pod/c/p', JSON.stringify({ sealedJson: former, other: 'v1.not-ours' }));
    const documents: Documents = {
      documents: (kind) =>
        Promise.resolve(
          [...kept]
            .filter(([at]) => at.startsWith(`${kind}/`))
            .map(([at, json]) => ({ id: at.slice(kind.length + 1), json })),
        ),
      removeDocument: () => Promise.resolve(),
      readDocument: (kind, id) => Promise.resolve(kept.get(`${kind}/${id}`) ?? null),
      putDocument: (kind, id, json) => Promise.resolve(void kept.set(`${kind}/${id}`, json)),
    };
    const open = async (): Promise<Vault> =>
      new KeyedVault(await openStore(() => Promise.resolve(keytar)), keyId, {
        documents,
        belongings: { pod: (id) => `pod/${id}` },
      });

    // What was read before it was bound still opens in this session.
    expect(valueOf(await (await open()).open(former, belonging))).toBe(env);
    const bound: unknown = JSON.parse(kept.get('pod/c/p') ?? '');
    expect(bound).toMatchObject({ sealedJson: expect.stringMatching(/^v2\./) as string, other: 'v1.not-ours' });
    const sealed = typeof bound === 'object' && bound !== null ? String(Reflect.get(bound, 'sealedJson')) : '';
    const second = await open();
    expect(valueOf(await second.open(sealed, belonging))).toBe(env);
    expect(valueOf(await second.open(sealed, 'pod/c/other'))).toBeNull();
    expect(kept.get('vault/is-bound')).toBe('true');
    expect(valueOf(await (await open()).open(former, belonging))).toBeNull();
  });
});

/** As former versions sealed: bound to nothing. */
function formerSealed(key: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
}

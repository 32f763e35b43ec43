import { z } from 'zod';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { createSerialQueue } from '../async/queues.ts';
import { byName, openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * Seals texts that hold secrets (the env of pods and templates) so that they can lie in the database. One key, made at
 * first use, is kept where keys are kept: what a thief finds in the file alone is noise.
 */
export interface Vault {
  /** Answers a text that only this computer's vault opens again. */
  seal(text: string): Promise<Result<string>>;
  /**
   * Null where it cannot be opened any more: its key is gone with a former session, or the text was damaged. A keychain
   * that does not answer is a failure.
   */
  open(sealed: string): Promise<Result<string | null>>;
  /** Whether what is sealed now can be opened after a restart. */
  isLasting(): boolean;
}

const keyIdKind: DocumentKind<string, string> = { kind: 'vault', schema: z.string(), id: byName };
const keyIdName = 'key-id';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const version = 'v1';

/**
 * What the vault's key is kept under. A random id of this data folder, not a fixed name: two data folders on one
 * computer share its keychain, and the one's key would replace the other's.
 */
export async function readVaultKeyId(documents: Documents, newId: () => string): Promise<string> {
  const collection = openCollection(documents, keyIdKind);
  const kept = await collection.read(keyIdName);
  if (kept !== null) return kept;
  // Another key would leave shut for good what was sealed under the former one.
  if ((await documents.readDocument(keyIdKind.kind, keyIdName)) !== null)
    throw new Error('The name of the key that seals variables cannot be read in the history. Nothing was changed.');
  const made = `vault:${newId()}`;
  await collection.put(keyIdName, made);
  return made;
}

/**
 * The vault over a secret store, its key under `keyId`. The key is read once; a read that failed is tried again at the
 * next use.
 */
export function createVault(secrets: Pick<SecretStore, 'read' | 'write' | 'storage' | 'ready'>, keyId: string): Vault {
  let held: Buffer | null = null;
  /** Whether the key is where it outlives the session. Null: there is none yet, and it will lie where keys lie. */
  let isKept: boolean | null = null;

  /**
   * The key is read and made by one call at a time: two at once would each find none, and the second key would replace
   * the first.
   */
  const turns = createSerialQueue();

  async function read(): Promise<Result<Buffer | null>> {
    if (held !== null) return ok(held);
    // Before it is read, for a keychain may answer in between.
    const isLastingPlace = secrets.storage.kind !== 'session';
    const kept = await secrets.read(keyId);
    if (!kept.ok) return kept;
    const key = kept.value === null ? null : Buffer.from(kept.value, 'base64');
    if (key?.length !== keyBytes) return ok(null);
    held = key;
    isKept = isLastingPlace;
    return ok(key);
  }

  async function keyForSealing(): Promise<Result<Buffer>> {
    await secrets.ready();
    const known = await read();
    if (!known.ok) return known;
    // Made while there was no keychain that answered: it moves to the one that does now, for what it sealed is on disk.
    const isToMove = known.value !== null && isKept === false && secrets.storage.kind !== 'session';
    if (known.value !== null && !isToMove) return ok(known.value);
    const key = known.value ?? randomBytes(keyBytes);
    const isLastingPlace = secrets.storage.kind !== 'session';
    const written = await secrets.write(keyId, key.toString('base64'));
    if (written.ok) {
      held = key;
      isKept = isLastingPlace;
    } else if (known.value === null) return written;
    return ok(key);
  }

  return {
    async seal(text) {
      const key = await turns.run(keyForSealing);
      if (!key.ok) return key;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key.value, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return ok(`${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`);
    },

    async open(sealed) {
      const [form, payload = ''] = sealed.split('.', 2);
      const bytes = Buffer.from(payload, 'base64');
      if (form !== version || bytes.length < nonceBytes + tagBytes) return ok(null);
      const key = await turns.run(read);
      if (!key.ok) return failed(key.failure);
      if (key.value === null) return ok(null);
      const decipher = createDecipheriv('aes-256-gcm', key.value, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        return ok(
          Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8'),
        );
      } catch {
        // Sealed under another key, or changed since.
        return ok(null);
      }
    },

    isLasting: () => isKept ?? secrets.storage.kind !== 'session',
  };
}

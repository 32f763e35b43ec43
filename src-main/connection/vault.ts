import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * Seals texts that hold secrets (the env of pods and templates) so that they can lie in the database. One key, made at
 * first use, is kept where keys are kept: what a thief finds in the file alone is noise.
 */
export interface Vault {
  /** Answers a text that only this computer's vault opens again. */
  seal(text: string): Promise<Result<string>>;
  /** Null where it cannot be opened any more: its key is gone with a former session, or the text was damaged. A keychain that does not answer is a failure. */
  open(sealed: string): Promise<Result<string | null>>;
  /** Whether what is sealed now can be opened after a restart. */
  isLasting(): boolean;
}

const keyId = 'vault';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const version = 'v1';

/** The vault over a secret store. The key is read once; a read that failed is tried again at the next use. */
export function createVault(secrets: Pick<SecretStore, 'read' | 'write' | 'storage'>): Vault {
  let reading: Promise<Result<Buffer | null>> | null = null;

  function readKey(): Promise<Result<Buffer | null>> {
    reading ??= read().then((result) => {
      // A failure may pass; that there is none may change with the next seal.
      if (!result.ok || result.value === null) reading = null;
      return result;
    });
    return reading;
  }

  async function read(): Promise<Result<Buffer | null>> {
    const kept = await secrets.read(keyId);
    if (!kept.ok) return kept;
    const key = kept.value === null ? null : Buffer.from(kept.value, 'base64');
    return ok(key?.length === keyBytes ? key : null);
  }

  let making: Promise<Result<Buffer>> | null = null;
  async function keyForSealing(): Promise<Result<Buffer>> {
    const known = await readKey();
    if (!known.ok) return known;
    if (known.value !== null) return ok(known.value);
    making ??= make().finally(() => {
      making = null;
    });
    return await making;
  }

  async function make(): Promise<Result<Buffer>> {
    const key = randomBytes(keyBytes);
    const written = await secrets.write(keyId, key.toString('base64'));
    if (!written.ok) return written;
    reading = Promise.resolve(ok(key));
    return ok(key);
  }

  return {
    async seal(text) {
      const key = await keyForSealing();
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
      const key = await readKey();
      if (!key.ok) return failed(key.failure);
      if (key.value === null) return ok(null);
      const decipher = createDecipheriv('aes-256-gcm', key.value, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        return ok(Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8'));
      } catch {
        // Sealed under another key, or changed since.
        return ok(null);
      }
    },

    isLasting: () => secrets.storage.kind !== 'session',
  };
}

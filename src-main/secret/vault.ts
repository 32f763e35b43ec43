import { z } from 'zod';
import { randomBytes, createCipheriv, createDecipheriv } from 'node:crypto';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { createSerialQueue } from '../async/queues.ts';
import { byName, openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import type { SecretStore } from './secret-store.ts';
import { secretText } from '../messages/secret.ts';

/**
 * Seals texts that contain secrets (the env of pods and templates), so that they can be saved in the database. Its one
 * key is made at first use and kept where keys are kept, so that the database file alone reveals nothing.
 */
export interface Vault {
  /**
   * Returns a text that only this computer's vault can open, and only for the same `belonging`: the subject that the
   * text is part of.
   */
  seal(text: string, belonging: string): Promise<Result<string>>;
  /**
   * Null if it can no longer be opened: its key was lost with an earlier session, the text was damaged, or it belongs
   * to another subject. A keychain that does not answer is a failure.
   */
  open(sealed: string, belonging: string): Promise<Result<string | null>>;
  /** Whether what is sealed now can be opened after a restart. */
  isLasting(): boolean;
}

const keyIdKind: DocumentKind<string, string> = { kind: 'vault', schema: z.string(), id: byName };
const keyIdName = 'key-id';
const keyBytes = 32;

/**
 * The id of the vault's key. A random id for each data folder: two data folders on one computer share its keychain, and
 * with a fixed name one key would replace the other.
 */
export async function readVaultKeyId(documents: Documents, newId: () => string): Promise<string> {
  const collection = openCollection(documents, keyIdKind);
  const kept = await collection.read(keyIdName);
  if (kept !== null) return kept;
  // With another key, everything sealed under the former one could never be opened again.
  if ((await documents.readDocument(keyIdKind.kind, keyIdName)) !== null)
    throw new Error(secretText.vaultKeyUnreadable);
  const made = `vault:${newId()}`;
  await collection.put(keyIdName, made);
  return made;
}

/** The vault on top of a secret store. Its key is read once; a failed read is repeated at the next use. */
export class KeyedVault implements Vault {
  readonly #secrets: Pick<SecretStore, 'read' | 'write' | 'storage' | 'ready'>;
  readonly #keyId: string;
  readonly #former: SealedDocuments | null;
  #key: Buffer | null = null;
  /**
   * Whether the key is in a place that outlives the session. Null: there is none yet, and it will be kept where keys
   * are kept.
   */
  #isKeyLasting: boolean | null = null;
  /** Whether texts that are not bound to a subject can be opened: true until a session finds none to bind. */
  #formerBinding: Promise<boolean> | null = null;
  /**
   * The key is read and created by one call at a time. Two at once would each find none, and the second key would
   * replace the first.
   */
  readonly #turns = createSerialQueue();

  /** `keyId`: the name of its key in the store. `former`: where texts of former versions may be, or null. */
  constructor(
    secrets: Pick<SecretStore, 'read' | 'write' | 'storage' | 'ready'>,
    keyId: string,
    former: SealedDocuments | null,
  ) {
    this.#secrets = secrets;
    this.#keyId = keyId;
    this.#former = former;
  }

  /** Encrypts a text for its subject. Errors: the key cannot be read or saved. */
  async seal(text: string, belonging: string): Promise<Result<string>> {
    const key = await this.#turns.run(() => this.#keyForSealing());
    return key.ok ? ok(encrypt(key.value, text, belonging)) : key;
  }

  /** Decrypts a sealed text of this subject. Null if that is no longer possible. */
  async open(sealed: string, belonging: string): Promise<Result<string | null>> {
    const [version, payload = ''] = sealed.split('.', 2);
    const bytes = Buffer.from(payload, 'base64');
    if (version !== sealVersion && version !== formerSealVersion) return ok(null);
    const key = await this.#turns.run(() => this.#keyForOpening());
    if (!key.ok) return failed(key.failure);
    if (key.value === null) return ok(null);
    if (version === sealVersion) return ok(decrypt(key.value, bytes, belonging));
    // It was read before it was bound.
    return ok((await this.#formerBinding) === true ? decrypt(key.value, bytes, null) : null);
  }

  /** Whether what is sealed now can be opened after a restart. */
  isLasting(): boolean {
    return this.#isKeyLasting ?? this.#isPlaceLasting();
  }

  #isPlaceLasting(): boolean {
    return this.#secrets.storage.kind !== 'session';
  }

  async #readKey(): Promise<Result<Buffer | null>> {
    if (this.#key !== null) return ok(this.#key);
    // Before it is read, because a keychain may answer in between.
    const isPlaceLasting = this.#isPlaceLasting();
    const kept = await this.#secrets.read(this.#keyId);
    if (!kept.ok) return kept;
    const key = kept.value === null ? null : Buffer.from(kept.value, 'base64');
    if (key?.length !== keyBytes) return ok(null);
    this.#key = key;
    this.#isKeyLasting = isPlaceLasting;
    return ok(key);
  }

  async #keyForSealing(): Promise<Result<Buffer>> {
    await this.#secrets.ready();
    const known = await this.#readKey();
    if (!known.ok) return known;
    // It was created while no keychain answered. It moves to the one that does now, because what it sealed is on disk.
    const isToMove = known.value !== null && this.#isKeyLasting === false && this.#isPlaceLasting();
    if (known.value !== null && !isToMove) return ok(known.value);
    const key = known.value ?? randomBytes(keyBytes);
    const isPlaceLasting = this.#isPlaceLasting();
    const written = await this.#secrets.write(this.#keyId, key.toString('base64'));
    if (written.ok) {
      this.#key = key;
      this.#isKeyLasting = isPlaceLasting;
    } else if (known.value === null) return written;
    return ok(key);
  }

  /** The key, after what former versions sealed was bound. */
  async #keyForOpening(): Promise<Result<Buffer | null>> {
    const key = await this.#readKey();
    if (!key.ok || key.value === null || this.#former === null) return key;
    try {
      await (this.#formerBinding ??= bindFormer(key.value, this.#former));
    } catch (error) {
      this.#formerBinding = null;
      return failed({ kind: 'storage', message: secretText.couldNotOpenVault, detail: errorText(error) });
    }
    return key;
  }
}

const nonceBytes = 12;
const tagBytes = 16;
/** What a sealed text begins with. */
const sealVersion = 'v2';
/** The version of former texts, which are not bound to a subject. */
const formerSealVersion = 'v1';

/** The text, encrypted with the key so that it can be opened only for `belonging`. */
function encrypt(key: Buffer, text: string, belonging: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belonging));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${sealVersion}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
}

/**
 * What `bytes`, a sealed text without version, contains. `belonging` null: it is of a former version. Null if it was
 * sealed under another key or for another subject, or was changed since.
 */
function decrypt(key: Buffer, bytes: Buffer, belonging: string | null): string | null {
  if (bytes.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  if (belonging !== null) decipher.setAAD(Buffer.from(belonging));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const body = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** The documents with sealed texts, so that those of former versions can be bound to their subjects. */
interface SealedDocuments {
  documents: Documents;
  /** The subject of the sealed texts in a document, by its kind and its id. */
  belongings: Record<string, (documentId: string) => string>;
}

const boundKind: DocumentKind<boolean, string> = { kind: 'vault', schema: z.boolean(), id: byName };
const boundName = 'is-bound';
/** A former text in the JSON of a document. */
const formerText = /"v1\.([A-Za-z0-9+/]{38,}={0,2})"/g;

/**
 * Seals again what former versions sealed without a subject, once for each data folder. Returns whether there may have
 * been any, so that such a text, read before it was bound, can still be opened in this session. Rejects if the history
 * cannot be read or written.
 */
async function bindFormer(key: Buffer, { documents, belongings }: SealedDocuments): Promise<boolean> {
  const isBound = openCollection(documents, boundKind);
  if ((await isBound.read(boundName)) === true) return false;
  let count = 0;
  for (const [kind, belongingOf] of Object.entries(belongings)) {
    for (const { id, json } of await documents.documents(kind)) {
      const bound = json.replaceAll(formerText, (quoted, payload: string) => {
        const text = decrypt(key, Buffer.from(payload, 'base64'), null);
        return text === null ? quoted : `"${encrypt(key, text, belongingOf(id))}"`;
      });
      if (bound === json) continue;
      count += 1;
      await documents.putDocument(kind, id, bound);
    }
  }
  // What was read before may be written back unchanged, so the next session checks again.
  if (count === 0) await isBound.put(boundName, true);
  return count > 0;
}

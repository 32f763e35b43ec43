import { z } from 'zod';
import { randomBytes } from 'node:crypto';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { createSerialQueue } from '../async/queues.ts';
import { byName, openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import { bindFormer, type SealedDocuments } from './bind-former.ts';
import { decrypt, encrypt, formerSealVersion, sealVersion } from './sealing.ts';
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

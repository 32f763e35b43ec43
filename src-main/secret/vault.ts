import { z } from 'zod';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
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
const nonceBytes = 12;
const tagBytes = 16;
const version = 'v2';
/** The version of former texts, which are not bound to a subject. */
const formerVersion = 'v1';

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

/** The documents with sealed texts, so that those of former versions can be bound to their subjects. */
interface SealedDocuments {
  documents: Documents;
  /** The subject of the sealed texts in a document, by its kind and its id. */
  belongings: Record<string, (documentId: string) => string>;
}

const boundName = 'is-bound';

/**
 * The vault on top of a secret store, with its key under `keyId`. The key is read once; a failed read is repeated at
 * the next use. `former`: where texts of former versions may be, or null.
 */
export function createVault(
  secrets: Pick<SecretStore, 'read' | 'write' | 'storage' | 'ready'>,
  keyId: string,
  former: SealedDocuments | null,
): Vault {
  let held: Buffer | null = null;
  /**
   * Whether the key is in a place that outlives the session. Null: there is none yet, and it will be kept where keys
   * are kept.
   */
  let isKept: boolean | null = null;

  /**
   * The key is read and created by one call at a time. Two at once would each find none, and the second key would
   * replace the first.
   */
  const turns = createSerialQueue();

  async function read(): Promise<Result<Buffer | null>> {
    if (held !== null) return ok(held);
    // Before it is read, because a keychain may answer in between.
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
    // It was created while no keychain answered. It moves to the one that does now, because what it sealed is on disk.
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

  /** Whether texts that are not bound to a subject can be opened: true until a session finds none to bind. */
  let isFormerOpened: Promise<boolean> | null = null;

  /** Seals again what former versions sealed, once for each data folder. Returns whether there may have been any. */
  async function bindFormer(key: Buffer): Promise<boolean> {
    if (former === null) return false;
    const { documents, belongings } = former;
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

  /** The key, after what former versions sealed was bound. */
  async function keyForOpening(): Promise<Result<Buffer | null>> {
    const key = await read();
    if (!key.ok || key.value === null) return key;
    try {
      await (isFormerOpened ??= bindFormer(key.value));
    } catch (error) {
      isFormerOpened = null;
      return failed({
        kind: 'storage',
        message: secretText.couldNotOpenVault,
        detail: errorText(error),
      });
    }
    return key;
  }

  return {
    async seal(text, belonging) {
      const key = await turns.run(keyForSealing);
      return key.ok ? ok(encrypt(key.value, text, belonging)) : key;
    },

    async open(sealed, belonging) {
      const [form, payload = ''] = sealed.split('.', 2);
      const bytes = Buffer.from(payload, 'base64');
      if (form !== version && form !== formerVersion) return ok(null);
      const key = await turns.run(keyForOpening);
      if (!key.ok) return failed(key.failure);
      if (key.value === null) return ok(null);
      if (form === version) return ok(decrypt(key.value, bytes, belonging));
      // It was read before it was bound.
      return ok((await isFormerOpened) === true ? decrypt(key.value, bytes, null) : null);
    },

    isLasting: () => isKept ?? secrets.storage.kind !== 'session',
  };
}

const boundKind: DocumentKind<boolean, string> = { kind: 'vault', schema: z.boolean(), id: byName };
/** A former text in the JSON of a document. */
const formerText = /"v1\.([A-Za-z0-9+/]{38,}={0,2})"/g;

function encrypt(key: Buffer, text: string, belonging: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belonging));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
}

/** Null if it was sealed under another key or for another subject, or was changed since. */
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

import { z } from 'zod';
import { byName, openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import { decrypt, encrypt } from './sealing.ts';

/** The documents with sealed texts, so that those of former versions can be bound to their subjects. */
export interface SealedDocuments {
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
export async function bindFormer(key: Buffer, { documents, belongings }: SealedDocuments): Promise<boolean> {
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

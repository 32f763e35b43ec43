import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
/** What a sealed text begins with. */
export const sealVersion = 'v2';
/** The version of former texts, which are not bound to a subject. */
export const formerSealVersion = 'v1';

/** The text, encrypted with the key so that it can be opened only for `belonging`. */
export function encrypt(key: Buffer, text: string, belonging: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belonging));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${sealVersion}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
}

/**
 * What `bytes`, a sealed text without version, contains. `belonging` null: it is of a former version. Null if it was
 * sealed under another key or for another subject, or was changed since.
 */
export function decrypt(key: Buffer, bytes: Buffer, belonging: string | null): string | null {
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

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { AsyncSafeStorage } from '../../../src-main/secret/safe-storage.ts';

const ivBytes = 12;
const tagBytes = 16;

/**
 * A computer that can encrypt for an app: AES-256-GCM under its own key, which never leaves it. Pass the same one to an
 * app that is opened again.
 */
export function createSealing(): AsyncSafeStorage {
  const key = randomBytes(32);
  return {
    isAsyncEncryptionAvailable: () => Promise.resolve(true),
    openTag: null,
    encryptStringAsync(plainText) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
      return Promise.resolve(Buffer.concat([iv, cipher.getAuthTag(), sealed]));
    },
    async decryptStringAsync(encrypted) {
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, ivBytes));
      decipher.setAuthTag(encrypted.subarray(ivBytes, ivBytes + tagBytes));
      const opened = Buffer.concat([decipher.update(encrypted.subarray(ivBytes + tagBytes)), decipher.final()]);
      return { result: opened.toString('utf8'), shouldReEncrypt: false };
    },
  };
}

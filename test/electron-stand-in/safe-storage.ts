import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { guard } from './guard.ts';
import { isReady } from './readiness.ts';

/*
 * Chromium infers a keyring from the desktop's name alone. If no keyring answers, it encrypts under a password that is
 * the same for everyone (the tag v10 on Linux) and does not report it. ELECTRON_STAND_IN_KEYRING=works|broken|absent: a
 * keyring that answers (v11), one that is inferred and does not answer, or none for an unknown desktop.
 */
const keyring = process.env['ELECTRON_STAND_IN_KEYRING'] ?? 'absent';
const isGuarded = keyring === 'works';
/** The key in the stand-in's keyring. The app never sees it. */
const keyringKey = createHash('sha256').update('the keyring of the Electron stand-in').digest();
const nonceBytes = 12;
const signBytes = 16;

/** By the desktop's name, whatever answers there (Electron's types: getSelectedStorageBackend). */
function backendOf(desktop: string): string {
  if (keyring === 'absent') return 'basic_text';
  if (/kde/i.test(desktop)) return 'kwallet6';
  return /x-cinnamon|deepin|gnome|pantheon|xfce|ukui|unity/i.test(desktop) ? 'gnome_libsecret' : 'basic_text';
}

/** Electron's asynchronous methods only. The synchronous ones are gone in Electron 46 and throw by name. */
export const safeStorage = guard('safeStorage', {
  getSelectedStorageBackend: (): string => backendOf(process.env['XDG_CURRENT_DESKTOP'] ?? ''),
  isAsyncEncryptionAvailable: async (): Promise<boolean> => isReady(),
  async encryptStringAsync(plainText: string): Promise<Buffer> {
    requireReady();
    if (isGuarded) return seal(plainText);
    return Buffer.concat([Buffer.from('v10'), disguise(Buffer.from(plainText, 'utf8'))]);
  },
  async decryptStringAsync(encrypted: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    requireReady();
    if (!ArrayBuffer.isView(encrypted))
      throw new Error('Expected the first argument of decryptStringAsync() to be a buffer');
    if (encrypted.length === 0) return { shouldReEncrypt: false, result: '' };
    const tag = String(encrypted.subarray(0, 3));
    if (tag === 'v10') return { shouldReEncrypt: isGuarded, result: disguise(encrypted.subarray(3)).toString('utf8') };
    if (tag === 'v11' && isGuarded) return { shouldReEncrypt: false, result: open(encrypted) };
    throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
  },
});

function requireReady(): void {
  if (!isReady()) throw new Error('safeStorage cannot be used before app is ready');
}

function seal(plainText: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyringKey, nonce);
  const sealed = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from('v11'), nonce, cipher.getAuthTag(), sealed]);
}

function open(encrypted: Buffer): string {
  const nonceEnd = 3 + nonceBytes;
  const decipher = createDecipheriv('aes-256-gcm', keyringKey, encrypted.subarray(3, nonceEnd));
  decipher.setAuthTag(encrypted.subarray(nonceEnd, nonceEnd + signBytes));
  return decipher.update(encrypted.subarray(nonceEnd + signBytes), undefined, 'utf8') + decipher.final('utf8');
}

/** Chromium's fallback only disguises the text, under a key that everyone knows. So does this. */
function disguise(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0x5a));
}

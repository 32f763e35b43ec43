import { safeStorage } from 'electron';
import type { AsyncSafeStorage } from '../secret/safe-storage.ts';

/** Electron's safeStorage, its asynchronous methods only: the synchronous ones end with Electron 46. */
export function electronSafeStorage(): AsyncSafeStorage {
  return {
    isAsyncEncryptionAvailable: () => safeStorage.isAsyncEncryptionAvailable(),
    encryptStringAsync: (plainText) => safeStorage.encryptStringAsync(plainText),
    decryptStringAsync: (encrypted) => safeStorage.decryptStringAsync(encrypted),
    // Exists on Linux only; elsewhere the system's own store is behind safeStorage.
    ...(process.platform === 'linux'
      ? { getSelectedStorageBackend: () => safeStorage.getSelectedStorageBackend() }
      : {}),
  };
}

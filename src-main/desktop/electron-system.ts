import { app, clipboard, ClipboardItem, safeStorage } from 'electron';
import type { AsyncSafeStorage } from '../secret/safe-storage.ts';
import type { ConcealedClipboardParts } from './concealed-clipboard.ts';
import type { LinkSystem } from './links/links.ts';
import { isWayland } from './linux/wayland.ts';

/**
 * Electron's safeStorage, after `mayAsk`. Only its asynchronous methods, because Electron 46 removes the synchronous
 * ones.
 */
export function electronSafeStorage(mayAsk: Promise<void>): AsyncSafeStorage {
  return {
    isAsyncEncryptionAvailable: () => mayAsk.then(() => safeStorage.isAsyncEncryptionAvailable()),
    encryptStringAsync: (plainText) => mayAsk.then(() => safeStorage.encryptStringAsync(plainText)),
    decryptStringAsync: (encrypted) => mayAsk.then(() => safeStorage.decryptStringAsync(encrypted)),
    // On other systems the same tag means a key in the system's own store.
    openTag: process.platform === 'linux' ? 'v10' : null,
  };
}

/** Whether Wayland shows the windows of this process. */
export function isOnWayland(): boolean {
  const ozonePlatform = app.commandLine.getSwitchValue('ozone-platform');
  return isWayland({ platform: process.platform, env: process.env, ozonePlatform });
}

/** Electron's clipboard, with one text per format. */
export function electronClipboard(): ConcealedClipboardParts['clipboard'] {
  return {
    readText: () => clipboard.readText(),
    write: (texts) => clipboard.write([new ClipboardItem(texts)]),
    clear: () => clipboard.clear(),
  };
}

/** What Electron knows of the program that opens links. */
export function electronLinkSystem(): LinkSystem {
  return {
    platform: process.platform,
    isPackaged: app.isPackaged,
    isDefaultProtocolClient: (scheme) => app.isDefaultProtocolClient(scheme),
    setAsDefaultProtocolClient: (scheme) => app.setAsDefaultProtocolClient(scheme),
  };
}

import { app, session } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import type { ProxyChoice } from '../../src-preload/network.ts';
import type { NewVersion } from '../../src-preload/update.ts';
import type { Log } from '../log.ts';
import type { UpdateFeed } from './updates.ts';

/** The session of electron-updater's requests. */
const updaterSession = 'electron-updater';

/**
 * True where this copy came from a package; a checkout with a `dev-app-update.yml` plays one, so that updates can be
 * tried.
 */
export function isInstalledCopy(): boolean {
  return app.isPackaged || existsSync(join(app.getAppPath(), 'dev-app-update.yml'));
}

/**
 * Opens a feed with electron-updater, which is loaded for it and not before. Errors: rejects where this kind of package
 * cannot be updated in place.
 */
export async function openUpdateFeed(url: string, proxy: ProxyChoice, log: Log): Promise<UpdateFeed> {
  const { autoUpdater: updater } = await import('electron-updater');
  await session.fromPartition(updaterSession, { cache: false }).setProxy(proxyConfig(proxy));
  setUp(updater, url, log);
  return {
    async newest() {
      const found = await updater.checkForUpdates();
      if (found === null) throw new Error('This kind of package is updated by what installed it.');
      return found.isUpdateAvailable ? versionOf(found.updateInfo) : null;
    },
    async download(onShare) {
      const progress = ({ percent }: { percent: number }): void => onShare(percent / 100);
      updater.on('download-progress', progress);
      try {
        await updater.downloadUpdate();
      } finally {
        updater.removeListener('download-progress', progress);
      }
    },
    restart: () => updater.quitAndInstall(false, true),
  };
}

function setUp(updater: AppUpdater, url: string, log: Log): void {
  updater.forceDevUpdateConfig = !app.isPackaged;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
  // It would name this copy to the feed by an id of its own.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  updater.logger = {
    info: () => undefined,
    warn: (message: unknown) => log.warn('electron-updater', { message: log.redact(String(message)).slice(0, 500) }),
    error: (message: unknown) => log.warn('electron-updater', { message: log.redact(String(message)).slice(0, 500) }),
  };
  updater.setFeedURL({ provider: 'generic', url });
}

function proxyConfig(choice: ProxyChoice): Electron.ProxyConfig {
  switch (choice.kind) {
    case 'system':
      return { mode: 'system' };
    case 'none':
      return { mode: 'direct' };
    case 'manual':
      return { mode: 'fixed_servers', proxyRules: choice.url };
  }
}

const longestNotes = 4_000;

function versionOf({ version, releaseDate, releaseNotes }: UpdateInfo): NewVersion {
  const releasedAtMs = Date.parse(releaseDate);
  const notes = typeof releaseNotes === 'string' ? releaseNotes : null;
  return {
    version,
    releasedAtMs: Number.isFinite(releasedAtMs) ? releasedAtMs : null,
    notes: notes === null || notes.trim() === '' ? null : notes.trim().slice(0, longestNotes),
  };
}

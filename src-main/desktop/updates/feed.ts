import { app, session } from 'electron';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import type { ProxyChoice } from '../../../src-preload/network.ts';
import type { NewVersion } from '../../../src-preload/update.ts';
import type { Log } from '../../log.ts';
import { updateFailureText } from '../../messages/desktop/updates.ts';
import type { UpdateFeed } from './updates.ts';

/** The session of electron-updater's requests. */
const updaterSession = 'electron-updater';

/**
 * The update address in this copy's package. Null if it did not come from a package. A checkout with a
 * `dev-app-update.yml` counts as a package, so that updates can be tried.
 */
export function packageFeedUrl(): string | null {
  const path = app.isPackaged
    ? join(process.resourcesPath, 'app-update.yml')
    : join(app.getAppPath(), 'dev-app-update.yml');
  try {
    return /^url: *['"]?([^\s'"]+)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Opens a feed with electron-updater, which is loaded only then. Rejects if this kind of package cannot be updated in
 * place.
 */
export async function openUpdateFeed(url: string, proxy: ProxyChoice, log: Log): Promise<UpdateFeed> {
  const { autoUpdater: updater } = await import('electron-updater');
  await session.fromPartition(updaterSession, { cache: false }).setProxy(proxyConfig(proxy));
  await keepAnonymous();
  setUp(updater, url, log);
  return {
    async newest() {
      const found = await updater.checkForUpdates();
      if (found === null) throw new Error(updateFailureText.managedPackage);
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

/** The same id for all copies. Otherwise electron-updater would create an id for this copy and send it. */
const nobody = '00000000-0000-4000-8000-000000000000';

async function keepAnonymous(): Promise<void> {
  await writeFile(join(app.getPath('userData'), '.updaterId'), nobody, { mode: 0o600 });
}

function setUp(updater: AppUpdater, url: string, log: Log): void {
  updater.forceDevUpdateConfig = !app.isPackaged;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
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

const maxNotesChars = 4_000;

function versionOf({ version, releaseDate, releaseNotes }: UpdateInfo): NewVersion {
  const releasedAtMs = Date.parse(releaseDate);
  const notes = typeof releaseNotes === 'string' ? releaseNotes : null;
  return {
    version,
    releasedAtMs: Number.isFinite(releasedAtMs) ? releasedAtMs : null,
    notes: notes === null || notes.trim() === '' ? null : notes.trim().slice(0, maxNotesChars),
  };
}

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { windowsIdentity } from '../../../src-main/desktop/notifications/windows-identity.ts';
import { linkScheme } from '../../../src-preload/job-link.ts';

/** electron-builder's own check of a configuration against its own schema (no types are published for it). */
interface OwnCheck {
  validateConfiguration(config: unknown, debugLogger: { isEnabled: boolean; add(): void }): Promise<void>;
}

function isOwnCheck(module: unknown): module is OwnCheck {
  return (
    typeof module === 'object' &&
    module !== null &&
    'validateConfiguration' in module &&
    typeof module.validateConfiguration === 'function'
  );
}

const require = createRequire(import.meta.url);
const root = new URL('../../../', import.meta.url);
const packageJson: {
  build: Record<string, unknown>;
  main: string;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  dependencies?: Record<string, string>;
} = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

async function check(config: unknown): Promise<void> {
  const module: unknown = require('app-builder-lib/out/util/config/config');
  if (!isOwnCheck(module)) throw new Error('electron-builder no longer offers validateConfiguration');
  await module.validateConfiguration(config, { isEnabled: false, add: () => undefined });
}

describe('the packaging configuration', () => {
  it('is valid by electron-builder’s own schema', async () => {
    await expect(check(packageJson.build)).resolves.toBeUndefined();
  });

  it('is refused by that schema if a name is misspelt, so the check is a real one', async () => {
    await expect(check({ ...packageJson.build, npmRebuilt: false })).rejects.toThrow(/npmRebuilt/);
  });

  it('builds AppImage and deb, dmg and nsis, and the zip that macOS is updated from', () => {
    expect(packageJson.build).toMatchObject({
      linux: { target: ['AppImage', 'deb'] },
      mac: { target: ['dmg', 'zip'] },
      win: { target: ['nsis'] },
    });
  });

  it('leaves keytar and what Python runs outside the archive, and rebuilds nothing', () => {
    expect(packageJson.build).toMatchObject({
      asarUnpack: ['node_modules/keytar/**', 'out/main/chunks/python-bridge.py'],
      npmRebuild: false,
    });
    expect(packageJson.build['files']).toContain('!node_modules/**');
    expect(Object.keys(packageJson.optionalDependencies)).toEqual(['keytar']);
    expect(Object.keys(packageJson.dependencies ?? {})).toEqual([]);
  });

  it('closes the fuses that would let others run code as Jobdeck', () => {
    expect(packageJson.build['electronFuses']).toEqual({
      // Fuses change the program, and Apple’s processors start none whose signature does not fit it.
      resetAdHocDarwinSignature: true,
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      // It would ask the keyring at every start, for cookies that nothing here sets.
      enableCookieEncryption: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('removes from the registry of Windows, on uninstallation, everything that Jobdeck registered under its own names', () => {
    const script = readFileSync(new URL('resources/uninstall.nsh', root), 'utf8');
    const { appUserModelId, toastActivator } = windowsIdentity(true);
    expect(packageJson.build).toMatchObject({ nsis: { include: 'resources/uninstall.nsh' } });
    expect(script).toContain(`DeleteRegKey HKCU "Software\\Classes\\${linkScheme}"`);
    expect(script).toContain(`!define toastActivator "Software\\Classes\\CLSID\\${toastActivator}"`);
    // Electron names the entry of the start at login by the app's user model id, which the installer calls APP_ID.
    expect(appUserModelId).toBe(packageJson.build['appId']);
    expect(script.match(/DeleteRegValue HKCU "[^"]+" "\$\{APP_ID\}"/g)).toHaveLength(2);
    // Each only if it is this copy's, and never on an update.
    expect(script.match(/!insertmacro startsThisCopy \$0\n\s+\$\{if\} \$1 == "yes"\n\s+DeleteReg/g)).toHaveLength(3);
    expect(script).toMatch(/!macro customUnInstall\n\s+\$\{ifNot\} \$\{isUpdated\}/);
  });

  it('pins Electron exactly', () => {
    expect(packageJson.devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('starts the AppImage with its sandbox, and needs nothing that new systems lack', () => {
    expect(packageJson.build).toMatchObject({ toolsets: { appimage: '1.0.3' } });
    expect(JSON.stringify(packageJson.build)).not.toContain('no-sandbox');
  });

  it('names every library that Electron links to, under the names of old and new Debian', () => {
    expect(packageJson.build['deb']).toEqual({
      depends: [
        'libasound2 | libasound2t64',
        'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
        'libatspi2.0-0 | libatspi2.0-0t64',
        'libcups2 | libcups2t64',
        'libdrm2',
        'libgbm1',
        'libgtk-3-0 | libgtk-3-0t64',
        'libnotify4',
        'libnss3',
        'libsecret-1-0',
        'libuuid1',
        'libxcomposite1',
        'libxdamage1',
        'libxkbcommon0',
        'libxrandr2',
        'libxss1',
        'libxtst6',
        'xdg-utils',
      ],
    });
  });

  it('has one name for the desktop file, the window and the portal', () => {
    expect(packageJson).toMatchObject({ desktopName: 'dev.jobdeck.app.desktop', build: { appId: 'dev.jobdeck.app' } });
    expect(packageJson.build).toMatchObject({ linux: { syncDesktopName: true } });
  });

  it('signs and notarises if the environment has the keys, and asks macOS for one permission only', () => {
    expect(packageJson.build).toMatchObject({
      mac: { hardenedRuntime: true, entitlements: 'resources/entitlements.mac.plist' },
    });
    expect(JSON.stringify(packageJson.build)).not.toMatch(/forceCodeSigning|identity|certificateFile|password/i);
    const plist = readFileSync(new URL('resources/entitlements.mac.plist', root), 'utf8');
    expect(plist.match(/<key>.*<\/key>/g)).toEqual(['<key>com.apple.security.cs.allow-jit</key>']);
  });

  it('asks macOS for persistent notifications, because only those show Electron’s buttons', () => {
    expect(packageJson.build).toMatchObject({ mac: { extendInfo: { NSUserNotificationAlertStyle: 'alert' } } });
  });

  it('names icons that exist, in the format of each system', () => {
    const start = (path: string): string => readFileSync(new URL(path, root)).subarray(0, 4).toString('latin1');
    expect(packageJson.build).toMatchObject({
      linux: { icon: 'resources/icons' },
      mac: { icon: 'resources/icon.icns' },
      win: { icon: 'resources/icon.ico' },
    });
    expect(start('resources/icon.icns')).toBe('icns');
    expect(start('resources/icon.ico')).toBe('\0\0\u0001\0');
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
      const png = readFileSync(new URL(`resources/icons/${size}x${size}.png`, root));
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
    }
    expect(existsSync(new URL('resources/icon.png', root))).toBe(true);
    for (const state of ['idle', 'active', 'failed', 'attention', 'offline', 'paused']) {
      for (const tone of ['dark', 'light']) {
        expect(start(`resources/tray/${state}-on-${tone}.ico`)).toBe('\0\0\u0001\0');
        expect(existsSync(new URL(`resources/tray/${state}-on-${tone}.png`, root)), `${state}-on-${tone}`).toBe(true);
        expect(existsSync(new URL(`resources/tray/${state}-on-${tone}@2x.png`, root)), `${state}-on-${tone}@2x`).toBe(
          true,
        );
      }
    }
  });
});

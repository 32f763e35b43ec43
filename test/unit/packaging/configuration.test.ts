import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

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
  dependencies?: Record<string, string>;
} = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

async function check(config: unknown): Promise<void> {
  const module: unknown = require('app-builder-lib/out/util/config/config');
  if (!isOwnCheck(module)) throw new Error('electron-builder no longer offers validateConfiguration');
  await module.validateConfiguration(config, { isEnabled: false, add: () => undefined });
}

describe('the packaging configuration', () => {
  it('holds against electron-builder’s own schema', async () => {
    await expect(check(packageJson.build)).resolves.toBeUndefined();
  });

  it('is refused by that schema when a name is misspelt, so the check is a real one', async () => {
    await expect(check({ ...packageJson.build, npmRebuilt: false })).rejects.toThrow(/npmRebuilt/);
  });

  it('makes AppImage and deb, dmg and nsis', () => {
    expect(packageJson.build).toMatchObject({
      linux: { target: ['AppImage', 'deb'] },
      mac: { target: ['dmg'] },
      win: { target: ['nsis'] },
    });
  });

  it('leaves keytar outside the archive and rebuilds nothing', () => {
    expect(packageJson.build).toMatchObject({ asarUnpack: ['node_modules/keytar/**'], npmRebuild: false });
    expect(Object.keys(packageJson.optionalDependencies)).toEqual(['keytar']);
    expect(Object.keys(packageJson.dependencies ?? {})).toEqual([]);
  });

  it('closes the fuses that would let others run code as Jobdeck', () => {
    expect(packageJson.build['electronFuses']).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      enableCookieEncryption: true,
    });
  });

  it('names icons that exist', () => {
    expect(existsSync(new URL('resources/icon.png', root))).toBe(true);
    for (const state of ['idle', 'active', 'failed', 'attention', 'offline', 'paused']) {
      for (const tone of ['dark', 'light']) {
        expect(existsSync(new URL(`resources/tray/${state}-on-${tone}.png`, root)), `${state}-on-${tone}`).toBe(true);
        expect(existsSync(new URL(`resources/tray/${state}-on-${tone}@2x.png`, root)), `${state}-on-${tone}@2x`).toBe(
          true,
        );
      }
    }
  });
});

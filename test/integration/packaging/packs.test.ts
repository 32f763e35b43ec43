import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder = '';
let packed: { files: string[]; fuses: Record<string, number> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jobdeck-pack-'));
  const script = new URL('pack-scene.ts', import.meta.url).pathname;
  const env = { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder], { env, maxBuffer: 2 ** 24 });
  packed = JSON.parse(stdout.trim().split('\n').at(-1) ?? 'null');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed app, made without a network', () => {
  it('holds the bundles and of all packages only what of keytar is loaded', () => {
    const modules = packed.files.filter((file) => file.startsWith('/node_modules/'));
    expect(modules.filter((file) => /\.\w+$/.test(file)).toSorted()).toEqual([
      '/node_modules/keytar/LICENSE.md',
      '/node_modules/keytar/build/Release/keytar.node',
      '/node_modules/keytar/lib/keytar.js',
      '/node_modules/keytar/package.json',
    ]);
    expect(packed.files).toContain('/out/main/main.js');
    expect(packed.files.filter((file) => file.endsWith('.map') || file.endsWith('.ts'))).toEqual([]);
    expect(packed.files).toContain('/resources/tray/idle-on-dark.ico');
  });

  it('has keytar’s native part outside the archive, where it can be loaded', () => {
    const at = 'dist/linux-unpacked/resources/app.asar.unpacked/node_modules/keytar/build/Release/keytar.node';
    expect(existsSync(join(folder, at))).toBe(true);
  });

  it('has its fuses blown as they are to be, read back from the program', () => {
    // Of @electron/fuses, version 1, by their places: "0" is off and "1" is on.
    const states = Array.from({ length: 8 }, (_, place) => String.fromCharCode(packed.fuses[place] ?? 0));
    expect(states.slice(0, 7)).toEqual(['0', '0', '0', '0', '1', '1', '0']);
    expect(states[7]).toBe('0');
  });
});

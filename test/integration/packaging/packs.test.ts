import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { autostartFile } from '../../../src-main/desktop/system-settings/desktop-files.ts';
import { isSbom } from '../../run/notices/sbom.ts';

let folder = '';
let packed: {
  files: string[];
  fuses: Record<string, number>;
  desktop: { name: string; entry: string; icons: { size: number; isOurs: boolean }[] };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jobdeck-pack-'));
  const script = fileURLToPath(new URL('pack-scene.ts', import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder], { env, maxBuffer: 2 ** 24 });
  packed = JSON.parse(stdout.trim().split('\n').at(-1) ?? 'null');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed app, built without a network', () => {
  it('contains the bundles and, of all packages, only the loaded parts of keytar', () => {
    const modules = packed.files.filter((file) => file.startsWith('/node_modules/'));
    expect(modules.filter((file) => /\.\w+$/.test(file)).toSorted()).toEqual([
      '/node_modules/keytar/LICENSE.md',
      '/node_modules/keytar/build/Release/keytar.node',
      '/node_modules/keytar/lib/keytar.js',
      '/node_modules/keytar/package.json',
    ]);
    expect(packed.files.filter((file) => /^\/[^/]+$/.test(file)).toSorted()).toEqual([
      '/node_modules',
      '/out',
      '/package.json',
      '/resources',
    ]);
    expect(packed.files).toContain('/out/main/main.js');
    expect(packed.files.filter((file) => file.endsWith('.map') || file.endsWith('.ts'))).toEqual([]);
    expect(packed.files).toContain('/resources/tray/idle-on-dark.ico');
  });

  it('has keytar’s native part outside the archive, where it can be loaded', () => {
    const at = 'dist/linux-unpacked/resources/app.asar.unpacked/node_modules/keytar/build/Release/keytar.node';
    expect(existsSync(join(folder, at))).toBe(true);
  });

  it('has what Python runs outside the archive, where another program can read it', () => {
    const at = 'dist/linux-unpacked/resources/app.asar.unpacked/out/main/chunks/python-bridge.py';
    expect(readFileSync(join(folder, at), 'utf8')).toContain('def ');
  });

  it('has a desktop file named after its windows, for its own links, with icons that need no conversion', () => {
    const { name, entry, icons } = packed.desktop;
    expect(name).toBe('dev.jobdeck.app');
    const lines = entry.trim().split('\n');
    expect(lines[0]).toBe('[Desktop Entry]');
    expect(lines).toEqual(
      expect.arrayContaining([
        'Name=Jobdeck',
        'Exec=/opt/Jobdeck/jobdeck %U',
        'Terminal=false',
        'Type=Application',
        'StartupWMClass=dev.jobdeck.app',
        'MimeType=x-scheme-handler/jobdeck;',
        'Categories=Development;',
      ]),
    );
    // What starts Jobdeck at login shows the icon that the package installs.
    const iconOf = (file: string): string | undefined => /^Icon=(.+)$/m.exec(file)?.[1];
    expect(iconOf(autostartFile(['/opt/Jobdeck/jobdeck']))).toBe(iconOf(entry));
    expect(icons.map(({ size }) => size).toSorted((a, b) => a - b)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
    expect(icons.every(({ isOurs }) => isOurs)).toBe(true);
  });

  it('names the feed that newer versions come from', () => {
    const update = readFileSync(join(folder, 'dist/linux-unpacked/resources/app-update.yml'), 'utf8');
    expect(update).toMatch(/^provider: generic$/m);
    expect(update).toMatch(/^url: https:\/\/\S+$/m);
    expect(update).toMatch(/^updaterCacheDirName: \S+$/m);
  });

  it('has a bill of materials and the licences of its dependencies beside the program', () => {
    const read = (name: string): string =>
      readFileSync(join(folder, 'dist/linux-unpacked/resources/notices', name), 'utf8');
    const sbom: unknown = JSON.parse(read('sbom.cdx.json'));
    if (!isSbom(sbom)) throw new Error('There is no bill of materials.');
    expect(sbom).toMatchObject({
      specVersion: '1.5',
      metadata: { component: { type: 'application', name: 'Jobdeck' } },
    });
    expect(sbom.components.map(({ name }) => name).toSorted()).toEqual(
      ['@base-ui/react', '@fontsource-variable/inter', 'electron', 'keytar', 'zod'].toSorted(),
    );
    for (const component of sbom.components)
      expect(component).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        purl: expect.stringMatching(/^pkg:npm\//),
        scope: 'required',
        licenses: [expect.anything()],
        hashes: [{ alg: 'SHA-512' }],
      });
    const licences = read('THIRD-PARTY-LICENCES.txt');
    for (const name of ['@base-ui/react', '@fontsource-variable/inter', 'keytar', 'zod'])
      expect(licences).toContain(`${name} `);
    expect(licences).toContain('Permission is hereby granted, free of charge');
    // Within the archive they could not be read.
    expect(packed.files.filter((file) => /notices|packages/.test(file))).toEqual([]);
  });

  it('has the intended fuses, read back from the program', () => {
    // The fuses of @electron/fuses, version 1, by their places: "0" is off and "1" is on.
    const states = Array.from({ length: 8 }, (_, place) => String.fromCharCode(packed.fuses[place] ?? 0));
    expect(states.slice(0, 7)).toEqual(['0', '0', '0', '0', '1', '1', '0']);
    expect(states[7]).toBe('0');
  });
});

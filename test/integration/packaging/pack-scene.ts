import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectDir } from '../../kit/electron-binary.ts';

/**
 * Run by packs.test.ts in a separate process: packages the app, with placeholders for bundles and program, and prints
 * where everything was put.
 */
const folder = process.argv[2] ?? '';
const require = createRequire(import.meta.url);
/** On Windows a module is imported by the address of its file, not by its path. */
const moduleUrl = (name: string): string => pathToFileURL(require.resolve(name)).href;

interface Builder {
  build(options: object): Promise<unknown>;
  Platform: { LINUX: { createTarget(name: string): unknown } };
}
/** What electron-builder knows of the desktop file and the icons of a package it has just packed for Linux. */
interface LinuxTarget {
  computeDesktopEntry(options: unknown): Promise<string>;
  getDesktopFileName(): string;
  icons: Promise<{ file: string; size: number }[]>;
}
interface Packed {
  packager: { platformSpecificBuildOptions: unknown };
}
interface LinuxTargets {
  LinuxTargetHelper: new (packager: unknown) => LinuxTarget;
}
interface Archive {
  listPackage(path: string): string[];
}
interface Fuses {
  getCurrentFuseWire(path: string): Promise<Record<string, unknown>>;
}
const holds = (module: unknown, name: string): boolean =>
  typeof module === 'object' && module !== null && name in module;
const isBuilder = (module: unknown): module is Builder => holds(module, 'build') && holds(module, 'Platform');
const isLinuxTargets = (module: unknown): module is LinuxTargets => holds(module, 'LinuxTargetHelper');
const isArchive = (module: unknown): module is Archive => holds(module, 'listPackage');
const isFuses = (module: unknown): module is Fuses => holds(module, 'getCurrentFuseWire');

const app = join(folder, 'app');
const dist = join(folder, 'electron');
for (const path of [
  join(app, 'out', 'main'),
  join(app, 'node_modules'),
  join(dist, 'resources'),
  join(dist, 'locales'),
])
  mkdirSync(path, { recursive: true });
for (const name of ['package.json', 'resources']) cpSync(join(projectDir, name), join(app, name), { recursive: true });
for (const name of ['main.js', 'main.js.map']) writeFileSync(join(app, 'out', 'main', name), '//');
// Where the build puts what Python runs.
mkdirSync(join(app, 'out', 'main', 'chunks'));
cpSync(
  join(projectDir, 'src-main', 'sandbox', 'workers', 'handlers', 'python-bridge.py'),
  join(app, 'out', 'main', 'chunks', 'python-bridge.py'),
);
// As the build lists what it bundled.
mkdirSync(join(app, 'out', 'packages'));
writeFileSync(
  join(app, 'out', 'packages', 'main.json'),
  JSON.stringify(
    ['zod', '@base-ui/react', '@fontsource-variable/inter'].map((name) => join(projectDir, 'node_modules', name)),
  ),
);
const notices = ['--notes', join(app, 'out', 'packages'), '--out', join(app, 'out', 'notices')];
execFileSync(process.execPath, [join(projectDir, 'test', 'run', 'notices.ts'), ...notices]);
cpSync(join(projectDir, 'node_modules', 'keytar'), join(app, 'node_modules', 'keytar'), { recursive: true });
// Needed to install keytar, and never to run it.
for (const name of ['prebuild-install', 'node-addon-api']) {
  mkdirSync(join(app, 'node_modules', name));
  writeFileSync(join(app, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '7.1.2' }));
}
// As the fuses in Electron's program begin: a mark, the version, their number, and the state of each.
const fuses = Buffer.concat([Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), Buffer.from([1, 9])]);
writeFileSync(join(dist, 'electron'), Buffer.concat([fuses, Buffer.from('000000000'), Buffer.alloc(64)]), {
  mode: 0o755,
});
writeFileSync(join(dist, 'version'), '45.4.1');
writeFileSync(join(dist, 'locales', 'en-US.pak'), 'x');

const builder: unknown = require('electron-builder');
const archive: unknown = await import(moduleUrl('@electron/asar'));
const fuse: unknown = await import(moduleUrl('@electron/fuses'));
const linux: unknown = require('app-builder-lib/out/targets/LinuxTargetHelper');
if (!isBuilder(builder) || !isArchive(archive) || !isFuses(fuse) || !isLinuxTargets(linux))
  throw new Error('electron-builder has changed.');
const { LinuxTargetHelper } = linux;
let desktop: { name: string; entry: string; icons: { size: number; isOurs: boolean }[] } | null = null;
/** The deb and the AppImage are made of these; neither can be made without programs of the network. */
async function describeDesktop({ packager }: Packed): Promise<void> {
  const target = new LinuxTargetHelper(packager);
  const icons = await target.icons;
  desktop = {
    name: target.getDesktopFileName(),
    entry: await target.computeDesktopEntry(packager.platformSpecificBuildOptions),
    icons: icons.map(({ file, size }) => ({ size, isOurs: file.startsWith(join(app, 'resources', 'icons')) })),
  };
}
await builder.build({
  projectDir: app,
  targets: builder.Platform.LINUX.createTarget('dir'),
  // Joined to the configuration that the app's own package.json brings along.
  config: { electronDist: dist, directories: { output: join(folder, 'dist') }, afterPack: describeDesktop },
  publish: 'never',
});
const packed = join(folder, 'dist', 'linux-unpacked');
process.stdout.write(
  `\n${JSON.stringify({
    files: archive.listPackage(join(packed, 'resources', 'app.asar')),
    desktop,
    fuses: await fuse.getCurrentFuseWire(join(packed, 'jobdeck')),
  })}\n`,
);

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { menuEntryOf, type MenuEntry } from '../../../../src-main/desktop/system-settings/menu-entry.ts';

let home: string;
let desktopFile: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'jobdeck-menu-'));
  desktopFile = join(home, 'share', 'applications', 'dev.jobdeck.app.desktop');
  await writeFile(join(home, 'icon.png'), 'an icon');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const envOf = (appImage: string): NodeJS.ProcessEnv => ({
  ...process.env,
  APPIMAGE: appImage,
  HOME: home,
  XDG_DATA_HOME: join(home, 'share'),
  XDG_CONFIG_HOME: join(home, 'config'),
});

async function startedFrom(name: string): Promise<MenuEntry> {
  const appImage = join(home, name);
  await writeFile(appImage, 'an AppImage', { mode: 0o755 });
  const entry = menuEntryOf({ platform: 'linux', env: envOf(appImage) }, join(home, 'icon.png'));
  if (entry === null) throw new Error('This is an AppImage.');
  return entry;
}

const execLine = async (): Promise<string | undefined> =>
  /^Exec=(.*)$/m.exec(await readFile(desktopFile, 'utf8'))?.[1]?.replaceAll(home, 'HOME');

const hasXdgMime = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'xdg-mime')));

it('an AppImage writes nothing before the user wants it, and then writes everything: program, icon, links', async (context) => {
  if (process.platform !== 'linux' || !hasXdgMime) context.skip('needs xdg-mime');
  const entry = await startedFrom('Jobdeck-1.AppImage');
  await entry.renew();
  expect([await entry.isAdded(), (await readdir(home)).toSorted()]).toEqual([
    false,
    ['Jobdeck-1.AppImage', 'icon.png'],
  ]);

  expect(await entry.set(true)).toEqual({ ok: true, value: null });
  expect(await entry.isAdded()).toBe(true);
  expect(await execLine()).toBe('HOME/Jobdeck-1.AppImage %u');
  const icon = /^Icon=(.*)$/m.exec(await readFile(desktopFile, 'utf8'))?.[1] ?? '';
  expect(await readFile(icon, 'utf8')).toBe('an icon');
  const { stdout } = await promisify(execFile)('xdg-mime', ['query', 'default', 'x-scheme-handler/jobdeck'], {
    env: envOf(''),
  });
  expect(stdout.trim()).toBe('dev.jobdeck.app.desktop');

  expect(await entry.set(false)).toEqual({ ok: true, value: null });
  expect([await entry.isAdded(), existsSync(desktopFile), existsSync(icon)]).toEqual([false, false, false]);
});

it('an entry follows an AppImage that was moved, and stays with one that still exists', async () => {
  const first = await startedFrom('First.AppImage');
  await first.set(true);
  const other = await startedFrom('Other.AppImage');
  await other.renew();
  expect(await execLine()).toBe('HOME/First.AppImage %u');
  await rename(join(home, 'First.AppImage'), join(home, 'Moved 1.AppImage'));
  await (await startedFrom('Moved 1.AppImage')).renew();
  expect(await execLine()).toBe('"HOME/Moved 1.AppImage" %u');
});

it('an odd path is written so that it is read back, and adds no line', async () => {
  const odd = 'a\\n %f "$x`\nExec=evil.AppImage';
  const entry = await startedFrom(odd);
  await entry.set(true);
  const lines = (await readFile(desktopFile, 'utf8')).split('\n').filter((line) => line.startsWith('Exec='));
  expect([lines.length, await entry.isAdded()]).toEqual([1, true]);
  await rename(join(home, odd), join(home, 'Plain.AppImage'));
  await (await startedFrom('Plain.AppImage')).renew();
  expect(await execLine()).toBe('HOME/Plain.AppImage %u');
});

it('a desktop file of another program stays unchanged, and that is reported', async () => {
  const entry = await startedFrom('Jobdeck.AppImage');
  await mkdir(join(desktopFile, '..'), { recursive: true });
  await writeFile(desktopFile, '[Desktop Entry]\nExec=mine\n');
  const refused = await entry.set(true);
  expect(refused).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('did not write it') as string },
  });
  expect(await entry.set(false)).toEqual({ ok: true, value: null });
  await entry.renew();
  expect([await entry.isAdded(), await readFile(desktopFile, 'utf8')]).toEqual([false, '[Desktop Entry]\nExec=mine\n']);
});

it('a system that does not accept the links is reported; the entry is there', async () => {
  const env = { ...envOf(join(home, 'Jobdeck.AppImage')), PATH: join(home, 'nothing') };
  const entry = menuEntryOf({ platform: 'linux', env }, join(home, 'icon.png'));
  expect(await entry?.set(true)).toMatchObject({
    ok: false,
    failure: { message: expect.stringMatching(/is in the menu, but .* jobdeck:\/\/ links/) as string },
  });
  expect(await entry?.isAdded()).toBe(true);
});

it('there is no entry on another system or for an installed package', () => {
  expect(menuEntryOf({ platform: 'linux', env: {} }, '')).toBeNull();
  expect(menuEntryOf({ platform: 'win32', env: { APPIMAGE: '/a' } }, '')).toBeNull();
});

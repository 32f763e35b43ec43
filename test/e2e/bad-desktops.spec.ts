import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { projectDir } from '../kit/electron-binary.ts';
import { openSandbox, sendJobs, submitJob } from '../kit/person.ts';
import { launchApp } from '../kit/launch.ts';
import { expect, jobPane, test as ordinary } from './fixtures.ts';

/** A home as some people have it. */
const test = ordinary.extend({
  dataDir: async ({ browserName: _browserName }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'jobdeck Größe & 日本 100% #1-'));
    await use(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  },
});

test('jobs run and survive a restart in a folder with unusual characters, without a bus, with odd desktop folders, in German and Japanese', async ({
  launch,
  dataDir,
}) => {
  const desktopOf = (locale: string, timeZone: string) => ({
    LANG: locale,
    LC_ALL: locale,
    LANGUAGE: locale.slice(0, 2),
    TZ: timeZone,
    DBUS_SESSION_BUS_ADDRESS: '',
    XDG_RUNTIME_DIR: '',
    XDG_CONFIG_HOME: 'not/absolute',
    XDG_DATA_HOME: '',
    XDG_CURRENT_DESKTOP: ':::',
  });
  const run = async (page: Page, title: string): Promise<void> => {
    await sendJobs(page, [{ endpoint: 'mock', input: { title, mock_delay: 200, mock_return: '霧' } }]);
    const row = page.getByRole('option', { name: new RegExp(title) });
    await expect(row).toHaveAccessibleName(/Completed/, { timeout: 20_000 });
    // Numbers are written as the rest of the window, in English.
    await expect(row).toContainText(/\d\.\d\d s/);
  };
  const german = await launch({ env: desktopOf('de_DE.UTF-8', 'Europe/Berlin') });
  await openSandbox(german.page);
  await run(german.page, 'fog 霧 Größe');
  await german.app.close();
  const japanese = await launch({ env: desktopOf('ja_JP.UTF-8', 'Asia/Tokyo') });
  await expect(japanese.page.getByRole('option', { name: /fog 霧 Größe/ })).toBeVisible();
  await run(japanese.page, 'second 霧');
  expect(await readFile(join(dataDir, 'jobdeck.log'), 'utf8')).not.toContain('"level":"error"');
});

/** A file system of this size, which only root may mount; null if this computer does not allow it. */
function mountSmall(size: string): { folder: string; readOnly(): void; end(): void } | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return null;
  }
  return {
    folder,
    readOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
    end() {
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}

/** A start that ends before a test could attach to it; on the stand-in. */
async function startOnce(dataDir: string): Promise<{ code: number | null; said: string }> {
  const script = join(projectDir, 'test', 'electron-stand-in', 'run.ts');
  const app = spawn(process.execPath, [script, projectDir, `--user-data-dir=${dataDir}`], { stdio: 'pipe' });
  let said = '';
  app.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const code = await new Promise<number | null>((resolve) => app.on('close', resolve));
  return { code, said };
}

test('a full or read-only data folder ends the start with an error message', async () => {
  for (const make of ['full', 'read-only'] as const) {
    const small = mountSmall('64k');
    test.skip(small === null, 'only root may mount a file system');
    if (small === null) return;
    try {
      if (make === 'read-only') small.readOnly();
      else await writeFile(join(small.folder, 'photo.raw'), Buffer.alloc(1_000_000)).catch(() => undefined);
      const { code, said } = await startOnce(small.folder);
      expect([make, code]).toEqual([make, 1]);
      expect(said).toContain('Jobdeck could not start');
      expect(said).toMatch(/ENOSPC|EROFS/);
      expect(said).toContain(small.folder);
    } finally {
      small.end();
    }
  }
});

test('when the disk fills up, Jobdeck refuses a job with a message and sends nothing; with free space it continues', async () => {
  const small = mountSmall('48m');
  test.skip(small === null, 'only root may mount a file system');
  if (small === null) return;
  try {
    const app = await launchApp({ dataDir: small.folder });
    try {
      const page = await app.mainWindow();
      await page.setViewportSize({ width: 1440, height: 900 });
      await openSandbox(page);
      await submitJob(page, { endpoint: 'echo', input: { title: 'before' } });
      await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
      const filler = join(small.folder, 'photo.raw');
      await writeFile(filler, Buffer.alloc(64_000_000)).catch(() => undefined);
      await page.getByRole('button', { name: 'New job' }).first().click();
      const composer = page.getByRole('dialog', { name: 'New job' });
      await composer.getByRole('textbox', { name: 'Input JSON' }).fill(`{"title": "${'no room '.repeat(2_000)}"}`);
      await page.keyboard.press('Control+Enter');
      await expect(composer.getByText(/could not be saved|Could not save/i).first()).toBeVisible({ timeout: 20_000 });
      await rm(filler);
      await page.keyboard.press('Control+Enter');
      await expect(page.getByRole('option', { name: /no room/ })).toBeVisible({ timeout: 20_000 });
      await expect(page.getByRole('option')).toHaveCount(2);
    } finally {
      await app.kill();
    }
  } finally {
    small.end();
  }
});

test('closing a window while its save dialog is open loses nothing: the file is written, or Jobdeck says why not', async ({
  launch,
  dataDir,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await submitJob(page, { endpoint: 'mock', input: { mock_return: { word: 'marmalade' } } });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });

  const saveAndClose = async (): Promise<void> => {
    const asked = (await app.dialogs()).length;
    await page.bringToFront();
    await page.getByRole('listbox', { name: 'Jobs' }).press('Shift+Enter');
    const own = await app.waitForWindow(/\/job\//);
    await expect(own.getByRole('button', { name: 'Save output' })).toBeEnabled();
    await app.answerDialog('stays open');
    await own.getByRole('button', { name: 'Save output' }).click();
    await expect.poll(async () => (await app.dialogs()).length).toBe(asked + 1);
    const closing = (await app.windowStates()).at(-1);
    if (closing === undefined) throw new Error('The job has no window.');
    await app.ask('closeWindow', closing.id);
    await expect.poll(async () => (await app.windowStates()).length).toBe(1);
  };
  await saveAndClose();
  const filePath = join(dataDir, 'saved.json');
  await app.answerDialog({ canceled: false, filePath });
  await expect.poll(() => readFile(filePath, 'utf8').catch(() => '')).toContain('marmalade');

  await saveAndClose();
  await app.answerDialog({ canceled: false, filePath: join(dataDir, 'history.db') });
  await expect(page.getByText('Could not save a file', { exact: true })).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(1);
});

test('a backup that fails after its page crashed or was reloaded is reported', async ({ launch, dataDir }) => {
  const { app, page } = await launch();
  test.skip(app.kind !== 'stand-in', 'Playwright does not follow a page whose process died, as the stand-in does');
  await openSandbox(page);
  const [main] = await app.windowStates();
  const askFor = async (from: Page, typed: string, command: RegExp): Promise<void> => {
    await expect(from.getByRole('button', { name: 'New job' }).first()).toBeVisible();
    const asked = (await app.dialogs()).length;
    await app.answerDialog('stays open');
    await from.keyboard.press('ControlOrMeta+k');
    await from.getByRole('combobox', { name: 'Search or run' }).fill(typed);
    await from.getByRole('option', { name: command }).click();
    await expect.poll(async () => (await app.dialogs()).length).toBe(asked + 1);
  };

  // The page need not be drawn before it crashes again, so that a slow machine keeps to the minute.
  const crash = async (former: Page): Promise<Page> => {
    await app.ask('crashWindow', main?.id ?? -1);
    await expect.poll(() => app.windows().some((each) => each !== former)).toBe(true);
    return app.windows().find((each) => each !== former) ?? former;
  };

  // After the third crash within a minute the page is reloaded only when the user wants it.
  const third = await crash(await crash(page));
  await app.answerDialog('stays open');
  await askFor(third, 'back up', /Back up the history/);
  await app.ask('crashWindow', main?.id ?? -1);
  await expect.poll(async () => (await app.dialogs()).length).toBe(2);
  await app.answerDialog({ canceled: false, filePath: join(dataDir, 'history.db') });
  await app.answerDialog({ response: 1, checkboxChecked: false });
  await expect.poll(() => app.windows().some((each) => each !== third)).toBe(true);
  const again = app.windows().find((each) => each !== third) ?? third;
  await expect(again.getByText('Could not back up the history', { exact: true })).toBeVisible();

  await writeFile(join(dataDir, 'text.db'), 'only a text');
  await askFor(again, 'restore or merge', /Restore or merge a backup/);
  await again.reload();
  await expect(again.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  await app.answerDialog({ canceled: false, filePaths: [join(dataDir, 'text.db')] });
  const notice = again.getByText('Could not open a backup', { exact: true });
  await expect(notice).toBeVisible();
  await expect(again.getByText('This file is not a Jobdeck backup')).toBeVisible();

  // A page that is still there shows its failure itself.
  await again.getByRole('button', { name: 'Dismiss' }).last().click();
  await expect(notice).toBeHidden();
  await askFor(again, 'restore or merge', /Restore or merge a backup/);
  await app.answerDialog({ canceled: false, filePaths: [join(dataDir, 'text.db')] });
  const section = again.getByRole('dialog', { name: 'Settings' }).getByRole('region', { name: 'Backup' });
  await expect(section.getByText('This file is not a Jobdeck backup')).toBeVisible();
  await expect(notice).toBeHidden();
});

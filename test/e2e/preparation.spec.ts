import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { putOldHistory } from '../kit/old-history.ts';
import { launchApp } from '../kit/launch.ts';
import { closeWindow, openPreferences, openSandbox, sendJobs, untilIdle } from '../kit/person.ts';
import { expect, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';

type Launch = (options?: { env?: Record<string, string> }) => Promise<{ app: LaunchedApp; page: Page }>;

/**
 * The app before a history of a former version, which `old` keeps from being brought up to date until it commits: as
 * long as another program writes in it, nothing can be.
 */
async function preparing(
  launch: Launch,
  dataDir: string,
  chooseTheme?: (page: Page) => Promise<void>,
): Promise<{ app: LaunchedApp; page: Page; old: DatabaseSync }> {
  const first = await launch();
  await openSandbox(first.page);
  await chooseTheme?.(first.page);
  await first.app.close();
  const old = putOldHistory(join(dataDir, 'history.db'));
  old.exec('BEGIN IMMEDIATE');
  const { app, page } = await launch();
  const status = page.getByRole('status');
  await expect(status).toContainText('Bringing your history up to date');
  await expect(status).toContainText('Updating 1 saved job for this version');
  await expect(page.getByRole('button', { name: 'New job' })).toHaveCount(0);
  return { app, page, old };
}

/** Chooses the theme that the desktop does not have. */
async function chooseOtherTheme(page: Page): Promise<void> {
  const other = (await themeOf(page)) === 'dark' ? 'Light' : 'Dark';
  const dialog = await openPreferences(page);
  await dialog.getByRole('radio', { name: other }).click();
  await expect.poll(() => themeOf(page)).toBe(other.toLowerCase());
}

/** Closes the only window. */
async function closeLastWindow(app: LaunchedApp, page: Page): Promise<void> {
  await closeWindow(app, page);
  await expect.poll(() => app.windows().length).toBe(0);
}

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme']);

test('an older history is upgraded in a visible window with the chosen theme, then the list appears; a second start brings the window forward and ends', async ({
  launch,
  dataDir,
}) => {
  test.skip(process.platform === 'darwin', 'macOS draws the buttons of its windows itself');
  let theme: string | undefined;
  const { app, page, old } = await preparing(launch, dataDir, async (first) => {
    await chooseOtherTheme(first);
    theme = await themeOf(first);
  });
  expect(await themeOf(page)).toBe(theme);
  await page.getByRole('button', { name: 'Maximise' }).click();
  await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();

  const visibility = (): Promise<string> => page.evaluate(() => document.visibilityState);
  await page.getByRole('button', { name: 'Minimise' }).click();
  await expect.poll(visibility).toBe('hidden');
  await expect(launchApp({ dataDir })).rejects.toThrow();
  await expect.poll(visibility).toBe('visible');
  // So does a click on the dock, which is heard as early.
  await page.getByRole('button', { name: 'Minimise' }).click();
  await expect.poll(visibility).toBe('hidden');
  await app.ask('activate');
  await expect.poll(visibility).toBe('visible');

  old.exec('COMMIT');
  old.close();
  await expect(page.getByRole('option', { name: /Old harbour/ })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('Bringing your history up to date')).toHaveCount(0);
  expect(app.windows()).toHaveLength(1);
});

test('closing the window during the upgrade ends the app, and the next start continues', async ({
  launch,
  dataDir,
}) => {
  test.skip(process.platform === 'darwin', 'on macOS apps stay until they are quit');
  const { app, page, old } = await preparing(launch, dataDir);
  expect.soft(await faults(app, page, 'preparation page')).toEqual([]);
  await closeLastWindow(app, page);
  old.exec('COMMIT');
  old.close();
  expect(await app.exited).toBe(0);
  expect(app.logs()).not.toContain('could not start');
  const again = await launch();
  await expect(again.page.getByRole('option', { name: /Old harbour/ })).toBeVisible({ timeout: 20_000 });
});

test('closing the window during the upgrade keeps Jobdeck if a result is still to come', async ({
  launch,
  dataDir,
}) => {
  test.skip(process.platform === 'darwin', 'on macOS apps stay until they are quit');
  const { app, page, old } = await preparing(launch, dataDir);
  old.exec("UPDATE facets SET phase = 'active', word = 'in-queue'");
  old.exec("UPDATE jobs SET phase = 'active', status = 'IN_QUEUE', finished_seen_at_ms = NULL, is_result_saved = 0");
  await closeLastWindow(app, page);
  // Nor does it end if a second start brought a window, and that is closed as well.
  await expect(launchApp({ dataDir })).rejects.toThrow();
  await closeLastWindow(app, await app.mainWindow());
  old.exec('COMMIT');
  old.close();
  await expect
    .poll(async () => (await app.notifications()).map(({ title }) => title), { timeout: 30_000 })
    .toContainEqual(expect.stringMatching(/^Jobdeck (stays in the tray|keeps running)$/));
  await app.clickTrayItem('Open Jobdeck');
  await expect((await app.mainWindow()).getByRole('option', { name: /Old harbour/ })).toBeVisible();
});

test('a start while Jobdeck is ending starts it again, with its link', async ({ launch, dataDir }) => {
  test.skip(process.platform === 'darwin', 'on macOS closing the window does not end the app');
  const { app, page } = await launch();
  await openSandbox(page);
  await sendJobs(page, [{ endpoint: 'echo', input: { prompt: 'saved' } }]);
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(1, { timeout: 20_000 });
  // Nothing more is to come of it, so that the last window ends the app.
  await untilIdle(page);
  const other = new DatabaseSync(join(dataDir, 'history.db'));
  other.exec('BEGIN IMMEDIATE');
  // It waits for what is still to be written.
  await page.keyboard.press('s');
  await closeLastWindow(app, page);
  await expect(launchApp({ dataDir, args: ['jobdeck://job/first'] })).rejects.toThrow();
  await expect(launchApp({ dataDir })).rejects.toThrow();
  await expect.poll(() => app.logs()).toContain('relaunch');
  expect(app.windows()).toEqual([]);
  other.exec('COMMIT');
  other.close();
  expect(await app.exited).toBe(0);
  const lines = [...app.logs().matchAll(/relaunch (\[.*\])/g)].map(([, line = '']) => line);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('jobdeck://job/first');
  expect(lines[0]).not.toContain('--hidden');
});

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { launchApp } from '../kit/launch.ts';
import { startPrivateKeychain, whyNoKeychain } from '../kit/private-keychain.ts';
import { startPrivatePortal } from '../kit/private-portal.ts';
import { closeWindow, openPreferences, openSandbox, sendJobs, submitJob } from '../kit/person.ts';
import { connectTo, expect, jobPane, openJobIn, test, type LaunchedApp } from './fixtures.ts';

const otherSystem = 'another system needs the Electron stand-in';

test('names from a service and texts from a worker are shown literally, in notifications and in the tray', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await app.leave();
  const title = 'a <b>bold</b> & \u202Efdp.exe title';
  const words = 'expected x &lt; y';
  await sendJobs(page, [
    { endpoint: 'echo', input: { title, fail: true } },
    { endpoint: 'mock', input: { title: 'marked', mock_error: words } },
  ]);
  await expect.poll(async () => (await app.notifications()).length).toBe(2);
  const shown = await app.notifications();
  const named = shown.find((each) => each.title.includes('bold'));
  expect(`${named?.title} ${named?.body}`).not.toContain('\u202E');
  // The title of its own window is what the task bar shows.
  await page.getByRole('option', { name: /bold/ }).click();
  await page.keyboard.press('Shift+Enter');
  const own = await app.waitForWindow(/\/job\//);
  await expect(own).toHaveTitle('a <b>bold</b> & fdp.exe title · Jobdeck');
  expect(named?.title).toContain('a <b>bold</b> & fdp.exe title');
  expect(shown.find((each) => each.title.includes('marked'))?.body).toContain(words);
  await expect.poll(async () => JSON.stringify((await app.tray())?.menu)).toContain('<b>bold</b> & fdp.exe title');
});

/** Every image that the tray has had so far is for this theme of the panel, also the first one. */
async function expectTrayFor(app: LaunchedApp, theme: 'dark' | 'light'): Promise<void> {
  await expect.poll(() => app.tray()).not.toBeNull();
  const images = (await app.tray())?.images ?? [];
  expect(images.filter((each) => !each.includes(`-on-${theme}`))).toEqual([]);
}

test('on Windows: the Action Center, the panel’s icon, also the first one, starting at login, and the end of the session', async ({
  launch,
  dataDir,
}) => {
  const windows = { ELECTRON_STAND_IN_PLATFORM: 'win32' };
  const { app, page } = await launch({ env: { ...windows, ELECTRON_STAND_IN_PANEL: 'dark' } });
  test.skip(app.kind !== 'stand-in', otherSystem);
  await openSandbox(page);
  await expectTrayFor(app, 'dark');

  await test.step('a click in the Action Center on a notification that timed out opens its job', async () => {
    // Otherwise a job that is open when it ends, as on a slow computer, is only listed.
    await app.leave();
    await sendJobs(page, [{ endpoint: 'echo', input: { prompt: 'the one that timed out' } }]);
    await expect.poll(async () => (await app.notifications()).length).toBe(1);
    await app.ask('timeOutNotification', 0);
    await expect.poll(async () => (await app.notifications())[0]?.isClosed).toBe(true);
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'another one' } });
    await expect(jobPane(page).getByRole('heading', { name: 'another one' })).toBeVisible();
    await app.clickNotification(0);
    await expect(jobPane(page).getByRole('heading', { name: 'the one that timed out' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(jobPane(page)).toBeHidden();
  });

  await test.step('the tray icon follows the panel’s theme, not the windows’, and the task bar shows an overlay for unseen failures', async () => {
    await sendJobs(page, [{ endpoint: 'mock', input: { title: 'fails', mock_error: 'broken' } }]);
    const image = async (): Promise<string> => (await app.tray())?.image ?? '';
    await app.setSystemColorScheme('dark');
    await expect.poll(image).toContain('-on-dark');
    const dialog = await openPreferences(page);
    await dialog.getByRole('radio', { name: 'Light' }).click();
    // From here on only the panel's theme changes.
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
    await app.setSystemColorScheme('light');
    await expect.poll(image).toMatch(/-on-light\.ico$/);
    await app.setSystemColorScheme('dark');
    await expect.poll(image).toMatch(/-on-dark\.ico$/);
    await expect
      .poll(async () => (await app.windowStates())[0]?.taskbar.overlay, { timeout: 20_000 })
      .toBe('1 unseen failure');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('the switch for starting at login sets the system’s login item', async () => {
    const dialog = await openPreferences(page);
    await dialog.getByRole('switch', { name: 'Start at login' }).setChecked(true);
    await expect.poll(() => app.ask('loginItem')).toMatchObject({ openAtLogin: true, args: ['--hidden'] });
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('the end of the session loses nothing, even with no window open', async () => {
    await submitJob(page, { endpoint: 'mock', input: { title: 'still runs', mock_delay: 600_000 } });
    await openJobIn(page, 'still runs', 'In progress');
    await closeWindow(app, page);
    await expect.poll(async () => (await app.windowStates()).length).toBe(0);
    await endSession(app);
  });

  // The windows are light, and the first icon is for a dark panel all the same; then the other way round.
  const offAtLogin = { ELECTRON_STAND_IN_LOGIN_ITEM: 'switched-off', ELECTRON_STAND_IN_PANEL: 'dark' };
  const again = await launch({ env: { ...windows, ...offAtLogin } });
  await expect(again.page.getByRole('option', { name: /still runs/ })).toBeVisible();
  await expectTrayFor(again.app, 'dark');
  const preferences = await expectLoginSwitchedOff(again);
  await preferences.getByRole('radio', { name: 'Dark', exact: true }).click();
  await expect(preferences.getByRole('radio', { name: 'Dark', exact: true })).toBeChecked();
  await again.page.setViewportSize({ width: 1111, height: 777 });
  const place = async (app_: LaunchedApp) => (await app_.windowStates())[0]?.place;
  await expect.poll(() => place(again.app)).toMatchObject({ width: 1111, height: 777 });
  const last = await place(again.app);
  await endSession(again.app);
  const third = await launchApp({ dataDir, env: { ...windows, ELECTRON_STAND_IN_PANEL: 'light' } });
  try {
    await third.mainWindow();
    expect(await place(third)).toEqual(last);
    await expectTrayFor(third, 'light');
  } finally {
    await third.kill();
  }
});

/** Windows ends the process before the call is answered. */
async function endSession(app: LaunchedApp): Promise<void> {
  await app.ask('endSession').catch(() => undefined);
  await app.exited;
}

test('on Linux: the tray icon follows the desktop’s portal, not the windows’ theme', async ({ launch }) => {
  const why = process.platform === 'linux' ? whyNoKeychain() : 'needs a Linux desktop';
  test.skip(why !== null, why ?? '');
  const keychain = await startPrivateKeychain();
  const portal = await startPrivatePortal(keychain.env, 1);
  try {
    const { app, page } = await launch({ env: { ...keychain.env, XDG_CURRENT_DESKTOP: 'KDE' } });
    test.skip(app.kind !== 'stand-in', 'only the stand-in says which image the tray has');
    await openSandbox(page);
    const image = async (): Promise<string> => (await app.tray())?.image ?? '';
    const dialog = await openPreferences(page);
    await dialog.getByRole('radio', { name: 'Light' }).click();
    await expect.poll(image).toContain('-on-dark');
    portal.choose(2);
    await expect.poll(image).toContain('-on-light');
    await dialog.getByRole('radio', { name: 'Dark' }).click();
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
    portal.choose(1);
    await expect.poll(image).toContain('-on-dark');
    portal.choose(2);
    await expect.poll(image).toContain('-on-light');
    // Without a preference of the desktop, our own theme is the best guess.
    portal.choose(0);
    await expect.poll(image).toContain('-on-dark');
  } finally {
    portal.close();
    keychain.close();
  }
});

test('an AppImage is added to the applications menu on request, and removed', async ({ launch, dataDir }) => {
  test.skip(process.platform !== 'linux', 'needs a Linux desktop');
  const share = join(dataDir, 'share');
  const home = { XDG_DATA_HOME: share, XDG_CONFIG_HOME: join(dataDir, 'config') };
  // Stands for every program that Jobdeck opens: what does it inherit?
  const [bin, inherited] = [join(dataDir, 'bin'), join(dataDir, 'inherited')];
  await mkdir(bin);
  const script = `#!/bin/sh\necho "compiled code in: $NODE_COMPILE_CACHE" > '${inherited}'\n`;
  await writeFile(join(bin, 'xdg-mime'), script, { mode: 0o755 });
  const { app, page } = await launch({
    env: {
      ...home,
      APPIMAGE: join(dataDir, 'Jobdeck.AppImage'),
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      // Without the folder that the suite has for all its processes.
      NODE_COMPILE_CACHE: '',
    },
  });
  await openSandbox(page);
  const dialog = await openPreferences(page);
  const entry = dialog.getByRole('switch', { name: 'In the applications menu' });
  await expect(entry).not.toBeChecked();
  expect(existsSync(share)).toBe(false);
  await entry.click();
  await expect(entry).toBeChecked();
  const desktopFile = join(share, 'applications', 'dev.jobdeck.app.desktop');
  await expect.poll(() => readFile(desktopFile, 'utf8').catch(() => '')).toContain('x-scheme-handler/jobdeck');
  // Others, written for Node as well, would keep their compiled code in Jobdeck's folder.
  await expect.poll(() => readFile(inherited, 'utf8').catch(() => '')).toBe('compiled code in: \n');
  await entry.click();
  await expect(entry).not.toBeChecked();
  await expect.poll(() => existsSync(desktopFile)).toBe(false);
  await app.close();

  const installed = await launch({ env: home });
  await expect(installed.page.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  const other = await openPreferences(installed.page);
  await expect(other.getByRole('switch', { name: 'Start at login' })).toBeVisible();
  await expect(other.getByRole('switch', { name: 'In the applications menu' })).toBeHidden();
});

test('on macOS: the menus, the tray’s template, a refused notification, staying awake, and starting at login', async ({
  launch,
  startService,
}) => {
  const mac = { ELECTRON_STAND_IN_PLATFORM: 'darwin' };
  const { app, page } = await launch({ env: mac });
  test.skip(app.kind !== 'stand-in', otherSystem);
  const service = await startService();
  await connectTo(page, service);
  expect((await app.applicationMenu()).map(({ label }) => label)).toEqual([
    'Jobdeck',
    'File',
    'Edit',
    'View',
    'Window',
    'Help',
  ]);
  // A second click closes the popover before it was drawn, and the app continues.
  await app.clickTray();
  await app.clickTray();
  await expect.poll(async () => (await app.windowStates()).length).toBe(1);
  // A click on the icon opens the popover alone.
  await expect.poll(() => app.tray()).toMatchObject({ isTemplate: true, hasClickHandler: true, menu: [] });
  await app.clickTray();
  await app.waitForWindow('/tray');
  await expect.poll(async () => (await app.windowStates()).at(-1)?.isOverFullScreen).toBe(true);
  expect(await app.ask('isDockShown')).toBe(true);
  await app.clickTray();
  await expect.poll(async () => (await app.windowStates()).length).toBe(1);

  await test.step('Jobdeck stays awake while jobs are active, and shows when the system refuses a notification', async () => {
    expect(await app.ask('powerSaveBlockers')).toEqual([]);
    await app.ask('failNotifications', 'Notifications are not allowed for this application');
    // Without a worker the job is active until this was seen.
    service.setScaling('mock', { minWorkers: 0, maxWorkers: 0 });
    await sendJobs(page, [{ endpoint: 'mock', input: { title: 'unheard', mock_return: 'x' } }]);
    await expect.poll(() => app.ask('powerSaveBlockers')).toEqual(['prevent-app-suspension']);
    service.setScaling('mock', { minWorkers: 1, maxWorkers: 1 });
    await expect.poll(() => app.ask('powerSaveBlockers'), { timeout: 30_000 }).toEqual([]);
    await expect(page.getByText('Your system does not show Jobdeck’s notifications')).toBeVisible({ timeout: 20_000 });
  });

  await test.step('an item of the Edit menu undoes what was done to jobs; “Undo” is the system’s, for text', async () => {
    const row = page.getByRole('option', { name: /unheard/ });
    await row.click();
    await page.getByRole('listbox', { name: 'Jobs' }).press('Delete');
    await expect(row).toHaveCount(0);
    await expect(page.getByText('Deleted 1 job')).toBeVisible();
    // The tray had the focus last.
    await app.ask('comeBack', (await app.windowStates())[0]?.id ?? -1);
    await app.clickMenuItem('Edit', 'Undo Last Change to Jobs');
    await expect(row).toBeVisible();
  });

  const dialog = await openPreferences(page);
  await dialog.getByRole('switch', { name: 'Start at login' }).setChecked(true);
  await expect.poll(() => app.ask('loginItem')).toMatchObject({ openAtLogin: true, args: [] });
  await app.close();

  const again = await launch({ env: { ...mac, ELECTRON_STAND_IN_LOGIN_ITEM: 'switched-off' } });
  await expect(again.page.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  await expectLoginSwitchedOff(again);
});

/** The user switched the login item off in the system's settings: it stays off, and the preferences say so. Returns them. */
async function expectLoginSwitchedOff({ app, page }: { app: LaunchedApp; page: Page }): Promise<Locator> {
  const dialog = await openPreferences(page);
  await expect(dialog.getByRole('switch', { name: 'Start at login' })).not.toBeChecked();
  expect(await app.ask('loginItem')).toMatchObject({ isSwitchedOff: true, timesSet: 0 });
  return dialog;
}

test('on a desktop without tray icons Jobdeck notices it and offers another way to reopen the window', async ({
  launch,
}) => {
  const { app, page } = await launch();
  test.skip((process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '') === '', 'needs a session bus to find it out from');
  await openSandbox(page);
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'long', mock_delay: 600_000 } }]);
  await expect(page.getByRole('option', { name: /long, In progress/ })).toBeVisible({ timeout: 20_000 });
  await closeWindow(app, page);
  await expect
    .poll(async () => (await app.notifications()).map(({ title, body }) => `${title}: ${body}`).join())
    .toMatch(/Jobdeck keeps running: .*Start Jobdeck again/);
});

test('a start without the system’s sandbox is reported', async ({ dataDir }) => {
  const app = await launchApp({ dataDir, args: ['--no-sandbox'] });
  try {
    const page = await app.mainWindow();
    await openSandbox(page);
    await expect(page.getByText('Jobdeck runs without the system’s sandbox')).toBeVisible();
  } finally {
    await app.kill();
  }
});

import { launchApp } from '../kit/launch.ts';
import { openSandbox, submitJob } from '../kit/person.ts';
import { expect, jobPane, test } from './fixtures.ts';

const otherSystem = 'another system needs the Electron stand-in';

test('what a service names is shown as it is written, in notifications and in the tray', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await app.leave();
  const title = 'a <b>bold</b> & \u202Efdp.exe title';
  await submitJob(page, { endpoint: 'echo', input: { title, fail: true } });
  await expect.poll(async () => (await app.notifications()).length).toBe(1);
  const [shown] = await app.notifications();
  expect(`${shown?.title} ${shown?.body}`).not.toContain('\u202E');
  expect(shown?.title).toContain('a <b>bold</b> & fdp.exe title');
  await expect.poll(async () => JSON.stringify((await app.tray())?.menu)).toContain('<b>bold</b> & fdp.exe title');
});

test('an error that a worker words with signs of markup reads as it was written', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await app.leave();
  const words = 'expected x &lt; y';
  await submitJob(page, { endpoint: 'mock', input: { title: 'marked', mock_error: words } });
  await expect.poll(async () => (await app.notifications()).map(({ body }) => body).join()).toContain(words);
});

test('on Windows a notification that timed out is still heard from the Action Center', async ({ launch }) => {
  const { app, page } = await launch({ env: { ELECTRON_STAND_IN_PLATFORM: 'win32' } });
  test.skip(app.kind !== 'stand-in', otherSystem);
  await openSandbox(page);
  await app.leave();
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'the one that timed out' } });
  await expect.poll(async () => (await app.notifications()).length).toBe(1);
  await app.ask('timeOutNotification', 0);
  await expect.poll(async () => (await app.notifications())[0]?.isClosed).toBe(true);
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'another one' } });
  await expect(jobPane(page).getByRole('heading', { name: 'another one' })).toBeVisible();
  await app.clickNotification(0);
  await expect(jobPane(page).getByRole('heading', { name: 'the one that timed out' })).toBeVisible();
});

test('on macOS a notification that the system refuses is said', async ({ launch }) => {
  const { app, page } = await launch({ env: { ELECTRON_STAND_IN_PLATFORM: 'darwin' } });
  test.skip(app.kind !== 'stand-in', otherSystem);
  await openSandbox(page);
  await app.leave();
  await app.ask('failNotifications', 'Notifications are not allowed for this application');
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'unheard' } });
  await expect(page.getByText('Your system does not show Jobdeck’s notifications')).toBeVisible({ timeout: 20_000 });
});

test('the tray icon is the panel’s, whatever theme the windows have, and what failed unseen lies over the task bar’s', async ({
  launch,
}) => {
  const { app, page } = await launch({ env: { ELECTRON_STAND_IN_PLATFORM: 'win32' } });
  test.skip(app.kind !== 'stand-in', otherSystem);
  await openSandbox(page);
  await submitJob(page, { endpoint: 'mock', input: { title: 'fails', mock_delay: 2_000, mock_error: 'broken' } });
  await expect(jobPane(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(jobPane(page)).toBeHidden();
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('radio', { name: 'Light' }).click();
  const image = async (): Promise<string> => (await app.tray())?.image ?? '';
  await app.setSystemColorScheme('dark');
  await expect.poll(image).toContain('-on-dark');
  await app.setSystemColorScheme('light');
  await expect.poll(image).toContain('-on-light');
  await expect
    .poll(async () => (await app.windowStates())[0]?.taskbar.overlay, { timeout: 20_000 })
    .toBe('1 failed, not seen yet');
});

test('on macOS the tray icon is a template, and a click opens the popover alone', async ({ launch }) => {
  const { app, page } = await launch({ env: { ELECTRON_STAND_IN_PLATFORM: 'darwin' } });
  test.skip(app.kind !== 'stand-in', otherSystem);
  await openSandbox(page);
  await expect.poll(() => app.tray()).toMatchObject({ isTemplate: true, hasClickHandler: true, menu: [] });
});

test('a desktop without tray icons is found out, and the way back is another one', async ({ launch }) => {
  const { app, page } = await launch();
  test.skip((process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '') === '', 'needs a session bus to find it out from');
  await openSandbox(page);
  await submitJob(page, { endpoint: 'mock', input: { title: 'long', mock_delay: 3_000, mock_return: 'x' } });
  await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect
    .poll(async () => (await app.notifications()).map(({ title, body }) => `${title}: ${body}`).join())
    .toMatch(/Jobdeck keeps running: .*Start Jobdeck again/);
});

test('a start without the system’s sandbox is said', async ({ dataDir }) => {
  const app = await launchApp({ dataDir, args: ['--no-sandbox'] });
  try {
    const page = await app.mainWindow();
    await openSandbox(page);
    await expect(page.getByText('Jobdeck runs without the system’s sandbox')).toBeVisible();
  } finally {
    await app.kill();
  }
});

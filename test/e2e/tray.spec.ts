import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { launchApp } from '../kit/launch.ts';
import { startPrivateKeychain, whyNoKeychain } from '../kit/private-keychain.ts';
import { clickToEnd, openPreferences, openSandbox, sendJobs, submitJob } from '../kit/person.ts';
import { connectTo, expect, jobPane, shareApp, test, type LaunchedApp } from './fixtures.ts';

const popover = (app: LaunchedApp): Promise<Page> => app.waitForWindow('/tray');

test.describe('in one window', () => {
  const shared = shareApp(({ page }) => openSandbox(page));

  test('the popover shows running and finished jobs, opens a job, pauses, and closes when it loses focus', async () => {
    const { app, page } = shared();
    await sendJobs(page, [
      { endpoint: 'echo', input: { title: 'short one' } },
      { endpoint: 'mock', input: { title: 'long one', mock_delay: 600_000 } },
    ]);
    const row = page.getByRole('option', { name: /long one/ });
    await expect(page.getByRole('option', { name: /short one, Completed/ })).toBeVisible({ timeout: 20_000 });
    await expect(row).toHaveAccessibleName(/In progress/, { timeout: 20_000 });
    await expect.poll(() => app.tray()).not.toBeNull();
    await app.clickTray();
    const tray = await popover(app);
    await tray.setViewportSize({ width: 368, height: 552 });
    await expect(tray.getByRole('region', { name: 'Active' })).toContainText('long one');
    await expect(tray.getByRole('region', { name: 'Just finished' })).toContainText('short one');
    expect(await faults(app, tray, 'tray popover')).toEqual([]);
    await tray.getByRole('button', { name: 'Pause' }).click();
    await expect(tray.getByRole('button', { name: 'Resume' })).toBeVisible();
    // Nothing is read from now on: running times stop counting, here and in the list.
    await expect(tray.getByRole('region', { name: 'Active' })).toContainText(/as of \d+ s ago/);
    await expect(row).toContainText(/as of \d+ s ago/);
    await expect(page.getByRole('button', { name: /^Active/, expanded: true })).toContainText(/as of \d+ s ago/);
    // The computer's clock is set back by 20 minutes: what is known does not become newer by it.
    const ageSeconds = async (): Promise<number> => Number(/as of (\d+) s ago/.exec(await row.innerText())?.[1]);
    const beforeSeconds = await ageSeconds();
    await page.evaluate(() => void (Date.now = () => new Date().getTime() - 1_200_000));
    await expect.poll(ageSeconds).toBeGreaterThan(beforeSeconds + 1);
    await page.evaluate(() => void (Date.now = () => new Date().getTime()));
    await clickToEnd(tray.getByRole('button', { name: /short one/ }));
    await expect(jobPane(page).getByRole('heading', { name: 'short one' })).toBeVisible();
    // The main window has the focus now: the popover is gone.
    await expect.poll(async () => (await app.windowStates()).length).toBe(1);
    await app.clickTray();
    await popover(app);
    await expect.poll(async () => (await app.windowStates()).map(({ isFocused }) => isFocused)).toEqual([false, true]);
    // Pressing the button already closes it; letting go of the button must not open it again.
    await app.clickTray();
    await expect.poll(() => app.windows().length).toBe(1);
    expect(await app.windowStates()).toHaveLength(1);
    await app.clickTray();
    await (await popover(app)).getByRole('button', { name: 'Resume' }).click();
    await expect((await popover(app)).getByRole('button', { name: 'Pause' })).toBeVisible();
  });

  test('links open a job and fill in the composer, and never send', async () => {
    const { app, page, dataDir } = shared();
    // Only an installed Jobdeck makes itself the program for its links.
    expect(await app.ask('protocols')).toEqual([]);
    await sendJobs(
      page,
      ['linked to', 'another one'].map((title) => ({ endpoint: 'echo', input: { title } })),
    );
    const key = (await page.getByRole('option', { name: /linked to/ }).getAttribute('data-key')) ?? '';
    await page.getByRole('option', { name: /another one/ }).click();
    await expect(jobPane(page).getByRole('heading', { name: 'another one' })).toBeVisible();
    const jobCount = (): Promise<number> =>
      page.evaluate(async () => {
        const counts = await window.bridge?.call('job:counts', undefined);
        return counts?.ok === true ? counts.value.all.all : -1;
      });
    const jobsBefore = await jobCount();
    await app.ask('openUrl', `jobdeck://job/${key}`);
    await expect(jobPane(page).getByRole('heading', { name: 'linked to' })).toBeVisible();
    await app.ask('openUrl', 'jobdeck://job/not-here');
    const unknown = page.getByText('This link is for a job that is not saved here');
    await expect(unknown).toBeVisible();
    // The link that Jobdeck copies has the service's id. With the way to a job, the message goes.
    await page.getByRole('option', { name: /another one/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy', exact: true }).hover();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await expect.poll(() => app.clipboard()).toMatch(/^jobdeck:\/\/job\/[\w-]+-u\d$/);
    await app.ask('openUrl', await app.clipboard());
    await expect(jobPane(page).getByRole('heading', { name: 'another one' })).toBeVisible();
    await expect(unknown).toBeHidden();
    // It goes as well when another connection is chosen.
    await app.ask('openUrl', 'jobdeck://job/not-here');
    await expect(unknown).toBeVisible();
    await page.evaluate(() => window.bridge?.call('settings:change', { currentConnectionId: 'another' }));
    await expect(unknown).toBeHidden();

    // What a link asks beyond that is refused, with words.
    await app.ask('openUrl', 'jobdeck://new?endpoint=echo&input=%7B%7D&send=1');
    const refusal = page.getByRole('status').filter({ hasText: 'Jobdeck does not understand this link' });
    await expect(refusal).toBeVisible();
    await refusal.getByRole('button', { name: 'Dismiss' }).click();
    await expect(refusal).toBeHidden();
    await app.ask('openUrl', `jobdeck://new?input=${'x'.repeat(20_000)}`);
    await expect(refusal).toBeVisible();
    // An input that no parser should walk is text like any other.
    await app.ask('openUrl', `jobdeck://new?endpoint=text&input=${'%5B'.repeat(5_000)}`);
    const deep = page.getByRole('dialog', { name: 'New job' });
    await expect(deep.getByRole('textbox', { name: 'Input JSON' })).toContainText('[[[[');
    await deep.getByRole('button', { name: 'Close' }).click();
    await expect(deep).toBeHidden();

    // A second start with a link, as Windows and Linux hand them over.
    const link = `jobdeck://new?endpoint=mock&input=${encodeURIComponent('{"mock_return":"from a link"}')}`;
    const second = launchApp({ dataDir, args: [link] }).catch(() => null);
    const composer = page.getByRole('dialog', { name: 'New job' });
    await expect(composer).toBeVisible({ timeout: 20_000 });
    await expect(composer.getByRole('combobox', { name: 'Endpoint: Mock' })).toBeVisible();
    await expect(composer.getByRole('textbox', { name: 'Input JSON' })).toContainText('from a link');
    await second;
    expect(await jobCount()).toBe(jobsBefore);
    await composer.getByRole('button', { name: 'Close' }).click();
    await expect(composer).toBeHidden();
  });
});

test('on Windows the tooltip shows the ampersands of a name, and a system without a browser is reported', async ({
  launch,
  startService,
}) => {
  const { app, page } = await launch({
    env: { ELECTRON_STAND_IN_PLATFORM: 'win32', ELECTRON_STAND_IN_BROWSER: 'absent' },
  });
  test.skip(app.kind !== 'stand-in', 'another system needs the Electron stand-in');
  await connectTo(page, await startService(), { key: 'not-the-key', name: 'R&D' });
  // By it the key itself is refused, and not only reads.
  await submitJob(page, { endpoint: 'echo', input: {} });
  await expect.poll(async () => (await app.tray())?.tooltip, { timeout: 20_000 }).toMatch(/^Jobdeck: .*R&D/);
  expect(
    await page.evaluate(() => window.bridge?.call('app:openExternal', { url: 'https://example.test/docs' })),
  ).toMatchObject({ ok: false, failure: { message: 'Your system opened no browser. Copy the address instead.' } });
});

test('on GNOME the tray’s menu has do not disturb; on Wayland the tray opens the window, no unknown position is saved, and the desktop owns the shortcuts', async ({
  launch,
  dataDir,
}) => {
  const { app, page } = await launch({ env: { XDG_CURRENT_DESKTOP: 'ubuntu:GNOME', XDG_SESSION_TYPE: 'wayland' } });
  await openSandbox(page);
  await expect.poll(async () => JSON.stringify(await app.tray())).toContain('Do not disturb');
  await app.setSystemColorScheme('light');
  // Its panel is dark in both themes.
  if (app.kind === 'stand-in') expect((await app.tray())?.image).toContain('-on-dark');
  await app.clickTrayItem('Do not disturb');
  // Not open: what ends in front of the user is notified of in no case.
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'undisturbed' } }]);
  await expect(page.getByRole('option', { name: /undisturbed, Completed/ })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Notifications, 1 not seen' })).toBeVisible();
  expect(await app.notifications()).toEqual([]);

  if (app.kind !== 'stand-in') return;
  await (await openPreferences(page)).getByRole('switch', { name: 'Global shortcuts' }).setChecked(true);
  await page.keyboard.press('Escape');
  await expect(page.getByText('On Wayland only the desktop gives out global shortcuts.')).toBeVisible();
  await page.getByRole('button', { name: 'Minimise' }).click();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
  await expect.poll(() => app.tray()).not.toBeNull();
  await app.clickTray();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('visible');
  expect(await app.windowStates()).toHaveLength(1);
  await app.close();
  expect(JSON.parse(await readFile(join(dataDir, 'window.json'), 'utf8'))).toMatchObject({
    place: { width: 1440, height: 900 },
  });
  expect(await readFile(join(dataDir, 'window.json'), 'utf8')).not.toContain('"x"');
});

test('global shortcuts open the window and the composer, can be changed, and a refusal by the system is shown', async ({
  launch,
}) => {
  const { app, page } = await launch({ env: { ELECTRON_STAND_IN_TAKEN_SHORTCUTS: 'CmdOrCtrl+Shift+N' } });
  await openSandbox(page);
  expect(await app.ask('pressGlobalShortcut', 'CmdOrCtrl+J')).toBe(false);
  const dialog = await openPreferences(page);
  await dialog.getByRole('switch', { name: 'Global shortcuts' }).setChecked(true);
  await expect(page.getByText('Your system did not give Jobdeck CmdOrCtrl+Shift+N')).toBeVisible();
  const field = dialog.getByLabel('Shortcut: New job');
  await field.fill('N');
  await field.press('Enter');
  await expect(dialog.getByText('Enter keys such as Ctrl+Alt+J', { exact: true })).toBeVisible();
  await field.fill('Ctrl + Alt + N');
  await field.press('Enter');
  await expect(field).toHaveValue('Ctrl+Alt+N');
  await page.keyboard.press('Escape');
  await expect.poll(() => app.ask('pressGlobalShortcut', 'Ctrl+Alt+N')).toBe(true);
  await expect(page.getByRole('dialog', { name: 'New job' })).toBeVisible();
});

test('on Linux starting at login is a file, and the start opens no window', async ({ launch, dataDir }) => {
  test.skip(process.platform !== 'linux', 'the file is Linux’s');
  const config = await mkdtemp(join(tmpdir(), 'jobdeck-config-'));
  const path = join(config, 'autostart', 'dev.jobdeck.app.desktop');
  try {
    const { app, page } = await launch({ env: { XDG_CONFIG_HOME: config } });
    await openSandbox(page);
    expect(existsSync(path)).toBe(false);
    const dialog = await openPreferences(page);
    await dialog.getByRole('switch', { name: 'Start at login' }).setChecked(true);
    // There is a moment in which it is made and still empty.
    const file = (): Promise<string> => readFile(path, 'utf8').catch(() => '');
    await expect.poll(file).toMatch(/^\[Desktop Entry\]\nType=Application\n/);
    await expect.poll(file).toMatch(/^Exec="[^\n]+" "--hidden"$/m);
    await dialog.getByRole('switch', { name: 'Start at login' }).setChecked(false);
    await expect.poll(() => existsSync(path)).toBe(false);
    await app.close();
    const hidden = await launchApp({ dataDir, args: ['--hidden'], env: { DBUS_SESSION_BUS_ADDRESS: '' } });
    await expect.poll(() => hidden.tray()).not.toBeNull();
    expect(await hidden.windowStates()).toEqual([]);
    await hidden.clickTrayItem('Open Jobdeck');
    await expect((await hidden.mainWindow()).getByRole('button', { name: 'New job' }).first()).toBeVisible();
    await hidden.kill();
    // Where nothing shows tray icons a window comes all the same, for nothing else would lead back.
    if (app.kind !== 'stand-in' || whyNoKeychain() !== null) return;
    const bus = await startPrivateKeychain();
    const env = { ...bus.env, ELECTRON_STAND_IN_TRAY: 'absent' };
    const trayless = await launchApp({ dataDir, args: ['--hidden'], env });
    await expect((await trayless.mainWindow()).getByRole('button', { name: 'New job' }).first()).toBeVisible();
    await expect(trayless.clickTray()).rejects.toThrow('shows no tray icons');
    await trayless.kill();
    bus.close();
  } finally {
    await rm(config, { recursive: true, force: true });
  }
});

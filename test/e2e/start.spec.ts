import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchApp } from '../kit/launch.ts';
import { startPrivateKeychain, whyNoKeychain, type PrivateKeychain } from '../kit/private-keychain.ts';
import { sendJobs } from '../kit/person.ts';
import { TEST_API_KEY } from '../kit/sandbox.ts';
import { connectTo, expect, jobPane, test as base } from './fixtures.ts';

/** A keychain of the test's own, which hangs when the test says so. */
const test = base.extend<{ keychain: PrivateKeychain }>({
  keychain: async ({ browserName: _browserName }, use, testInfo) => {
    const why = whyNoKeychain();
    testInfo.skip(why !== null, why ?? '');
    const keychain = await startPrivateKeychain();
    await use(keychain);
    keychain.close();
  },
});

/** Runs a job with the connection's key, until it is completed. */
async function runJob(page: Page, prompt: string): Promise<void> {
  await sendJobs(page, [{ endpoint: 'echo', input: { prompt } }]);
  await expect(page.getByRole('option', { name: new RegExp(`${prompt}, Completed`) })).toBeVisible({ timeout: 20_000 });
}

test('a hanging keychain blocks neither the window, the saved jobs nor a second start', async ({
  launch,
  keychain,
  startService,
  dataDir,
}) => {
  const service = await startService();
  // Without the cache of compiled code that the suite has for all its processes.
  const first = await launch({ env: { ...keychain.env, NODE_COMPILE_CACHE: '' } });
  await connectTo(first.page, service);
  await runJob(first.page, 'read while the keychain hangs');
  await first.app.close();
  const compiled = join(dataDir, 'compiled');
  expect(await readdir(compiled)).not.toEqual([]);
  if (process.platform !== 'win32') expect((await stat(compiled)).mode & 0o777).toBe(0o700);

  keychain.hang();
  const { app, page } = await launch({ env: keychain.env });
  await expect(page.getByText('Waiting for the system keychain')).toBeVisible();
  await page.getByRole('option', { name: /read while the keychain hangs/ }).click();
  await expect(jobPane(page).getByRole('tabpanel', { name: 'Output' })).toContainText('read while');
  // Nothing gave the keychain up before the list came: it is not what was waited for.
  const log = await readFile(join(dataDir, 'jobdeck.log'), 'utf8').catch(() => '');
  const gaveUpAt = /"at":"([^"]+)"[^\n]*The keychain does not answer/.exec(log)?.[1];
  const { firstAnswers } = await app.ask('start');
  expect(firstAnswers['job:list']).toBeLessThan(gaveUpAt === undefined ? Infinity : Date.parse(gaveUpAt));

  await page.getByRole('button', { name: 'Minimise' }).click();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
  await expect(launchApp({ dataDir, env: keychain.env })).rejects.toThrow();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('visible');
  expect(app.windows()).toHaveLength(1);

  keychain.goOn();
  await expect(page.getByText('Waiting for the system keychain')).toHaveCount(0);
});

test('the system is asked for keys only when there is a window to say what for', async ({ launch, dataDir }) => {
  test.skip(process.platform !== 'linux', 'elsewhere the keychain answers, and the log says nothing');
  const drawn = join(dataDir, 'drawn');
  // Without a bus the keychain answers at once that there is none, which the log says.
  const { app, page } = await launch({
    env: { DBUS_SESSION_BUS_ADDRESS: 'disabled:', ELECTRON_STAND_IN_DRAWN_BY: drawn },
  });
  // The engine is open, and would ask by now.
  await expect(page.getByRole('button', { name: 'Open the sandbox' })).toBeVisible();
  await writeFile(drawn, '');
  const shownMs = async (): Promise<number> => (await app.ask('start')).windowShownMs;
  await expect.poll(shownMs).toBeGreaterThan(0);
  const askedAt = async (): Promise<string | undefined> => {
    const log = await readFile(join(dataDir, 'jobdeck.log'), 'utf8').catch(() => '');
    return /"at":"([^"]+)"[^\n]*(?:The keychain is not used|There is no keychain to use)/.exec(log)?.[1];
  };
  await expect.poll(askedAt).toBeDefined();
  expect(Date.parse((await askedAt()) ?? '')).toBeGreaterThanOrEqual(await shownMs());
});

test('keys move to the place chosen in the settings, and the service is still reachable', async ({
  launch,
  keychain,
  startService,
}) => {
  const service = await startService();
  // Else Chromium would find this keyring on Electron, whatever the desktop is called, and seal the file by it.
  const { app, page } = await launch({ env: keychain.env, args: ['--password-store=basic'] });
  // Before the system may ask, the form says that it may.
  await expect(
    page.getByText('Keys are stored in the system keychain. You may be asked to unlock it.').first(),
  ).toBeVisible();
  await connectTo(page, service);
  await page.keyboard.press('ControlOrMeta+,');
  const places = page.getByRole('radiogroup', { name: 'Keep keys in' });
  await expect(places.getByRole('radio', { name: 'System keychain' })).toBeChecked();
  await expect(page.getByText('Keys are stored in the system keychain.').first()).toBeVisible();
  await places.getByRole('radio', { name: 'Memory' }).click();
  await expect(page.getByText('Keys are kept in memory until Jobdeck closes').first()).toBeVisible();
  // Chromium has no keyring here: it would disguise keys, not protect them.
  await places.getByRole('radio', { name: 'Encrypted file' }).click();
  await expect(page.getByText(/cannot encrypt keys for Jobdeck.*No key was moved/)).toBeVisible();
  await expect(places.getByRole('radio', { name: 'Memory' })).toBeChecked();
  await page.keyboard.press('Escape');
  await runJob(page, 'with a key from memory');
  await app.close();
  const again = await launch({ env: keychain.env });
  await expect(again.page.getByText('No key for Production')).toBeVisible();
});

test('a working keyring seals the keys; a key that a broken keyring sealed for anyone is refused and reported', async ({
  launch,
  keychain,
  startService,
  dataDir,
}) => {
  const service = await startService();
  const gnome = { XDG_CURRENT_DESKTOP: 'GNOME' };
  const sealed = { env: { ...keychain.env, ...gnome, ELECTRON_STAND_IN_KEYRING: 'works' } };
  const { app, page } = await launch(sealed);
  await connectTo(page, service);
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('radiogroup', { name: 'Keep keys in' }).getByRole('radio', { name: 'Encrypted file' }).click();
  await expect(page.getByText('Keys are stored encrypted in Jobdeck’s own folder').first()).toBeVisible();
  await app.close();
  const folder = join(dataDir, 'secrets');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sealed'));
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) {
    const bytes = await readFile(join(folder, name));
    expect(bytes.includes(TEST_API_KEY)).toBe(false);
    expect(bytes.subarray(0, 3).toString()).not.toBe('v10');
  }

  const again = await launch(sealed);
  await runJob(again.page, 'with a key from the sealed file');
  await again.app.close();
  if (app.kind !== 'stand-in') return;

  // As a former version left it on a desktop that promises a keyring by its name and has none.
  const open = Buffer.from(TEST_API_KEY).map((byte) => byte ^ 0x5a);
  for (const name of files) await writeFile(join(folder, name), Buffer.concat([Buffer.from('v10'), open]));
  const nobody = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', ELECTRON_STAND_IN_KEYRING: 'broken' };
  const broken = await launch({ env: { ...gnome, ...nobody } });
  await expect(broken.page.getByText(/stored where other programs could read (it|them)/)).toBeVisible();
  await broken.page.keyboard.press('ControlOrMeta+,');
  await expect(broken.page.getByText('Keys are kept in memory until Jobdeck closes').first()).toBeVisible();
  expect((await readdir(folder)).filter((name) => name.endsWith('.sealed'))).toEqual([]);
});

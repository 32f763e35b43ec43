import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openHistory } from '../../src-main/history/open-history.ts';
import { createFaultService } from '../kit/fault-service.ts';
import { typeInput } from '../kit/person.ts';
import { TEST_API_KEY } from '../kit/sandbox.ts';
import { connectTo, expect, shareApp, test } from './fixtures.ts';

const healthy = {
  jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 1, running: 0 },
};

/** The form of the connection in Settings. */
async function openConnection(page: Page) {
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Production' }).first().click();
  return settings;
}

test.describe('in one app', () => {
  let service: Sandbox;
  const shared = shareApp(async ({ page }, startService) => {
    service = await startService();
    await connectTo(page, service);
  });

  test('a key is never saved in a preset', async () => {
    const { page } = shared();
    await page.getByRole('button', { name: 'New job' }).first().click();
    const sheet = page.getByRole('dialog', { name: 'New job' });
    await typeInput(page, JSON.stringify({ token: TEST_API_KEY }));
    await sheet.getByRole('button', { name: 'Save preset' }).click();
    const preset = page.getByRole('dialog', { name: 'Save preset' });
    await preset.getByRole('textbox', { name: 'Name' }).fill('With a key');
    await preset.getByRole('textbox', { name: 'Name' }).press('Enter');
    await expect(preset.getByText(/it contains an API key/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(preset).toBeHidden();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect(sheet).toBeHidden();
  });

  test('what was typed into a connection stays until it is saved or discarded, and a second press makes no second connection', async () => {
    const { page } = shared();
    const settings = await openConnection(page);
    await settings.getByLabel('REST URL').fill('https://rest.example/v1');
    await settings.getByLabel('API key').fill('typed-and-not-saved');
    await settings.getByRole('button', { name: 'Storage' }).click();
    await expect(settings.getByRole('button', { name: 'Production unsaved' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(settings).toHaveCount(0);
    await openConnection(page);
    await expect(settings.getByLabel('REST URL')).toHaveValue('https://rest.example/v1');
    // A key is not kept by a window that does not show its field.
    await expect(settings.getByLabel('API key')).toHaveValue('');
    await settings.getByRole('button', { name: 'Discard changes' }).click();
    await expect(settings.getByLabel('REST URL')).toHaveValue(service.restUrl);
    await expect(settings.getByRole('button', { name: 'Discard changes' })).toHaveCount(0);
    await expect(settings.getByText('unsaved')).toHaveCount(0);

    await settings.getByRole('button', { name: 'Add connection' }).click();
    await settings.getByLabel('Connection name').fill('Staging');
    await settings.getByLabel('Base URL').fill(service.baseUrl);
    await settings.getByRole('button', { name: 'Production' }).click();
    await settings.getByRole('button', { name: 'Add connection' }).click();
    await expect(settings.getByLabel('Connection name')).toHaveValue('Staging');
    // One wrong key is one problem, and what was checked last is still true when it is saved.
    await settings.getByLabel('Endpoint ids').fill('echo text ');
    await settings.getByLabel('API key').fill('a-wrong-key-0123456789');
    const check = settings.getByRole('region', { name: /check/i });
    await check.getByRole('button', { name: 'Check' }).click();
    await expect(check.getByText('The service refused this key (401)')).toHaveCount(1);
    await expect(check.getByText(/^GET .*health$/)).toHaveCount(2);
    await settings.getByLabel('API key').fill(TEST_API_KEY);
    await check.getByRole('button', { name: 'Check' }).click();
    await expect(check.getByText('Connection checked')).toBeVisible();
    await settings.getByRole('button', { name: 'Connect', exact: true }).dblclick();
    await expect(page.getByText('Staging saved', { exact: true })).toBeVisible();
    await expect(settings.getByRole('button', { name: 'Staging' })).toHaveCount(1);
    await expect(check.getByText('Connection checked')).toBeVisible();
    await expect(settings.getByRole('heading', { name: 'Staging' })).toBeInViewport({ ratio: 1 });
    await settings.getByRole('button', { name: 'Add connection' }).click();
    await expect(settings.getByLabel('Connection name')).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(settings).toHaveCount(0);
  });

  test('a saved key is not sent to a mistyped address, by a check or a save, until it is entered again (ruling 44)', async () => {
    const { page } = shared();
    const stranger = await createFaultService();
    stranger.otherwise({ kind: 'reply', body: healthy });
    const settings = await openConnection(page);
    await expect(settings.getByLabel('API key')).toHaveAttribute('placeholder', 'Key saved. Type to replace it');

    await settings.getByLabel('Base URL').fill(`${stranger.url}/v2`);
    const words = `Enter the key again to use it at ${stranger.url}.`;
    const asked = settings.getByText(/Enter (the key|it) again/);
    await expect(asked).toHaveText(new RegExp(words));
    await expect(settings.getByLabel('API key')).toHaveAttribute('placeholder', '');
    const check = settings.getByRole('region', { name: /check/i });
    await expect(check.getByRole('button', { name: 'Check' })).toHaveAttribute('aria-disabled', 'true');
    await check.getByRole('button', { name: 'Check' }).hover();
    await expect(page.getByText('Needs the key')).toBeVisible();
    await settings.getByRole('button', { name: 'Save connection' }).click();
    await expect(settings.getByLabel('API key')).toHaveAttribute('aria-invalid', 'true');
    await expect(asked).toHaveCount(1);
    await expect(page.getByText('Production saved')).toHaveCount(0);
    expect(stranger.requests).toEqual([]);

    // Another path of the same origin asks for nothing.
    await settings.getByLabel('Base URL').fill(`${service.baseUrl}/v2`);
    await expect(settings.getByText('Enter the key again')).toHaveCount(0);
    await check.getByRole('button', { name: 'Check' }).click();
    await expect(check.getByText('Connection checked')).toBeVisible();

    await settings.getByLabel('Base URL').fill(stranger.url);
    await expect(settings.getByText(words)).toBeVisible();
    await settings.getByLabel('API key').fill('typed-anew-0123456789');
    await expect(settings.getByText(words)).toHaveCount(0);
    await check.getByRole('button', { name: 'Check' }).click();
    await expect(check.getByText('Connection checked')).toBeVisible();
    expect(stranger.requests.length).toBe(service.endpoints.length);
    expect(new Set(stranger.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer typed-anew-0123456789']),
    );

    await settings.getByRole('button', { name: 'Save connection' }).click();
    await expect(page.getByText('Production saved')).toBeVisible();
    await expect(settings.getByLabel('API key')).toHaveValue('');
    await expect(settings.getByText('Enter the key again')).toHaveCount(0);

    // Opened because the key is missing, the settings have the focus in its field.
    await settings.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).last().click();
    await expect(settings.getByLabel('API key')).toHaveAttribute('placeholder', '');
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(settings).toHaveCount(0);
    await page.getByRole('button', { name: 'Add key' }).click();
    await expect(settings.getByLabel('API key')).toBeFocused();
    await stranger.close();
  });
});

test('Jobdeck asks before it sends anything over http:// to another machine, and asks once about an address saved by an older version (ruling 44)', async ({
  launch,
  dataDir,
}) => {
  const service = await createFaultService();
  service.otherwise({ kind: 'reply', body: healthy });
  // Not an address of this machine by its name, and yet it answers.
  const address = service.url.replace('127.0.0.1', '0.0.0.0');
  const { app, page } = await launch();
  await page.getByLabel('Connection name').fill('Lab');
  await page.getByLabel('API key').fill(TEST_API_KEY);
  await page.getByLabel('Endpoint ids').fill('echo ');
  await page.getByLabel('Base URL').fill(service.url);
  await page.getByLabel('Base URL').fill(address);

  const question = page.getByRole('note').filter({ hasText: 'is not encrypted' });
  await expect(question).toContainText(
    `The key and all inputs and outputs travel unencrypted to ${address.slice('http://'.length)}`,
  );
  const check = page.getByRole('region', { name: /check/i });
  await check.getByRole('button', { name: 'Check' }).click();
  await expect(check.getByRole('alert')).toContainText('Nothing was sent.');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(question.getByRole('alert')).toContainText('Nothing was sent or saved.');
  expect(service.requests).toEqual([]);

  await question.getByRole('checkbox').click();
  await check.getByRole('button', { name: 'Check' }).click();
  await expect(check.getByText('Connection checked')).toBeVisible();
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TEST_API_KEY}`]);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  await expect(page.getByText('Lab is not encrypted')).toHaveCount(0);
  await app.close();

  // As it was kept by a version that did not ask.
  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  const [document] = await history.documents('connection');
  const { plainHttpOrigins: _asked, ...former } = z.looseObject({}).parse(JSON.parse(document?.json ?? '{}'));
  await history.putDocument('connection', document?.id ?? '', JSON.stringify(former));
  await history.close();

  const again = await launch();
  const banner = again.page.getByRole('status').filter({ hasText: 'Lab is not encrypted' });
  await expect(banner).toContainText(
    `The key and all inputs and outputs travel over http:// to ${address.slice('http://'.length)}`,
  );
  await banner.getByRole('button', { name: 'Change address' }).click();
  await expect(again.page.getByRole('dialog', { name: 'Settings' }).getByLabel('Base URL')).toHaveValue(address);
  await again.page.keyboard.press('Escape');
  await expect(again.page.getByRole('dialog', { name: 'Settings' })).toBeHidden();
  await banner.getByRole('button', { name: 'Send unencrypted' }).click();
  await expect(banner).toHaveCount(0);
  await expect
    .poll(() => again.page.evaluate(() => window.bridge?.call('connection:list', undefined)))
    .toMatchObject({ value: [{ name: 'Lab', plainHttp: [{ isAgreed: true }] }] });
  await service.close();
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { holdTimers } from '../kit/held-timers.ts';
import { openPreferences, openSandbox, sendAndOpen, typeInput } from '../kit/person.ts';
import { expect, jobPane, openJobIn, runByPalette, shareApp, test } from './fixtures.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });
const editorOf = (page: Page) => sheetOf(page).getByRole('textbox', { name: 'Input JSON' });

test('what was typed a moment before Jobdeck quits is there after the next start', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'The kettle' } });
  await openJobIn(page, 'The kettle', 'Completed');
  await page.keyboard.press('5');
  // The pauses after which typed text is saved never end, so that only leaving saves it.
  await holdTimers(page, 300, 400);
  await jobPane(page).getByRole('textbox', { name: 'Note' }).fill('Typed a moment before');
  await page.getByRole('button', { name: 'New job' }).first().click();
  await typeInput(page, '{"title": "Typed a moment before"}');
  await app.close();

  const again = await launch();
  await openJobIn(again.page, 'The kettle', 'Completed');
  await expect(jobPane(again.page).getByRole('tab', { name: /^Note/ })).toContainText('1');
  await again.page.keyboard.press('n');
  await expect(editorOf(again.page)).toHaveText('{"title": "Typed a moment before"}');
});

test('a form that is being filled in is back after its window crashed', async ({ launch }) => {
  const { app, page } = await launch();
  test.skip(app.kind !== 'stand-in', 'Playwright does not follow a page whose process died, as the stand-in does');
  await openSandbox(page);
  await runByPalette(page, 'Track jobs submitted elsewhere');
  const idsIn = (window: Page) =>
    window.getByRole('dialog', { name: 'Track jobs submitted elsewhere' }).getByLabel('Job ids');
  await idsIn(page).fill('0b5c8d1e-9a7f-4c3b-8e21-6d4f5a9b7c10-u1');
  // What is saved after a pause, and when a page goes away, is saved now. Then its process dies.
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  const [main] = await app.windowStates();
  await app.ask('crashWindow', main?.id ?? -1);
  await expect.poll(() => app.windows().some((each) => each !== page)).toBe(true);
  const again = app.windows().find((each) => each !== page) ?? page;
  await expect(again.getByText('A window crashed and was reloaded')).toBeVisible();
  await runByPalette(again, 'Track jobs submitted elsewhere');
  await expect(idsIn(again)).toHaveValue('0b5c8d1e-9a7f-4c3b-8e21-6d4f5a9b7c10-u1');
  await expect(again.getByText('Unsaved changes restored. Cancel discards them.')).toBeVisible();
});

test('what was typed of the first connection is there after a restart, without its key', async ({
  launch,
  dataDir,
}) => {
  const key = 'rpa_FIRST0123456789ABCDEF';
  const { app, page } = await launch();
  await page.getByLabel('Connection name').fill('Atlas');
  await page.getByLabel('Base URL').fill('https://api.atlas.test/v2');
  await page.getByLabel('API key').fill(key);
  await app.close();
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile() && each.name.startsWith('history.db')))
    expect((await readFile(join(file.parentPath, file.name))).includes(key), file.name).toBe(false);

  const again = await launch();
  await expect(again.page.getByLabel('Connection name')).toHaveValue('Atlas');
  await expect(again.page.getByLabel('Base URL')).toHaveValue('https://api.atlas.test/v2');
  await expect(again.page.getByLabel('API key')).toHaveValue('');
});

test.describe('in one app', () => {
  const shared = shareApp(async ({ page }) => await openSandbox(page));

  test('a title that is being typed is saved when a link opens another job', async () => {
    const { app, page } = shared();
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'The pan' } });
    const key = (await page.getByRole('option', { name: /^The pan,/ }).getAttribute('data-key')) ?? '';
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'The lamp' } });
    await page.getByRole('listbox', { name: 'Jobs' }).press('F2');
    await page.getByRole('textbox', { name: 'Title' }).fill('The old lamp');
    await app.ask('openUrl', `jobdeck://job/${key}`);
    await expect(jobPane(page).getByRole('heading', { name: 'The pan' })).toBeVisible();
    await expect(page.getByRole('option', { name: /^The old lamp,/ })).toBeVisible();
  });

  test('the Enter that ends a word of an input method is not the Enter of its field', async () => {
    const { page } = shared();
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'The kettle' } });
    /** Presses a key that an input method answers, as the browser reports it. */
    const compose = (field: Locator, key: string): Promise<void> =>
      field.dispatchEvent('keydown', { key, isComposing: true, cancelable: true });

    await page.getByRole('listbox', { name: 'Jobs' }).press('F2');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('やかん');
    await compose(title, 'Enter');
    await compose(title, 'Escape');
    await expect(title).toHaveValue('やかん');
    await title.press('Enter');
    await expect(jobPane(page).getByRole('heading', { name: 'やかん' })).toBeVisible();

    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog').getByRole('combobox');
    await palette.fill('health');
    await compose(palette, 'Enter');
    await expect(palette).toBeFocused();
    await palette.press('Escape');
    await expect(palette).toBeHidden();

    const filter = page.getByRole('combobox', { name: 'Search jobs' });
    await filter.fill('やかん');
    await compose(filter, 'Enter');
    await compose(filter, 'ArrowDown');
    await expect(filter).toBeFocused();
    await filter.fill('');
  });

  const isBack = 'Unsaved changes restored.';

  test('a form closed by Escape has what was typed when it is opened again, and nothing after Cancel', async () => {
    const { page } = shared();
    await runByPalette(page, 'Track jobs submitted elsewhere');
    const follow = page.getByRole('dialog', { name: 'Track jobs submitted elsewhere' });
    await follow.getByLabel('Job ids').fill('0b5c8d1e-9a7f-4c3b-8e21-6d4f5a9b7c10-u1');
    await page.keyboard.press('Escape');
    await expect(follow).toBeHidden();
    await runByPalette(page, 'Track jobs submitted elsewhere');
    await expect(follow.getByLabel('Job ids')).toHaveValue('0b5c8d1e-9a7f-4c3b-8e21-6d4f5a9b7c10-u1');
    await expect(follow.getByText(isBack)).toBeVisible();
    await follow.getByRole('button', { name: 'Cancel' }).click();
    await expect(follow).toBeHidden();
    await runByPalette(page, 'Track jobs submitted elsewhere');
    await expect(follow.getByLabel('Job ids')).toHaveValue('');
    await expect(follow.getByText(isBack)).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(follow).toBeHidden();

    await openView(page, /echo/i);
    await openView(page, /^Health/);
    await page.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByRole('dialog', { name: 'New alert rule' });
    await rule.getByRole('textbox').first().fill('1234');
    await page.keyboard.press('Escape');
    await expect(rule).toBeHidden();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await expect(rule.getByRole('textbox').first()).toHaveValue('1234');
    await expect(rule.getByText(isBack)).toBeVisible();
    await rule.getByRole('button', { name: 'Cancel' }).click();
    await expect(rule).toBeHidden();
  });

  test('a form closed by Escape has an S3 profile without its secret; pressed twice, it is saved once', async () => {
    const { page } = shared();
    await page.keyboard.press('n');
    const sheet = sheetOf(page);
    const choose = sheet.getByRole('combobox', { name: /^S3 profile/ });
    await choose.click();
    await page.getByRole('option', { name: 'New profile' }).click();
    await sheet.getByLabel('accessId').fill('someone');
    await sheet.getByLabel('accessSecret').fill('never kept');
    await sheet.getByLabel('bucketName').fill('atlas');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await page.keyboard.press('n');
    await expect(sheet.getByLabel('accessId')).toHaveValue('someone');
    await expect(sheet.getByLabel('bucketName')).toHaveValue('atlas');
    await expect(sheet.getByLabel('accessSecret')).toHaveValue('');
    await pressTwice(page, 'Use for this job');
    await expect(sheet.getByRole('combobox', { name: 'S3 profile: atlas' })).toBeVisible();
    await choose.click();
    await expect(page.getByRole('option', { name: 'atlas' })).toHaveCount(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });

  test('a form closed by Escape has a fault of the sandbox; pressed twice, it is added once', async () => {
    const { page } = shared();
    await openView(page, 'Sandbox');
    const pane = page.getByRole('region', { name: 'Sandbox', exact: true });
    await pane.getByRole('button', { name: 'Add fault' }).click();
    await pane.getByLabel('Status', { exact: true }).fill('418');
    await page.keyboard.press('Escape');
    await expect(pane.getByRole('form')).toBeHidden();
    await pane.getByRole('button', { name: 'Add fault' }).click();
    await expect(pane.getByLabel('Status', { exact: true })).toHaveValue('418');
    await expect(pane.getByText(isBack)).toBeVisible();
    await pressTwice(page, 'Add');
    await expect(pane.getByRole('form')).toBeHidden();
    await expect(pane.getByRole('switch', { name: /418/ })).toHaveCount(1);
  });

  test('a form closed by Escape has a time of the settings, which is in effect', async () => {
    const { page } = shared();
    const settings = await openPreferences(page);
    await settings.getByRole('navigation').getByRole('button', { name: 'Notifications' }).click();
    await settings.getByRole('switch', { name: 'Quiet hours' }).setChecked(true);
    await settings.getByLabel('Quiet from', { exact: true }).fill('21:30');
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
    await openPreferences(page);
    await settings.getByRole('navigation').getByRole('button', { name: 'Notifications' }).click();
    await expect(settings.getByLabel('Quiet from', { exact: true })).toHaveValue('21:30');
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
  });

  test('a form closed by Escape has the address of a proxy that is not used yet', async () => {
    const { page } = shared();
    const settings = await openPreferences(page);
    const open = (): Promise<void> => settings.getByRole('navigation').getByRole('button', { name: 'Network' }).click();
    await open();
    await settings.getByRole('radio', { name: 'Manual' }).click();
    await settings.getByLabel('Address').first().fill('http://proxy.example:8080');
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
    await openPreferences(page);
    await open();
    await settings.getByRole('radio', { name: 'Manual' }).click();
    await expect(settings.getByLabel('Address').first()).toHaveValue('http://proxy.example:8080');
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
  });

  test('a form closed by Escape has the value of a variable that was not ended by Enter', async () => {
    const { page } = shared();
    await page.keyboard.press('n');
    const sheet = sheetOf(page);
    await typeInput(page, '{"seed": {{seed}}}');
    const seed = sheet.getByRole('group', { name: 'seed' });
    await seed.getByRole('radio', { name: 'List' }).click();
    await seed.getByRole('textbox', { name: 'Values of seed' }).fill('902');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await page.keyboard.press('n');
    await expect(seed.getByRole('button', { name: 'Remove 902' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });

  test('a proxy choice that could not be saved is shown as it still is, with the reason', async () => {
    const { app, page } = shared();
    const settings = await openPreferences(page);
    await settings.getByRole('navigation').getByRole('button', { name: 'Network' }).click();
    const failure = { kind: 'storage', message: 'The disk is full.' };
    await app.ask('breakInvoke', 'settings:change', { kind: 'answer', result: { ok: false, failure } });
    await settings.getByRole('radio', { name: 'None', exact: true }).click();
    await expect(settings.getByText('The disk is full.')).toBeVisible();
    await expect(settings.getByRole('radio', { name: 'System', exact: true })).toBeChecked();
    // The address of a manual one stays, with the same reason.
    await settings.getByRole('radio', { name: 'Manual' }).click();
    const address = settings.getByLabel('Address').first();
    await address.fill('http://proxy.example:8081');
    await settings.getByRole('button', { name: 'Use proxy' }).click();
    await expect(settings.getByText('The disk is full.')).toBeVisible();
    await expect(address).toHaveValue('http://proxy.example:8081');
  });
});

const openView = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('navigation').getByRole('button', { name, exact: true }).click();

/** Presses a button twice before anything can answer the first press. */
const pressTwice = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).evaluate((button) => {
    if (!(button instanceof HTMLElement)) return;
    button.click();
    button.click();
  });

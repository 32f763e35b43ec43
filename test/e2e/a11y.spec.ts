import type { Locator, Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import {
  chooseEndpoint,
  goTo,
  openPodOfSandbox,
  openSandbox,
  openTemplateOfSandbox,
  searchJobs,
  sendAndOpen,
  sendJobs,
  typeInput,
  toastOf,
} from '../kit/person.ts';
import type { Surface } from '../kit/surfaces.ts';
import { connectTo, expect, jobPane, shareApp, test, type LaunchedApp } from './fixtures.ts';

/*
 * What axe finds on every window, pane and dialog, in both themes: nothing. `test/kit/surfaces.ts` lists them; some are
 * visited where a spec of theirs has them open.
 */

/** Runs axe on a surface; its findings are reported at the end of the test, with those of the others. */
type Clean = (surface: Surface, where?: Page) => Promise<void>;

const cleaning =
  (app: LaunchedApp, page: Page): Clean =>
  async (surface, where = page) =>
    expect.soft(await faults(app, where, surface)).toEqual([]);

const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

const layersOf = (page: Page): Locator =>
  page.locator('[role="dialog"][data-open], [role="menu"][data-open], [data-open] > [role="listbox"]');

/** Waits until a menu or dialog lies over the window. Without it, axe and the keys would be for what is under it. */
async function untilCovered(page: Page): Promise<void> {
  await expect(layersOf(page)).not.toHaveCount(0);
}

/** Closes what lies over the window, one layer a press. */
async function closeLayers(page: Page, count = 1): Promise<void> {
  const layers = layersOf(page);
  for (let layer = 0; layer < count; layer += 1) {
    const before = await layers.count();
    if (before === 0 && layer > 0) return;
    await page.keyboard.press('Escape');
    if (before > 0) await expect.poll(() => layers.count()).toBeLessThan(before);
  }
}

async function chooseFromMore(page: Page, item: string): Promise<void> {
  await jobPane(page).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test.describe('in the sandbox', () => {
  const shared = shareApp(({ page }) => openSandbox(page));

  test('axe finds nothing in the lists, a job and its dialogs', async () => {
    test.setTimeout(240_000);
    const { app, page } = shared();
    const clean = cleaning(app, page);
    await sendJobs(page, [{ endpoint: 'mock', input: { title: 'still running', mock_delay: 600_000 } }]);
    await expect(page.getByRole('option', { name: /^still running, In progress/ })).toBeVisible({ timeout: 20_000 });
    await sendAndOpen(page, { endpoint: 'mock', input: { title: 'fails', mock_error: 'no such model' } });
    await expect(jobPane(page).getByText('Failed').first()).toBeVisible({ timeout: 20_000 });
    await clean('failed job');
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'An answer', note: 'long '.repeat(800) } });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
    await cleanTabs(page, clean);
    await cleanDialogsOfJob(page, clean);
    await cleanMenus(page, clean);
    await cleanFilterAndPalette(page, clean);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect(page.getByRole('complementary', { name: 'Notifications' })).toBeVisible();
    await clean('notification centre');
    await closeLayers(page);
    await page.getByRole('button', { name: 'Hide sidebar' }).click();
    await expect(page.getByRole('button', { name: 'Show sidebar' })).toBeVisible();
    await clean('folded sidebar');
    await page.getByRole('button', { name: 'Show sidebar' }).click();
  });

  test('axe finds nothing in the other panes and windows', async () => {
    test.setTimeout(240_000);
    const { app, page } = shared();
    const clean = cleaning(app, page);
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'In a window' } });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
    await page.keyboard.press('Shift+Enter');
    const jobWindow = await app.waitForWindow(/\/job\//);
    await expect(jobWindow.getByRole('heading', { level: 1 })).toBeVisible();
    await clean('job window', jobWindow);
    await jobWindow.getByRole('button', { name: 'commands' }).click();
    await expect(jobWindow.getByRole('option', { name: 'Open in the main window' })).toBeVisible();
    await clean('palette of a job window', jobWindow);
    await jobWindow.keyboard.press('Escape');
    await expect(jobWindow.getByRole('dialog')).toHaveCount(0);
    await jobWindow.keyboard.press('?');
    await expect(dialogOf(jobWindow, 'Keyboard shortcuts')).toBeVisible();
    await clean('shortcuts of a job window', jobWindow);
    await closeLayers(jobWindow);
    await cleanHealth(app, page, clean);
    await cleanPodsAndTemplates(app, page, clean);
    await cleanSandbox(app, page, clean);
  });
});

async function cleanTabs(page: Page, clean: Clean): Promise<void> {
  for (const [tab, surface] of [
    ['Input', 'job input'],
    ['Metrics', 'job metrics'],
    ['Requests', 'job requests'],
    ['Note', 'job note'],
    ['Output', 'job output'],
  ] as const) {
    await jobPane(page).getByRole('tab', { name: tab }).click();
    // With one of the requests opened.
    if (tab === 'Requests') await jobPane(page).getByRole('row').nth(1).getByRole('button').press('Enter');
    await clean(surface);
  }
  await jobPane(page)
    .getByRole('button', { name: /^text, / })
    .click();
  await expect(dialogOf(page, 'note')).toBeVisible();
  await clean('long text');
  await closeLayers(page);
  await expect(dialogOf(page, 'note')).toBeHidden();
}

async function cleanDialogsOfJob(page: Page, clean: Clean): Promise<void> {
  await chooseFromMore(page, 'Tag');
  await untilCovered(page);
  await clean('tags');
  await closeLayers(page);
  await chooseFromMore(page, 'Request as code');
  await expect(dialogOf(page, 'Request as code').getByRole('region', { name: 'Code' })).toContainText('fetch');
  await clean('request as code');
  await closeLayers(page);
  await page.getByRole('option', { name: /^still running/ }).click();
  await expect(jobPane(page).getByRole('heading', { name: 'still running' })).toBeVisible();
  await chooseFromMore(page, 'Extend lifetime');
  await dialogOf(page, 'Extend lifetime').getByRole('combobox').click();
  await expect(page.getByRole('option', { name: '7 days' })).toBeVisible();
  await clean('extend lifetime');
  await closeLayers(page, 2);
  await page.keyboard.press('m');
  await expect(dialogOf(page, 'Mark and label')).toBeVisible();
  await clean('mark and label');
  await closeLayers(page);
}

async function cleanMenus(page: Page, clean: Clean): Promise<void> {
  await jobPane(page).getByRole('button', { name: 'More', exact: true }).click();
  await untilCovered(page);
  await clean('menu of a job');
  await closeLayers(page);
  await page.getByRole('option', { name: /^fails/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).hover();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('menuitem', { name: /^Copy output/ })).toBeVisible();
  await clean('menu of a row');
  await closeLayers(page, 2);
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page
    .getByRole('navigation', { name: 'Views and endpoints' })
    .getByRole('button', { name: 'Mock', exact: true })
    .click({ button: 'right' });
  await untilCovered(page);
  await clean('menu of an endpoint');
  await closeLayers(page);
  await page.getByRole('button', { name: /^Connection:/ }).click();
  await untilCovered(page);
  await clean('menu of connections');
  await closeLayers(page);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await untilCovered(page);
  await clean('menu of the list');
  await closeLayers(page);
}

async function cleanFilterAndPalette(page: Page, clean: Clean): Promise<void> {
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search jobs' })).toBeFocused();
  await page.keyboard.type('status:');
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeVisible();
  await clean('filter suggestions');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('took>');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { selected: true }).filter({ hasText: 'second' })).toBeVisible();
  await clean('filter suggestions');
  await closeLayers(page);
  await searchJobs(page, 'nowhere');
  await expect(page.getByText('Nothing matches').first()).toBeVisible();
  await clean('no matches');
  await searchJobs(page, '');
  await closeLayers(page);
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: 'Search or run' });
  await expect(field).toBeFocused();
  await clean('palette');
  await field.fill('an answer');
  await expect(dialogOf(page, 'Command palette').getByRole('option', { name: /An answer/ })).toBeVisible();
  await clean('palette with results');
  await field.fill('no command or job has this name');
  await expect(page.getByText(/^No results for/)).toBeVisible();
  await clean('palette');
  await field.fill('submitted elsewhere');
  await expect(page.getByRole('option', { name: /^Track jobs/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(dialogOf(page, 'Track jobs submitted elsewhere')).toBeVisible();
  await clean('track jobs');
  await closeLayers(page);
  await page.keyboard.press('?');
  await expect(dialogOf(page, 'Keyboard shortcuts')).toBeVisible();
  await clean('shortcuts');
  await closeLayers(page);
}

test('axe finds nothing in the first window, the composer, the settings and the questions', async ({
  launch,
  startService,
}) => {
  test.setTimeout(240_000);
  const { app, page } = await launch();
  const clean = cleaning(app, page);
  await page.getByRole('button', { name: 'Open the sandbox' }).waitFor();
  await clean('onboarding');
  await connectTo(page, await startService());
  await clean('empty list');
  await sendJobs(
    page,
    ['one', 'another'].map((title) => ({ endpoint: 'mock', input: { title, mock_delay: 600_000 } })),
  );
  await expect(page.getByRole('option')).toHaveCount(2);
  // By name: the rows change places when a job leaves the queue.
  for (const name of [/^one,/, /^another,/])
    await page.getByRole('option', { name }).click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByText('2 selected')).toBeVisible();
  await clean('bulk bar');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('.');
  const question = dialogOf(page, 'Cancel 2 jobs');
  await expect(question.getByRole('button', { name: 'Don’t cancel' })).toBeFocused();
  await clean('cancel several jobs');
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(page.getByRole('option', { name: /In progress|In queue/ })).toHaveCount(2);
  await page.keyboard.press('t');
  await expect(dialogOf(page, 'Tags of 2 jobs')).toBeVisible();
  await clean('tags of several jobs');
  await closeLayers(page, 2);
  await cleanComposer(page, clean);
  await cleanBatch(page, clean);
  await cleanSettings(page, clean);
  await page.evaluate(() => window.bridge?.call('settings:change', { density: 'compact' }));
  await page.getByRole('listbox', { name: 'Jobs' }).press('Escape');
  await page.getByRole('button', { name: 'Execution', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Execution, longest first' })).toBeVisible();
  await clean('table in an order');
  await page.getByRole('button', { name: 'Save this list as a view' }).click();
  await untilCovered(page);
  await clean('name of a view');
  await closeLayers(page);
  await cleanTrayMenu(app, page, clean);
});

/** The popover has a menu of connections where there are several. */
async function cleanTrayMenu(app: LaunchedApp, page: Page, clean: Clean): Promise<void> {
  if (app.kind !== 'stand-in') return;
  await page.getByRole('button', { name: /^Connection:/ }).click();
  await page.getByRole('menuitem', { name: 'Open the sandbox' }).click();
  await expect(page.getByRole('button', { name: /^Connection: Sandbox/ })).toBeVisible({ timeout: 20_000 });
  await app.clickTray();
  const tray = await app.waitForWindow('/tray');
  await tray.setViewportSize({ width: 368, height: 552 });
  await tray.getByRole('button', { name: 'Connection: Sandbox' }).click();
  await expect(tray.getByRole('menuitem', { name: 'Production' })).toBeVisible();
  await clean('tray popover, menu of connections', tray);
}

async function cleanComposer(page: Page, clean: Clean): Promise<void> {
  await page.keyboard.press('n');
  const sheet = dialogOf(page, 'New job');
  await typeInput(page, '{"prompt": "a complete input"}');
  await clean('composer');
  await typeInput(page, '{"prompt": }');
  await expect(sheet.getByRole('button', { name: 'Submit job' })).toHaveAttribute('aria-disabled', 'true');
  await clean('composer with a problem');
  await sheet.getByRole('combobox', { name: /^S3 profile/ }).click();
  await page.getByRole('option', { name: 'New profile' }).click();
  await sheet.getByLabel('bucketName').fill('atlas');
  await clean('composer, S3 profile');
  await sheet.getByRole('button', { name: 'Use for this job' }).click();
  await sheet.getByRole('button', { name: 'Delete profile' }).click();
  await expect(dialogOf(page, 'Delete atlas').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await clean('delete an S3 profile');
  await dialogOf(page, 'Delete atlas').getByRole('button', { name: 'Delete profile' }).click();
  await expect(sheet.getByRole('combobox', { name: 'S3 profile: None' })).toBeVisible();
}

/** Of a batch that is held back. */
async function cleanBatch(page: Page, clean: Clean): Promise<void> {
  const sheet = dialogOf(page, 'New job');
  await page.evaluate(() => window.bridge?.call('tracker:pause', undefined));
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await chooseEndpoint(page, 'echo');
  await sheet.getByRole('textbox', { name: 'Inputs' }).fill('{"title": "row one"}\n{"title": "row two"}');
  await clean('composer, many inputs');
  await sheet.getByRole('button', { name: 'Submit 2 jobs' }).click();
  await expect(sheet).toBeHidden();
  const strip = page.getByRole('region', { name: 'Batch' });
  await expect(strip.getByRole('img', { name: '2 rows: 2 to send' })).toBeVisible();
  await clean('batch strip');
  await strip.click({ button: 'right' });
  await untilCovered(page);
  await clean('menu of a batch');
  await closeLayers(page);
  await strip.getByRole('button', { name: 'Back to all jobs' }).click();
}

async function cleanSettings(page: Page, clean: Clean): Promise<void> {
  await page.keyboard.press('ControlOrMeta+,');
  const settings = dialogOf(page, 'Settings');
  for (const [entry, surface] of [
    ['Preferences', 'settings: preferences'],
    ['Notifications', 'settings: notifications'],
    ['Network', 'settings: network'],
    ['Storage', 'settings: storage'],
    ['About', 'settings: about'],
    ['Add connection', 'settings: new connection'],
    ['Production', 'settings: connection'],
  ] as const) {
    await settings.getByRole('navigation').getByRole('button', { name: entry }).click();
    await clean(surface);
  }
  await settings.getByRole('button', { name: 'Delete key' }).click();
  await expect(dialogOf(page, 'Delete the key for Production').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await clean('delete a key');
  await closeLayers(page);
  await settings.getByRole('button', { name: 'Remove connection' }).click();
  await expect(dialogOf(page, 'Remove Production').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await clean('remove connection');
  await closeLayers(page);
  await expect(settings.getByRole('button', { name: 'Remove connection' })).toBeFocused();
  await closeLayers(page);
}

async function cleanSandbox(app: LaunchedApp, page: Page, clean: Clean): Promise<void> {
  await goTo(page, 'b');
  await expect(page.getByRole('region', { name: 'Sandbox', exact: true })).toBeVisible();
  await clean('sandbox');
  await page.getByRole('button', { name: 'Open in its own window' }).click();
  const sandboxWindow = await app.waitForWindow(/\/sandbox/);
  await expect(sandboxWindow.getByRole('region', { name: 'Sandbox', exact: true })).toBeVisible();
  await clean('sandbox window', sandboxWindow);
  await page.getByRole('button', { name: 'Add fault' }).click();
  await clean('sandbox, new fault');
}

async function cleanHealth(app: LaunchedApp, page: Page, clean: Clean): Promise<void> {
  await goTo(page, 'h');
  await expect(page.getByText('Workers running').first()).toBeVisible({ timeout: 20_000 });
  await clean('health of all endpoints');
  await page.getByRole('navigation').getByRole('button', { name: 'Echo', exact: true }).click();
  await goTo(page, 'h');
  await expect(page.getByRole('heading', { name: 'Purge queue' })).toBeVisible({ timeout: 20_000 });
  await clean('health of an endpoint');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await untilCovered(page);
  await clean('alert rule');
  await closeLayers(page);
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await expect(dialogOf(page, 'Alerts of Echo')).toContainText('No alerts yet');
  await clean('alert history');
  await closeLayers(page);
  await page.getByRole('button', { name: 'Open in its own window' }).click();
  const healthWindow = await app.waitForWindow(/\/health\//);
  await expect(healthWindow.getByRole('heading', { name: 'Purge queue' })).toBeVisible({ timeout: 20_000 });
  await clean('health window', healthWindow);
}

async function cleanPodsAndTemplates(app: LaunchedApp, page: Page, clean: Clean): Promise<void> {
  const pod = await openPodOfSandbox(app, page);
  await clean('pod window', pod);
  await expect(page.getByRole('button', { name: /^More for/ })).toBeVisible();
  await clean('pods');

  const template = await openTemplateOfSandbox(app, page);
  await clean('template window', template);
  await template.getByRole('button', { name: 'Read from a pod', exact: true }).click();
  await expect(dialogOf(template, 'Read from a pod')).toBeVisible();
  await clean('read from a pod', template);
  await closeLayers(template);
  await expect(dialogOf(template, 'Read from a pod')).toBeHidden();
  await template.getByRole('button', { name: 'Paste .env' }).click();
  await dialogOf(template, 'Paste a .env file').getByRole('textbox').fill('MODEL_ID=atlas\nno variable');
  await clean('paste variables', template);
  // A draft: so it is in the list.
  await dialogOf(template, 'Paste a .env file').getByRole('button', { name: 'Import 1 variable' }).click();
  const more = page.getByRole('button', { name: /^More for/ });
  await expect(more).toBeVisible();
  await clean('templates');
  await more.click();
  await page.getByRole('menuitem', { name: /^Forget/ }).click();
  await expect(more).toBeHidden();
  const forgot = toastOf(page, /^Forgot .* and its draft/);
  // It stays while the pointer is on it.
  await forgot.hover();
  await clean('toast with undo');
  await forgot.getByRole('button', { name: 'Undo' }).click();
  await expect(more).toBeVisible();
}

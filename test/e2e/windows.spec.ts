import {
  closeWindow,
  openPodOfSandbox,
  openPreferences,
  openSandbox,
  openTemplateOfSandbox,
  sendJobs,
  submitJob,
} from '../kit/person.ts';
import type { Locator } from '@playwright/test';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { connectTo, expect, jobPane, openJobIn, shareApp, test } from './fixtures.ts';

const paced = openPacedEndpoint();
test.afterAll(() => paced.close());

/** Drags an edge between panes sideways, as a mouse does. */
async function drag(edge: Locator, byPx: number): Promise<void> {
  const { mouse } = edge.page();
  const box = await edge.boundingBox();
  if (box === null) throw new Error('The edge is not drawn.');
  await mouse.move(box.x + 3, box.y + 200);
  await mouse.down();
  await mouse.move(box.x + 3 + byPx, box.y + 200, { steps: 4 });
  await mouse.up();
}

test('closing the last window keeps Jobdeck in the tray while a job is active, and otherwise quits', async ({
  launch,
  startService,
}) => {
  const service = await startService({ endpoints: [paced.endpoint] });
  const { app, page } = await launch();
  await connectTo(page, service);
  await app.leave();
  await submitJob(page, { endpoint: 'paced', input: { title: 'outlives its window', paced_return: 'marmalade' } });
  await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
  await closeWindow(app, page);
  await expect.poll(() => app.windows().length).toBe(0);
  paced.end();
  await expect
    .poll(async () => (await app.notifications()).map((each) => each.title), { timeout: 30_000 })
    .toEqual(
      expect.arrayContaining([
        // On a desktop that draws no tray icons, as found out over its bus.
        expect.stringMatching(/^Jobdeck (stays in the tray|keeps running)$/),
        'outlives its window completed',
      ]),
    );

  await app.clickTrayItem('Open Jobdeck');
  const again = await app.mainWindow();
  await again.getByRole('option', { name: /outlives its window/ }).click();
  await expect(jobPane(again).getByRole('tabpanel', { name: 'Output' })).toContainText('marmalade');

  // On macOS apps stay until they are quit.
  if (process.platform === 'darwin') return;
  // Without a live job it stays only if the user wants that.
  const preferences = await openPreferences(again);
  await preferences.getByRole('switch', { name: 'Stay in the tray' }).click();
  await again.keyboard.press('Escape');
  await expect(preferences).toHaveCount(0);
  await closeWindow(app, again);
  await expect.poll(() => app.windows().length).toBe(0);
  await app.clickTrayItem('Open Jobdeck');
  const third = await app.mainWindow();
  await expect(third.getByRole('option', { name: /outlives its window/ })).toBeVisible();
  const offAgain = await openPreferences(third);
  await offAgain.getByRole('switch', { name: 'Stay in the tray' }).click();
  await third.keyboard.press('Escape');
  await expect(offAgain).toHaveCount(0);
  await closeWindow(app, third);
  expect(await app.exited).toBe(0);
});

test('the window’s size, pane widths, view, filter and open job are restored after a restart', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await sendJobs(
    page,
    ['The older one', 'The newer one'].map((prompt) => ({ endpoint: 'echo', input: { prompt } })),
  );
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(2, { timeout: 20_000 });
  await page.getByRole('button', { name: /^Finished today/ }).click();
  await page.getByRole('combobox', { name: 'Search jobs' }).fill('status:completed one');
  const row = page.getByRole('option', { name: /The older one/ });
  await row.click();
  const key = await row.getAttribute('data-key');
  // A crash right after a click may forget it, so the test waits for the disk.
  await expect
    .poll(() => page.evaluate(async () => window.bridge?.call('draft:load', { slot: 'main-window' })))
    .toMatchObject({ ok: true, value: { text: expect.stringContaining(`"selectedKey":"${key}"`) } });
  const edge = page.getByRole('separator', { name: 'Width of the list' });
  await expect(edge).toHaveAttribute('aria-valuenow', '600');
  await drag(edge, -100);
  await expect(edge).toHaveAttribute('aria-valuenow', '500');
  await edge.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', '516');
  // A pane on the right grows to the left.
  await page.getByRole('button', { name: 'New job' }).first().click();
  const options = page.getByRole('separator', { name: 'Width of the options' });
  await expect(options).toHaveAttribute('aria-valuenow', '372');
  await drag(options, -100);
  await expect(options).toHaveAttribute('aria-valuenow', '472');
  await options.press('ArrowLeft');
  await expect(options).toHaveAttribute('aria-valuenow', '488');
  await page.keyboard.press('Escape');
  // macOS draws the buttons of its windows itself.
  const drawsButtons = process.platform !== 'darwin';
  if (drawsButtons) {
    await page.getByRole('button', { name: 'Maximise' }).click();
    await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
  }
  // The system goes down: it waits until Jobdeck has written and quit.
  if (app.kind === 'stand-in') expect(await app.firePower('shutdown')).toBe(true);
  else await app.close();
  expect(await app.exited).toBe(0);

  const again = await launch();
  await expect(jobPane(again.page).getByRole('heading', { name: 'The older one' })).toBeVisible();
  const kept = again.page.getByRole('separator', { name: 'Width of the list' });
  await expect(kept).toHaveAttribute('aria-valuenow', '516');
  await kept.dblclick();
  await expect(kept).toHaveAttribute('aria-valuenow', '600');
  if (drawsButtons) await expect(again.page.getByRole('button', { name: 'Restore' })).toBeVisible();
  await expect(again.page.getByRole('button', { name: /^Finished today/ })).toHaveAttribute('aria-current', 'page');
  await expect(again.page.getByRole('button', { name: 'Remove status:completed' })).toBeVisible();
  await expect(again.page.getByRole('combobox', { name: 'Search jobs' })).toHaveValue('one');
  await again.page.getByRole('button', { name: 'New job' }).first().click();
  const keptOptions = again.page.getByRole('separator', { name: 'Width of the options' });
  await expect(keptOptions).toHaveAttribute('aria-valuenow', '488');
  // A small window limits it, and does not forget it.
  await again.page.setViewportSize({ width: 720, height: 600 });
  await expect(keptOptions).toHaveAttribute('aria-valuenow', '328');
  await again.page.setViewportSize({ width: 1440, height: 900 });
  await expect(keptOptions).toHaveAttribute('aria-valuenow', '488');
  await keptOptions.dblclick();
  await expect(keptOptions).toHaveAttribute('aria-valuenow', '372');
});

test.describe('in one window', () => {
  const shared = shareApp(({ page }) => openSandbox(page));

  test('Ctrl A selects the shown jobs in the list, and the text in the search box', async () => {
    const { page } = shared();
    await sendJobs(
      page,
      ['Fog over the ridge', 'Fog in the valley', 'A clear day'].map((prompt) => ({
        endpoint: 'echo',
        input: { prompt },
      })),
    );
    const filter = page.getByRole('combobox', { name: 'Search jobs' });
    await filter.fill('fog');
    await expect(page.getByRole('option')).toHaveCount(2);
    await filter.press('ControlOrMeta+a');
    await expect.poll(() => filter.evaluate((box: HTMLInputElement) => box.selectionEnd)).toBe(3);
    await page.getByRole('listbox', { name: 'Jobs' }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await expect(page.getByText('2 selected')).toBeVisible();
    expect(await page.evaluate(() => window.getSelection()?.toString())).not.toContain('ridge');
    await page.keyboard.press('Escape');

    // In a job's pane it is the text of that pane alone, until a row is pressed.
    const selected = (): Promise<string> => page.evaluate(() => window.getSelection()?.toString() ?? '');
    await page.getByRole('option', { name: /ridge/ }).click();
    await expect(jobPane(page).getByRole('heading', { name: 'Fog over the ridge' })).toBeVisible();
    await jobPane(page).getByRole('tab', { name: 'Output' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await expect.poll(selected).toContain('Fog over the ridge');
    expect(await selected()).not.toContain('Search');
    await page.getByRole('option', { name: /valley/ }).click();
    await expect.poll(selected).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByRole('listbox', { name: 'Jobs' }).focus();
  });

  test('light and dark follow the desktop, or the choice in the preferences', async () => {
    const { app, page } = shared();
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
    await app.setSystemColorScheme('dark');
    await expect.poll(theme).toBe('dark');
    await app.setSystemColorScheme('light');
    await expect.poll(theme).toBe('light');
    const dialog = await openPreferences(page);
    await dialog.getByRole('radio', { name: 'Dark' }).click();
    await expect.poll(theme).toBe('dark');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  test('nothing is cut off or scrolls sideways from 760 to 1440 pixels', async () => {
    const { page } = shared();
    await submitJob(page, {
      endpoint: 'echo',
      input: { prompt: 'A rather long title that goes on and on until it must be cut somewhere, whatever the width' },
    });
    await openJobIn(page, 'A rather long title', 'Completed');
    for (const width of [1440, 1180, 1179, 960, 959, 820, 819, 760]) {
      await page.setViewportSize({ width, height: 600 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: `at ${width}` })
        .toBeLessThanOrEqual(width);
      await expect(page.getByRole('button', { name: 'New job' }).first()).toBeInViewport();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('opening the sandbox shows its pods and templates without entering an id', async () => {
    const { app, page } = shared();
    const pod = await openPodOfSandbox(app, page);
    const template = await openTemplateOfSandbox(app, page);
    for (const window of [pod, template]) await window.close();
    await page
      .getByRole('button', { name: /^All jobs/ })
      .first()
      .click();
  });
});

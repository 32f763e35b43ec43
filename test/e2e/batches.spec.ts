import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { holdToasts } from '../kit/held-timers.ts';
import { chooseEndpoint, submitJob, toastOf } from '../kit/person.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { connectTo, expect, jobPane, shareApp, test, type LaunchedApp } from './fixtures.ts';

const strip = (page: Page) => page.getByRole('region', { name: 'Batch' });
const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });

/** Opens the composer for many inputs and pastes them. */
async function pasteInputs(page: Page, text: string, endpoint = 'mock'): Promise<void> {
  await page.getByRole('button', { name: 'New job' }).first().click();
  await sheetOf(page).getByRole('radio', { name: 'Many inputs' }).click();
  await chooseEndpoint(page, endpoint);
  const field = sheetOf(page).getByRole('textbox', { name: 'Inputs' });
  await field.focus();
  await page.keyboard.insertText(text);
}

const rowsOf = (count: number, input: (row: number) => unknown): string =>
  Array.from({ length: count }, (_, index) => JSON.stringify(input(index + 1))).join('\n');

test('the typed inputs of a batch and a paused batch survive a restart', async ({ launch, startService }) => {
  const service = await startService();
  const first = await launch();
  await connectTo(first.page, service);
  await first.page.evaluate(() => window.bridge?.call('tracker:pause', undefined));
  await pasteInputs(
    first.page,
    rowsOf(5, (row) => ({ title: `Row of ${row}` })),
    'echo',
  );
  await sheetOf(first.page).getByRole('button', { name: 'Submit 5 jobs' }).click();
  // Nothing is sent while polling is paused, so there is no time left to tell.
  await expect(strip(first.page)).toContainText('the rest will be sent when polling resumes');
  await expect(strip(first.page)).not.toContainText(/ left/);
  await strip(first.page).getByRole('button', { name: 'Pause' }).click();
  await expect(strip(first.page).getByText('paused')).toBeVisible();
  await pasteInputs(first.page, 'prompt,seed\na cat,1\n"a dog",2\n', 'echo');
  await expect(sheetOf(first.page).getByText('2 valid rows')).toBeVisible();
  await first.page.keyboard.press('Escape');
  await expect(sheetOf(first.page)).toBeHidden();
  // On disk: the app is ended in the middle of whatever it does.
  await expect
    .poll(() => first.page.evaluate(() => window.bridge?.call('draft:load', { slot: 'composer-bulk-text' })))
    .toMatchObject({ ok: true, value: { text: expect.stringContaining('a dog') } });
  await first.app.kill();

  const { page } = await launch();
  await holdToasts(page);
  await page.getByRole('button', { name: /^Batch of/ }).click();
  await expect(strip(page).getByRole('img', { name: '5 rows: 5 to send' })).toBeVisible();
  await page.getByRole('button', { name: 'New job' }).first().click();
  await expect(sheetOf(page).getByRole('textbox', { name: 'Inputs' })).toHaveValue('prompt,seed\na cat,1\n"a dog",2\n');
  await expect(sheetOf(page).getByRole('cell', { name: '{"prompt":"a dog","seed":2}' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheetOf(page)).toBeHidden();
  await page.getByRole('button', { name: /^Batch of/ }).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Resume' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Discard unsent rows' }).click();
  const discarded = toastOf(page, 'Discarded 5 unsent rows');
  await expect(strip(page).getByText('discarding 5 unsent rows')).toBeVisible();
  // Undone, it is paused as it was. Dismissed, the rows are cancelled.
  await discarded.getByRole('button', { name: 'Undo' }).click();
  await expect(strip(page).getByText('paused')).toBeVisible();
  await expect(strip(page).getByRole('img', { name: '5 rows: 5 to send' })).toBeVisible();
  await strip(page).getByRole('button', { name: 'Discard unsent rows' }).click();
  await discarded.getByRole('button', { name: 'Dismiss' }).click();
  await expect(strip(page).getByRole('img', { name: '5 rows: 5 cancelled' })).toBeVisible();
  expect(service.transitions()).toHaveLength(0);
});

/** The notifications so far that name one of these. */
async function notifiedOf(app: LaunchedApp, names: RegExp): Promise<string[]> {
  const texts = (await app.notifications()).map(({ title, body }) => `${title}; ${body}`);
  return texts.filter((text) => names.test(text));
}

test.describe('in one app', () => {
  let service: Sandbox;
  const shared = shareApp(async ({ page }, startService) => {
    service = await startService();
    await connectTo(page, service);
    await holdToasts(page);
  });

  /** How many jobs were submitted since then; other tests submit too. */
  function submittedFromHere(): () => number {
    const before = service.transitions().length;
    return () =>
      service
        .transitions()
        .slice(before)
        .filter(({ cause }) => cause === 'submitted').length;
  }

  test('twelve inputs with one invalid: fixed, submitted, paused, resumed, and a failed row is opened', async () => {
    const { app, page, dataDir } = shared();
    const submitted = submittedFromHere();
    const good = rowsOf(12, (row) => ({
      title: `Judge answer ${row}`,
      mock_delay: 60,
      ...(row === 7 ? { mock_error: 'The rubric is missing' } : {}),
    }));
    await pasteInputs(page, good.replace('"Judge answer 3"', '"Judge answer 3'));
    const sheet = sheetOf(page);
    await expect(sheet.getByText('NDJSON: one object per line')).toBeVisible();
    await expect(sheet.getByText('1 skipped')).toBeVisible();
    await expect(sheet.getByRole('button', { name: 'Submit 11 jobs' })).toBeVisible();

    // The problem leads to its line, which is typed again.
    await sheet.getByRole('button', { name: /^Line 3/ }).click();
    await page.keyboard.insertText('{"title": "Judge answer 3", "mock_delay": 60}');
    await expect(sheet.getByRole('table', { name: 'Preview of the rows' }).getByRole('row')).toHaveCount(13);
    await expect(sheet.getByText('immediately (limit 250 per 10 s)')).toBeVisible();
    await sheet.getByLabel('Batch name').fill('Nightly evaluation');

    // Held back from the first row on, so that a pause is seen whole.
    await page.evaluate(() => window.bridge?.call('tracker:pause', undefined));
    await sheet.getByRole('button', { name: 'Submit 12 jobs' }).click();
    await expect(sheet).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Nightly evaluation' })).toBeVisible();
    await expect(strip(page).getByRole('img', { name: '12 rows: 12 to send' })).toBeVisible();
    // Discarded and restored: it continues as before.
    await strip(page).getByRole('button', { name: 'Discard unsent rows' }).click();
    await expect(strip(page).getByText('discarding 12 unsent rows')).toBeVisible();
    await expect(strip(page).getByRole('button', { name: /^Pause|^Resume/ })).toBeHidden();
    await toastOf(page, 'Discarded 12 unsent rows').getByRole('button', { name: 'Undo' }).click();
    await expect(strip(page).getByText('discarding 12 unsent rows')).toBeHidden();
    await strip(page).getByRole('button', { name: 'Pause' }).click();
    await expect(strip(page).getByText('paused')).toBeVisible();
    await page.evaluate(() => window.bridge?.call('tracker:resume', undefined));
    // Another job of the endpoint goes past it.
    await submitJob(page, { endpoint: 'mock', input: { title: 'Goes its own way', mock_delay: 20 } });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
    expect(submitted()).toBe(1);
    await strip(page).getByRole('button', { name: 'Resume' }).click();
    await expect(strip(page).getByText('12 rows, finished')).toBeVisible({ timeout: 30_000 });
    await expect(strip(page).getByRole('img', { name: '12 rows: 11 completed, 1 failed' })).toBeVisible();
    expect(submitted()).toBe(13);
    // One notification for all of them.
    await expect
      .poll(() => notifiedOf(app, /Nightly|Judge answer/))
      .toEqual(['Batch “Nightly evaluation” finished; 12 rows: 11 completed, 1 failed']);

    // By row, not newest first.
    const rows = page.getByRole('listbox', { name: 'Jobs' }).getByRole('option');
    await expect(rows.first()).toHaveAccessibleName(/^Row 1,/);
    await expect(rows.nth(1)).toHaveAccessibleName(/^Row 2,/);
    // Their titles begin in one line, however many digits the number before them has.
    const titles = rows.locator('[title^="Judge answer"]');
    await expect(titles).toHaveCount(12);
    const starts = (): Promise<number[]> =>
      titles.evaluateAll((all) =>
        all.map((title) => {
          const words = document.createRange();
          words.selectNodeContents(title.lastChild ?? title);
          return words.getBoundingClientRect().left;
        }),
      );
    await expect.poll(async () => new Set(await starts()).size).toBe(1);
    // Its line in the sidebar has a menu; none of its rows was opened.
    await strip(page).getByRole('button', { name: 'Mark all as seen' }).click();
    const marked = toastOf(page, '12 jobs marked as seen');
    await marked.getByRole('button', { name: 'Undo' }).click();
    await expect(strip(page).getByRole('button', { name: 'Mark all as seen' })).toBeVisible();
    await strip(page).getByRole('button', { name: 'Mark all as seen' }).click();
    await expect(strip(page).getByRole('button', { name: 'Mark all as seen' })).toBeHidden();
    await strip(page).getByRole('button', { name: 'Back to all jobs' }).click();
    await expect(strip(page)).toBeHidden();
    await page.getByRole('button', { name: 'Nightly evaluation', exact: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open batch' }).click();
    await expect(strip(page)).toBeVisible();
    await strip(page).getByRole('button', { name: 'Back to all jobs' }).click();
    const box = page.getByRole('combobox', { name: 'Search jobs' });
    await box.pressSequentially('batch:"nightly ev');
    await page
      .getByRole('listbox', { name: 'Suggestions' })
      .getByRole('option', { name: 'Nightly evaluation' })
      .click();
    await expect(page.getByRole('button', { name: 'Remove batch:"Nightly evaluation"' })).toBeVisible();
    await expect(page.getByRole('listbox', { name: 'Jobs' }).getByRole('option')).toHaveCount(12);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByRole('button', { name: 'Nightly evaluation', exact: true }).click();

    await strip(page).getByRole('button', { name: '1 failed' }).click();
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.getByRole('option', { name: /^Row 7, Judge answer 7, Failed/ }).click();
    await expect(jobPane(page).getByText('The rubric is missing').first()).toBeVisible();

    // What came, as a file.
    const path = join(dataDir, 'results.ndjson');
    await app.answerDialog({ canceled: false, filePath: path });
    await strip(page).getByRole('button', { name: 'Export results' }).click();
    await page.getByRole('menuitem', { name: 'Export as NDJSON' }).click();
    await expect(page.getByText('12 jobs written to')).toBeVisible();
    const lines = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ row, state }) => [row, state])[6]).toEqual([7, 'failed']);
    expect(lines).toHaveLength(12);

    await strip(page).getByRole('button', { name: 'Resubmit failed' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Nightly evaluation (2nd run)' })).toBeVisible();
    await expect(strip(page).getByRole('img', { name: '1 row: 1 failed' })).toBeVisible({ timeout: 20_000 });
  });

  test('a batch stops at its failure limit, says so, and continues when resumed', async () => {
    const { app, page } = shared();
    const submitted = submittedFromHere();
    await pasteInputs(
      page,
      rowsOf(6, (row) => ({ title: `Broken ${row}`, mock_error: 'The rubric is missing' })),
    );
    const sheet = sheetOf(page);
    await sheet.getByLabel('Batch name').fill('Will not do');
    await sheet.getByRole('textbox', { name: 'Stop after' }).fill('2');
    await sheet.getByRole('textbox', { name: 'At most' }).fill('1');
    // What was typed is there again.
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await page.getByRole('button', { name: 'New job' }).first().click();
    await expect(sheet.getByRole('textbox', { name: 'Stop after' })).toHaveValue('2');
    await sheet.getByRole('button', { name: 'Submit 6 jobs' }).click();

    await expect(strip(page).getByText('stopped after 2 failures')).toBeVisible({ timeout: 20_000 });
    await expect(strip(page).getByRole('img', { name: '6 rows: 2 failed, 4 to send' })).toBeVisible();
    await expect
      .poll(() => notifiedOf(app, /Will not do|Broken/))
      .toEqual([
        'Batch “Will not do” stopped; 2 rows failed, so the remaining 4 rows were not sent. Resume the batch to send them.',
      ]);
    expect(submitted()).toBe(2);
    await strip(page).getByRole('button', { name: 'Resume' }).click();
    await expect(strip(page).getByRole('img', { name: '6 rows: 4 failed, 2 to send' })).toBeVisible({
      timeout: 20_000,
    });
    await expect(strip(page).getByText('stopped after 2 failures')).toBeVisible();
    expect(submitted()).toBe(4);
  });
});

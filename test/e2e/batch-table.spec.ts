import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { chooseEndpoint, sendBatch, typeInput } from '../kit/person.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';

const strip = (page: Page) => page.getByRole('region', { name: 'Batch' });
const table = (page: Page) => page.getByRole('grid', { name: 'Rows of the batch' });
/** The rows of the table that are on screen, by their numbers. */
const numbers = async (page: Page): Promise<number[]> => {
  const names = await table(page)
    .getByRole('rowheader')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-label') ?? ''));
  return names.map((name) => Number(/^Row (\d+)/.exec(name)?.[1]));
};
const row = (page: Page, number: number) => table(page).getByRole('row', { name: new RegExp(`^Row ${number},`) });

const shared = shareApp(async ({ page }, startService) => {
  await connectTo(page, await startService());
});

test('a sweep is submitted, shown as a table, sorted by a variable, compared, opened, and saved as CSV', async () => {
  const { app, page, dataDir } = shared();
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await chooseEndpoint(page, 'mock');
  await typeInput(
    page,
    '{"prompt": "A kettle", "n": {{n}}, "sampling": {"tone": "{{tone}}"}, "mock_delay": 30, ' +
      '"mock_return": {"text": "=SUM({{n}})", "score": {{n}}, "usage": {"tokens": {{n}}}}}',
  );
  for (const [name, values] of [
    ['n', '3, 1, 2'],
    ['tone', 'warm, formal'],
  ] as const) {
    const variable = sheet.getByRole('group', { name, exact: true });
    await variable.getByRole('radio', { name: 'List' }).click();
    await variable.getByRole('textbox', { name: `Values of ${name}` }).fill(values);
    await page.keyboard.press('Enter');
  }
  await expect(sheet.getByText('3 values of n by 2 of tone')).toBeVisible();
  await sheet.getByRole('button', { name: 'Submit 6 jobs' }).click();
  await expect(sheet).toBeHidden();

  await strip(page).getByRole('radio', { name: 'Table' }).check();
  await expect(strip(page).getByText('6 rows, finished')).toBeVisible({ timeout: 20_000 });
  // What varies is shown, and what is the same in all rows is not.
  const heads = table(page).getByRole('columnheader');
  await expect(heads.filter({ hasText: /^tone/ })).toContainText('2 distinct');
  await expect(heads.filter({ hasText: /^score/ })).toContainText('1 to 3');
  await expect(heads.filter({ hasText: /^prompt/ })).toHaveCount(0);
  await expect(row(page, 1)).toContainText('Completed');
  await expect(row(page, 1)).toContainText('=SUM(3)');
  expect(await faults(app, page)).toEqual([]);

  await expect.poll(() => numbers(page)).toEqual([1, 2, 3, 4, 5, 6]);
  await table(page).getByRole('button', { name: 'score', exact: true }).click();
  await expect(heads.filter({ hasText: /^score/ })).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(() => numbers(page)).toEqual([2, 5, 3, 6, 1, 4]);
  await table(page).getByRole('button', { name: 'score', exact: true }).click();
  await expect.poll(() => numbers(page)).toEqual([1, 4, 3, 6, 2, 5]);

  // The keys follow the order shown: the first row, the next one, both are compared.
  await row(page, 1).click();
  await expect(row(page, 1)).toHaveAttribute('aria-selected', 'true');
  await expect(jobPane(page)).toBeHidden();
  await page.keyboard.press('Shift+ArrowDown');
  const two = page.getByRole('toolbar', { name: '2 selected' });
  await expect(two).toBeVisible();
  await page.keyboard.press('c');
  const compared = page.getByRole('region', { name: 'Compared jobs' });
  await expect(compared.getByRole('group', { name: '$.sampling.tone, differs' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(table(page)).toBeVisible();
  await expect(two).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(two).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await expect(row(page, 3)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(jobPane(page).getByText('row 3 of')).toBeVisible();
  expect(await faults(app, page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(jobPane(page)).toBeHidden();

  // Saved whole, in the order and with the columns shown; a spreadsheet runs nothing of it.
  await table(page).getByRole('button', { name: 'Menu of Mark' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Hide column' }).click();
  await expect(heads.filter({ hasText: /^Mark/ })).toHaveCount(0);
  const path = join(dataDir, 'sweep.csv');
  await app.answerDialog({ canceled: false, filePath: path });
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await expect(page.getByText('6 jobs written to')).toBeVisible();
  const [head = '', first = '', ...rest] = (await readFile(path, 'utf8')).split('\r\n');
  expect(head).toContain('row,status,input.n,input.sampling.tone');
  expect(head).not.toContain('mark');
  expect(first).toContain(",'=SUM(3),3,3");
  expect(rest.map((line) => line.split(',')[0])).toEqual(['4', '3', '6', '2', '5', '']);

  // The view is that of the endpoint's batches from now on.
  await page
    .getByRole('button', { name: /^All jobs/ })
    .first()
    .click();
  await expect(table(page)).toBeHidden();
  await sendBatch(
    page,
    'Another sweep',
    [
      { a: 1, mock_return: 'Hello' },
      { a: 2, mock_error: 'No memory' },
    ],
    'mock',
  );
  await page.getByRole('button', { name: 'Another sweep', exact: true }).click();
  await expect(row(page, 1)).toContainText('Hello', { timeout: 20_000 });
  await expect(row(page, 2)).toContainText('No memory', { timeout: 20_000 });
  await strip(page)
    .getByRole('button', { name: /failed/ })
    .first()
    .click();
  await expect.poll(() => numbers(page)).toEqual([2]);
});

test('a batch of images is a grid of pictures with the values under each, walked with the arrows', async () => {
  const { app, page } = shared();
  const inputs = [7, 8, 9].map((seed) => ({ prompt: 'Fog over ridges', seed, width: 32, height: 32 }));
  await sendBatch(page, 'Three seeds', inputs, 'image');
  await page.getByRole('button', { name: 'Three seeds', exact: true }).click();
  await strip(page).getByRole('radio', { name: 'Images' }).check();
  const tiles = page.getByRole('listbox', { name: 'Images of the batch' });
  const tile = (number: number) => tiles.getByRole('option', { name: new RegExp(`^Row ${number}, Completed`) });
  await expect(tile(3)).toContainText('seed 9', { timeout: 20_000 });
  // A small picture of its own, drawn from the bytes of the output.
  const image = tile(1).locator('img');
  await expect.poll(() => image.evaluate((each) => each instanceof HTMLImageElement && each.naturalWidth)).toBe(32);
  await tile(1).click();
  await expect(tile(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(tile(3)).toHaveAttribute('aria-selected', 'true');
  expect(await faults(app, page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(jobPane(page).getByText('row 3 of Three seeds')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(jobPane(page)).toBeHidden();

  await sendBatch(page, 'No pictures', [{ a: 1 }], 'echo');
  await page.getByRole('button', { name: 'No pictures', exact: true }).click();
  // Until its rows are read, the strip is that of the batch before, whose images are shown already.
  await expect(strip(page).getByRole('heading', { name: 'No pictures' })).toBeVisible();
  await strip(page).getByRole('radio', { name: 'Images' }).check();
  await expect(page.getByRole('heading', { name: 'No images in this batch' })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Show the table' }).click();
  await expect(row(page, 1)).toContainText('Completed', { timeout: 20_000 });
});

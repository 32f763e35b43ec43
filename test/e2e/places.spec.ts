import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { faults } from '../kit/axe.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { searchJobs, sendAndOpen, sendBatch, submitJob, toastOf, untilIdle } from '../kit/person.ts';
import { connectTo, expect, jobPane, openJobIn, shareApp, test } from './fixtures.ts';

const paced = openPacedEndpoint();
test.afterAll(() => paced.close());
const shared = shareApp(async ({ page }, startService) => {
  page.setDefaultTimeout(20_000);
  await connectTo(page, await startService({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] }));
  await holdToasts(page);
});

/** A streamed text of many paragraphs. */
const paragraphs = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of a text that does not fit.\n\n`);

test('a followed stream is still at its end when the job has ended', async () => {
  const { page } = shared();
  await submitJob(page, { endpoint: 'paced', input: { title: 'long text', paced_stream: paragraphs } });
  const pane = jobPane(page);
  paced.pass(42);
  await expect(pane.getByText('Paragraph 40 of')).toBeVisible();
  paced.end();
  await openJobIn(page, 'long text', 'Completed');
  await expect(pane.getByText('Paragraph 59 of')).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Run again' })).toBeVisible();
  const scrolled = (): Promise<unknown> =>
    pane
      .getByRole('document', { name: 'Output text' })
      .evaluate(({ scrollTop, scrollHeight, clientHeight }) => [
        scrollTop > 100,
        scrollHeight - scrollTop - clientHeight,
      ]);
  await expect.poll(scrolled).toEqual([true, 0]);
});

test('a job that was just submitted shows its output, whichever tab was read before', async () => {
  const { page } = shared();
  const pane = jobPane(page);
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'with a note' } });
  await pane.getByRole('tab', { name: 'Note' }).click();
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'after a note' } });
  await expect(pane.getByRole('heading', { name: 'after a note' })).toBeVisible();
  await expect(pane.getByRole('tab', { name: 'Output' })).toHaveAttribute('aria-selected', 'true');
});

test('after renaming, the keys of the list work as before', async () => {
  const { page } = shared();
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'to be renamed' } });
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Title' }).fill('renamed');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option', { name: 'renamed,' })).toBeVisible();
  await expect(page.getByRole('listbox', { name: 'Jobs' })).toBeFocused();
});

test('another filter, view or batch begins at the top of the list', async () => {
  const { page } = shared();
  await sendBatch(
    page,
    'Many',
    Array.from({ length: 60 }, (_, at) => ({ prompt: `Item ${at} about kettles` })),
  );
  await untilIdle(page);
  const list = page.getByRole('listbox', { name: 'Jobs' }).locator('..');
  const top = (): Promise<number> => list.evaluate(({ scrollTop }) => scrollTop);
  const toEnd = async (): Promise<void> => {
    // The rows of the filter before would be scrolled, and those of this one begin at the top.
    await expect(page.getByRole('listbox', { name: 'Jobs' })).toHaveAttribute('aria-busy', 'false');
    await expect.poll(() => list.evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(2_400);
    await list.evaluate((element) => element.scrollTo({ top: 1_200 }));
    await expect.poll(top).toBeGreaterThan(1_000);
  };
  await toEnd();
  await searchJobs(page, 'kettles');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expect.poll(top).toBe(0);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await toEnd();
  await page.getByRole('button', { name: 'Finished today' }).click();
  await expect.poll(top).toBe(0);
  await toEnd();
  await page.getByRole('button', { name: /^Many/ }).first().click();
  await expect.poll(top).toBe(0);
});

test('a job that is run again is replaced by the new one, and nothing below the head moves', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'All jobs' }).first().click();
  const pane = jobPane(page);
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'to be run again' } });
  const tabs = pane.getByRole('tablist');
  await expect(pane.getByRole('button', { name: /^Run again/ })).toBeVisible();
  const before = await tabs.boundingBox();
  await page.keyboard.press('r');
  await expect(pane.getByRole('button', { name: /^resubmitted from/ })).toBeVisible();
  await pane.getByRole('button', { name: /^resubmitted from/ }).click();
  await page.getByRole('menuitem', { name: 'to be run again' }).click();
  await expect(pane.getByRole('button', { name: /^resubmitted as/ })).toBeVisible();
  await expect(pane.getByRole('button', { name: '1 other run of this input' })).toBeVisible();
  await expect.poll(() => tabs.boundingBox()).toEqual(before);
});

test('the palette finds the exact title among many, shows its row, and leads to all that it found', async () => {
  const { page } = shared();
  await sendBatch(
    page,
    'Sweep',
    Array.from({ length: 60 }, (_, at) => ({ prompt: `Sweep ${at} of lamps` })),
  );
  await untilIdle(page);
  await page.getByRole('button', { name: 'All jobs' }).first().click();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('sweep 4');
  const found = page.getByRole('option', { name: /^Sweep \d+ of lamps$/ });
  await expect(found.first()).toHaveText(/^Sweep 4 of lamps/);
  await expect(found.first()).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('option', { name: 'Show all 11 in the list' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(jobPane(page).getByRole('heading', { name: 'Sweep 4 of lamps' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Row 5, Sweep 4 of lamps,', selected: true })).toBeInViewport();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('sweep 4');
  await page.getByRole('option', { name: 'Show all 11 in the list' }).click();
  await expect(page.getByRole('combobox', { name: 'Search jobs' })).toHaveValue('sweep 4');
});

test('a batch is renamed, and an undo restores its name', async () => {
  const { app, page } = shared();
  await sendBatch(page, 'tone by seed, 02:34', [{ prompt: 'a row' }]);
  await untilIdle(page);
  await page.getByRole('button', { name: /^tone by seed/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename batch' });
  await expect(dialog).toBeVisible();
  expect(await faults(app, page, 'name of a batch')).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Tones');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: /^Tones/ })).toBeVisible();
  await toastOf(page, 'Batch renamed').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: /^tone by seed/ })).toBeVisible();
});

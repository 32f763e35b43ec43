import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { openPreferences, sendJobs, untilIdle } from '../kit/person.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';

const dayMs = 86_400_000;

/** Forty days pass for an old and a starred job, and since the clock of this computer was last seen, 73 years. */
function letTimePass(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'history.db'));
  db.prepare(
    "UPDATE jobs SET finished_seen_at_ms = finished_seen_at_ms - ? WHERE title LIKE '%old%' OR title LIKE '%starred%'",
  ).run(40 * dayMs);
  db.prepare(
    "UPDATE documents SET json = json_set(json, '$.knownMs', json_extract(json, '$.knownMs') - ?) WHERE kind = 'clock'",
  ).run(73 * 365.25 * dayMs);
  db.close();
}

// A rule deletes the output of a job first, and its input in the next test.
test.describe.configure({ mode: 'serial' });
const shared = shareApp(async ({ page, dataDir }, startService, restart) => {
  await connectTo(page, await startService());
  await sendJobs(
    page,
    ['an old plum', 'a starred plum', 'a new plum'].map((title) => ({
      endpoint: 'mock',
      input: { title, mock_return: `${title} leaf` },
    })),
  );
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(3, { timeout: 20_000 });
  await untilIdle(page);
  await page.getByRole('option', { name: /a starred plum/ }).click();
  await page.getByRole('listbox', { name: 'Jobs' }).press('s');
  await expect(page.getByRole('button', { name: /^Starred/ }).first()).toHaveAccessibleDescription('1');
  await restart(() => letTimePass(dataDir));
});

const outputOf = (page: Page): Locator => jobPane(page).getByRole('tabpanel', { name: 'Output' });

async function openStorage(page: Page): Promise<Locator> {
  const settings = await openPreferences(page);
  await settings.getByRole('button', { name: 'Storage' }).click();
  await expect(settings.getByText('Search index')).toBeVisible();
  return settings;
}

test('storage is shown in parts, with its folder', async () => {
  const { app, page, dataDir } = shared();
  const settings = await openStorage(page);
  await expect(settings.getByText('Total', { exact: true })).toBeVisible();
  await settings.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => app.shownInFolder()).toEqual([join(dataDir, 'history.db')]);
  await settings.getByRole('button', { name: 'Close' }).click();
  await expect(settings).toBeHidden();
});

test('a retention rule says what it deletes, deletes it when it is confirmed, and the job says so', async () => {
  const { page } = shared();
  await page.getByRole('option', { name: /an old plum/ }).click();
  const output = outputOf(page);
  await expect(output).toContainText('an old plum leaf');
  const settings = await openStorage(page);
  const choose = async (): Promise<void> => {
    await settings.getByRole('combobox', { name: /Keep outputs/ }).click();
    await page.getByRole('option', { name: 'Delete after 30 days' }).click();
  };
  await choose();
  await expect(settings.getByText(/^This deletes the outputs of 1 job now and frees about /)).toBeVisible();
  const clock = settings.getByText('The clock of this computer moved ahead by 73 years');
  await expect(clock).toBeVisible();
  // Nothing is deleted by looking.
  await settings.getByRole('button', { name: 'Cancel' }).click();
  await choose();
  await settings.getByRole('button', { name: 'Delete 1 output' }).click();
  await expect(settings.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await expect(clock).toBeHidden();
  await settings.getByRole('button', { name: 'Close' }).click();

  await expect(output).toContainText('Output deleted');
  await expect(output).toContainText('Your retention rule deleted it on');
  for (const name of ['a starred plum', 'a new plum']) {
    await page.getByRole('option', { name: new RegExp(name) }).click();
    await expect(output).toContainText(`${name} leaf`);
  }
});

test('a rule may delete inputs as well, and a job without input cannot be run again', async () => {
  const { page } = shared();
  const settings = await openStorage(page);
  await settings.getByRole('checkbox', { name: 'Delete their inputs as well' }).click();
  await expect(settings.getByText(/^This deletes the inputs and outputs of 1 job now/)).toBeVisible();
  await settings.getByRole('button', { name: 'Delete inputs and outputs' }).click();
  await expect(settings.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await settings.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('option', { name: /an old plum/ }).click();
  const pane = jobPane(page);
  await expect(outputOf(page)).toContainText('The input is not, so the job cannot be resubmitted.');
  await pane.getByRole('tab', { name: 'Input' }).click();
  await expect(pane.getByRole('tabpanel', { name: 'Input' })).toContainText('Input deleted');
  const runAgain = pane.getByRole('button', { name: /^Run again/ });
  await expect(runAgain).toHaveAttribute('aria-disabled', 'true');
  await runAgain.hover();
  await expect(page.getByText(/^Your retention rule deleted its input on/)).toBeVisible();
});

test('a limit of the history’s size that it is far from deletes nothing', async () => {
  const { page } = shared();
  const settings = await openStorage(page);
  await settings.getByRole('combobox', { name: 'Size of the history' }).click();
  await page.getByRole('option', { name: 'At most 1 GB' }).click();
  await expect(settings.getByText('Nothing is deleted now.')).toBeVisible();
  await settings.getByRole('button', { name: 'Use this rule' }).click();
  await expect(settings.getByRole('button', { name: 'Cancel' })).toBeHidden();
});

import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { sendJobs } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

const dayMs = 86_400_000;

test('storage is shown in parts; a retention rule says what it deletes, deletes it, and the job says so', async ({
  launch,
  startService,
  dataDir,
}) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await sendJobs(
    page,
    ['an old plum', 'a starred plum', 'a new plum'].map((title) => ({
      endpoint: 'mock',
      input: { title, mock_return: `${title} leaf` },
    })),
  );
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(3, { timeout: 20_000 });
  await page.getByRole('option', { name: /a starred plum/ }).click();
  await page.getByRole('listbox', { name: 'Jobs' }).press('s');
  await expect(page.getByRole('button', { name: /^Starred/ }).first()).toHaveAccessibleDescription('1');
  await app.close();

  // Forty days pass for two of them.
  const db = new DatabaseSync(join(dataDir, 'history.db'));
  db.prepare(
    "UPDATE jobs SET finished_seen_at_ms = finished_seen_at_ms - ? WHERE title LIKE '%old%' OR title LIKE '%starred%'",
  ).run(40 * dayMs);
  // The clock of this computer was last seen 73 years ago.
  db.prepare(
    "UPDATE documents SET json = json_set(json, '$.knownMs', json_extract(json, '$.knownMs') - ?) WHERE kind = 'clock'",
  ).run(73 * 365.25 * dayMs);
  db.close();

  const { app: second, page: again } = await launch();
  await again.getByRole('option', { name: /an old plum/ }).click();
  await expect(jobPane(again).getByRole('tabpanel', { name: 'Output' })).toContainText('an old plum leaf');
  await again.keyboard.press('ControlOrMeta+,');
  const settings = again.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Storage' }).click();
  await expect(settings.getByText('Search index')).toBeVisible();
  await expect(settings.getByText('Total', { exact: true })).toBeVisible();
  await settings.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => second.shownInFolder()).toEqual([join(dataDir, 'history.db')]);
  await settings.getByRole('combobox', { name: /Keep outputs/ }).click();
  await again.getByRole('option', { name: 'Delete after 30 days' }).click();
  await expect(settings.getByText(/^This deletes the outputs of 1 job now and frees about /)).toBeVisible();
  const clock = settings.getByText('The clock of this computer moved ahead by 73 years');
  await expect(clock).toBeVisible();
  // Nothing is deleted by looking.
  await settings.getByRole('button', { name: 'Cancel' }).click();
  await settings.getByRole('combobox', { name: /Keep outputs/ }).click();
  await again.getByRole('option', { name: 'Delete after 30 days' }).click();
  await settings.getByRole('button', { name: 'Delete 1 output' }).click();
  await expect(settings.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await expect(clock).toBeHidden();
  await settings.getByRole('button', { name: 'Close' }).click();

  const output = jobPane(again).getByRole('tabpanel', { name: 'Output' });
  await expect(output).toContainText('Output deleted');
  await expect(output).toContainText('Your retention rule deleted it on');
  for (const name of ['a starred plum', 'a new plum']) {
    await again.getByRole('option', { name: new RegExp(name) }).click();
    await expect(output).toContainText(`${name} leaf`);
  }

  // Their inputs as well, and a size that it is far from.
  await again.keyboard.press('ControlOrMeta+,');
  await settings.getByRole('button', { name: 'Storage' }).click();
  await settings.getByRole('checkbox', { name: 'Delete their inputs as well' }).click();
  await expect(settings.getByText(/^This deletes the inputs and outputs of 1 job now/)).toBeVisible();
  await settings.getByRole('button', { name: 'Delete inputs and outputs' }).click();
  await expect(settings.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await settings.getByRole('combobox', { name: 'Size of the history' }).click();
  await again.getByRole('option', { name: 'At most 1 GB' }).click();
  await expect(settings.getByText('Nothing is deleted now.')).toBeVisible();
  await settings.getByRole('button', { name: 'Use this rule' }).click();
  await expect(settings.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await settings.getByRole('button', { name: 'Close' }).click();

  await again.getByRole('option', { name: /an old plum/ }).click();
  await expect(output).toContainText('The input is not, so the job cannot be resubmitted.');
  await jobPane(again).getByRole('tab', { name: 'Input' }).click();
  await expect(jobPane(again).getByRole('tabpanel', { name: 'Input' })).toContainText('Input deleted');
  const runAgain = jobPane(again).getByRole('button', { name: /^Run again/ });
  await expect(runAgain).toHaveAttribute('aria-disabled', 'true');
  await runAgain.hover();
  await expect(again.getByText(/^Your retention rule deleted its input on/)).toBeVisible();
});

import { faults } from '../kit/axe.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { submitJob, searchJobs, untilIdle } from '../kit/person.ts';
import { TEST_API_KEY } from '../kit/sandbox.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

test('a job is renamed with undo, shows its original and its copies, and is shown as code', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await holdToasts(page);
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'first kettle' } });
  const pane = jobPane(page);
  await expect(page.getByRole('option', { name: /first kettle/ })).toHaveAccessibleName(/Completed/, {
    timeout: 20_000,
  });

  // F2 in the list, Enter saves; the search finds the new title; Undo brings the old one back.
  await page.getByRole('listbox', { name: 'Jobs' }).press('F2');
  await pane.getByRole('textbox', { name: 'Title' }).fill('Reference kettle');
  await page.keyboard.press('Enter');
  await expect(pane.getByRole('heading', { level: 1 })).toHaveText('Reference kettle');
  await expect(page.getByRole('option', { name: /Reference kettle/ })).toBeVisible();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(pane.getByRole('heading', { level: 1 })).toHaveText('first kettle');
  await pane.getByRole('heading', { level: 1 }).dblclick();
  await pane.getByRole('textbox', { name: 'Title' }).fill('Reference kettle');
  await page.keyboard.press('Enter');
  await searchJobs(page, 'reference');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filter' }).click();

  // Resubmitted as it was, and with edits: both name it, and it names both.
  await page.getByRole('listbox', { name: 'Jobs' }).press('Shift+E');
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(2);
  await untilIdle(page);
  await expect(pane.getByRole('button', { name: /^resubmitted from/ })).toBeVisible();
  await page.getByRole('option').last().click();
  await expect(pane.getByRole('button', { name: /^resubmitted as/ })).toBeVisible();
  await page.getByRole('listbox', { name: 'Jobs' }).press('e');
  await page.getByRole('dialog').getByRole('button', { name: 'Submit job' }).click();
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(3);
  await untilIdle(page);
  await page.getByRole('option').last().click();
  await pane.getByRole('button', { name: 'resubmitted as 2 jobs' }).click();
  expect(await faults(app, page)).toEqual([]);
  await page.getByRole('menu').getByRole('menuitem').first().click();
  await pane.getByRole('button', { name: /^resubmitted from/ }).click();
  await page.getByRole('menuitem', { name: 'Compare both' }).click();
  await expect(page.getByRole('region', { name: 'Compared jobs' })).toBeVisible();
  await page.keyboard.press('Escape');

  // All three have the same input: from the pane they are compared, and shown in the list.
  await pane.getByRole('button', { name: '2 other runs of this input' }).click();
  await page.getByRole('menuitem', { name: 'Compare with these' }).click();
  await expect(page.getByRole('region', { name: 'Compared jobs' })).toBeVisible();
  await page.keyboard.press('Escape');
  await pane.getByRole('button', { name: '2 other runs of this input' }).click();
  await page.getByRole('menuitem', { name: 'Show all 3 in the list' }).click();
  await expect(page.getByRole('button', { name: /same-input:/ })).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(3);
  await page.getByRole('button', { name: 'Clear filter' }).click();

  // An id pasted into the palette offers to compare with the open job.
  await page.getByRole('option').last().click();
  await expect(pane.getByRole('button', { name: 'resubmitted as 2 jobs' })).toBeVisible();
  await pane.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy id' }).click();
  await expect(page.getByText('Id copied')).toBeVisible();
  const id = await app.clipboard();
  await page.getByRole('option').first().click();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill(`curl '${service.baseUrl}/v2/echo/status/${id}'`);
  await page.getByRole('option', { name: 'Compare with the open job' }).click();
  await expect(page.getByRole('region', { name: 'Compared jobs' })).toBeVisible();
  await page.keyboard.press('Escape');

  await pane.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Request as code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request as code' });
  for (const [language, begins] of [
    ['fetch', 'const response = await fetch'],
    ['PowerShell', '$body = '],
    ['Python', 'import json'],
    ['runpod-sdk', 'import runpodSdk'],
  ] as const) {
    await dialog.getByRole('radio', { name: language }).click();
    await expect(dialog.getByRole('region', { name: 'Code' })).toContainText(begins);
  }
  expect(await faults(app, page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy code' }).click();
  await expect.poll(() => app.clipboard()).toContain('process.env.JOBDECK_KEY');
  expect(await app.clipboard()).not.toContain(TEST_API_KEY);

  // Any later request is copied from its own row.
  await page.keyboard.press('Escape');
  await pane.getByRole('tab', { name: 'Requests' }).click();
  const row = pane.getByRole('row', { name: /GET status/ }).first();
  await row.getByRole('button').press('Enter');
  await expect(row.getByRole('button')).toHaveAttribute('aria-expanded', 'true');
  await pane.getByRole('button', { name: 'Copy as code' }).click();
  await page.getByRole('menuitem', { name: 'cURL' }).click();
  await expect.poll(() => app.clipboard()).toMatch(/^curl -X GET '.*\/status\//);
  await pane.getByRole('button', { name: 'Copy as code' }).click();
  await page.getByRole('menuitem', { name: 'Python' }).click();
  await expect.poll(() => app.clipboard()).toMatch(/requests\.get\(\n {4}"http/);
  expect(await app.clipboard()).not.toContain(TEST_API_KEY);
  // That of the submission leads to the dialog, which shows the whole input.
  await row.click();
  await expect(row.getByRole('button')).toHaveAttribute('aria-expanded', 'false');
  await pane.getByRole('row', { name: /POST run/ }).click();
  await pane.getByRole('button', { name: 'Request as code' }).click();
  await expect(page.getByRole('dialog', { name: 'Request as code' })).toBeVisible();
  await page.keyboard.press('Escape');
});

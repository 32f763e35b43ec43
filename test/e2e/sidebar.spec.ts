import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { sendJobs } from '../kit/person.ts';
import { createCaller } from '../sandbox/integration/caller.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';

let service: Sandbox;
const shared = shareApp(async ({ page }, startService) => {
  service = await startService();
  await connectTo(page, service);
});

test('an id tracked on the wrong endpoint shows no false claim and leads to the right one', async () => {
  const { page } = shared();
  const id = await createCaller(service).run('mock', { mock_return: 'on mock all along' });

  await page.getByRole('button', { name: 'Track a job by id' }).click();
  const dialog = page.getByRole('dialog', { name: 'Track jobs submitted elsewhere' });
  await dialog.getByLabel('Job ids').fill(id);
  // None of several endpoints is taken for granted.
  await expect(dialog.getByRole('button', { name: 'Track job' })).toBeDisabled();
  await dialog.getByLabel('Job ids').press('ControlOrMeta+Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Choose an endpoint');
  await dialog.getByRole('combobox', { name: /^Endpoint/ }).click();
  await page.getByRole('option', { name: 'echo' }).click();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Track job' }).click();

  const pane = jobPane(page);
  const fate = pane.getByRole('region', { name: 'The service does not know this id' });
  await expect(fate).toBeVisible({ timeout: 20_000 });
  await expect(fate.getByText('Nothing saved here')).toBeVisible();
  await expect(fate.getByRole('button')).toHaveText(['Track on another endpoint', 'Check now']);
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog', { name: 'New job' })).toHaveCount(0);

  await fate.getByRole('button', { name: 'Track on another endpoint' }).click();
  await expect(dialog.getByLabel('Job ids')).toHaveValue(id);
  await dialog.getByRole('combobox', { name: /^Endpoint/ }).click();
  await page.getByRole('option', { name: 'mock' }).click();
  await dialog.getByRole('button', { name: 'Track job' }).click();
  await expect(pane.getByText('on mock all along').first()).toBeVisible();
  await expect(pane.getByText('submitted elsewhere', { exact: true })).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Resubmit with edits' })).toHaveAttribute('aria-disabled', 'true');
});

test('“Waiting to send” lists all unsent jobs, even when opened from within a batch', async () => {
  const { page } = shared();
  await page.evaluate(() => window.bridge?.call('tracker:pause', undefined));
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'On its own' } }]);
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await sheet.getByRole('textbox', { name: 'Inputs' }).fill('{"title":"Row one"}\n{"title":"Row two"}');
  await sheet.getByRole('button', { name: 'Submit 2 jobs' }).click();
  await expect(page.getByRole('option')).toHaveCount(2);
  await page.getByRole('button', { name: /^Waiting to send/ }).click();
  await expect(page.getByRole('option')).toHaveCount(3);
  await expect(page.getByRole('option', { name: /^On its own/ })).toBeVisible();
  await page.evaluate(() => window.bridge?.call('tracker:resume', undefined));
  await page
    .getByRole('button', { name: /^All jobs/ })
    .first()
    .click();
});

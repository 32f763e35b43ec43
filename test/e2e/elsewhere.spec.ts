import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { connectTo, expect, jobPane, openJobIn, runByPalette, shareApp, test } from './fixtures.ts';
import { openSandbox, sendJobs, submitJob } from '../kit/person.ts';
import { createCaller } from '../sandbox/integration/caller.ts';

test('the palette stops a sandbox with active jobs, starts it again with them, knows synonyms and quits', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await submitJob(page, { endpoint: 'mock', input: { title: 'Still running', mock_delay: 600_000 } });
  await openJobIn(page, 'Still running', 'In progress');
  await runByPalette(page, 'Extend lifetime');
  await page.getByRole('dialog', { name: 'Extend lifetime' }).getByRole('button', { name: 'Extend' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Lifetime extended' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('stop the sandbox');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The sandbox is not running').first()).toBeVisible();
  await page.getByRole('button', { name: 'Start the sandbox' }).first().click();
  await expect(page.getByText('The sandbox is not running')).toHaveCount(0, { timeout: 20_000 });
  await jobPane(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(jobPane(page).getByText('Cancelled').first()).toBeVisible({ timeout: 20_000 });

  const find = async (text: string): Promise<void> => {
    if (!(await page.getByRole('combobox', { name: 'Search or run' }).isVisible()))
      await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill(text);
  };
  await find('settings');
  await expect(page.getByRole('option', { name: 'Preferences' })).toBeVisible();
  await find('health of mock');
  await expect(page.getByRole('option', { name: 'Health of mock' })).toBeVisible();
  // What cannot be done now stays, last, with the reason; Enter does nothing.
  await find('abort');
  const refused = page.getByRole('option', { name: 'Cancel job' });
  await expect(refused).toHaveAttribute('aria-disabled', 'true');
  await expect(refused).toHaveAccessibleDescription('The job is finished');
  await page.keyboard.press('Enter');
  await expect(refused).toBeVisible();
  await find('exit');
  await expect(page.getByRole('option', { name: 'Quit Jobdeck' })).toHaveAttribute('aria-selected', 'true');
  // The window is gone before the key is up again.
  await page.keyboard.press('Enter').catch(() => {});
  expect(await app.exited).toBe(0);
});

test.describe('in one window', () => {
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
});

import { expect, jobPane, openJobIn, runByPalette, test } from './fixtures.ts';
import { openSandbox, submitJob } from '../kit/person.ts';

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

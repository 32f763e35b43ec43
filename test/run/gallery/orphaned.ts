import { expect } from '@playwright/test';
import { connectTo, jobPane } from '../../e2e/fixtures.ts';
import { openSandboxFromMenu, submitJob } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** Jobs whose connection was removed: one is running, one was never sent. */
export async function orphans({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await submitJob(page, { endpoint: 'mock', input: { title: 'Runs on without anyone who asks', mock_delay: 600_000 } });
  await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
  await submitJob(page, {
    endpoint: 'text',
    input: { prompt: 'Streamed up to the removal, and not beyond', max_tokens: 900 },
  });
  await page
    .getByText(/in \d+ chunks/)
    .first()
    .waitFor();
  await service.goOffline();
  await page
    .getByText(/Offline since/)
    .first()
    .waitFor({ timeout: 60_000 });
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'Was waiting to be sent' } });
  await page.getByText('Not sent yet').first().waitFor();
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Production' }).first().click();
  await settings.getByRole('button', { name: 'Remove connection' }).click();
  await page.getByRole('dialog', { name: 'Remove Production' }).waitFor();
  await shoot(page, 'remove-connection');
  await page
    .getByRole('dialog', { name: 'Remove Production' })
    .getByRole('button', { name: 'Remove connection' })
    .click();
  await settings.getByRole('button', { name: 'Close' }).click();
  await openSandboxFromMenu(page);
  await shoot(page, 'orphaned-elsewhere');
  await page.getByRole('button', { name: /^Orphaned/ }).click();
  for (const [name, title] of [
    ['running', /Runs on/],
    ['streamed', /Streamed up/],
    ['unsent', /Was waiting/],
  ] as const) {
    await page.getByRole('option', { name: title }).click();
    await jobPane(page).getByRole('heading', { name: title }).first().waitFor();
    await shoot(page, `orphaned-${name}`);
  }
  await page.getByRole('option', { name: /Runs on/ }).click();
  await jobPane(page).getByRole('button', { name: 'Add the connection' }).click();
  await settings.getByLabel('Base URL').waitFor();
  await shoot(page, 'orphaned-connect');
}

import type { Page } from '@playwright/test';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { goTo, openSandboxFromMenu, sendAndOpen, sendJobs } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

const paced = openPacedEndpoint();
test.afterAll(() => paced.close());

/** Removes the connection in use by the settings. */
async function removeConnection(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name }).first().click();
  await settings.getByRole('button', { name: 'Remove connection' }).click();
  await page
    .getByRole('dialog', { name: `Remove ${name}` })
    .getByRole('button', { name: 'Remove connection' })
    .click();
  await settings.getByRole('button', { name: 'Close' }).click();
}

async function chooseConnection(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Connection: / }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('jobs of a removed connection stay readable and searchable; an unfinished one is orphaned and tracked again when the connection returns', async ({
  launch,
  startService,
}) => {
  test.slow();
  const service = await startService({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] });
  const { page } = await launch();
  await connectTo(page, service);
  const word = { word: 'marmalade' };
  await sendJobs(page, [
    { endpoint: 'mock', input: { title: 'kept for years', mock_return: word } },
    { endpoint: 'paced', input: { title: 'left to itself', paced_return: word } },
  ]);
  const kept = page.getByRole('option', { name: /^kept for years, Completed/ });
  await expect(kept).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('option', { name: /^left to itself, In progress/ })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Production' }).first().click();
  await settings.getByLabel('Name of paced').fill('Marmalade maker');
  await settings.getByLabel('Log link').fill('https://logs.example/{{job_id}}');
  await settings.getByRole('button', { name: 'Save connection' }).click();
  await settings.getByRole('button', { name: 'Close' }).click();
  await removeConnection(page, 'Production');

  await test.step('without a connection, saved jobs are still readable', async () => {
    await kept.click();
    await expect(jobPane(page).getByText('marmalade').first()).toBeVisible();
    await goTo(page, 'h');
    await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  });

  await test.step('beside another connection, it is listed under all connections and found by a search in all', async () => {
    await openSandboxFromMenu(page);
    await goTo(page, 'a');
    await expect(page.getByRole('button', { name: 'Orphaned 1 job' })).toBeVisible();
    await expect(kept).toHaveCount(0);
    await chooseConnection(page, /All connections/);
    await kept.click();
    await expect(jobPane(page).getByText('marmalade').first()).toBeVisible();

    await chooseConnection(page, /^Sandbox/);
    await expect(kept).toHaveCount(0);
    const filter = page.getByRole('combobox', { name: 'Search jobs' });
    await filter.fill('marmalade');
    await page.getByRole('button', { name: 'Search all connections' }).click();
    await expect(kept).toBeVisible();
    await filter.fill('');
    await chooseConnection(page, /^Sandbox/);
  });

  await test.step('an unfinished one is found by its filter and tracked again', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('orphaned');
    const command = page.getByRole('option', { name: /^Jobs orphaned by removed connections/ });
    await expect(command).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /left to itself, Orphaned/ }).click();
    await expect(jobPane(page).getByText('This job is no longer tracked')).toBeVisible();
    await jobPane(page).getByRole('button', { name: 'Add the connection' }).click();
    await settings.getByLabel('Connection name').fill('Production again');
    // What the job knows of it stands there already.
    await expect(settings.getByLabel('Base URL')).toHaveValue(service.baseUrl);
    await settings.getByLabel('REST URL').fill(service.restUrl);
    await settings.getByLabel('API key').fill('test-key-0123456789');
    await settings.getByRole('button', { name: 'Connect', exact: true }).click();
    // What was entered before the removal is back.
    await expect(settings.getByLabel('Name of paced')).toHaveValue('Marmalade maker');
    await expect(settings.getByLabel('Log link')).toHaveValue('https://logs.example/{{job_id}}');
    await settings.getByRole('button', { name: 'Close' }).click();
    paced.end();
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('button', { name: /Orphaned/ })).toHaveCount(0);
    expect(service.transitions().filter(({ cause }) => cause === 'submitted')).toHaveLength(2);
  });
});

test('a retry requested while the service is away waits, can be withdrawn, and is sent when the service is back', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { page } = await launch();
  await connectTo(page, service);
  await sendAndOpen(page, { endpoint: 'mock', input: { title: 'fails each time', mock_error: 'out of memory' } });
  await expect(jobPane(page).getByText('Failed').first()).toBeVisible({ timeout: 20_000 });
  await service.goOffline();
  await jobPane(page).getByRole('button', { name: 'Retry' }).first().click();
  const note = jobPane(page).getByRole('note').filter({ hasText: 'Will be retried' });
  await expect(note).toContainText('Jobdeck will send it once, when the service is reachable');
  await note.getByRole('button', { name: 'Cancel retry' }).click();
  await expect(note).toHaveCount(0);
  await jobPane(page).getByRole('button', { name: 'Retry' }).first().click();
  await expect(note).toBeVisible();
  const retries = (): number =>
    service
      .requests()
      .filter(({ operation }) => operation === 'retry')
      .reduce((sum, { count }) => sum + count, 0);
  expect(retries()).toBe(0);
  await service.goOnline();
  await expect(note).toHaveCount(0, { timeout: 60_000 });
  await expect.poll(retries).toBe(1);
  await expect(jobPane(page).getByText('Failed').first()).toBeVisible({ timeout: 20_000 });
});

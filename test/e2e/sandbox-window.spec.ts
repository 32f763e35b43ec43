import { goTo, openSandbox, sendJobs, submitJob } from '../kit/person.ts';
import { expect, jobPane, runByPalette, test } from './fixtures.ts';
import type { Page } from '@playwright/test';

const sandboxPane = (page: Page) => page.getByRole('region', { name: 'Sandbox', exact: true });
const requests = (page: Page) => sandboxPane(page).getByRole('grid', { name: 'Requests' });

test('the sandbox shows requests as they come, with its faults and speed, and stops and starts', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await page.getByRole('navigation').getByRole('button', { name: 'Sandbox', exact: true }).click();
  const pane = sandboxPane(page);
  await expect(pane.getByText('Running', { exact: true })).toBeVisible();

  // A job that is sent from here leaves its requests in the list; the pane stays.
  await submitJob(page, { endpoint: 'mock', input: { title: 'watched from the other side', mock_delay: 600_000 } });
  await expect(requests(page).getByRole('row', { name: /POST\s*run/ })).toBeVisible();
  const status = requests(page).getByRole('row', { name: /GET\s*status.* 200 / });
  await expect(status.first()).toBeVisible();

  // A fault on status: applied, counted, shown in the title bar.
  await pane.getByRole('button', { name: 'Add fault' }).click();
  const form = pane.getByRole('form', { name: 'New fault' });
  await form.getByRole('combobox', { name: /^Operation/ }).click();
  await page.getByRole('option', { name: 'status', exact: true }).click();
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(form).toBeHidden();
  await expect(pane.getByRole('switch', { name: /Status 500/ })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Sandbox: 1 fault' })).toBeVisible();
  const failed = pane.getByRole('radio', { name: /^5xx\s*[1-9]/ });
  await expect(failed).toBeVisible({ timeout: 20_000 });
  await failed.click();
  await expect(
    requests(page)
      .getByRole('row', { name: /GET\s*status.* 500 .*Status code/ })
      .first(),
  ).toBeVisible();
  await expect(requests(page).getByText('200', { exact: true })).toHaveCount(0);
  await pane.getByRole('radio', { name: /^All/ }).click();

  // Off, it hits nothing; then it is cleared.
  await pane.getByRole('switch', { name: /Status 500/ }).click();
  await expect(page.getByRole('button', { name: /^Sandbox: / })).toHaveCount(0);
  await pane.getByRole('button', { name: 'Clear all' }).click();
  await expect(pane.getByRole('switch')).toHaveCount(0);

  await pane.getByRole('radio', { name: '60x' }).click();
  await expect(pane.getByText(/At 60x a result expires in the sandbox after 30 s/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sandbox: 60x' })).toBeVisible();

  // The address and key are on the clipboard, and they are good.
  await pane.getByRole('button', { name: 'Copy as environment variables' }).click();
  await expect.poll(() => app.clipboard()).toContain('JOBDECK_KEY=');
  const [, baseUrl = '', key = ''] = /BASE_URL=(\S+)[\s\S]*KEY=(\S+)/.exec(await app.clipboard()) ?? [];
  expect((await fetch(`${baseUrl}/v2/echo/health`, { headers: { authorization: key } })).status).toBe(200);
  expect(await page.content()).not.toContain(key);

  // What was set holds when it starts again.
  await pane.getByRole('button', { name: 'Stop the sandbox' }).click();
  await expect(pane.getByText('Stopped', { exact: true })).toBeVisible();
  await expect(page.getByRole('contentinfo').getByText('Sandbox stopped')).toBeVisible();
  await pane.getByRole('button', { name: 'Start the sandbox' }).click();
  await expect(pane.getByText('Running', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(pane.getByRole('radio', { name: '60x' })).toBeChecked();
});

test('a request opens its job, keys move in the list, and Escape leads back', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await sendJobs(page, [
    { endpoint: 'mock', input: { title: 'found by its request', mock_delay: 600_000 } },
    { endpoint: 'echo', input: { title: 'another one' } },
  ]);
  await expect(page.getByRole('option', { name: /found by its request, In progress/ })).toBeVisible({
    timeout: 20_000,
  });
  await page.getByRole('option', { name: /another one/ }).click();
  await expect(jobPane(page).getByRole('heading', { name: 'another one' })).toBeVisible();

  await runByPalette(page, 'Show the sandbox');
  await expect(page.getByRole('heading', { name: 'Sandbox', exact: true })).toBeVisible();
  await sandboxPane(page).getByLabel('Filter requests').fill('mock status');
  await expect(requests(page).getByRole('row', { name: /mock/ }).first()).toBeVisible();
  await expect(requests(page).getByText('echo', { exact: true })).toHaveCount(0);

  await sandboxPane(page).getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(sandboxPane(page).getByRole('button', { name: /Resume, \d+ new/ })).toBeVisible({ timeout: 20_000 });
  await requests(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(requests(page).getByRole('row', { selected: true })).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(jobPane(page).getByRole('heading', { name: 'found by its request' })).toBeVisible();

  // Back in the sandbox, single keys mean no job that is out of sight.
  await goTo(page, 'b');
  await expect(sandboxPane(page)).toBeVisible();
  await page.keyboard.press('.');
  await requests(page).focus();
  await page.keyboard.press('Escape');
  await expect(sandboxPane(page)).toHaveCount(0);
  await expect(jobPane(page).getByText('In progress').first()).toBeVisible();

  // The same in a window of its own.
  await page.getByRole('button', { name: /^Connection:/ }).click();
  await page.getByRole('menuitem', { name: 'Show the sandbox' }).click();
  await sandboxPane(page).getByRole('button', { name: 'Open in its own window' }).click();
  const own = await app.waitForWindow('/sandbox');
  await expect(requests(own).getByRole('row', { name: /mock/ }).first()).toBeVisible();
  await requests(own)
    .getByRole('button', { name: /^Show job/ })
    .first()
    .click();
  await app.waitForWindow(/\/job\//);
});

test('a sandbox job survives a quit and a kill of the app, and its result arrives', async ({ launch }) => {
  const first = await launch();
  await openSandbox(first.page);
  await sendJobs(first.page, [
    { endpoint: 'mock', input: { title: 'outlives the app', mock_delay: 240_000, mock_return: 'all the same' } },
  ]);
  await expect(first.page.getByRole('option', { name: /outlives the app, In progress/ })).toBeVisible({
    timeout: 20_000,
  });
  await first.app.close();

  const second = await launch();
  await second.page.getByRole('option', { name: /outlives the app/ }).click();
  await expect(jobPane(second.page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
  await second.app.kill();

  // Its time passes now, however long the starts took: a job that runs again runs at the speed that is set then.
  const third = await launch();
  await third.page.getByRole('navigation').getByRole('button', { name: 'Sandbox', exact: true }).click();
  const pane = sandboxPane(third.page);
  await pane.getByRole('radio', { name: '60x' }).click();
  await pane.getByRole('button', { name: 'Stop the sandbox' }).click();
  await pane.getByRole('button', { name: 'Start the sandbox' }).click();
  await third.page.getByRole('button', { name: /^All jobs/ }).click();
  await third.page.getByRole('option', { name: /outlives the app/ }).click();
  await expect(jobPane(third.page).getByText('Completed').first()).toBeVisible({ timeout: 30_000 });
  await expect(jobPane(third.page).getByText('all the same').first()).toBeVisible();
});

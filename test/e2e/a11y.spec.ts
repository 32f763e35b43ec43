import { faults } from '../kit/axe.ts';
import { openSandbox, submitJob, submitJobs, typeInput } from '../kit/person.ts';
import { expect, jobPane, test } from './fixtures.ts';

/*
 * What axe finds on every window, pane and dialog, in both themes: nothing. And what axe cannot see: where the
 * keyboard gets.
 */

test('axe finds nothing in the first window, the lists, a job and its dialogs', async ({ launch }) => {
  test.setTimeout(180_000);
  const { app, page } = await launch();
  const clean = async (what: string): Promise<void> => {
    expect.soft(await faults(app, page), what).toEqual([]);
  };
  await page.getByRole('button', { name: 'Open the sandbox' }).waitFor();
  await clean('onboarding');
  await openSandbox(page);
  await clean('empty list');
  await submitJob(page, { endpoint: 'mock', input: { title: 'still running', mock_delay: 600_000 } });
  await submitJob(page, { endpoint: 'mock', input: { title: 'fails', mock_error: 'no such model' } });
  await expect(jobPane(page).getByText('Failed').first()).toBeVisible({ timeout: 20_000 });
  await clean('failed job');
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'An answer' } });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  for (const tab of ['Output', 'Input', 'Metrics', 'Requests']) {
    await jobPane(page).getByRole('tab', { name: tab }).click();
    await clean(`${tab} of a job`);
  }
  await jobPane(page).getByRole('button', { name: 'More', exact: true }).click();
  await clean('menu of a job');
  await page.getByRole('menuitem', { name: 'Tags' }).click();
  await clean('tags');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Connection:/ }).click();
  await clean('menu of connections');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('status:');
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeVisible();
  await clean('filter suggestions');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search jobs' }).fill('nowhere');
  await expect(page.getByText('Nothing matches').first()).toBeVisible();
  await clean('no matches');
  await page.getByRole('combobox', { name: 'Search jobs' }).fill('');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await clean('palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await clean('shortcuts');
});

test('axe finds nothing in the composer, the settings and the questions', async ({ launch }) => {
  test.setTimeout(180_000);
  const { app, page } = await launch();
  const clean = async (what: string): Promise<void> => {
    expect.soft(await faults(app, page), what).toEqual([]);
  };
  await openSandbox(page);
  await submitJobs(
    page,
    ['one', 'another'].map((title) => ({ endpoint: 'mock', input: { title, mock_delay: 600_000 } })),
  );
  await expect(page.getByRole('option')).toHaveCount(2);
  // By name: the rows change places when a job leaves the queue.
  for (const name of [/^one,/, /^another,/])
    await page.getByRole('option', { name }).click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByText('2 selected')).toBeVisible();
  await clean('bulk bar');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('.');
  const question = page.getByRole('dialog', { name: 'Cancel 2 jobs' });
  await expect(question.getByRole('button', { name: "Don't cancel" })).toBeFocused();
  await clean('cancel 2 jobs');
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(page.getByRole('option', { name: /In progress|In queue/ })).toHaveCount(2);
  await page.keyboard.press('t');
  await expect(page.getByRole('dialog', { name: 'Tags of 2 jobs' })).toBeVisible();
  await clean('tags of several');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await typeInput(page, '{"prompt": "a complete input"}');
  await clean('composer');
  await typeInput(page, '{"prompt": }');
  await clean('composer with a problem');
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await clean('composer, many inputs');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+,');
  for (const part of ['Preferences', 'Storage', 'Connections']) {
    await page.getByRole('dialog', { name: 'Settings' }).getByText(part, { exact: true }).first().click();
    await clean(`settings, ${part}`);
  }
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.bridge?.call('settings:change', { density: 'compact' }));
  await page.getByRole('listbox', { name: 'Jobs' }).press('Escape');
  await page.getByRole('button', { name: 'Execution', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Execution, longest first' })).toBeVisible();
  await clean('the table in an order');
  await page.getByRole('button', { name: 'Save this list as a view' }).click();
  await clean('the name of a view');
  await page.keyboard.press('Escape');
});

test('axe finds nothing in the other panes and windows', async ({ launch }) => {
  test.setTimeout(180_000);
  const { app, page } = await launch();
  const clean = async (what: string, where = page): Promise<void> => {
    expect.soft(await faults(app, where), what).toEqual([]);
  };
  await openSandbox(page);
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'An answer' } });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Shift+Enter');
  const jobWindow = await app.waitForWindow(/\/job\//);
  await expect(jobWindow.getByRole('heading', { level: 1 })).toBeVisible();
  await clean('job window', jobWindow);

  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(page.getByText('Workers running').first()).toBeVisible({
    timeout: 20_000,
  });
  await clean('health of all endpoints');
  await page.getByRole('navigation').getByRole('button', { name: 'Echo', exact: true }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(page.getByRole('heading', { name: 'Purge queue' })).toBeVisible({ timeout: 20_000 });
  await clean('health of an endpoint');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await clean('alert rule');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open in its own window' }).click();
  const healthWindow = await app.waitForWindow(/\/health\//);
  await expect(healthWindow.getByRole('heading', { name: 'Purge queue' })).toBeVisible({ timeout: 20_000 });
  await clean('health window', healthWindow);

  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await clean('pods');
  await page.getByRole('button', { name: 'Pods of the sandbox' }).click();
  await page.getByRole('menuitem').first().click();
  const pod = await app.waitForWindow(/\/pod\//);
  await expect(pod.getByRole('region', { name: 'Compute' })).toBeVisible({ timeout: 20_000 });
  await clean('pod window', pod);

  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await clean('templates');
  await page.getByRole('button', { name: 'Templates of the sandbox' }).click();
  await page.getByRole('menuitem').first().click();
  const template = await app.waitForWindow(/\/template\//);
  await expect(template.getByText('Nothing known about this template')).toBeVisible({ timeout: 20_000 });
  await clean('template window', template);

  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('region', { name: 'Sandbox', exact: true })).toBeVisible();
  await clean('sandbox');
  await page.getByRole('button', { name: 'Open in its own window' }).click();
  const sandboxWindow = await app.waitForWindow(/\/sandbox/);
  await expect(sandboxWindow.getByRole('region', { name: 'Sandbox', exact: true })).toBeVisible();
  await clean('sandbox window', sandboxWindow);
  await page.getByRole('button', { name: 'Add fault' }).click();
  await clean('sandbox, new fault');
});

test('Tab leaves the input editor in both directions and types nothing', async ({ launch }) => {
  const { page } = await launch();
  await openSandbox(page);
  await page.keyboard.press('n');
  await typeInput(page, '{"prompt": "kept"}');
  const editor = page.getByRole('dialog', { name: 'New job' }).getByRole('textbox', { name: 'Input JSON' });
  await expect(editor).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(editor).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(editor).not.toBeFocused();
  await expect(editor).toHaveText('{"prompt": "kept"}');
});

test('a group of the list is reached and folded by key', async ({ launch }) => {
  const { page } = await launch();
  await openSandbox(page);
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'An answer' } });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  const head = page.getByRole('button', { name: /^Last hour/ });
  await page.getByRole('listbox', { name: 'Jobs' }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(head).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(head).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(page.getByRole('option')).toHaveCount(1);
});

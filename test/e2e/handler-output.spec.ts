import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { whyNoPython } from '../kit/python.ts';
import { openSandbox, sendJobs } from '../kit/person.ts';
import { expect, jobPane, test, type LaunchedApp } from './fixtures.ts';

const sandboxPane = (page: Page) => page.getByRole('region', { name: 'Sandbox', exact: true });
const lines = (page: Page) => page.getByRole('list', { name: 'Printed lines' });

/** Opens the sandbox's pane at what its handlers print. */
async function showPrinted(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: 'Sandbox', exact: true }).click();
  await sandboxPane(page).getByRole('tab', { name: 'Printed output' }).click();
}

/** Adds the handler in a file, as the system's dialog returns it. */
async function addHandler(app: LaunchedApp, page: Page, path: string, id: string): Promise<void> {
  await app.answerDialog({ canceled: false, filePaths: [path] });
  const endpoints = sandboxPane(page).getByRole('region', { name: 'Endpoints' });
  await endpoints.getByRole('button', { name: 'Add handler' }).click();
  await expect(sandboxPane(page).getByRole('button', { name: `Remove handler ${id}` })).toBeVisible({
    timeout: 20_000,
  });
  await expect(sandboxPane(page).getByText('Running', { exact: true })).toBeVisible({ timeout: 20_000 });
}

const handler = `
console.log('loading the model');
export async function handler(job) {
  const { title, steps = 0 } = job.input;
  console.log('\\u001b[32mbegin\\u001b[0m', title);
  for (let step = 1; step <= steps; step += 1) process.stderr.write('\\r' + step + ' of ' + steps);
  if (job.input.lines) for (let line = 1; line <= job.input.lines; line += 1) console.log('line', line);
  if (job.input.waits) await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
  console.log('end', title);
  return title;
}
`;

test('what an own handler prints is shown as it comes, with its job, and kept with the job', async ({
  launch,
  dataDir,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await showPrinted(page);
  const pane = sandboxPane(page);
  await expect(pane.getByText('Nothing printed yet')).toBeVisible();
  const path = join(dataDir, 'my model.mjs');
  await writeFile(path, handler);
  await addHandler(app, page, path, 'my-model');

  // A progress bar is one line that changes while the job runs.
  await sendJobs(page, [{ endpoint: 'my-model', input: { title: 'first job', steps: 40, waits: true } }]);
  await expect(lines(page).getByText('begin first job')).toBeVisible({ timeout: 20_000 });
  await expect(lines(page).getByRole('listitem').filter({ hasText: 'of 40' })).toHaveText(/40 of 40/);
  await expect(lines(page).getByRole('listitem').filter({ hasText: 'loading the model' })).toContainText('–');
  await sendJobs(page, [{ endpoint: 'my-model', input: { title: 'second job' } }]);
  await expect(lines(page).getByText('end second job')).toBeVisible({ timeout: 20_000 });

  // Only the lines of one job, and a text among all of them.
  const second = lines(page).getByRole('listitem').filter({ hasText: 'end second job' });
  await second.hover();
  await second.getByRole('button', { name: /^Only job/ }).click();
  await expect(lines(page).getByRole('listitem')).toHaveCount(2);
  await pane.getByRole('combobox', { name: /^Job of the lines/ }).click();
  await page.getByRole('option', { name: 'Every job' }).click();
  await page.keyboard.press('ControlOrMeta+f');
  await pane.getByRole('textbox', { name: 'Find in the printed lines' }).fill('BEGIN');
  await expect(pane.getByRole('status').filter({ hasText: / of / })).toHaveText(/2 of 2/);
  await pane.getByRole('textbox', { name: 'Find in the printed lines' }).fill('heliotrope');
  await expect(pane.getByRole('search').getByRole('status')).toHaveText('No matches');
  await page.keyboard.press('Escape');
  await pane.getByRole('button', { name: 'Copy the lines shown' }).click();
  await expect.poll(() => app.clipboard()).toContain('begin first job\n');

  // Its job is one click away, with its own lines, while it runs and after it.
  await lines(page)
    .getByRole('listitem')
    .filter({ hasText: 'begin first job' })
    .getByRole('button', { name: /^Show job/ })
    .click();
  await expect(jobPane(page).getByRole('heading', { name: 'first job' })).toBeVisible();
  await jobPane(page).getByRole('tab', { name: 'Printed' }).click();
  await expect(lines(page).getByText('40 of 40')).toBeVisible();
  await expect(lines(page).getByText('end first job')).toHaveCount(0);
  await page.keyboard.press('.');
  await expect(lines(page).getByText('end first job')).toBeVisible({ timeout: 20_000 });
  await expect(jobPane(page).getByText('Cancelled').first()).toBeVisible({ timeout: 20_000 });

  // Another job of the same list has a tab of its own, or none.
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'prints nothing' } }]);
  await page.getByRole('option', { name: /prints nothing/ }).click();
  await expect(jobPane(page).getByRole('heading', { name: 'prints nothing' })).toBeVisible();
  await expect(jobPane(page).getByRole('tab', { name: 'Printed' })).toHaveCount(0);
  await app.close();

  // Offline, after a restart, the lines are there; the sandbox still serves the handler.
  const again = await launch({ env: { JOBDECK_SANDBOX: 'off' } });
  await again.page.getByRole('option', { name: /first job/ }).click();
  await jobPane(again.page).getByRole('tab', { name: 'Printed' }).click();
  await expect(lines(again.page).getByRole('listitem')).toHaveText([/begin first job/, /40 of 40/, /end first job/]);
  await again.app.close();
  const third = await launch();
  await showPrinted(third.page);
  await sendJobs(third.page, [{ endpoint: 'my-model', input: { title: 'third job' } }]);
  await expect(lines(third.page).getByText('end third job')).toBeVisible({ timeout: 20_000 });
  await sandboxPane(third.page).getByRole('button', { name: 'Remove handler my-model' }).click();
  await expect(sandboxPane(third.page).getByRole('button', { name: 'Remove handler my-model' })).toHaveCount(0);
});

test('a flood is bounded and counted, and what fails to load says why', async ({ launch, dataDir }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await showPrinted(page);
  const pane = sandboxPane(page);
  const path = join(dataDir, 'flood.mjs');
  await writeFile(path, handler);
  await addHandler(app, page, path, 'flood');
  await sendJobs(page, [{ endpoint: 'flood', input: { title: 'prints much', lines: 100_000 } }]);
  await expect(lines(page).getByText('end prints much')).toBeVisible({ timeout: 60_000 });
  await expect(pane.getByText(/others were dropped: at most 10,000 lines or 2.0 MB are kept/)).toBeVisible();
  // The list stands still while one reads, and goes to the end again on demand.
  await lines(page).hover();
  await page.mouse.wheel(0, -4_000);
  await expect(lines(page).getByText('end prints much')).toHaveCount(0);
  await page.getByRole('button', { name: 'Jump to live' }).click();
  await expect(lines(page).getByText('end prints much')).toBeVisible();
  // Home shows the first line that is kept and stays there, End follows again.
  const first = lines(page).locator('[data-index="0"]');
  await lines(page).focus();
  await page.keyboard.press('Home');
  await expect(first).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Jump to live' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(lines(page).getByText('end prints much')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Jump to live' })).toHaveCount(0);

  // Lines that no filter shows are counted, and shown again.
  await pane.getByRole('combobox', { name: /^Job of the lines/ }).click();
  await page.getByRole('option', { name: 'No certain job' }).click();
  await expect(pane.getByRole('heading', { name: 'No line matches' })).toBeVisible();
  await expect(pane.getByText('10,000 lines are in the list.')).toBeVisible();
  await pane.getByRole('button', { name: 'Show all lines' }).click();
  await expect(lines(page).getByText('end prints much')).toBeVisible();

  await pane.getByRole('button', { name: 'Clear the list' }).click();
  await expect(pane.getByText('Nothing printed yet')).toBeVisible();
  await writeFile(path, "import './missing.mjs';\n");
  await expect(lines(page).getByText(/cannot be loaded, and jobs wait until it can/)).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Escape');
  await page.getByRole('option', { name: /prints much/ }).click();
  await jobPane(page).getByRole('tab', { name: 'Printed' }).click();
  await expect(lines(page).getByText('end prints much')).toBeVisible();
});

test('a handler in Python prints to the same place', async ({ launch, dataDir }) => {
  const whyNot = whyNoPython();
  test.skip(whyNot !== null, whyNot ?? '');
  const { app, page } = await launch();
  await openSandbox(page);
  await showPrinted(page);
  const path = join(dataDir, 'worker.py');
  await writeFile(
    path,
    'import sys\nprint("loading")\ndef handler(job):\n    print("got", job["input"]["title"])\n' +
      '    sys.stderr.write("\\r50%")\n    raise ValueError("no such model")\n',
  );
  await addHandler(app, page, path, 'worker');
  await sendJobs(page, [{ endpoint: 'worker', input: { title: 'python job' } }]);
  await expect(lines(page).getByText('got python job')).toBeVisible({ timeout: 30_000 });
  await expect(lines(page).getByText('ValueError: no such model')).toBeVisible();
  await expect(lines(page).getByText('loading', { exact: true })).toBeVisible();
});

import type { Page } from '@playwright/test';
import { holdToasts } from '../kit/held-timers.ts';
import { goTo, openSandbox, sendJobs, untilIdle } from '../kit/person.ts';
import { createScriptedService } from '../integration/job/scripted-service.ts';
import { connectTo, expect, jobPane, runByPalette, shareApp, test } from './fixtures.ts';

const executionTimes = { Beech: 900, Ash: 10, Cedar: 400 };

/** A service that says how long each of the jobs took: how long a real one takes depends on the machine. */
async function startTimedService() {
  const service = await createScriptedService({
    run: [({ body }) => ({ body: { id: /Ash|Beech|Cedar/.exec(body)?.[0] ?? 'other', status: 'IN_QUEUE' } })],
    status: [({ path }) => ({ body: endOf(path) })],
    stream: [{ body: [] }],
    health: [
      {
        body: {
          jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
          workers: { idle: 1, running: 0 },
        },
      },
    ],
  });
  return { baseUrl: service.url, restUrl: service.url, endpoints: ['mock'], close: service.close };
}

function endOf(path: string): object {
  const [id, executionTime] = Object.entries(executionTimes).find(([title]) => path.includes(title)) ?? ['other', 1];
  return { id, status: 'COMPLETED', delayTime: 1, executionTime, output: `a ${id} leaf` };
}

/** Three jobs that are over, and the list as a table. */
async function threeJobs(page: Page): Promise<void> {
  await sendJobs(
    page,
    Object.keys(executionTimes).map((title) => ({ endpoint: 'mock', input: { title } })),
  );
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(3, { timeout: 20_000 });
  await untilIdle(page);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await page
    .getByRole('menuitem', { name: 'Compact' })
    .or(page.getByRole('menuitemradio', { name: 'Compact' }))
    .click();
  await expect(page.getByRole('columnheader', { name: 'Execution' })).toBeVisible();
}

const titles = (page: Page) =>
  page.getByRole('option').evaluateAll((rows) => rows.map((row) => /Ash|Beech|Cedar/.exec(row.textContent)?.[0]));

test('the table is sorted by any column, by mouse and by key, and keeps the order over a restart', async ({
  launch,
}) => {
  const service = await startTimedService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await threeJobs(page);
  await expect.poll(() => titles(page)).toEqual(['Cedar', 'Ash', 'Beech']);
  await expect(page.getByRole('columnheader', { name: 'Age' })).toHaveAttribute('aria-sort', 'descending');

  const byTime = page.getByRole('button', { name: 'Execution', exact: true });
  await byTime.click();
  await expect.poll(() => titles(page)).toEqual(['Beech', 'Cedar', 'Ash']);
  await expect(page.getByRole('columnheader', { name: 'Execution' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('group', { name: 'Execution, longest first' })).toBeVisible();
  await byTime.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => titles(page)).toEqual(['Ash', 'Cedar', 'Beech']);
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'Status' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('group', { name: 'Status, A to Z' })).toBeVisible();
  await page.getByRole('button', { name: 'Job', exact: true }).click();
  await expect.poll(() => titles(page)).toEqual(['Ash', 'Beech', 'Cedar']);

  // A note's first line stands in a column of its own, which puts the list in order too.
  await page.getByRole('option', { name: /Beech/ }).click();
  await jobPane(page).getByRole('tab', { name: 'Note' }).click();
  await jobPane(page).getByRole('textbox', { name: 'Note' }).fill('# Reference leaf\nwith more below');
  await expect(jobPane(page).getByText('Saved on this computer')).toBeVisible();
  await jobPane(page).getByRole('tab', { name: 'Output' }).click();
  await page.getByRole('listbox', { name: 'Jobs' }).press('Escape');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await page
    .getByRole('menuitem', { name: 'Note', exact: true })
    .or(page.getByRole('menuitemradio', { name: 'Note', exact: true }))
    .click();
  await expect(page.getByRole('option', { name: /Beech/ })).toContainText('Reference leaf');
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await expect.poll(() => titles(page)).toEqual(['Beech', 'Cedar', 'Ash']);
  await page.getByRole('button', { name: 'Job', exact: true }).click();

  // A column is left out, another is made wider by key.
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await page
    .getByRole('menuitem', { name: 'Wait', exact: true })
    .or(page.getByRole('menuitemradio', { name: 'Wait', exact: true }))
    .click();
  await expect(page.getByRole('columnheader', { name: 'Wait' })).toBeHidden();
  const edge = page.getByRole('separator', { name: 'Width of Id' });
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', '82');

  await app.close();
  const { page: again } = await launch();
  await expect.poll(() => titles(again)).toEqual(['Ash', 'Beech', 'Cedar']);
  await expect(again.getByRole('columnheader', { name: 'Job' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(again.getByRole('columnheader', { name: 'Wait' })).toBeHidden();
  await expect(again.getByRole('separator', { name: 'Width of Id' })).toHaveAttribute('aria-valuenow', '82');
  await service.close();
});

test.describe('in one window', () => {
  let service: Awaited<ReturnType<typeof startTimedService>> | undefined;
  const shared = shareApp(async ({ page }) => {
    service = await startTimedService();
    await connectTo(page, service);
    await threeJobs(page);
    await holdToasts(page);
  });
  test.afterAll(() => service?.close());

  test('tokens for times and figures narrow the list; an invalid one is named and ignored', async () => {
    const { page } = shared();
    const box = page.getByRole('combobox', { name: 'Search jobs' });
    await box.fill('took>700ms ');
    await expect.poll(() => titles(page)).toEqual(['Beech']);
    await box.press('Backspace');
    await expect(page.getByRole('option')).toHaveCount(3);

    await box.pressSequentially('before:yest');
    await expect(page.getByRole('option', { name: 'yesterday' })).toBeVisible();
    await expect(page.getByRole('listbox', { name: 'Jobs' }).getByRole('option')).toHaveCount(3);
    await box.press('Enter');
    await expect(
      page.getByText('No saved job of this connection').or(page.getByText('Nothing matches')).first(),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Remove before:yesterday' }).click();

    // Each way out of a filter without matches has its number, that of all connections too.
    await box.fill('took>700ms zebra');
    const ways = page.getByRole('list').filter({ hasText: 'without' }).getByRole('button');
    await expect(ways).toHaveText([/^without.*0 jobs$/, /^without.*1 job$/, /^with.*0 jobs$/]);
    await page.getByRole('button', { name: 'Remove took>700ms' }).click();

    await box.fill('ce');
    await expect.poll(() => titles(page)).toEqual(['Cedar']);
    await box.fill('zz');
    await expect(page.getByText(/note\. From the third letter on, words that begin like this/)).toBeVisible();

    await box.fill('took>fast leaf');
    await expect(page.getByText('"fast" is not a time, and is ignored. Write took>30s or took<2m.')).toBeVisible();
    await expect(page.getByRole('option')).toHaveCount(3);
    // An invalid token beside a valid one stays in the box, names itself, and is not searched for.
    await box.fill('waited<30sec took>700ms ');
    await expect.poll(() => titles(page)).toEqual(['Beech']);
    await expect(page.getByText('"30sec" is not a time, and is ignored.')).toBeVisible();
    await page.getByRole('button', { name: 'Remove took>700ms' }).click();
    // What was probably meant is a button away, also when the token was entered without a space after it.
    await box.fill('took>200msec');
    await box.press('Enter');
    await expect(page.getByText('"200msec" is not a time, and is ignored.', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Use took>200ms' }).click();
    await expect(page.getByRole('button', { name: 'Remove took>200ms' })).toBeVisible();
    await expect(box).toHaveValue('');
    await expect(box).toBeFocused();
    await expect.poll(() => titles(page)).toEqual(['Cedar', 'Beech']);
    await page.getByRole('button', { name: 'Remove took>200ms' }).click();

    // A column of one value is left out, and is back without the filter.
    await box.fill('endpoint:mock ');
    await expect(page.getByRole('columnheader', { name: 'Endpoint' })).toBeHidden();
    await expect(page.getByRole('option')).toHaveCount(3);
    await page.getByRole('button', { name: 'Remove endpoint:mock' }).click();
    await expect(page.getByRole('columnheader', { name: 'Endpoint' })).toBeVisible();

    await box.fill('"a cedar le');
    await expect.poll(() => titles(page)).toEqual(['Cedar']);

    // The filter belongs to its place: another one shows all it has, and Back brings the filter back.
    const views = page.getByRole('navigation', { name: 'Views and endpoints' });
    await views.getByRole('button', { name: /^Finished/ }).click();
    await expect(box).toHaveValue('');
    await expect(page.getByRole('option')).toHaveCount(3);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(box).toHaveValue('"a cedar le');
    await expect.poll(() => titles(page)).toEqual(['Cedar']);
    // The same by keys, which a text field keeps for its cursor.
    const isMac = process.platform === 'darwin';
    await page.keyboard.press(isMac ? 'Meta+]' : 'Alt+ArrowRight');
    await expect(box).toHaveValue('');
    await page.keyboard.press(isMac ? 'Meta+[' : 'Alt+ArrowLeft');
    await expect(box).toHaveValue('"a cedar le');
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
  });

  test('a filter is saved as a view, opened by key, renamed, and deleted with undo', async () => {
    const { page } = shared();
    await page.getByRole('button', { name: 'Execution', exact: true }).click();
    const box = page.getByRole('combobox', { name: 'Search jobs' });
    await box.fill('took>200ms ');
    await expect.poll(() => titles(page)).toEqual(['Beech', 'Cedar']);
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Slow ones');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    const views = page.getByRole('navigation', { name: 'Views and endpoints' });
    const slow = views.getByRole('button', { name: 'Slow ones' });
    await expect(slow).toHaveAttribute('aria-current', 'page');
    // The number of the list itself, which is that of this moment.
    await expect(slow).toHaveAccessibleDescription('2 jobs');
    await expect(page.getByRole('button', { name: 'Save view' })).toBeHidden();

    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await page.getByRole('button', { name: 'Execution', exact: true }).click();
    await expect.poll(() => titles(page)).toEqual(['Ash', 'Cedar', 'Beech']);
    await expect(slow).not.toHaveAttribute('aria-current', 'page');
    await expect(slow).toHaveAccessibleDescription(/^2 jobs, as of /);
    await page.getByRole('listbox', { name: 'Jobs' }).focus();
    await goTo(page, '1');
    await expect.poll(() => titles(page)).toEqual(['Beech', 'Cedar']);

    await slow.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename view' }).click();
    await page.getByRole('dialog', { name: 'Rename view' }).getByRole('textbox', { name: 'Name' }).fill('Slow mocks');
    await page.keyboard.press('Enter');
    await views.getByRole('button', { name: 'Slow mocks' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await expect(views.getByRole('button', { name: 'Slow mocks' })).toBeHidden();
    await page
      .getByRole('status')
      .filter({ hasText: 'Deleted the view' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect(views.getByRole('button', { name: 'Slow mocks' })).toBeVisible();

    await runByPalette(page, 'Rename view Slow mocks');
    await page.getByRole('dialog', { name: 'Rename view' }).getByRole('textbox', { name: 'Name' }).fill('Slowest');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await runByPalette(page, 'Delete view Slowest');
    await expect(views.getByRole('button', { name: 'Slowest' })).toBeHidden();
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
  });

  // The last one: the app's list cannot be read any more.
  test('if the rows of another view cannot be read, those of the former one are not shown as its own', async () => {
    const { app, page } = shared();
    await expect(page.getByRole('option')).toHaveCount(3);
    const failure = { kind: 'storage', message: 'The disk is full.' };
    await app.ask('breakInvoke', 'job:list', { kind: 'answer', result: { ok: false, failure } });
    await page
      .getByRole('navigation', { name: 'Views and endpoints' })
      .getByRole('button', { name: /^Starred/ })
      .click();
    await expect(page.getByText('Could not read the history')).toBeVisible();
    await expect(page.getByText('The disk is full.').first()).toBeVisible();
    await expect(page.getByRole('option')).toHaveCount(0);
  });
});

test('while the history does not answer, neither the list nor the palette says that there is nothing', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await threeJobs(page);
  const views = page.getByRole('navigation', { name: 'Views and endpoints' });
  await views.getByRole('button', { name: /^Starred/ }).click();
  await expect(page.getByText('No starred jobs')).toBeVisible();
  await app.ask('breakInvoke', 'job:list', { kind: 'never' });
  await views.getByRole('button', { name: /^All jobs/ }).click();
  const list = page.getByRole('region', { name: 'Jobs', exact: true });
  await expect(list.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(list).not.toContainText(/No .*jobs/);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('zzzz');
  await expect(palette.getByRole('option')).toHaveCount(0);
  await expect(palette).not.toContainText('No results');
});

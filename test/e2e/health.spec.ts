import type { Page } from '@playwright/test';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { sendJobs } from '../kit/person.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';

const pane = (page: Page) => page.getByRole('region', { name: 'Health', exact: true });
const figure = (page: Page, name: string) => pane(page).getByRole('group', { name, exact: true });
const chart = (page: Page) => pane(page).getByRole('slider', { name: /^Jobs and workers over/ });

/** The health of all endpoints: of an endpoint's jobs, the line leads to the endpoint's own. */
async function openHealth(page: Page): Promise<void> {
  const lines = page.getByRole('navigation');
  await lines.getByRole('button', { name: /^All jobs/ }).click();
  await lines.getByRole('button', { name: /^Health/ }).click();
  await expect(pane(page)).toBeVisible();
}

async function chooseEndpoint(page: Page, name: string): Promise<void> {
  await pane(page)
    .getByRole('button', { name: /^Endpoint: / })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** What scrolls sideways in the pane, or hangs out of it. */
function tooWide(page: Page): Promise<string[]> {
  return pane(page).evaluate((element) => {
    const right = element.getBoundingClientRect().right;
    return [element, ...element.querySelectorAll('div, section, aside')]
      .filter(
        (one) =>
          (getComputedStyle(one).overflowX !== 'visible' &&
            getComputedStyle(one).overflowX !== 'hidden' &&
            one.scrollWidth > one.clientWidth) ||
          one.getBoundingClientRect().right > right + 1,
      )
      .map((one) => one.className);
  });
}

/** Jobs that run until the end of the test. */
function sendLongJobs(page: Page, endpoint: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return sendJobs(
    page,
    numbers.map((number) => ({ endpoint, input: { title: `long job ${number}`, mock_delay: 600_000 } })),
  );
}

/** An endpoint whose workers start as those of the sandbox do. */
const quick = { handler: { builtIn: 'mock' }, minWorkers: 1, maxWorkers: 3, coldStartMs: 150, idleTimeoutMs: 10_000 };

test('submitted jobs appear in the figures, the charts and their table, alone and together', async ({
  launch,
  startService,
}) => {
  const service = await startService({ dialect: 'observed' });
  const { app, page } = await launch();
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refusals.push(message.text());
  });
  await connectTo(page, service);
  await openHealth(page);
  await pane(page)
    .getByRole('region', { name: 'Endpoints' })
    .getByRole('button', { name: 'mock', exact: true })
    .click();
  await expect(figure(page, 'In queue')).toContainText('queue empty', { timeout: 20_000 });

  // Three workers are the most: four jobs leave one in the queue.
  await sendLongJobs(page, 'mock', 4);
  await expect(figure(page, 'In queue')).toContainText(/In queue\s*1\s*job/, { timeout: 30_000 });
  await expect(figure(page, 'In progress')).toContainText(/3\s*jobs\s*one per worker/, { timeout: 30_000 });
  await expect(figure(page, 'Workers running')).toContainText(/3\s*peak 3\s*0 idle/);
  await expect(figure(page, 'Clearing time')).toContainText('unknown');
  await expect(figure(page, 'Oldest wait').getByRole('button', { name: /^job / })).toBeVisible();
  await expect(chart(page)).toHaveAttribute('aria-valuetext', /: 3 in progress, 1 queued, 3 running, 0 idle/);

  // The charts' values as a table, including worker states the specification does not name, if they are reported.
  await pane(page).getByRole('button', { name: 'Show as table' }).click();
  const table = pane(page).getByRole('table', { name: /Over the last 15 minutes/ });
  const newest = table.getByRole('row').nth(1);
  // The line of the moments in which the workers started shows the longest queue of these.
  await expect(newest).toContainText(/1\s*3\s*3\s*0/, { timeout: 30_000 });
  await expect(table.getByRole('columnheader', { name: 'Throttled' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'Ready' })).toBeVisible();
  await pane(page).getByRole('button', { name: 'Show as charts' }).click();

  // The keyboard moves the crosshair through the samples.
  await chart(page).focus();
  await page.keyboard.press('Home');
  await expect(chart(page)).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('ArrowRight');
  await expect(chart(page)).toHaveAttribute('aria-valuenow', '1');
  await page.keyboard.press('Escape');
  await expect(pane(page)).toBeVisible();

  // By keyboard from the row of an endpoint, the focus moves to the endpoint's name.
  await chooseEndpoint(page, 'All endpoints');
  await pane(page)
    .getByRole('region', { name: 'Endpoints' })
    .getByRole('button', { name: 'mock', exact: true })
    .press('Enter');
  await expect(pane(page).getByRole('button', { name: 'Endpoint: mock' })).toBeFocused();

  // With less than an hour of readings the charts begin with a quarter of one.
  await expect(pane(page).getByRole('radio', { name: '15 min' })).toBeChecked();
  await pane(page).getByRole('radio', { name: '1 h' }).click();
  await expect(pane(page).getByRole('slider', { name: 'Jobs and workers over the last hour' })).toBeVisible();
  await pane(page).getByRole('button', { name: 'Longer ranges' }).click();
  await page.getByRole('menuitem', { name: '30 d' }).click();
  await expect(pane(page).getByRole('radio', { name: '30 d' })).toBeChecked();
  await expect(pane(page).getByRole('slider', { name: 'Jobs and workers over the last 30 days' })).toBeVisible();

  // Another endpoint, then all together, then a window of its own.
  await chooseEndpoint(page, 'text');
  await expect(pane(page).getByRole('button', { name: 'Endpoint: text' })).toBeVisible();
  await expect(figure(page, 'In queue')).toContainText('queue empty', { timeout: 20_000 });
  await chooseEndpoint(page, 'All endpoints');
  const totals = pane(page).getByRole('group', { name: 'Totals' });
  await expect(totals.getByRole('group', { name: 'In queue' })).toContainText(/1\s*job\s*on 1 endpoint/, {
    timeout: 20_000,
  });
  await expect(totals.getByRole('group', { name: 'In progress' })).toContainText(/3\s*jobs\s*4 of 4 endpoints sampled/);
  await pane(page).getByRole('button', { name: 'Open in its own window' }).click();
  const all = await app.waitForWindow(/\/health\/[^/]+$/);
  await expect(
    pane(all).getByRole('group', { name: 'Totals' }).getByRole('group', { name: 'In progress' }),
  ).toContainText(/3\s*jobs/, { timeout: 20_000 });
  await pane(page)
    .getByRole('region', { name: 'Endpoints' })
    .getByRole('button', { name: 'mock', exact: true })
    .click();
  await pane(page).getByRole('button', { name: 'Open in its own window' }).click();
  const own = await app.waitForWindow(/\/health\/[^/]+\/mock$/);
  await expect(figure(own, 'In progress')).toContainText(/3\s*jobs/, { timeout: 20_000 });
  await expect(own.getByRole('contentinfo').getByText('Online')).toBeVisible();
  expect(refusals).toEqual([]);

  // A job ends: it is counted, and its times are among the percentiles.
  await sendJobs(page, [{ endpoint: 'echo', input: { prompt: 'counted' } }]);
  await chooseEndpoint(own, 'echo');
  await expect(own.getByRole('region', { name: 'Completed' })).toContainText(/Completed\s*1\s*1 this hour/, {
    timeout: 30_000,
  });
  await expect(
    own.getByRole('region', { name: 'Delay and execution' }).getByRole('row', { name: /^Execution/ }),
  ).toBeVisible({ timeout: 20_000 });
  // And all together, where the window is that shows them.
  await expect(pane(all).getByRole('region', { name: 'Completed' })).toContainText('1 this hour', {
    timeout: 30_000,
  });
  await expect(
    pane(all)
      .getByRole('region', { name: 'Delay and execution' })
      .getByRole('row', { name: /^Execution/ }),
  ).toBeVisible({ timeout: 20_000 });
});

test.describe('in one app, each at its own endpoint', () => {
  let service: Sandbox;
  const shared = shareApp(async ({ page }, startService) => {
    service = await startService({
      endpoints: [
        { ...quick, id: 'stuck', minWorkers: 0, maxWorkers: 0 },
        { ...quick, id: 'unread' },
        { ...quick, id: 'broken' },
      ],
      faults: [{ operation: 'health', endpointId: 'unread', kind: 'status', status: 500 }],
    });
    await connectTo(page, service);
  });

  test('a stuck queue is diagnosed, leads to its jobs, and can be muted', async () => {
    const { page } = shared();
    await sendLongJobs(page, 'stuck', 2);
    await openHealth(page);
    await pane(page)
      .getByRole('region', { name: 'Endpoints' })
      .getByRole('button', { name: 'stuck', exact: true })
      .click();
    const diagnosis = pane(page).getByRole('region', { name: 'Diagnosis' });
    await expect(diagnosis.getByRole('heading')).toContainText(/2 jobs/, { timeout: 60_000 });
    await expect(diagnosis.getByRole('list', { name: 'Evidence' }).getByRole('listitem').first()).toBeVisible();
    await expect(diagnosis).toContainText('Common cause: no worker available');
    await diagnosis.getByRole('button', { name: 'What to try' }).click();
    await expect(diagnosis.getByRole('list', { name: 'What to try' }).getByRole('listitem').first()).toBeVisible();

    await diagnosis.getByRole('button', { name: 'Mute for 1 h' }).click();
    await expect(diagnosis).toHaveCount(0);
    await expect(pane(page).getByText(/^Findings are muted until/)).toBeVisible();
    await pane(page).getByRole('button', { name: 'Unmute' }).click();
    await expect(diagnosis.getByRole('heading')).toContainText(/2 jobs/);

    await figure(page, 'Oldest wait').getByRole('button', { name: /^job / }).click();
    await expect(jobPane(page).getByRole('heading', { name: 'long job 1' })).toBeVisible();
    await openHealth(page);
    await pane(page)
      .getByRole('region', { name: 'Endpoints' })
      .getByRole('button', { name: 'stuck', exact: true })
      .click();
    await diagnosis.getByRole('button', { name: 'Show 2 tracked jobs' }).click();
    await expect(page.getByRole('option', { name: /long job 2/ })).toBeVisible();
  });

  test('an old reading says no queue in the menu of endpoints, and no idle worker in the popover of the tray', async () => {
    const { app, page } = shared();
    const menuLine = page.getByRole('menuitem', { name: /^stuck/ });
    const openMenu = (): Promise<void> =>
      pane(page)
        .getByRole('button', { name: /^Endpoint: / })
        .click();
    await openHealth(page);
    await openMenu();
    await expect(menuLine).toContainText('2 in queue');
    // An hour passes here in which nothing is read.
    const passHour = (window: Page): Promise<void> =>
      window.evaluate(() => void (Date.now = () => new Date().getTime() + 3_600_000));
    await passHour(page);
    await expect(menuLine).not.toContainText('in queue');
    await page.keyboard.press('Escape');
    if (app.kind === 'stand-in') {
      await app.clickTray();
      const tray = await app.waitForWindow('/tray');
      const active = tray.getByRole('region', { name: 'Active' });
      await expect(active).toContainText('no idle worker');
      await passHour(tray);
      await expect(active).not.toContainText('no idle worker');
    }
    await page.reload();
  });

  test('without the service the data stays, with its age; an endpoint that was never read says so and is read on demand', async () => {
    const { page } = shared();
    await openHealth(page);
    await pane(page)
      .getByRole('region', { name: 'Endpoints' })
      .getByRole('button', { name: 'unread', exact: true })
      .click();
    await expect(pane(page).getByRole('heading', { name: 'Could not read health' })).toBeVisible({ timeout: 20_000 });
    await expect(pane(page).getByText(/Jobdeck tries again while this is open/)).toBeVisible();
    service.setFault(null);
    await pane(page).getByRole('button', { name: 'Read now' }).click();
    await expect(figure(page, 'In queue')).toContainText('queue empty', { timeout: 20_000 });
    await sendLongJobs(page, 'unread', 1);
    await expect(figure(page, 'In progress')).toContainText(/1\s*job\s*on one worker/, { timeout: 30_000 });

    // In the smallest window the columns stack, and nothing is wider than its place.
    await page.setViewportSize({ width: 900, height: 600 });
    await expect(figure(page, 'Clearing time')).toBeVisible();
    await expect.poll(() => tooWide(page)).toEqual([]);
    await chooseEndpoint(page, 'All endpoints');
    await expect(pane(page).getByRole('group', { name: 'Totals' })).toBeVisible();
    await expect.poll(() => tooWide(page)).toEqual([]);
    await chooseEndpoint(page, 'unread');
    await page.setViewportSize({ width: 1440, height: 900 });

    await service.goOffline();
    await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 60_000 });
    await expect(pane(page).getByText(/^Offline, as of \d\d:\d\d:\d\d, \d+ [sm] ago/)).toBeVisible();
    await expect(figure(page, 'In progress')).toContainText(/1\s*job/);
    await service.goOnline();
    await expect(pane(page).getByText('Updates every 5 s, stored locally')).toBeVisible({ timeout: 60_000 });
  });

  test('a card that breaks says so in its place, and the others still work', async () => {
    const { app, page } = shared();
    await app.ask('breakInvoke', 'purge:preview', { kind: 'answer', result: { ok: true, value: { jobs: 'none' } } });
    await page.reload();
    await openHealth(page);
    await pane(page)
      .getByRole('region', { name: 'Endpoints' })
      .getByRole('button', { name: 'broken', exact: true })
      .click();
    await expect(pane(page).getByRole('alert', { name: 'Purge queue' })).toContainText('Could not show purge queue');
    await expect(figure(page, 'In queue')).toContainText('queue empty', { timeout: 20_000 });
    await expect(pane(page).getByRole('region', { name: 'Alert rules' }).getByRole('switch')).toHaveCount(4);
    await expect(pane(page).getByRole('region', { name: 'Costs' })).toBeVisible();
  });
});

import type { Page } from '@playwright/test';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { clickToEnd, goTo, openPreferences, sendBatch, sendJobs, toastOf } from '../kit/person.ts';
import { TEST_API_KEY } from '../kit/sandbox.ts';
import { connectTo, expect, shareApp, test } from './fixtures.ts';

/*
 * Places that are reached more rarely: what is in other connections, endpoints that nobody uses here, a batch whose
 * rows change while they are sorted, and a cause that is still being read.
 */

const paced = openPacedEndpoint();
/** Nothing runs there: whatever is sent waits. */
const still = { id: 'still', handler: { builtIn: 'mock' }, minWorkers: 0, maxWorkers: 0, coldStartMs: 0 } as const;

let service: Sandbox;
let studio: Sandbox;
test.afterAll(() => paced.close());
const shared = shareApp(async ({ page }, startService) => {
  service = await startService({
    endpoints: [...BUILT_IN_ENDPOINTS, { ...still, idleTimeoutMs: 1_000 }, { ...paced.endpoint, maxWorkers: 1 }],
  });
  await connectTo(page, service);
  studio = await startService();
  await addConnection(page, 'Studio', studio);
});

/** Adds a connection as another window does: the current one stays. */
async function addConnection(page: Page, name: string, { baseUrl, restUrl }: Sandbox): Promise<void> {
  await page.evaluate(
    async ({ key, ...draft }) => {
      const endpoints = ['echo', 'mock'].map((id) => ({ id, label: '', flavour: 'other' as const }));
      const saved = await window.bridge?.call('connection:save', {
        draft: { ...draft, authorization: 'bearer', endpoints },
        key,
      });
      if (saved?.ok !== true) throw new Error('The connection was not saved.');
    },
    { name, baseUrl, restUrl, key: TEST_API_KEY },
  );
}

/** Sends a job to an endpoint of the connection with this name. */
async function sendTo(page: Page, connection: string, endpointId: string, input: object): Promise<void> {
  await page.evaluate(
    async ([name, endpoint, inputText]) => {
      const listed = await window.bridge?.call('connection:list', undefined);
      const id = listed?.ok === true ? listed.value.find((one) => one.name === name)?.id : undefined;
      const draft = { connectionId: id ?? '', endpointId: endpoint, operation: 'run' as const, inputText };
      const sent = await window.bridge?.call('job:submit', draft);
      if (sent?.ok !== true) throw new Error('The job was not submitted.');
    },
    [connection, endpointId, JSON.stringify(input)] as const,
  );
}

const healthReads = (of: Sandbox): number =>
  of
    .requests()
    .filter(({ operation }) => operation === 'health')
    .reduce((sum, { count }) => sum + count, 0);

test('a word that only another connection has is found from the palette', async () => {
  const { page } = shared();
  await sendTo(page, 'Studio', 'echo', { title: 'heliotrope in the studio' });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('heliotrope');
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await expect(found).toHaveText(['Search all connections']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option', { name: /^heliotrope in the studio, Completed/ })).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByRole('button', { name: 'Connection: Production' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(page.getByRole('option', { name: /^heliotrope/ })).toHaveCount(0);
});

test('the popover says what other connections wait for, and goes there', async () => {
  const { app, page } = shared();
  await app.leave();
  await sendTo(page, 'Studio', 'mock', { title: 'broken in the studio', mock_error: 'bad seed' });
  await expect.poll(() => app.tray()).not.toBeNull();
  await app.clickTray();
  const tray = await app.waitForWindow('/tray');
  const others = tray.getByRole('region', { name: 'Other connections' });
  await expect(others.getByRole('button', { name: /^Studio/ })).toContainText('1 unseen failure', { timeout: 20_000 });
  await expect(others.getByRole('button')).toHaveCount(1);
  await others.getByRole('button', { name: /^Studio/ }).click();
  await expect(tray.getByRole('region', { name: 'Just finished' })).toContainText('broken in the studio');
  await expect(page.getByRole('button', { name: 'Connection: Studio' })).toBeVisible();
  // It has nothing to say of the connection that it comes from.
  await expect(others).toHaveCount(0);
  await clickToEnd(tray.getByRole('button', { name: /broken in the studio/ }));
  await expect(page.getByRole('option', { name: /^broken in the studio, Failed/ })).toBeVisible();
  await page.getByRole('button', { name: 'Connection: Studio' }).click();
  await page.getByRole('menuitem', { name: 'Production', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Connection: Production' })).toBeVisible();
});

test('endpoints without jobs are read only while all endpoints are watched', async ({ startService }) => {
  const { page } = shared();
  const quiet = await startService();
  await addConnection(page, 'Quiet', quiet);
  // Meanwhile the health of another endpoint is open, which is read every few seconds.
  await page.getByRole('navigation').getByRole('button', { name: 'echo', exact: true }).click();
  await goTo(page, 'h');
  await expect(page.getByRole('heading', { name: 'Purge queue' })).toBeVisible();
  for (const times of [1, 2]) {
    const before = healthReads(service);
    await expect
      .poll(() => healthReads(service), { message: `reading ${times}`, timeout: 30_000 })
      .toBeGreaterThan(before);
    expect(healthReads(quiet)).toBe(0);
  }

  const watchAll = (await openPreferences(page)).getByRole('switch', { name: 'Watch all endpoints' });
  await expect(watchAll).not.toBeChecked();
  await watchAll.click();
  await expect(watchAll).toBeChecked();
  await page.keyboard.press('Escape');
  await expect.poll(() => healthReads(quiet), { timeout: 60_000 }).toBeGreaterThan(0);
});

test.describe('the table of a batch', () => {
  const strip = (page: Page) => page.getByRole('region', { name: 'Batch' });
  const table = (page: Page) => page.getByRole('grid', { name: 'Rows of the batch' });
  const row = (page: Page, number: number) => table(page).getByRole('row', { name: new RegExp(`^Row ${number},`) });
  const numbers = async (page: Page): Promise<number[]> => {
    const names = await table(page)
      .getByRole('rowheader')
      .evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-label') ?? ''));
    return names.map((name) => Number(/^Row (\d+)/.exec(name)?.[1]));
  };
  const open = async (page: Page, name: string, rows: readonly object[], endpointId: string): Promise<void> => {
    await sendBatch(page, name, rows, endpointId);
    await page.getByRole('button', { name, exact: true }).click();
    // Until then the strip and the table are those of the batch before.
    await expect(strip(page).getByRole('heading', { name })).toBeVisible();
    await strip(page).getByRole('radio', { name: 'Table' }).check();
    await expect(row(page, rows.length)).toBeVisible();
  };

  test('rows that change keep their places until they are sorted again', async () => {
    const { page } = shared();
    paced.hold();
    await open(page, 'One after the other', [{ n: 1 }, { n: 2 }, { n: 3 }], 'paced');
    await expect(row(page, 1)).toContainText('In progress', { timeout: 20_000 });
    await expect(row(page, 3)).toContainText('In queue');
    const status = table(page).getByRole('columnheader', { name: /^Status/ });
    const sort = status.getByRole('button', { name: 'Status', exact: true });
    await sort.click();
    await expect(status).toHaveAttribute('aria-sort', 'ascending');
    if ((await numbers(page))[0] === 1) await sort.click();
    await expect.poll(() => numbers(page)).toEqual([2, 3, 1]);

    paced.end();
    await expect(strip(page).getByText('3 rows, finished')).toBeVisible({ timeout: 20_000 });
    const again = page.getByRole('button', { name: /^\d rows? changed. Sort again$/ });
    await expect(again).toBeVisible();
    expect(await numbers(page)).toEqual([2, 3, 1]);
    await again.click();
    await expect.poll(() => numbers(page)).toEqual([1, 2, 3]);
    await expect(again).toHaveCount(0);
  });

  test('offline, the times of rows that run stand still; what was read stays', async () => {
    const { page } = shared();
    paced.hold();
    await open(page, 'Cut off', [{ n: 1 }, { n: 2 }], 'paced');
    await expect(row(page, 1)).toContainText('In progress', { timeout: 20_000 });
    await service.goOffline();
    await expect(page.getByText(/Offline since/).first()).toBeVisible({ timeout: 60_000 });
    const running = row(page, 1).locator('[data-column="execution"]');
    const known = await running.innerText();
    expect(known).toMatch(/\d/);
    // Time passes, as the countdown to the next try shows.
    const card = page.getByText(/^Offline, next try in/);
    const first = await card.innerText();
    await expect(card).not.toHaveText(first);
    await expect(row(page, 1)).toContainText('In progress');
    expect(await running.innerText()).toBe(known);
    expect(await numbers(page)).toEqual([1, 2]);

    await service.goOnline();
    await expect(page.getByText(/Offline since/)).toHaveCount(0, { timeout: 60_000 });
    await expect(running).not.toHaveText(known, { timeout: 20_000 });
    paced.end();
    await expect(strip(page).getByText('2 rows, finished')).toBeVisible({ timeout: 60_000 });
  });

  test('a purged row says so in the place of its output', async () => {
    const { page } = shared();
    await open(page, 'To be purged', [{ n: 1 }, { n: 2 }], 'still');
    await expect(row(page, 2)).toContainText('In queue', { timeout: 20_000 });
    await page.evaluate(async () => {
      const listed = await window.bridge?.call('connection:list', undefined);
      const connection = listed?.ok === true ? listed.value.find(({ name }) => name === 'Production') : undefined;
      const order = { connectionId: connection?.id ?? '', endpointId: 'still', typed: 'still', expected: 2 };
      const sent = await window.bridge?.call('purge:send', order);
      if (sent?.ok !== true) throw new Error('The queue was not purged.');
    });
    for (const number of [1, 2])
      await expect(row(page, number)).toContainText('Removed from the queue by your purge', { timeout: 20_000 });
    await expect(strip(page).getByText('2 rows, finished')).toBeVisible();
    await expect(row(page, 1)).toContainText('Gone');
  });
});

test('a cause that is still being read is retried by the key that was pressed meanwhile, and no other is', async () => {
  const { app, page } = shared();
  test.skip(app.kind !== 'stand-in', 'only the stand-in holds what a window asks of main');
  const errors = ['Out of memory', 'Bad prompt'];
  await sendJobs(
    page,
    errors.map((error) => ({ endpoint: 'mock', input: { title: `job of ${error}`, mock_error: error } })),
  );
  await page.getByRole('button', { name: /^All jobs/ }).click();
  await expect(page.getByRole('option', { name: /^job of (Out of memory|Bad prompt), Failed/ })).toHaveCount(2, {
    timeout: 20_000,
  });
  await goTo(page, 'e');
  // The first cause is read immediately, and the other one is not yet.
  const causes = page.getByRole('listbox', { name: 'Causes of failures' }).getByRole('option');
  const newest = causes.filter({ hasText: /Out of memory|Bad prompt/ });
  await expect(newest).toHaveCount(2);
  const detail = page.getByRole('region', { name: 'Cause', exact: true });
  await expect(detail.getByRole('button', { name: /^job of/ })).toBeVisible();
  const shownCause = await detail.getByRole('heading', { level: 2 }).innerText();
  const unread = errors.find((error) => !shownCause.includes(error)) ?? '';

  await app.ask('holdText', true);
  await newest.filter({ hasText: unread }).click();
  await page.keyboard.press('r');
  const retry = detail.getByRole('button', { name: 'Retry all' });
  await expect(detail.getByRole('heading', { name: unread })).toBeVisible();
  // Nothing is known of its jobs yet, and nothing else is claimed.
  await expect(retry).toHaveAttribute('aria-disabled', 'true');
  await retry.hover();
  await expect(page.getByText('Their jobs are still being read')).toBeVisible();
  await app.ask('holdText', false);
  await expect(toastOf(page, '1 job retried')).toBeVisible({ timeout: 20_000 });
  const retried = (): string[] =>
    service
      .requests()
      .filter(({ operation }) => operation === 'retry')
      .map(({ endpointId, count }) => `${endpointId} ${count}`);
  expect(retried()).toEqual(['mock 1']);
  await page.getByRole('button', { name: /^All jobs/ }).click();
  await page.getByRole('option', { name: new RegExp(`^job of ${unread}`) }).click();
  await expect(page.getByText('Attempt 2 of 2')).toBeVisible({ timeout: 20_000 });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openHistory } from '../../src-main/history/open-history.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { sendJobs, toastOf } from '../kit/person.ts';
import { aSavedJob } from '../kit/saved-job.ts';
import { connectTo, expect, test } from './fixtures.ts';

declare global {
  interface Window {
    /** How many pixels at the end of the list's view were without rows in each frame in which that had a new height. */
    emptyPx?: number[];
  }
}

const jobs = 450;

const list = (page: Page) => page.getByRole('listbox', { name: 'Jobs' });
const bar = (page: Page) => page.getByRole('toolbar', { name: /selected$/ });
const box = (page: Page) => page.getByRole('combobox', { name: 'Search jobs' });
const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

/** Saves finished jobs as if they had run here, newest last; the app is closed for it. */
async function saveJobs(page: Page, dataDir: string, close: () => Promise<void>, count = jobs): Promise<void> {
  const { id: connectionId, baseUrl } = await page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connection = listed?.ok === true ? listed.value[0] : undefined;
    if (connection === undefined) throw new Error('There is no connection.');
    await window.bridge?.call('cost:setRate', {
      connectionId: connection.id,
      endpointId: 'mock',
      creditsPerHour: 3_600,
      source: { kind: 'typed' },
      isForEarlier: true,
    });
    return { id: connection.id, baseUrl: connection.baseUrl };
  });
  await close();
  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  for (let from = 1; from <= count; from += 150) {
    await history.commit(
      Array.from({ length: Math.min(150, count + 1 - from) }, (_, at) => {
        const number = from + at;
        const title = number % 2 === 0 ? `Label ticket ${number}` : `Ticket to label ${number}`;
        const ageMs = (jobs + 5 - number) * 60_000;
        const saved = aSavedJob({ number, connectionId, baseUrl, endpointId: 'mock', title, ageMs });
        const delayTimeMs = number === 7 ? 90_000 : 150;
        return { ...saved, job: { ...saved.job, delayTimeMs, isSeen: number > 20 } };
      }),
    );
  }
  await history.close();
}

test('actions on all matching jobs: selected beyond the loaded rows, tagged, marked as seen, exported, deleted', async ({
  launch,
  startService,
  dataDir,
}) => {
  const service = await startService();
  const first = await launch();
  await connectTo(first.page, service);
  await saveJobs(first.page, dataDir, () => first.app.close());
  const { app, page } = await launch();
  await holdToasts(page);
  await expect(page.getByRole('option').first()).toBeVisible();
  const firstRow = page.getByRole('option').first();
  await expect(firstRow).toHaveAccessibleName(/Label ticket 450/);

  await test.step('Shift with arrows and clicks selects the rows in between', async () => {
    await list(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(bar(page).getByText('3 selected')).toBeVisible();
    await page.keyboard.press('Shift+ArrowUp');
    await expect(bar(page).getByText('2 selected')).toBeVisible();
    await page.keyboard.press('Shift+PageDown');
    await expect(bar(page).getByText('12 selected')).toBeVisible();
    await page.keyboard.press('Shift+Home');
    await expect(bar(page).getByText('1 selected')).toBeVisible();
    // The same without the focus in the list.
    await page.keyboard.press('Escape');
    await list(page).blur();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+PageDown');
    await expect(bar(page).getByText('11 selected')).toBeVisible();
    await page.keyboard.press('Shift+Home');
    await expect(bar(page).getByText('1 selected')).toBeVisible();
    await list(page).focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page
      .getByRole('option')
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await expect(bar(page).getByText('5 selected')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bar(page)).toBeHidden();
  });

  await test.step('typed tokens and quoted words', async () => {
    await box(page).pressSequentially('waited>');
    await page.getByRole('option', { name: '1m' }).click();
    await expect(list(page).getByRole('option')).toHaveCount(1);
    await expect(firstRow).toHaveAccessibleName(/Ticket to label 7,/);
    // While nothing matches, the list offers the same.
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await box(page).pressSequentially('cost>40.4 ');
    await expect(page.getByRole('button', { name: 'Remove cost>40.4' })).toBeVisible();
    await expect(list(page).getByRole('option').first()).toBeVisible();
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await box(page).pressSequentially('has:error ');
    await expect(firstRow).toHaveAccessibleName(/Failed/);
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await box(page).pressSequentially('"label ticket 44"');
    await expect(page.getByText('Nothing matches')).toHaveCount(0);
    await box(page).fill('"label ticket 444"');
    await expect(list(page).getByRole('option')).toHaveCount(1);
    await expect(firstRow.getByText('Label ticket 444', { exact: true }).first()).toBeVisible();
    await expect(firstRow.locator('mark').first()).toHaveText('Label ticket 444');
    // A narrow window has one line a row, and says there too where it was found.
    await page.setViewportSize({ width: 1100, height: 900 });
    await box(page).fill('agrees');
    await expect(firstRow.locator('mark').first()).toHaveText('agrees');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
  });

  await test.step('a tag in a row is filtered by and removed with undo from its menu', async () => {
    const row = page.getByRole('option', { name: /Label ticket 440,/ });
    await row.getByText('nightly').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter by tag:nightly' }).click();
    await expect(page.getByRole('button', { name: 'Remove tag:nightly' })).toBeVisible();
    await expect(list(page).getByRole('option', { name: /Label ticket 450,/ })).toHaveCount(0);
    await row.getByText('nightly').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Remove tag nightly' }).click();
    await expect(row).toHaveCount(0);
    await status(page, 'Tag nightly removed').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(row.getByText('nightly')).toBeVisible();
  });

  await test.step('all of them are selected and tagged, and the tag is offered with its job count', async () => {
    await expect(firstRow).toHaveAccessibleName(/Label ticket 450/);
    await list(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await expect(bar(page).getByText('200 selected')).toBeVisible();
    await bar(page).getByRole('button', { name: 'Select all 450' }).click();
    await expect(bar(page).getByText('450 selected')).toBeVisible();
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Tags of 450 jobs' });
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('whole');
    await dialog.getByRole('button', { name: 'Save tags' }).click();
    await expect(status(page, 'Tags of 450 jobs saved')).toBeVisible({ timeout: 20_000 });
    await box(page).pressSequentially('tag:wh');
    const offered = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: 'whole' });
    await expect(offered).toContainText('450 jobs');
    await offered.click();
    await expect(page.getByRole('button', { name: 'Remove tag:whole' })).toBeVisible();
    await status(page, 'Tags of 450 jobs saved').getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Nothing matches').first()).toBeVisible({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
  });

  await test.step('unseen jobs are marked as seen, in whatever view they are', async () => {
    const unseen = () =>
      page.evaluate(async () => {
        const counts = await window.bridge?.call('job:counts', undefined);
        return counts?.ok === true ? counts.value.all.failedUnseen : null;
      });
    await expect.poll(unseen).toBe(3);
    await expect(firstRow).toHaveAccessibleName(/Label ticket 450/);
    await list(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+a');
    await expect(bar(page).getByText('450 selected')).toBeVisible();
    await bar(page).getByRole('button', { name: 'Mark as seen' }).click();
    await expect(status(page, '20 jobs marked as seen')).toBeVisible();
    await expect.poll(unseen).toBe(0);
    await toastOf(page, '20 jobs marked as seen').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(unseen).toBe(3);
    await bar(page).getByRole('button', { name: 'Mark as seen' }).click();
    await expect.poll(unseen).toBe(0);
  });

  await test.step('exported, deleted, and restored', async () => {
    const path = join(dataDir, 'all.ndjson');
    await app.answerDialog({ canceled: false, filePath: path });
    await bar(page).getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as NDJSON' }).click();
    await expect(status(page, '450 jobs written to')).toBeVisible({ timeout: 20_000 });
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(450);
    await list(page).focus();
    await page.keyboard.press('Delete');
    await expect(list(page).getByRole('option')).toHaveCount(0);
    await toastOf(page, 'Deleted 450 jobs').getByRole('button', { name: 'Undo' }).click();
    await expect(firstRow).toHaveAccessibleName(/Label ticket 450/);
  });

  await test.step('a new job waits above scrolled rows until its chip is pressed', async () => {
    // The list is read again after the undo, and a job that came before that needs no chip.
    const place = (name: RegExp) => page.getByRole('navigation').getByRole('button', { name });
    await place(/^Active/).click();
    await expect(page.getByText('Nothing is running')).toBeVisible();
    await place(/^All jobs/).click();
    await expect(firstRow).toHaveAccessibleName(/Label ticket 450/);
    await list(page).hover();
    await page.mouse.wheel(0, 4_000);
    await expect(page.getByRole('option', { name: /Label ticket 450/ })).toHaveCount(0);
    await sendJobs(page, [{ endpoint: 'mock', input: { title: 'Just came', mock_delay: 60_000 } }]);
    await page.getByRole('button', { name: '1 new' }).click();
    await expect(page.getByRole('option', { name: /Just came/ })).toBeVisible();
  });

  await test.step('rows do not flash as if a status had changed while the list is scrolled fast', async () => {
    const flashed = await watchFlashes(page);
    await fling(page);
    // The job that has just come may start meanwhile.
    expect((await flashed()).filter((name) => !name.startsWith('Just came'))).toEqual([]);
  });
});

/** Returns a way to read the names of all rows that have flashed from now on. */
async function watchFlashes(page: Page): Promise<() => Promise<string[]>> {
  const names = await page.evaluateHandle(() => {
    const found: string[] = [];
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if (target instanceof HTMLElement && target.role === 'option' && target.className.includes('wash-'))
          found.push(target.textContent);
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
    return found;
  });
  return () => names.evaluate((found) => found);
}

/** Scrolls down the list by more than its height in each of ten frames. */
async function fling(page: Page): Promise<void> {
  await list(page).evaluate(async (element) => {
    let scroller = element.parentElement;
    while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
    for (let frame = 0; frame < 10; frame += 1) {
      scroller?.scrollBy(0, 1_500);
      await new Promise(requestAnimationFrame);
    }
  });
}

test('a window that grows keeps the rows in view, and has rows everywhere in its first frame', async ({
  launch,
  startService,
  dataDir,
}) => {
  const service = await startService();
  const first = await launch();
  await connectTo(first.page, service);
  await saveJobs(first.page, dataDir, () => first.app.close(), 30);
  const { page } = await launch();
  const scrollTo = (top: number): Promise<void> =>
    list(page).evaluate((element, px) => element.parentElement?.scrollTo(0, px), top);
  const rowHeight = (px: number): Promise<void> =>
    expect(list(page).getByRole('option').first()).toHaveCSS('height', `${px}px`);
  const last = page.getByRole('option', { name: /^Ticket to label 1,/ });
  await rowHeight(52);

  // Beside the job there is room for one line per row. In that form all of them fit into the large window.
  await page.setViewportSize({ width: 900, height: 600 });
  await rowHeight(30);
  await scrollTo(9_999);
  await expect(last).toBeInViewport({ ratio: 1 });
  // What reads the layout first cuts the position of the list to that form.
  await page.evaluate(() => window.addEventListener('resize', () => document.body.getClientRects(), { capture: true }));
  await page.setViewportSize({ width: 2560, height: 1440 });
  await rowHeight(52);
  await expect(last).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 1440, height: 600 });
  await scrollTo(100);
  await list(page).evaluate((element) => {
    const scroller = element.parentElement;
    if (scroller === null) return;
    window.emptyPx = [];
    // Called in each frame in which the view has a new size, after the list itself.
    new ResizeObserver(() => {
      const rows = [...element.querySelectorAll('[role=option]')].map((row) => row.getBoundingClientRect().bottom);
      window.emptyPx?.push(Math.max(0, scroller.getBoundingClientRect().bottom - Math.max(...rows)));
    }).observe(scroller);
  });
  const frames = (): Promise<number> => page.evaluate(() => window.emptyPx?.length ?? 0);
  await expect.poll(frames).toBeGreaterThan(0);
  const before = await frames();
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect.poll(frames).toBeGreaterThan(before);
  expect(await page.evaluate(() => window.emptyPx?.filter((px) => px > 0))).toEqual([]);
});

test('several jobs by key: retried, cancelled before sending and submitted again; and the columns of the table', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { page } = await launch();
  await connectTo(page, service);
  await holdToasts(page);
  const submit = (title: string, input: object) => sendJobs(page, [{ endpoint: 'mock', input: { title, ...input } }]);
  const flashed = await watchFlashes(page);
  service.setScaling('mock', { minWorkers: 0, maxWorkers: 0 });
  for (const title of ['Breaks one', 'Breaks two']) await submit(title, { mock_error: 'The rubric is missing' });
  // Both rows are seen in the queue, so that their end is a change of what is shown.
  await expect(page.getByRole('option', { name: /^Breaks/ })).toHaveCount(2);
  service.setScaling('mock', { minWorkers: 1, maxWorkers: 3 });
  await expect(page.getByRole('option', { name: /Failed/ })).toHaveCount(2, { timeout: 20_000 });
  for (const title of ['Breaks one', 'Breaks two'])
    await expect.poll(flashed).toContainEqual(expect.stringContaining(title));

  await test.step('failed jobs of one cause are found by it and retried', async () => {
    await box(page).pressSequentially('cause:rubric');
    await expect(page.getByRole('option', { name: /The rubric is missing/ })).toBeVisible({ timeout: 20_000 });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Remove cause:/ })).toBeVisible();
    await expect(list(page).getByRole('option')).toHaveCount(2);
    await page.setViewportSize({ width: 900, height: 600 });
    await box(page).pressSequentially('status:failed ');
    await page.setViewportSize({ width: 1440, height: 900 });
    await list(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('r');
    await expect(status(page, '2 jobs retried')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(page.getByRole('option', { name: /Failed/ })).toHaveCount(2, { timeout: 20_000 });
  });

  await test.step('unsent jobs are cancelled together and submitted again', async () => {
    await page.evaluate(() => window.bridge?.call('tracker:pause', undefined));
    for (const title of ['Waits one', 'Waits two']) await submit(title, { mock_delay: 5 });
    await box(page).fill('status:waiting ');
    await expect(list(page).getByRole('option')).toHaveCount(2);
    await list(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('.');
    // Nothing of them has left, so it can be undone, and nothing is asked.
    await expect(list(page).getByRole('option')).toHaveCount(0);
    await status(page, '2 jobs cancelled').getByRole('button', { name: 'Submit 2 unsent jobs again' }).click();
    await expect(list(page).getByRole('option')).toHaveCount(2);
    await page.evaluate(() => window.bridge?.call('tracker:resume', undefined));
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(page.getByRole('option', { name: /Waits .*Completed/ })).toHaveCount(2, { timeout: 20_000 });
  });

  await test.step('columns are chosen, reordered, fitted and hidden by the menus', async () => {
    await list(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('+');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Compact' }).click();
    const head = (name: string) => page.getByRole('columnheader', { name });
    await expect(head('Execution')).toBeVisible();
    await expect(head('Mark')).toBeHidden();
    for (const name of ['Mark', 'Label', 'Est. cost']) {
      await page.getByRole('button', { name: 'List', exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await expect(head(name)).toBeVisible();
    }
    await head('Mark').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Highest first' }).click();
    await expect(head('Mark')).toHaveAttribute('aria-sort', 'descending');
    await expect(list(page).getByRole('option').first()).toHaveAccessibleName(/marked good/);
    const edge = page.getByRole('separator', { name: 'Width of Endpoint' });
    await edge.dblclick();
    await expect(edge).not.toHaveAttribute('aria-valuenow', '132');
    // The menu has a button, which is seen under the pointer and by the focus.
    const menuButton = head('Wait').getByRole('button', { name: 'Menu of Wait' });
    await box(page).hover();
    await expect(menuButton).toHaveCSS('opacity', '0');
    await head('Wait').hover();
    await expect(menuButton).toHaveCSS('opacity', '1');
    await menuButton.click();
    await expect(page.getByRole('menuitem', { name: 'Longest first' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await head('Wait').getByRole('button', { name: 'Wait', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(menuButton).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await expect(head('Wait')).toBeHidden();
    await head('Execution').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter by took>' }).click();
    await expect(box(page)).toBeFocused();
    await page.keyboard.type('1h ');
    await expect(page.getByRole('button', { name: 'Remove took>1h' })).toBeVisible();
  });

  await test.step('retries that cannot be sent yet are withdrawn together', async () => {
    const retries = (): number =>
      service.requests().reduce((sum, { operation, count }) => sum + (operation === 'retry' ? count : 0), 0);
    const before = retries();
    await service.goOffline();
    // A connection that was kept open is known to be closed by then.
    await fetch(service.baseUrl).catch(() => undefined);
    await page.getByRole('button', { name: 'Remove took>1h' }).click();
    await box(page).fill('status:failed ');
    await expect(list(page).getByRole('option')).toHaveCount(2);
    await list(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('r');
    const retried = toastOf(page, '2 jobs retried, 2 of them as soon as possible');
    await retried.getByRole('button', { name: 'Undo' }).click();
    await expect(status(page, '2 retries will not be sent.')).toBeVisible();
    await service.goOnline();
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    // A job that comes before the list is read again needs no chip.
    await expect(page.getByRole('option', { name: /Waits .*Completed/ })).toHaveCount(2);
    await expect(list(page)).toHaveAttribute('aria-busy', 'false');
    await submit('Goes out again', { mock_delay: 5 });
    await page.getByRole('button', { name: '1 new' }).click();
    await expect(page.getByRole('option', { name: /Goes out again.*Completed/ })).toBeVisible({ timeout: 30_000 });
    expect(retries()).toBe(before);
  });
});

import { saveStream } from '../kit/saved-stream.ts';
import type { Locator, Page } from '@playwright/test';
import { connectTo, expect, jobPane, shareApp, test, type LaunchedApp } from './fixtures.ts';

const lineCount = 80_000;
const lines = Array.from(
  { length: lineCount },
  (_, at) => `line ${at}: the queue held every worker until the lock was released`,
);
lines[lineCount - 20] = 'here the Heliograph stops';
lines[0] = '# The lock\n\nIt was **held** while \\(x_1*y_1*\\) grew.\n';
lines[lineCount - 10] = '\n## The end\n';
const whole = lines.join('\n');

/** The text of the match gone to in formatted text, if it is in view. */
function currentMatch(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const [range] = CSS.highlights.get('found-current') ?? [];
    const view = document.querySelector('[aria-label="Output text"]')?.getBoundingClientRect();
    if (!(range instanceof Range) || view === undefined) return null;
    const { top, bottom } = range.getBoundingClientRect();
    return top >= view.top && bottom <= view.bottom ? range.toString() : null;
  });
}

/** How many of the drawn sections do not end where the next one begins, once the window's new size was drawn. */
function misplaced(text: Locator): Promise<number> {
  return text.evaluate(async (pane) => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const boxes = [...pane.querySelectorAll('[data-index]')].map((section) => section.getBoundingClientRect());
    const inOrder = boxes.toSorted((one, other) => one.top - other.top);
    return inOrder.filter(({ bottom }, at) => Math.abs((inOrder[at + 1]?.top ?? bottom) - bottom) > 1).length;
  });
}

let chunkCount = 0;
/** A window with the long stream saved, while the service is down. */
const shared = shareApp(async ({ app, page, dataDir }, startService, restart) => {
  const service = await startService();
  await connectTo(page, service);
  chunkCount = await saveStream({ page, dataDir, closeApp: app.close, title: 'A long stream', text: whole });
  await service.close();
  await restart();
});

/** Opens the long stream from its beginning. */
async function openLongStream(): Promise<{ app: LaunchedApp; page: Page; text: Locator; field: Locator }> {
  const { app, page } = shared();
  await page.getByRole('option', { name: /A long stream/ }).click();
  const text = jobPane(page).getByRole('document', { name: 'Output text' });
  await expect(text.getByRole('heading', { name: 'The lock' })).toBeVisible();
  return { app, page, text, field: page.getByRole('textbox', { name: 'Search in the output' }) };
}

test('a long finished stream is shown formatted, navigated and searched while the service is down', async () => {
  const { page, text, field } = await openLongStream();
  // LaTeX is text, whatever its stars and backslashes mean in Markdown.
  await expect(text).toContainText('It was held while \\(x_1*y_1*\\) grew.');
  await text.click();
  await expect(text).toBeFocused();
  await page.keyboard.press('End');
  await expect(text.getByText(`line ${lineCount - 1}:`)).toBeInViewport();
  await expect(text.getByRole('heading', { name: 'The end' })).toBeVisible();
  await page.keyboard.press('Home');
  await expect(text.getByRole('heading', { name: 'The lock' })).toBeInViewport();

  await page.keyboard.press('Control+f');
  await field.fill('the heliograph');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await expect.poll(() => currentMatch(page)).toBe('the Heliograph');
  await field.fill('line 99');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^\d+ of [\d,]+$/);
  await field.press('Enter');
  await expect.poll(() => currentMatch(page)).toBe('line 99');
  // Another width gives the sections other heights.
  for (const [width, height] of [
    [900, 600],
    [1_440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => misplaced(text)).toBe(0);
  }
  await field.press('Escape');
  await expect(field).toBeHidden();
  await text.focus();
  await page.keyboard.press('Home');
});

test('a long finished stream is searched as plain text and chunk by chunk, and copied whole', async () => {
  const { app, page, text, field } = await openLongStream();
  await text.click();
  await page.keyboard.press('Control+f');
  // Plain text has a search of its own kind. On a slow machine it is ahead of the cutting into rows.
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await jobPane(page).getByRole('button', { name: 'Show as plain text' }).click();
  await field.fill('the heliograph');
  await expect(text.locator('mark[aria-current]')).toHaveText('the Heliograph', { timeout: 30_000 });
  await expect(text.locator('mark[aria-current]')).toBeInViewport();
  await devTools.detach();
  // Cut again for a narrower pane, which takes many frames, none is painted without rows.
  const blanks = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const pane = document.querySelector('[aria-label="Output text"]');
        const painted = new MessageChannel();
        let frames = 0;
        let blank = 0;
        const isBlank = (): boolean => {
          const view = pane?.getBoundingClientRect();
          return (
            view !== undefined &&
            ![...(pane?.querySelectorAll('[style*="translateY"]') ?? [])].some(
              (row) => row.getBoundingClientRect().bottom > view.top && row.getBoundingClientRect().top < view.bottom,
            )
          );
        };
        painted.port1.addEventListener('message', () => {
          if (isBlank()) blank += 1;
          frames += 1;
          if (frames === 300) resolve(blank);
          else requestAnimationFrame(() => painted.port2.postMessage(null));
        });
        painted.port1.start();
        requestAnimationFrame(() => painted.port2.postMessage(null));
      }),
  );
  await page.setViewportSize({ width: 900, height: 600 });
  expect(await blanks).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  await field.press('Escape');
  await expect(field).toBeHidden();
  await expect(text).toBeFocused();

  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect(page.getByText('Output copied')).toBeVisible();
  await expect.poll(async () => (await app.clipboard()) === whole).toBe(true);

  await jobPane(page).getByRole('radio', { name: 'Chunks' }).click();
  const chunks = jobPane(page).getByRole('list', { name: 'Chunks' });
  await chunks.focus();
  await page.keyboard.press('End');
  await expect(
    chunks
      .getByRole('button')
      .filter({ hasText: `line ${lineCount - 1}` })
      .or(chunks.getByText(String(chunkCount - 1), { exact: true }))
      .first(),
  ).toBeInViewport();
  // A search goes through the chunks on disk as well.
  await page.keyboard.press('Control+f');
  await field.fill('the heliograph');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  const current = chunks.locator('[aria-current]');
  await expect(current).toBeInViewport();
  await expect(current.locator('mark')).toHaveText('the Heliograph');
  await field.press('Escape');

  // Times stand beside the line in which a chunk begins, and lines scroll sideways that do not wrap.
  await chooseView(page, 'Time since start');
  await expect(chunks.getByRole('button').first()).toContainText(/\d:\d\d\.\d/);
  await jobPane(page).getByRole('radio', { name: 'Text' }).click();
  await text.focus();
  await page.keyboard.press('Home');
  await expect(text.locator('[data-times] > :first-child')).toContainText(/^\d+:\d\d\.\d/);
  await chooseView(page, 'Wrap long lines');
  await page.keyboard.press('Escape');
  await expect.poll(() => text.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  await chooseView(page, 'Clock time');
  await expect(text.locator('[data-times] > :first-child')).toContainText(/^\d\d:\d\d:\d\d\.\d{3}/);
});

async function chooseView(page: Page, item: string): Promise<void> {
  await jobPane(page).getByRole('button', { name: 'View options' }).click();
  await page.getByRole(item === 'Wrap long lines' ? 'menuitemcheckbox' : 'menuitem', { name: item }).click();
}

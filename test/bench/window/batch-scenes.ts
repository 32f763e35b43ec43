import type { Page } from '@playwright/test';
import { traceMainThread } from '../../kit/main-thread.ts';
import { scrollList, timeToPaint, type ScrolledFrames } from '../../kit/paint-timer.ts';
import type { BenchResult } from '../run.ts';
import { batchName, batchRows } from './saved-history.ts';

/** Pixels per frame: a wheel that is turned, and a list that is flung. */
const speeds = [
  ['wheel', 120],
  ['flung', 1_500],
] as const;

/** Scrolls what is on screen at both speeds, `forMs` each. `what` begins the names of the figures. */
export async function measureScrolling(page: Page, what: string, forMs: number): Promise<BenchResult> {
  const result: BenchResult = {};
  for (const [name, pixels] of speeds) {
    let scrolled: ScrolledFrames = { frames: 0, lateShare: Number.NaN, longestMs: Number.NaN, rows: 0 };
    const use = await traceMainThread(page, async () => {
      scrolled = await scrollList(page, pixels, forMs);
    });
    const { frames, lateShare, longestMs, rows } = scrolled;
    result[`${what}${name}: frames over 32 ms %`] = Math.round(lateShare * 1_000) / 10;
    result[`${what}${name}: longest frame ms`] = Math.round(longestMs);
    result[`${what}${name}: frames / rows passed`] = `${frames} / ${rows}`;
    result[`${what}${name}: longest task ms of CPU`] = Math.round(use.longestTaskCpuMs * 10) / 10;
    result[`${what}${name}: CPU ms a frame`] = Math.round((use.totalCpuMs / frames) * 10) / 10;
    result[`${what}${name}: heap MB at the end`] = Math.round(use.heapMB);
  }
  return result;
}

/**
 * A batch of ten thousand rows as a table and as images: their first opening, until all rows are read, an order by a
 * column, and scrolling, `forMs` for each speed. The list of a million has the same figures in the same run.
 */
export async function measureBatch(page: Page, forMs: number): Promise<BenchResult> {
  await page.getByRole('button', { name: batchName, exact: true }).first().click();
  const strip = page.getByRole('region', { name: 'Batch' });
  await strip.getByRole('radio', { name: 'Table' }).waitFor();
  const result: BenchResult = { 'batch: rows': batchRows };
  const table = { selector: '[role="grid"]', pattern: 'score[^]*Completed' };
  const whole = { selector: `[role="grid"][aria-rowcount="${batchRows + 1}"]` };
  const opened = await traceMainThread(page, async () => {
    const ms = await timeToPaint(page, table, () => strip.getByRole('radio', { name: 'Table' }).click());
    result['table: first opening ms'] = Math.round(ms);
    await page.locator(whole.selector).waitFor({ timeout: 120_000 });
    await page.getByText(/ rows? read$/).waitFor({ state: 'detached', timeout: 120_000 });
  });
  result['table: until all rows are read ms'] = Math.round(opened.tookMs);
  result['table: until all rows are read, CPU ms'] = Math.round(opened.totalCpuMs);
  result['table: until all rows are read, longest task ms of CPU'] = Math.round(opened.longestTaskCpuMs);
  const head = page.getByRole('columnheader', { name: /^score/ });
  const sorted = { selector: '[role="columnheader"][aria-sort="ascending"]' };
  const ordered = await traceMainThread(page, async () => {
    const button = head.getByRole('button', { name: 'score', exact: true });
    result['table: order by a column ms'] = Math.round(await timeToPaint(page, sorted, () => button.click()));
  });
  result['table: order by a column, longest task ms of CPU'] = Math.round(ordered.longestTaskCpuMs);
  Object.assign(result, await measureScrolling(page, 'table, ', forMs));
  const images = { selector: '[role="listbox"] img' };
  const shown = await timeToPaint(page, images, () => strip.getByRole('radio', { name: 'Images' }).click());
  result['images: first opening ms'] = Math.round(shown);
  return { ...result, ...(await measureScrolling(page, 'images, ', forMs)) };
}

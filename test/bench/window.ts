import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { percentile } from '../../src-main/history/jobs/run-times.ts';
import { connectTo } from '../e2e/fixtures.ts';
import { projectDir } from '../kit/electron-binary.ts';
import { launchApp, type LaunchedApp } from '../kit/launch.ts';
import { traceMainThread } from '../kit/main-thread.ts';
import { installPaintTimer, scrollList, timeToPaint } from '../kit/paint-timer.ts';
import { startSandbox } from '../kit/sandbox.ts';
import type { BenchResult } from './run.ts';
import { measureBatch, measureScrolling } from './window/batch-scenes.ts';
import { eachOpening, openingNames } from './window/openings.ts';
import { saveHistory } from './window/saved-history.ts';

const jobCount = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 1_000_000);
const scrollForMs = 20_000;
const typedWords = 100;
/** How many of them are traced for their processor time, and not timed. */
const tracedWords = 10;
const starts = 5;

/**
 * A day's work in the window over a long history (docs/design.md: Speed): scrolling, opening jobs, searching, what is
 * opened for the first time, and a batch of ten thousand rows as a table and as images. Each time runs from the press,
 * as the page saw it, to the frame that shows what was wanted; beside it is the processor time of the window's own
 * thread, which other work on the machine lengthens less. Needs a built app. JOBDECK_BENCH_JOBS (1000000) sets how many
 * jobs are saved. Streams: `stream-window`.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jobdeck-bench-'));
  const service = await startSandbox();
  let app = await launchApp({ dataDir });
  try {
    const first = await app.mainWindow();
    await connectTo(first, service);
    const connection = await first.evaluate(async () => {
      const listed = await window.bridge?.call('connection:list', undefined);
      return listed?.ok === true ? listed.value[0] : undefined;
    });
    if (connection === undefined) throw new Error('no connection');
    await app.close();
    await saveHistory(join(dataDir, 'history.db'), jobCount, connection);

    const result: BenchResult = { jobs: jobCount, 'first chunks of the window KB gzipped': await firstChunksKB() };
    // A trace takes time of its own, so a start of its own counts the processor time.
    app = await launchApp({ dataDir });
    Object.assign(result, await traceFirstOpenings(await readyWindow(app)));
    await app.close();
    const opened: Map<string, number>[] = [];
    for (let start = 1; start < starts; start += 1) {
      app = await launchApp({ dataDir });
      opened.push(await timeFirstOpenings(await readyWindow(app)));
      await app.close();
    }
    app = await launchApp({ dataDir });
    const page = await readyWindow(app);
    opened.push(await timeFirstOpenings(page));
    Object.assign(result, summaryOf(opened));
    Object.assign(result, await measureClicks(page));
    Object.assign(result, await measureTyping(page));
    Object.assign(result, await measureScrolling(page, '', scrollForMs));
    return { ...result, ...(await measureBatch(page, scrollForMs)) };
  } finally {
    await app.kill();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What the main window loads before it shows anything: its entry and everything that it imports statically. */
async function firstChunksKB(): Promise<number> {
  const folder = join(projectDir, 'out', 'renderer');
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const waiting = [...page.matchAll(/(?:src|href)="\.?\/?([^"]+\.js)"/g)].map(([, path = '']) => join(folder, path));
  const seen = new Set<string>();
  let bytes = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const code = await readFile(path, 'utf8');
    bytes += gzipSync(code).length;
    for (const [, imported = ''] of code.matchAll(/(?:^|[;}])(?:import|export)[^;"'()]*["'](\.[^"']+\.js)["']/g))
      waiting.push(join(dirname(path), imported));
  }
  return Math.round(bytes / 100) / 10;
}

/** The main window with its list, and a user who has just started the app and first reads it. */
async function readyWindow(app: LaunchedApp): Promise<Page> {
  const page = await app.mainWindow();
  await page.setViewportSize({ width: 1440, height: 900 });
  // The window opens where the last one was closed.
  await page.getByRole('button', { name: 'All jobs', exact: true }).click();
  await page.getByRole('option').first().waitFor({ timeout: 60_000 });
  await installPaintTimer(page);
  await page.waitForTimeout(2_000);
  return page;
}

async function timeFirstOpenings(page: Page): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  await eachOpening(page, async (name, open) => void times.set(name, await open()));
  return times;
}

/** The first openings of several starts. */
function summaryOf(opened: readonly ReadonlyMap<string, number>[]): BenchResult {
  return Object.fromEntries(
    openingNames.map((name) => {
      const times = opened.map((times) => Math.round(times.get(name) ?? Number.NaN)).toSorted((a, b) => a - b);
      return [
        `first opening of ${name} ms, median / worst of ${starts} starts`,
        `${percentile(times, 0.5)} / ${times.at(-1)}`,
      ];
    }),
  );
}

async function traceFirstOpenings(page: Page): Promise<BenchResult> {
  const result: BenchResult = {};
  await eachOpening(page, async (name, open) => {
    const { totalCpuMs } = await traceMainThread(page, async () => void (await open()));
    result[`first opening of ${name} ms of CPU`] = Math.round(totalCpuMs);
  });
  return result;
}

/** Clicks rows one after the other, down the page, until the job's own output is on screen. */
async function measureClicks(page: Page): Promise<BenchResult> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const rows = await page.getByRole('option').all();
    for (const row of rows.slice(round === 0 ? 0 : 1, 14)) {
      const seed = / evaluation (\d+),/.exec((await row.textContent()) ?? '')?.[1];
      if (seed === undefined) continue;
      const wanted = { selector: '[aria-label="Job"]', pattern: `${seed}[^]*(agrees|differs|Total pixels)` };
      times.push(await timeToPaint(page, wanted, () => row.click()));
    }
    await scrollList(page, 300, 300);
  }
  return quantiles('click to job on screen', times);
}

/** The last letter of a typed word, until other rows are in view. */
async function measureTyping(page: Page): Promise<BenchResult> {
  const times: number[] = [];
  const cpuMs: number[] = [];
  const box = page.getByRole('combobox', { name: 'Search jobs' });
  // Two digits fewer than the newest number: words that begin with it find a hundred rows.
  const min = 10 ** (String(jobCount).length - 3);
  for (let at = 0; at < typedWords; at += 1) {
    const number = String(min + at * Math.floor(min / (typedWords + 5)) + (at % 9)).replace(/9$/, '3');
    await box.fill(`evaluation ${number.slice(0, -1)}`);
    // The earlier letters have their rows by then, as for anyone who types slowly, so those rows are not mistaken for
    // the result.
    await page.waitForTimeout(200);
    const selector = '[data-job-list]';
    const before = (await page.locator(selector).textContent()) ?? '';
    const wanted = { selector, pattern: `^(?!${before.replaceAll(/\W/g, '.')}$)` };
    const type = (): Promise<number> => timeToPaint(page, wanted, () => page.keyboard.press(number.slice(-1)));
    if (at < typedWords - tracedWords) times.push(await type());
    else cpuMs.push((await traceMainThread(page, async () => void (await type()))).totalCpuMs);
  }
  await box.fill('');
  await page.keyboard.press('Escape');
  return {
    ...quantiles('typing to result', times),
    'typing: CPU ms a key, p50': Math.round(percentile(cpuMs, 0.5) ?? Number.NaN),
  };
}

function quantiles(what: string, times: readonly number[]): BenchResult {
  const at = (share: number): number => Math.round(percentile(times, share) ?? Number.NaN);
  return { [`${what} p50 / p95 ms`]: `${at(0.5)} / ${at(0.95)}`, [`${what}: presses`]: times.length };
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { percentile } from '../../src-main/history/jobs/run-times.ts';
import { openHistory } from '../../src-main/history/open-history.ts';
import { connectTo } from '../e2e/fixtures.ts';
import { projectDir } from '../kit/electron-binary.ts';
import { launchApp, type LaunchedApp } from '../kit/launch.ts';
import { traceMainThread } from '../kit/main-thread.ts';
import { installPaintTimer, scrollList, timeToPaint } from '../kit/paint-timer.ts';
import type { ScrolledFrames, Wanted } from '../kit/paint-timer.ts';
import { aSavedJob } from '../kit/saved-job.ts';
import { startSandbox } from '../kit/sandbox.ts';
import { settleIndex } from './history/measure.ts';
import type { BenchResult } from './run.ts';

const jobCount = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 1_000_000);
const perCommit = 500;
const betweenJobsMs = 30_000;
const scrollForMs = 20_000;
const typedWords = 100;
const starts = 5;

/**
 * A day's work in the window over a long history (docs/design.md: Speed): scrolling, opening jobs, searching, and what
 * is opened for the first time. Each time runs from the press, as the page saw it, to the frame that shows what was
 * wanted; beside openings and scrolling is the processor time of the window's own thread, which other work on the
 * machine lengthens less. Needs a built app. JOBDECK_BENCH_JOBS (1000000) sets how many jobs are saved. Streams:
 * `stream-window`.
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
    await saveJobs(dataDir, connection.id, connection.baseUrl);

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
    Object.assign(result, await measureScrolling(page));
    return result;
  } finally {
    await app.kill();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function saveJobs(dataDir: string, connectionId: string, baseUrl: string): Promise<void> {
  const path = join(dataDir, 'history.db');
  const { history } = await openHistory({ path, now: Date.now });
  const endpoints = ['echo', 'text', 'image', 'mock'];
  for (let from = 0; from < jobCount; from += perCommit) {
    if (from % 100_000 === 0) console.error(`${from} jobs saved`);
    await history.commit(
      Array.from({ length: Math.min(perCommit, jobCount - from) }, (_, at) =>
        aSavedJob({
          number: from + at,
          connectionId,
          baseUrl,
          endpointId: endpoints[(from + at) % endpoints.length] ?? 'echo',
          title: `Nightly evaluation ${from + at}, rubric v4`,
          ageMs: (jobCount - from - at) * betweenJobsMs,
        }),
      ),
    );
  }
  // The window is measured, without the indexing in the background.
  await settleIndex(history, path);
  await history.close();
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

interface Opening {
  name: string;
  keys: readonly string[];
  wanted: Wanted;
  isDialog?: boolean;
}

const dialog = (pattern: string): Wanted => ({ selector: '[role="dialog"][data-open]', pattern });

/** What a key opens, each for the first time since the start. */
const openings: readonly Opening[] = [
  { name: 'composer', keys: ['n'], wanted: dialog('Submit job'), isDialog: true },
  {
    name: 'palette',
    keys: ['ControlOrMeta+k'],
    wanted: { selector: '[role="dialog"] [role="option"]' },
    isDialog: true,
  },
  { name: 'settings', keys: ['ControlOrMeta+,'], wanted: dialog('Preferences'), isDialog: true },
  { name: 'shortcuts', keys: ['?'], wanted: dialog('Keyboard shortcuts'), isDialog: true },
  { name: 'health', keys: ['g', 'h'], wanted: { selector: 'main', pattern: 'Workers running' } },
  { name: 'pods', keys: ['g', 'p'], wanted: { selector: 'main', pattern: '[Pp]od' } },
  { name: 'templates', keys: ['g', 't'], wanted: { selector: 'main', pattern: '[Tt]emplate' } },
];

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
    openings.map(({ name }) => {
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

/** Goes through all openings and back to the list. `open` resolves with the milliseconds to the frame that shows it. */
async function eachOpening(
  page: Page,
  measure: (name: string, open: () => Promise<number>) => Promise<void>,
): Promise<void> {
  for (const { name, keys, wanted, isDialog = false } of openings) {
    const last = keys.at(-1) ?? '';
    await measure(name, async () => {
      for (const key of keys.slice(0, -1)) await page.keyboard.press(key);
      return timeToPaint(page, wanted, () => page.keyboard.press(last));
    });
    if (isDialog) {
      await page.keyboard.press('Escape');
      await page.locator('[role="dialog"][data-open]').waitFor({ state: 'detached' });
    }
  }
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('option').first().waitFor();
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
    times.push(await timeToPaint(page, wanted, () => page.keyboard.press(number.slice(-1))));
  }
  await box.fill('');
  await page.keyboard.press('Escape');
  return quantiles('typing to result', times);
}

async function measureScrolling(page: Page): Promise<BenchResult> {
  const result: BenchResult = {};
  for (const [name, pixels] of [
    ['wheel', 120],
    ['flung', 1_500],
  ] as const) {
    let scrolled: ScrolledFrames = { frames: 0, lateShare: Number.NaN, longestMs: Number.NaN, rows: 0 };
    const use = await traceMainThread(page, async () => {
      scrolled = await scrollList(page, pixels, scrollForMs);
    });
    const { frames, lateShare, longestMs, rows } = scrolled;
    result[`${name}: frames over 32 ms %`] = Math.round(lateShare * 1_000) / 10;
    result[`${name}: longest frame ms`] = Math.round(longestMs);
    result[`${name}: frames / rows passed`] = `${frames} / ${rows}`;
    result[`${name}: longest task ms of CPU`] = Math.round(use.longestTaskCpuMs * 10) / 10;
    result[`${name}: CPU ms a frame`] = Math.round((use.totalCpuMs / frames) * 10) / 10;
  }
  return result;
}

function quantiles(what: string, times: readonly number[]): BenchResult {
  const at = (share: number): number => Math.round(percentile(times, share) ?? Number.NaN);
  return { [`${what} p50 / p95 ms`]: `${at(0.5)} / ${at(0.95)}`, [`${what}: presses`]: times.length };
}

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectTo } from '../e2e/fixtures.ts';
import { launchApp } from '../kit/launch.ts';
import { submitJob } from '../kit/person.ts';
import { startSandbox } from '../kit/sandbox.ts';
import { firedTimers, idleFigure, processorShare } from './idle/figures.ts';
import type { BenchResult } from './run.ts';

const seconds = Number(process.env['JOBDECK_BENCH_SECONDS'] ?? 60);
/**
 * The work after a start and after a finished job is done by then: the retention rule runs a minute after the start.
 */
const settleMs = 65_000;

/**
 * What the app does while no job is active: processor time of main with its threads, and timers of its own code that
 * fire, with its window shown and minimised, each for JOBDECK_BENCH_SECONDS (60). On the stand-in, the same process
 * also runs the stand-in, so its processor time is an upper bound. Needs a built app.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jobdeck-bench-idle-'));
  const notes = join(dataDir, 'timers');
  const watch = new URL('idle/watch-timers.mjs', import.meta.url);
  const service = await startSandbox();
  const app = await launchApp({
    dataDir,
    env: {
      JOBDECK_TIMER_NOTES: notes,
      NODE_OPTIONS: `--import=${watch.href}`,
      // Playwright takes NODE_OPTIONS from Electron, where the recorder loads this.
      JOBDECK_RECORDER_LOADS: fileURLToPath(watch),
    },
  });
  try {
    const page = await app.mainWindow();
    await connectTo(page, service);
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'the last one' } });
    await page.getByRole('option', { name: /Completed/ }).waitFor({ timeout: 30_000 });
    const result: BenchResult = {
      'measured on': app.kind,
      seconds,
      // If one of them is 0, nothing was counted.
      ...firedTimers('before', timersSince(notes, 0)),
      'before: processor ms': (await app.ask('processorMs')) ?? 'not measured',
    };
    for (const state of ['shown', 'minimised'] as const) {
      if (state === 'minimised') await page.evaluate(() => window.bridge?.call('window:minimize', undefined));
      await delay(settleMs);
      const before = { atMs: Date.now(), requests: service.requestLog.since(0).length };
      const beforeMs = await app.ask('processorMs');
      await delay(seconds * 1_000);
      result[idleFigure.processor(state)] = processorShare(beforeMs, await app.ask('processorMs'), seconds);
      Object.assign(result, firedTimers(state, timersSince(notes, before.atMs)));
      result[`${state}: requests`] = service.requestLog.since(0).length - before.requests;
    }
    return result;
  } finally {
    await app.kill();
    await service.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Where each timer that fired since then was set. Null if they were not recorded. */
function timersSince(path: string, sinceMs: number): string[] | null {
  if (!existsSync(path)) return null;
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): { atMs: number; at: string } => JSON.parse(line))
    .filter(({ atMs }) => atMs >= sinceMs)
    .map(({ at }) => at.replace(/^.*\/out\//, 'out/'));
}

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectTo } from '../e2e/fixtures.ts';
import { launchApp } from '../kit/launch.ts';
import { submitJob } from '../kit/person.ts';
import { startSandbox } from '../kit/sandbox.ts';
import type { BenchResult } from './run.ts';

const seconds = Number(process.env['JOBDECK_BENCH_SECONDS'] ?? 60);
/**
 * The work after a start and after a finished job is done by then: the retention rule runs a minute after the start.
 */
const settleMs = 65_000;
const ticksPerSecond = 100;

/**
 * What the app does while no job is active: processor time of main with its threads, and timers of its own code that
 * fire, with its window shown and minimised, each for JOBDECK_BENCH_SECONDS (60). On the stand-in, the same process
 * also runs the stand-in, so its processor time is an upper bound. Needs a built app, and Linux for the processor time.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jobdeck-bench-idle-'));
  const notes = join(dataDir, 'timers');
  const watch = new URL('idle/watch-timers.mjs', import.meta.url).pathname;
  const service = await startSandbox();
  const app = await launchApp({ dataDir, env: { NODE_OPTIONS: `--import=${watch}`, JOBDECK_TIMER_NOTES: notes } });
  try {
    const page = await app.mainWindow();
    await connectTo(page, service);
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'the last one' } });
    await page.getByRole('option', { name: /Completed/ }).waitFor({ timeout: 30_000 });
    const result: BenchResult = {
      'measured on': app.kind,
      seconds,
      // If one of them is 0, nothing was counted.
      'before: timers of ours that fired': timersSince(notes, 0)?.length ?? 'not counted',
      'before: processor ms': (1_000 * cpuTicks(app.pid)) / ticksPerSecond,
    };
    for (const state of ['shown', 'minimised'] as const) {
      if (state === 'minimised') await page.evaluate(() => window.bridge?.call('window:minimize', undefined));
      await delay(settleMs);
      const before = { cpu: cpuTicks(app.pid), atMs: Date.now(), requests: service.requestLog.since(0).length };
      await delay(seconds * 1_000);
      const ticks = cpuTicks(app.pid) - before.cpu;
      const fired = timersSince(notes, before.atMs);
      result[`${state}: processor % of a core, main and its threads`] = Number(
        ((100 * ticks) / ticksPerSecond / seconds).toFixed(2),
      );
      result[`${state}: timers of ours that fired`] = fired === null ? 'not counted' : fired.length;
      if (fired !== null && fired.length > 0) result[`${state}: set at`] = [...new Set(fired)].join(', ');
      result[`${state}: requests`] = service.requestLog.since(0).length - before.requests;
    }
    return result;
  } finally {
    await app.kill();
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Processor time of a process with all its threads so far. 0 if it cannot be read. */
function cpuTicks(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
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

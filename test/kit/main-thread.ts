import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';

export interface MainThreadUse {
  /** The longest task of the page's main thread, in processor time: other work on the machine does not count. */
  longestTaskCpuMs: number;
  longestTaskMs: number;
  /** Tasks over 50 ms of processor time. */
  longTasks: number;
  totalCpuMs: number;
  tookMs: number;
  /** Live JavaScript heap at the end, garbage collected. */
  heapMB: number;
  /** The growth of the heap during the work. */
  heapGrowthMB: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of wall clock and of processor time. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** A folder in which the traces are kept, to be opened in Chromium's developer tools; they say more, and cost more. */
const traceDir = process.env['JOBDECK_BENCH_TRACE'];
const categories = ['disabled-by-default-devtools.timeline', '__metadata'];
const moreCategories = ['devtools.timeline', 'v8.execute', 'blink', 'disabled-by-default-v8.cpu_profiler'];

/** Runs `work` and reports what the page's main thread did meanwhile, from Chromium's own trace. */
export async function traceMainThread(page: Page, work: () => Promise<void>): Promise<MainThreadUse> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) if (isTraceEvent(event)) events.push(event);
  });
  const heapBeforeMB = await liveHeap(session);
  await session.send('Tracing.start', {
    traceConfig: {
      includedCategories: traceDir === undefined ? categories : [...categories, ...moreCategories],
      excludedCategories: ['*'],
    },
  });
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  await new Promise<void>((resolve) => {
    session.once('Tracing.tracingComplete', () => resolve());
    void session.send('Tracing.end');
  });
  if (traceDir !== undefined)
    await writeFile(join(traceDir, `${Math.round(startedAt)}.json`), JSON.stringify({ traceEvents: events }));
  const heapMB = await liveHeap(session);
  await session.detach();
  return { ...summarise(events), tookMs, heapMB, heapGrowthMB: heapMB - heapBeforeMB };
}

async function liveHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

function summarise(events: readonly TraceEvent[]): Omit<MainThreadUse, 'tookMs' | 'heapMB' | 'heapGrowthMB'> {
  const mains = new Set(
    events
      .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map((event) => `${event.pid} ${event.tid}`),
  );
  const tasks = events.filter(
    (event) => event.name === 'RunTask' && event.ph === 'X' && mains.has(`${event.pid} ${event.tid}`),
  );
  // Other windows of the app have main threads too. The busiest one is the page under load.
  const byThread = Map.groupBy(tasks, (task) => `${task.pid} ${task.tid}`);
  const cpu = (task: TraceEvent): number => (task.tdur ?? task.dur ?? 0) / 1_000;
  const total = (some: readonly TraceEvent[]): number => some.reduce((sum, task) => sum + cpu(task), 0);
  const busiest = [...byThread.values()].toSorted((a, b) => total(b) - total(a))[0] ?? [];
  return {
    longestTaskCpuMs: Math.max(0, ...busiest.map(cpu)),
    longestTaskMs: Math.max(0, ...busiest.map((task) => (task.dur ?? 0) / 1_000)),
    longTasks: busiest.filter((task) => cpu(task) > 50).length,
    totalCpuMs: total(busiest),
  };
}

function isTraceEvent(value: unknown): value is TraceEvent {
  return (
    typeof value === 'object' && value !== null && 'name' in value && 'ph' in value && 'pid' in value && 'tid' in value
  );
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '../../src-main/history/store.ts';
import { launchApp, type LaunchedApp } from '../kit/launch.ts';
import { startOwnKeychain, whyNoKeychain } from '../kit/own-keychain.ts';
import { aSavedJob } from '../kit/saved-job.ts';
import type { BenchResult } from './run.ts';

const rounds = 3;
const jobsPerCommit = 500;

/**
 * The built app's start, from main's first line to its window and to the first list, over a history of
 * JOBDECK_BENCH_JOBS jobs (default 100000), with a keychain that answers and with one that hangs. On Electron, main
 * cannot be watched from within, so only the list is measured, from the launch on.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const jobs = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 100_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'jobdeck-bench-start-'));
  try {
    await keepJobs(join(dataDir, 'history.db'), jobs);
    const result: BenchResult = { jobs };
    const why = whyNoKeychain();
    for (const state of ['answers', 'hangs'] as const) {
      if (why !== null) {
        result[`keychain ${state}`] = why;
        continue;
      }
      const starts: Start[] = [];
      for (let round = 0; round < rounds; round += 1) starts.push(await measure(dataDir, state));
      Object.assign(result, resultOf(state, starts));
    }
    return result;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Start {
  kind: LaunchedApp['kind'];
  windowMs: number | null;
  listMs: number;
}

async function measure(dataDir: string, state: 'answers' | 'hangs'): Promise<Start> {
  const keychain = await startOwnKeychain();
  if (state === 'hangs') keychain.hang();
  const launchedMs = Date.now();
  const app = await launchApp({ dataDir, env: keychain.env });
  try {
    const page = await app.mainWindow();
    await page.getByRole('option').first().waitFor({ timeout: 60_000 });
    const listedMs = Date.now();
    if (app.kind === 'electron') return { kind: app.kind, windowMs: null, listMs: listedMs - launchedMs };
    const { mainBegunMs, windowShownMs, firstAnswers } = await app.ask('start');
    return {
      kind: app.kind,
      windowMs: windowShownMs - mainBegunMs,
      listMs: (firstAnswers['job:list'] ?? listedMs) - mainBegunMs,
    };
  } finally {
    await app.kill();
    keychain.close();
  }
}

function resultOf(state: string, starts: readonly Start[]): BenchResult {
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  const windows = starts.flatMap(({ windowMs }) => (windowMs === null ? [] : [windowMs]));
  const on = starts[0]?.kind ?? '';
  return {
    'measured on': on,
    ...(windows.length > 0 && { [`keychain ${state}: first line to window ms (p50 of ${rounds})`]: median(windows) }),
    [`keychain ${state}: ${on === 'electron' ? 'launch' : 'first line'} to first list ms (p50 of ${rounds})`]: median(
      starts.map(({ listMs }) => listMs),
    ),
  };
}

async function keepJobs(path: string, jobs: number): Promise<void> {
  const { history } = await openHistory({ path, now: Date.now });
  const place = { connectionId: 'removed', baseUrl: 'http://127.0.0.1:9', endpointId: 'echo' };
  for (let first = 0; first < jobs; first += jobsPerCommit) {
    const many = Array.from({ length: Math.min(jobsPerCommit, jobs - first) }, (_, at) => first + at);
    await history.commit(
      many.map((number) => aSavedJob({ ...place, number, title: `Saved ${number}`, ageMs: 1_000 * (jobs - number) })),
    );
  }
  await history.close();
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '../../src-main/history/open-history.ts';
import { launchApp } from '../kit/launch.ts';
import { startPrivateKeychain, whyNoKeychain } from '../kit/private-keychain.ts';
import { aSavedJob } from '../kit/saved-job.ts';
import { settleIndex } from './history/measure.ts';
import type { BenchResult } from './run.ts';
import { rounds, startFigures, startOf } from './start/figures.ts';
import type { KeychainState, Start } from './start/figures.ts';

const jobsPerCommit = 500;

/**
 * The built app's start, from main's first line to its window and to the first list, over a history of
 * JOBDECK_BENCH_JOBS jobs (default 100000), with a keychain that answers and with one that hangs. Where no keychain of
 * the bench's own is possible, the first is the system's, and the second is named as not measured.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const jobs = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 100_000);
  const why =
    process.platform === 'linux' ? whyNoKeychain() : 'a keychain of the bench’s own is possible on Linux alone';
  const dataDir = mkdtempSync(join(tmpdir(), 'jobdeck-bench-start-'));
  const measure = async (state: KeychainState): Promise<BenchResult> => {
    const starts: Start[] = [];
    for (let round = 0; round < rounds; round += 1)
      starts.push(await (why === null ? startBeside(dataDir, state) : start(dataDir, {})));
    return startFigures(state, starts);
  };
  try {
    await keepJobs(join(dataDir, 'history.db'), jobs);
    return {
      jobs,
      keychain: why === null ? 'the bench’s own' : 'the system’s',
      ...(await measure('answers')),
      ...(why === null ? await measure('hangs') : { 'keychain hangs': `not measured: ${why}` }),
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function startBeside(dataDir: string, state: KeychainState): Promise<Start> {
  const keychain = await startPrivateKeychain();
  if (state === 'hangs') keychain.hang();
  try {
    return await start(dataDir, keychain.env);
  } finally {
    keychain.close();
  }
}

async function start(dataDir: string, env: Record<string, string>): Promise<Start> {
  const app = await launchApp({ dataDir, env });
  try {
    const page = await app.mainWindow();
    await page.getByRole('option').first().waitFor({ timeout: 60_000 });
    return startOf(app.kind, await app.ask('start'));
  } finally {
    await app.kill();
  }
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
  // Else the first starts would also index what is not yet.
  await settleIndex(history, path);
  await history.close();
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHistory } from '../../../src-main/history/open-history.ts';
import type { History } from '../../../src-main/history/history.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { SavedJob } from './judge.ts';
import type { NaiveJob } from './naive-job.ts';

/** Everything that the app has in this folder, read by the app's own history. */
export async function readApp(folder: string): Promise<SavedJob[]> {
  const { history, setAside } = await openHistory({ path: join(folder, 'history.db'), now: Date.now });
  if (setAside !== null) throw new Error(`The history of ${folder} was set aside: ${setAside.reason}.`);
  try {
    const kept: SavedJob[] = [];
    for (let beforeKey: string | null = null; ;) {
      const page = await history.list(emptyFilter, beforeKey, 500);
      for (const job of page.jobs) kept.push(await readJob(history, job));
      if (page.nextBeforeKey === null) return kept;
      beforeKey = page.nextBeforeKey;
    }
  } finally {
    await history.close();
  }
}

async function readJob(history: History, job: Job): Promise<SavedJob> {
  const { key, attempt, jobId: id, phase, status, isResultSaved } = job;
  const stored = await history.get(key);
  const chunks = await history.chunks(key, attempt, 0, 1_000_000);
  return {
    key,
    id,
    phase,
    isResultSaved,
    status,
    marker: markerIn(stored?.submission.inputText ?? ''),
    output: (await history.body(key, 'output', attempt, null))?.text ?? null,
    error: (await history.body(key, 'error', attempt, null))?.text ?? null,
    chunks: chunks.map(({ outputJson }) => outputJson),
    rebuiltChunks: chunks.filter((chunk) => 'isRebuilt' in chunk).length,
  };
}

/** What the naive client has in this folder. Empty if its file is broken. */
export function readNaive(folder: string): SavedJob[] {
  const path = join(folder, 'jobs.json');
  if (!existsSync(path)) return [];
  const jobs: Record<string, NaiveJob> = JSON.parse(readFileSync(path, 'utf8'));
  return Object.entries(jobs).map(([marker, { id, status, output, error, chunks }]) => ({
    key: marker,
    marker,
    id,
    status,
    output,
    error,
    chunks,
    rebuiltChunks: 0,
    isResultSaved: status === 'COMPLETED' || status === 'FAILED',
    phase: status === 'COMPLETED' || status === 'FAILED' ? 'finished' : status === 'GONE' ? 'gone' : 'active',
  }));
}

function markerIn(inputText: string): string {
  const input: unknown = JSON.parse(inputText);
  return typeof input === 'object' && input !== null && 'marker' in input ? String(input.marker) : '';
}

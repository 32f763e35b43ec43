import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openHistory } from '../../src-main/history/store.ts';
import type { History } from '../../src-main/history/history.ts';
import type { JobCommit, NewChunk } from '../../src-main/history/records.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import type { BenchResult } from './run.ts';

const errorText = 'Total pixels must be between 589824 and 2073600.';

/**
 * The saved past under load, beside the plainest durable peer: an NDJSON file with one fsync a batch.
 * JOBDECK_BENCH_JOBS sets how many jobs are kept (100000; the budgets of docs/design.md are at 1000000).
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const jobs = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 100_000);
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-bench-'));
  const path = join(folder, 'history.db');
  try {
    const result: BenchResult = { jobs };
    let { history } = await openHistory({ path, now: Date.now });
    Object.assign(result, await measureInserts(history, jobs, path));
    Object.assign(result, await measureChunks(history, folder));
    await history.close();
    const openedAt = performance.now();
    ({ history } = await openHistory({ path, now: Date.now }));
    result['open ms'] = round(performance.now() - openedAt);
    result['first list of 100 ms'] = await timed(() => history.list(emptyFilter, null, 100));
    result['timings of all endpoints, all time ms'] = await timed(() => history.jobTimings('c1', null, 0));
    result['counts ms'] = await timed(() => history.counts());
    Object.assign(result, await measureLists(history), await measureSearches(history));
    result['saved MB'] = round((await history.counts()).savedBytes / 1e6);
    await history.close();
    return result;
  } finally {
    if (process.env['JOBDECK_BENCH_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.error(`Kept: ${folder}`);
  }
}

async function measureInserts(history: History, jobs: number, path: string): Promise<BenchResult> {
  const perCommit = 200;
  const startedAt = performance.now();
  for (let first = 0; first < jobs; first += perCommit) {
    const changes = Array.from({ length: Math.min(perCommit, jobs - first) }, (_, at) => change(first + at));
    await history.commit(changes);
    if (first % 50_000 === 0)
      console.error(`${first} jobs kept, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  const insertedMs = performance.now() - startedAt;
  await settleIndex(history, path);
  const single = await latencies(200, async (at) => {
    await history.commit([change(jobs + at)]);
  });
  return {
    'inserts a second (200 a commit)': round((jobs / insertedMs) * 1_000),
    'inserts a second with index': round((jobs / (performance.now() - startedAt)) * 1_000),
    'commit of one job p50 ms': single.p50,
    'commit of one job p95 ms': single.p95,
  };
}

/** Waits until the index has caught up. Each call gives the thread its next idle moment. */
async function settleIndex(history: History, path: string): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const dirty = db.prepare('SELECT 1 FROM search_dirty WHERE is_urgent = 1 LIMIT 1');
  while (dirty.get() !== undefined) await history.list(emptyFilter, null, 1);
  db.close();
}

async function measureChunks(history: History, folder: string): Promise<BenchResult> {
  const batches = 1_000;
  const perBatch = 50;
  const [job] = await history.commit([change(99_999_999, 'active')]);
  const key = job?.key ?? '';
  const batch = (at: number): NewChunk[] =>
    Array.from({ length: perBatch }, (_, index) => chunkOf(at * perBatch + index));
  const ours = await latencies(batches, async (at) => {
    await history.appendChunks(key, 1, batch(at), 1_700_000_000_000 + at);
  });
  const file = openSync(join(folder, 'peer.ndjson'), 'a');
  const peer = await latencies(batches, async (at) => {
    writeSync(
      file,
      `${batch(at)
        .map((chunk) => JSON.stringify(chunk))
        .join('\n')}\n`,
    );
    fsyncSync(file);
  });
  closeSync(file);
  return {
    'chunks appended a second (50 a batch)': round(((perBatch * batches) / ours.sumMs) * 1_000),
    "peer: fsync'd NDJSON chunks a second": round(((perBatch * batches) / peer.sumMs) * 1_000),
    'append of a batch p95 ms': ours.p95,
    'peer: append of a batch p95 ms': peer.p95,
    'read 1000 of 50000 chunks in the middle ms': await timed(() => history.chunks(key, 1, 25_000, 1_000)),
    'read all 50000 chunks by 5000 ms': await timed(async () => {
      for (let from = 0; from < batches * perBatch; from += 5_000) await history.chunks(key, 1, from, 5_000);
    }),
  };
}

async function measureLists(history: History): Promise<BenchResult> {
  const filters = {
    'list failed': { ...emptyFilter, view: 'failed' as const },
    'list one endpoint, completed': { ...emptyFilter, connectionId: 'c1', endpointId: 'text', statuses: ['completed'] },
    'list tag': { ...emptyFilter, tags: ['eval'] },
    'list without tag': { ...emptyFilter, notTags: ['eval'] },
    'list since': { ...emptyFilter, sinceMs: 1_700_000_000_000 + 3_600_000 },
    'list active': { ...emptyFilter, view: 'active' as const },
    'list finished today': { ...emptyFilter, view: 'finished-today' as const },
  };
  const result: BenchResult = {};
  for (const [name, filter] of Object.entries(filters)) {
    const { p50, p95 } = await latencies(
      20,
      async () => {
        await history.list(filter, null, 100);
      },
      () => history.putDocument('bench', 'written', 'between'),
    );
    result[`${name} p50 / p95 ms`] = `${p50} / ${p95}`;
  }
  return result;
}

async function measureSearches(history: History): Promise<BenchResult> {
  const queries = [
    'firstofall',
    word(3_000),
    word(300),
    word(30),
    word(0),
    `${word(0)} ${word(1)}`,
    `${word(10)} ${word(2_000)}`,
    `"${word(5)} ${word(9)}"`,
    word(700).slice(0, 4),
    word(2).slice(0, 3),
    id(777).slice(9, 20),
    id(4_242).slice(0, 13),
    'nothinglikethis',
  ];
  // Something is written before each, so that no count is remembered from the one before.
  const forgetTotals = (): Promise<void> => history.putDocument('bench', 'written', 'between');
  const result: BenchResult = {};
  const all: number[] = [];
  for (const text of queries) {
    let total = 0;
    const { p50, p95, values, cpuMs } = await latencies(
      15,
      async () => {
        total = (await history.list({ ...emptyFilter, text }, null, 50)).total;
      },
      forgetTotals,
    );
    all.push(...values);
    result[`search ${text} (${total}) p50 / p95 / cpu ms`] = `${p50} / ${p95} / ${cpuMs}`;
  }
  return {
    ...result,
    ...Object.fromEntries(Object.entries(percentiles(all)).map(([name, value]) => [`search ${name} ms`, value])),
  };
}

// Words as a language has them: few are in nearly every text, most are rare.
const syllables = [
  'ka',
  'ro',
  'mi',
  'ten',
  'sol',
  'va',
  'ler',
  'pu',
  'dan',
  'che',
  'fi',
  'gor',
  'hu',
  'ja',
  'wen',
  'xi',
];
const vocabulary = 20_000;

function word(rank: number): string {
  let text = '';
  for (let left = rank + 17; left > 0; left = Math.floor(left / syllables.length))
    text += syllables[left % syllables.length] ?? '';
  return text;
}

let seed = 42;
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

function prose(words: number): string {
  return Array.from({ length: words }, () => word(Math.floor(vocabulary ** random()) - 1)).join(' ');
}

function id(number: number): string {
  const hex = (Math.imul(number + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0');
  return `${hex}-${hex.slice(2, 6)}-49db-${hex.slice(4)}-${hex}${hex.slice(0, 4)}-u1`;
}

function change(number: number, phase: Job['phase'] = 'finished'): JobCommit {
  const isFailed = number % 20 === 0;
  const createdAtMs = 1_700_000_000_000 + number * 1_000;
  const output = JSON.stringify({ text: prose(50), tokens: number % 512 });
  const inputText = JSON.stringify({ prompt: number === 0 ? 'firstofall' : prose(20), seed: number });
  const endpointId = ['text', 'image', 'echo', 'mock'][number % 4] ?? 'text';
  const job: Job = {
    key: createdAtMs.toString(36).padStart(9, '0'),
    jobId: id(number),
    connectionId: number % 10 === 0 ? 'c2' : 'c1',
    baseUrl: 'http://127.0.0.1:1',
    endpointId,
    operation: 'run',
    title: prose(4),
    tags: number % 7 === 0 ? ['eval'] : [],
    phase,
    status: phase === 'active' ? 'IN_PROGRESS' : isFailed ? 'FAILED' : 'COMPLETED',
    goneReason: null,
    attempt: 1,
    createdAtMs,
    acceptedAtMs: createdAtMs,
    startedSeenAtMs: createdAtMs,
    finishedSeenAtMs: phase === 'active' ? null : createdAtMs + 5_000,
    delayTimeMs: 120,
    executionTimeMs: 900 + (number % 97),
    policy: {},
    ttlEndsAtMs: null,
    retentionEndsAtMs: null,
    inputBytes: inputText.length,
    outputBytes: output.length,
    isResultSaved: true,
    isWithoutOutput: false,
    chunkCount: 0,
    reason: isFailed ? { kind: 'failed', said: errorText } : null,
    lastCheckedAtMs: createdAtMs,
    requestCount: 0,
    isStarred: number % 1000 === 0,
    isSeen: !isFailed,
    isCancelling: false,
    batchId: null,
    batchRow: null,
  };
  return {
    job,
    submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    attempt: {
      number: 1,
      startedAtMs: createdAtMs,
      status: job.status,
      delayTimeMs: 120,
      executionTimeMs: 900,
      workerId: `w${number % 50}`,
      errorText: isFailed ? errorText : null,
      hasOutput: true,
      outputBytes: output.length,
      chunkCount: 0,
      finishedSeenAtMs: job.finishedSeenAtMs,
    },
    bodies: [{ part: 'output', attempt: 1, text: output }],
  };
}

function chunkOf(number: number): NewChunk {
  return {
    outputJson: JSON.stringify({ input_tokens: 12, output_tokens: number, text: [` ${word(number % 5_000)}`] }),
    metricsJson: JSON.stringify({
      avg_gen_throughput: 31.5,
      cpu_kv_cache_usage: 0,
      gpu_kv_cache_usage: 0.01,
      running: 1,
      scenario: 'stream',
      stream_index: number,
    }),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return round(performance.now() - startedAt);
}

async function latencies(
  times: number,
  work: (at: number) => Promise<void>,
  before?: () => Promise<void>,
): Promise<{ p50: number; p95: number; sumMs: number; values: number[]; cpuMs: number }> {
  const values: number[] = [];
  // Processor time of all threads: what remains when other work shares the machine.
  const cpu = process.cpuUsage();
  for (let at = 0; at < times; at += 1) {
    await before?.();
    const startedAt = performance.now();
    await work(at);
    values.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    ...percentiles(values),
    cpuMs: round((user + system) / 1_000 / times),
    sumMs: values.reduce((sum, value) => sum + value, 0),
    values,
  };
}

function percentiles(values: readonly number[]): { p50: number; p95: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

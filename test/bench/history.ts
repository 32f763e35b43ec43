import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '../../src-main/history/open-history.ts';
import type { History } from '../../src-main/history/history.ts';
import type { JobCommit, NewChunk } from '../../src-main/history/records.ts';
import { change, chunkOf, firstAtMs, word } from './history/jobs.ts';
import { measureLists, measureSearches } from './history/lists.ts';
import { both, createLoopDelay, latencies, round, settleIndex, timed, type LoopDelay } from './history/measure.ts';
import { LeastPeer } from './history/least-peer.ts';
import { PlainPeer } from './history/peer.ts';
import type { BenchResult } from './run.ts';

/** Jobs per message, and per transaction: they are created before they are saved and timed. */
const perMessage = 250;
const perCommit = 5_000;
/** Inserted when all is settled: the cost of a large batch in a large history. */
const burst = 20_000;

/**
 * The history under load. The peers: one plain table with LIKE (the same SQLite, the same rows, as durable), and for
 * chunks an NDJSON file with one fsync per batch. JOBDECK_BENCH_JOBS sets the number of saved jobs (100000; the budgets
 * of docs/design.md are for 1000000, which takes six minutes and 8 GB).
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const jobs = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 100_000);
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-bench-'));
  const path = join(folder, 'history.db');
  const loop = createLoopDelay();
  try {
    const result: BenchResult = { jobs };
    const add = (part: BenchResult): void => {
      Object.assign(result, part);
      console.error(JSON.stringify(part));
    };
    const peer = new PlainPeer(join(folder, 'peer.db'));
    let { history } = await openHistory({ path, now: Date.now });
    add(await measureInserts(history, jobs, path, peer, loop));
    const searches = await measureSearches(history);
    add({
      'search right after the inserts p50 ms': searches['search p50 ms'] ?? Number.NaN,
      'search right after the inserts p95 ms': searches['search p95 ms'] ?? Number.NaN,
    });
    add(await measureLeast(jobs, join(folder, 'least.db')));
    add(await measureChunks(history, folder));
    await history.close();
    const openedAt = performance.now();
    ({ history } = await openHistory({ path, now: Date.now }));
    add({ 'open ms': round(performance.now() - openedAt), load: round(loadavg()[0] ?? 0) });
    result['timings of all endpoints, all time ms'] = await timed(() => history.jobTimings('c1', null, 0));
    add(
      await loop.watched(async () => ({
        'counts p50 / p95 ms': both(await latencies(20, () => history.counts())),
        ...(await measureLists(history, jobs)),
        ...(await measureSearches(history)),
      })),
    );
    add(await peer.measure(word(0), 'firstofall', firstAtMs + 3_600_000));
    result["main's event loop delay p99 ms"] = loop.p99Ms();
    result['saved MB'] = round((await history.counts()).savedBytes / 1e6);
    await history.close();
    result['peer: saved MB'] = round(statSync(join(folder, 'peer.db')).size / 1e6);
    return result;
  } finally {
    if (process.env['JOBDECK_BENCH_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.error(`Kept: ${folder}`);
  }
}

async function measureInserts(
  history: History,
  jobs: number,
  path: string,
  peer: PlainPeer,
  loop: LoopDelay,
): Promise<BenchResult> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let keepingCpuUs = 0;
  const insert = async (first: number, end: number, isForPeer: boolean): Promise<number> => {
    let tookMs = 0;
    for (let from = first; from < end; from += perCommit) {
      const pile = Array.from({ length: Math.min(perCommit, end - from) }, (_, at) => change(from + at));
      const before = process.cpuUsage();
      tookMs += await loop.watched(() => timed(() => keep(history, pile)));
      const { user, system } = process.cpuUsage(before);
      if (isForPeer) keepingCpuUs += user + system;
      if (isForPeer) await peer.insert(pile);
      if (from % 50_000 === 0)
        console.error(`${from} jobs kept, ${Math.round((performance.now() - startedAt) / 1000)} s`);
    }
    return tookMs;
  };
  const insertMs = await insert(0, jobs, true);
  const settledMs = await timed(() => settleIndex(history, path));
  const cpu = process.cpuUsage(cpuBefore);
  const single = await latencies(200, (at) => history.commit([change(jobs + at)]));
  const burstMs = await insert(jobs + 1_000, jobs + 1_000 + burst, false);
  const burstSettledMs = await timed(() => settleIndex(history, path));
  return {
    [`inserts a second (${perCommit} a transaction)`]: round((jobs / insertMs) * 1_000),
    'index caught up after the last insert s': round(settledMs / 1_000),
    'load while inserting': round(loadavg()[1] ?? 0),
    'CPU of all threads a job while it was inserted µs': round(keepingCpuUs / jobs),
    'CPU of all threads a job, with making it and the peer µs': round((cpu.user + cpu.system) / jobs),
    'jobs indexed a second, at least': round((jobs / (insertMs + settledMs)) * 1_000),
    'commit of one job p50 / p95 ms': both(single),
    [`inserts a second, ${burst} more`]: round((burst / burstMs) * 1_000),
    [`index caught up after ${burst} more s`]: round(burstSettledMs / 1_000),
  };
}

/** Not at the same time as ours, which indexes while it inserts. */
async function measureLeast(jobs: number, path: string): Promise<BenchResult> {
  const peer = new LeastPeer(path);
  for (let from = 0; from < jobs; from += perCommit)
    await peer.insert(Array.from({ length: Math.min(perCommit, jobs - from) }, (_, at) => change(from + at)));
  return peer.result();
}

async function keep(history: History, pile: readonly JobCommit[]): Promise<void> {
  for (let at = 0; at < pile.length; at += perMessage)
    await history.stageBatchRows('bench', pile.slice(at, at + perMessage));
  await history.commitStaged('bench', pile.length);
}

async function measureChunks(history: History, folder: string): Promise<BenchResult> {
  const batches = 1_000;
  const perBatch = 50;
  const [job] = await history.commit([change(99_999_999, 'active')]);
  const key = job?.key ?? '';
  const batch = (at: number): NewChunk[] =>
    Array.from({ length: perBatch }, (_, index) => chunkOf(at * perBatch + index));
  const ours = await latencies(batches, async (at) => {
    await history.appendChunks(key, 1, batch(at), firstAtMs + at);
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

import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openHistory } from '../../src-main/history/store.ts';
import type { History } from '../../src-main/history/history.ts';
import type { NewChunk } from '../../src-main/history/records.ts';
import { change, chunkOf, firstAtMs, word } from './history/jobs.ts';
import { measureLists, measureSearches } from './history/lists.ts';
import { both, createLoopDelay, latencies, round, timed, type LoopDelay } from './history/measure.ts';
import { PlainPeer } from './history/peer.ts';
import type { BenchResult } from './run.ts';

/** Jobs a commit, and how many are made at a time before they are committed and timed. */
const perCommit = 500;
const perPile = 5_000;
/** Inserted once more when all is settled: what a large batch costs a large history. */
const burst = 20_000;

/**
 * The saved past under load, beside one plain table with LIKE (the same SQLite, the same rows, as durable), and for
 * chunks beside an NDJSON file with one fsync a batch. JOBDECK_BENCH_JOBS sets how many jobs are kept (100000; the
 * budgets of docs/design.md are at 1000000, which takes half an hour and 8 GB).
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const jobs = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 100_000);
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-bench-'));
  const path = join(folder, 'history.db');
  const loop = createLoopDelay();
  try {
    const result: BenchResult = { jobs };
    const peer = new PlainPeer(join(folder, 'peer.db'));
    let { history } = await openHistory({ path, now: Date.now });
    Object.assign(result, await measureInserts(history, jobs, path, peer, loop));
    Object.assign(result, await measureChunks(history, folder));
    await history.close();
    const openedAt = performance.now();
    ({ history } = await openHistory({ path, now: Date.now }));
    result['open ms'] = round(performance.now() - openedAt);
    result['timings of all endpoints, all time ms'] = await timed(() => history.jobTimings('c1', null, 0));
    Object.assign(
      result,
      await loop.watched(async () => ({
        'counts p50 / p95 ms': both(await latencies(20, () => history.counts())),
        ...(await measureLists(history, jobs)),
        ...(await measureSearches(history)),
      })),
    );
    Object.assign(result, await peer.measure(word(0), word(3_000), firstAtMs + 3_600_000));
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
  let insertMs = 0;
  const startedAt = performance.now();
  const insert = async (first: number, end: number, isForPeer: boolean): Promise<number> => {
    let tookMs = 0;
    for (let from = first; from < end; from += perPile) {
      const pile = Array.from({ length: Math.min(perPile, end - from) }, (_, at) => change(from + at));
      for (let at = 0; at < pile.length; at += perCommit) {
        const changes = pile.slice(at, at + perCommit);
        tookMs += await loop.watched(() => timed(() => history.commit(changes)));
        if (isForPeer) await peer.insert(changes);
      }
      if (from % 50_000 === 0)
        console.error(`${from} jobs kept, ${Math.round((performance.now() - startedAt) / 1000)} s`);
    }
    return tookMs;
  };
  insertMs = await insert(0, jobs, true);
  const settledMs = await timed(() => settleIndex(history, path));
  const single = await latencies(200, (at) => history.commit([change(jobs + at)]));
  const burstMs = await insert(jobs + 1_000, jobs + 1_000 + burst, false);
  const burstSettledMs = await timed(() => settleIndex(history, path));
  return {
    [`inserts a second (${perCommit} a commit)`]: round((jobs / insertMs) * 1_000),
    'index caught up after the last insert s': round(settledMs / 1_000),
    'jobs indexed a second, at least': round((jobs / (insertMs + settledMs)) * 1_000),
    'commit of one job p50 / p95 ms': both(single),
    [`inserts a second, ${burst} more`]: round((burst / burstMs) * 1_000),
    [`index caught up after ${burst} more s`]: round(burstSettledMs / 1_000),
  };
}

/** Waits until the index has caught up. Each call gives the thread its next idle moment. */
async function settleIndex(history: History, path: string): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const dirty = db.prepare('SELECT 1 FROM search_dirty WHERE is_urgent = 1 LIMIT 1');
  while (dirty.get() !== undefined) {
    await history.counts();
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
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

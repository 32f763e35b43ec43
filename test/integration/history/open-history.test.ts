import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HistoryError, type History, type HistoryEvent } from '../../../src-main/history/history.ts';
import type { Counted } from '../../../src-main/history/protocol.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { settlingLosses, openHistory } from '../../../src-main/history/open-history.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { aJob } from '../../kit/a-job.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-thread-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface MortalHistory {
  history: History;
  path: string;
  events: HistoryEvent[];
  /** The counts and changed batches, which are not among the events. */
  counted: Counted[];
  /** Ends the thread at once, as running out of memory would. */
  kill(): Promise<void>;
}

async function aMortalHistory(now: () => number = Date.now, folder = aFolder()): Promise<MortalHistory> {
  const threads: Worker[] = [];
  const events: HistoryEvent[] = [];
  const counted: Counted[] = [];
  const path = join(folder, 'history.db');
  const { history } = await openHistory({
    path,
    now,
    onEvent: (event) => void (event.kind === 'counted' ? counted.push(event) : events.push(event)),
    startWorker(url, options) {
      const thread = new Worker(url, options);
      threads.push(thread);
      return thread;
    },
  });
  onTestFinished(() => history.close());
  return { history, path, events, counted, kill: async () => void (await threads.at(-1)?.terminate()) };
}

const newJob = (key: string): JobCommit => ({
  job: aJob({ key }),
  submission: { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
});
const chunk = (text: string): { outputJson: string; metricsJson: null } => ({
  outputJson: JSON.stringify(text),
  metricsJson: null,
});
const exchange = (atMs: number) =>
  ({
    atMs,
    method: 'GET',
    operation: 'status',
    path: '/v2/echo/status/1',
    httpStatus: 200,
    tookMs: 5,
    bytesReceived: 9,
    failureKind: null,
    note: null,
  }) as const;
const batch = {
  id: 'b1',
  name: 'batch',
  connectionId: 'c1',
  endpointId: 'e1',
  operation: 'run',
  createdAtMs: 0,
  limits: { maxLive: null, stopAfterFailures: null },
} as const;

describe('the thread of the history, when it exits unexpectedly', () => {
  it('is started again: pending reads are refused plainly, later calls are answered', async () => {
    const { history, path, events, kill } = await aMortalHistory();
    await history.commit([newJob('k1')]);
    // While another connection writes, the thread cannot answer what comes after a write of its own.
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const asked = Promise.allSettled([history.putDocument('draft', 'd', '1'), history.liveJobs()]);
    await Promise.resolve();
    const killed = kill();
    other.exec('ROLLBACK');
    other.close();
    await killed;
    const lost = expect.stringContaining(
      'The history’s thread ended unexpectedly, and work in progress may not be saved',
    );
    expect(await asked).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ message: lost }) },
      { status: 'rejected', reason: expect.objectContaining({ message: lost, reason: 'lost' }) },
    ]);
    expect((await history.liveJobs()).map(({ key }) => key)).toEqual(['k1']);
    await history.commit([newJob('k2')]);
    expect((await history.list(emptyFilter, null, 10)).total).toBe(2);
    expect(events).toEqual([{ kind: 'thread-ended', detail: expect.any(String), isStartedAgain: true }]);
  });

  it('loses no commit and no chunk and doubles none, wherever it is killed', async () => {
    let nowMs = 0;
    const { history, events, kill } = await aMortalHistory(() => nowMs);
    await history.commit([newJob('k1')]);
    const stop = new AbortController();
    const rounds = 12;
    const writing = (async () => {
      const written: string[] = [];
      while (!stop.signal.aborted) {
        const text = `chunk ${written.length}`;
        written.push(JSON.stringify(text));
        const [placed] = await Promise.all([
          history.appendChunks('k1', 1, [chunk(text)], written.length),
          history.commit([newJob(`new ${written.length}`)]),
        ]);
        expect(placed).toEqual([{ seq: written.length - 1, ...chunk(text), receivedAtMs: written.length }]);
      }
      return written;
    })();
    for (let round = 0; round < rounds; round += 1) {
      // Each in another minute: that often is not too often.
      nowMs += 120_000;
      for (let turn = 0; turn < 20 + round * 7; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await kill();
      await history.counts().catch(() => null);
    }
    stop.abort();
    const written = await writing;
    expect((await history.chunks('k1', 1, 0, 100_000)).map(({ outputJson }) => outputJson)).toEqual(written);
    expect((await history.list(emptyFilter, null, 1)).total).toBe(1 + written.length);
    expect(events).toHaveLength(rounds);
  });

  it('discards the staged rows of a batch: the batch is refused, and none of its rows is saved', async () => {
    const { history, kill } = await aMortalHistory();
    await history.stageBatchRows('b1', [newJob('k1')]);
    await kill();
    await history.stageBatchRows('b1', [newJob('k2')]);
    await expect(history.insertBatch(batch, 2)).rejects.toThrow(
      'Some of its rows are no longer available; nothing was saved.',
    );
    expect((await history.list(emptyFilter, null, 10)).total).toBe(0);
  });

  it('closes in order when it had to be started again', async () => {
    const { history, kill } = await aMortalHistory();
    await kill();
    const last = history.commit([newJob('k1')]);
    await history.close();
    expect((await last)[0]?.key).toBe('k1');
  });

  it.runIf(process.getuid?.() === 0)('closes at once on a full disk, and the next start has everything', async () => {
    const folder = aFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
    try {
      const { history, events, path } = await aMortalHistory(Date.now, folder);
      await history.commit([newJob('k1')]);
      const filler = join(folder, 'filler');
      expect(() => writeFileSync(filler, Buffer.alloc(4_194_304))).toThrow('ENOSPC');
      await history.close();
      expect(events).toEqual([]);
      rmSync(filler);
      const next = await openHistory({ path, now: Date.now });
      expect((await next.history.list(emptyFilter, null, 10)).jobs.map(({ key }) => key)).toEqual(['k1']);
      await next.history.close();
    } finally {
      execFileSync('umount', [folder]);
    }
  });

  it.each<[string, (log: string, bytesWithFirst: number) => void, number]>([
    ['deleted', (log) => rmSync(log), 2],
    ['cut', (log, bytesWithFirst) => truncateSync(log, bytesWithFirst), 1],
    ['whole', () => undefined, 0],
  ])('reports how many saved jobs are lost if its log is %s', async (_how, change, lost) => {
    const folder = aFolder();
    const first = await openHistory({ path: join(folder, 'history.db'), now: Date.now });
    await first.history.commit([newJob('k0')]);
    await first.history.close();
    const { history } = await aMortalHistory(Date.now, folder);
    await history.commit([newJob('k1')]);
    const bytesWithFirst = statSync(join(folder, 'history.db-wal')).size;
    await history.commit([newJob('k2')]);
    const index = new DatabaseSync(join(folder, 'history-search.db'), { readOnly: true });
    onTestFinished(() => index.close());
    const indexed = index.prepare('SELECT count(*) AS jobs FROM search_docsize');
    await expect.poll(() => indexed.get()?.['jobs']).toBe(3);
    // As a crash leaves it.
    const after = aFolder();
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(after, name));
    change(join(after, 'history.db-wal'), bytesWithFirst);

    const next = await aMortalHistory(Date.now, after);
    const reported = next.events.flatMap((event) => (event.kind === 'jobs-lost' ? [event.count] : []));
    expect(reported[0] ?? 0).toBe(lost);
    expect((await next.history.list(emptyFilter, null, 10)).jobs).toHaveLength(3 - lost);
  });

  it('reports the batches again, because what it committed last may not have been reported', async () => {
    const { history, counted, kill } = await aMortalHistory();
    const row: JobCommit = { ...newJob('k1'), job: aJob({ key: 'k1', batchId: 'b1', batchRow: 1, phase: 'waiting' }) };
    await history.stageBatchRows('b1', [row]);
    await history.insertBatch(batch, 1);
    const before = counted.at(-1);
    await kill();
    await history.liveJobs();
    expect(counted.at(-1)).toMatchObject({ batches: [{ id: 'b1', counts: { waiting: 1 } }] });
    expect(counted.at(-1)?.counts.revision).toBeGreaterThan(before?.counts.revision ?? Infinity);
    await history.removeJob('k1');
    expect(counted.at(-1)).toMatchObject({ batches: [{ id: 'b1', total: 0, counts: { waiting: 0 } }] });
  });

  it('reports a batch that it could not read when it is asked for the counts, even if nothing changed', async () => {
    const { history, path, counted } = await aMortalHistory();
    const row: JobCommit = { ...newJob('k1'), job: aJob({ key: 'k1', batchId: 'b1', batchRow: 1, phase: 'waiting' }) };
    await history.stageBatchRows('b1', [row]);
    await history.insertBatch(batch, 1);
    const disk = new DatabaseSync(path);
    onTestFinished(() => disk.close());
    disk.exec("UPDATE batches SET operation = 'unheard of'");
    await history.removeJob('k1');
    expect(counted.at(-1)).toMatchObject({ batches: [], unreadBatches: 1 });
    const before = counted.length;
    await history.batches(null);
    expect(counted.slice(before)).toMatchObject([{ batches: [], unreadBatches: 1 }]);
    disk.exec("UPDATE batches SET operation = 'run'");
    await history.counts();
    expect(counted.at(-1)).toMatchObject({ batches: [{ id: 'b1', total: 0 }], unreadBatches: 0 });
    const after = counted.length;
    await history.counts();
    expect(counted).toHaveLength(after);
  });

  it('is given up after repeated exits, and that is reported', async () => {
    const script = join(aFolder(), 'dying-worker.mjs');
    writeFileSync(
      script,
      `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => { throw new Error('out of memory'); });
      parentPort.postMessage({
        kind: 'opened',
        setAside: null,
        lostJobs: 0,
        foldersAside: [],
        heldBack: 0,
        counted: { counts: { revision: 1 }, batches: [] },
      });
    `,
    );
    const events: HistoryEvent[] = [];
    const { history } = await openHistory({
      path: 'unused',
      workerUrl: pathToFileURL(script),
      now: () => 0,
      onEvent: (event) => void (event.kind === 'counted' || events.push(event)),
    });
    const reason =
      /ended 5 times within a minute and is not started again: out of memory\. Nothing more will be saved\. Restart Jobdeck\./;
    await expect(history.commit([])).rejects.toThrow(reason);
    await expect(history.liveJobs()).rejects.toThrow(reason);
    const ended = { kind: 'thread-ended', detail: 'out of memory' };
    expect(events).toEqual([
      ...Array.from({ length: 4 }, () => ({ ...ended, isStartedAgain: true })),
      { ...ended, isStartedAgain: false },
    ]);
    await expect(history.close()).resolves.toBeUndefined();
  });
});

describe('a call whose answer was lost', () => {
  /** A real history that does what it is asked, and then loses the answers of these calls once. */
  async function aForgetfulHistory(isDone: boolean): Promise<{ history: History; real: History }> {
    const { history: real } = await aMortalHistory();
    await real.commit([newJob('k1')]);
    await real.appendChunks('k1', 1, [chunk('a')], 1);
    const lost = new Set<string>();
    async function once<T>(name: string, ask: () => Promise<T>): Promise<T> {
      if (lost.has(name)) return ask();
      lost.add(name);
      if (isDone) await ask();
      throw new HistoryError('lost', 'lost');
    }
    return {
      real,
      history: settlingLosses({
        ...real,
        commit: (changes) => once('commit', () => real.commit(changes)),
        appendChunks: (key, attempt, chunks, atMs) =>
          once('appendChunks', () => real.appendChunks(key, attempt, chunks, atMs)),
        recordRequests: (...of) => once('recordRequests', () => real.recordRequests(...of)),
        insertBatch: (record, rowCount) => once('insertBatch', () => real.insertBatch(record, rowCount)),
      }),
    };
  }

  it.each([
    ['was done', true],
    ['was not done', false],
  ])('is done once, whether it %s', async (_, isDone) => {
    const { history, real } = await aForgetfulHistory(isDone);
    expect(await history.appendChunks('k1', 1, [chunk('b'), chunk('b')], 2)).toMatchObject([{ seq: 1 }, { seq: 2 }]);
    expect((await real.chunks('k1', 1, 0, 10)).map(({ outputJson }) => outputJson)).toEqual(['"a"', '"b"', '"b"']);
    expect(await history.commit([{ ...newJob('k2'), requests: [exchange(1), exchange(2)] }])).toMatchObject([
      { key: 'k2', requestCount: 2 },
    ]);
    await history.recordRequests('k2', [exchange(3)]);
    expect((await real.requests('k2')).map(({ atMs }) => atMs)).toEqual([1, 2, 3]);
    expect((await real.get('k2'))?.job.requestCount).toBe(3);
    expect((await real.list(emptyFilter, null, 10)).total).toBe(2);
  });

  it('of a batch succeeds if the rows are there, and fails otherwise', async () => {
    const done = await aForgetfulHistory(true);
    await done.history.stageBatchRows('b1', [newJob('r1')]);
    await expect(done.history.insertBatch(batch, 1)).resolves.toBeUndefined();
    const notDone = await aForgetfulHistory(false);
    await notDone.history.stageBatchRows('b1', [newJob('r1')]);
    await expect(notDone.history.insertBatch(batch, 1)).rejects.toThrow('lost');
  });
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { History } from '../../../src-main/history/history.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { migrate } from '../../../src-main/history/file/migrations.ts';
import { openHistory } from '../../../src-main/history/open-history.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { aJob } from '../../kit/a-job.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function aHistory(path = join(aFolder(), 'history.db')): Promise<History> {
  const { history } = await openHistory({ path, now: () => Date.UTC(2026, 10, 20, 12) });
  onTestFinished(() => history.close());
  return history;
}

const newJob = (key: string, inputText = '{}'): JobCommit => ({
  job: aJob({ key }),
  submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
});
const chunk = (text: string): { outputJson: string; metricsJson: null } => ({
  outputJson: JSON.stringify(text),
  metricsJson: null,
});

describe('the store', () => {
  it('passes every call to the thread and returns its answer', async () => {
    const history = await aHistory();
    expect((await history.commit([newJob('k1', '{"prompt":"harbour"}')]))[0]).toEqual(aJob({ key: 'k1' }));
    expect(await history.appendChunks('k1', 1, [chunk('a'), chunk('b')], 5)).toEqual([
      { seq: 0, ...chunk('a'), receivedAtMs: 5 },
      { seq: 1, ...chunk('b'), receivedAtMs: 5 },
    ]);
    expect(await history.chunks('k1', 1, 1, 10)).toEqual([{ seq: 1, ...chunk('b'), receivedAtMs: 5 }]);
    await history.recordRequests('k1', [
      {
        atMs: 1,
        method: 'GET',
        operation: 'status',
        path: '/x',
        httpStatus: 200,
        tookMs: 2,
        bytesReceived: 3,
        failureKind: null,
        note: null,
      },
    ]);
    expect(await history.requests('k1')).toMatchObject([{ operation: 'status', httpStatus: 200 }]);
    expect(await history.get('k1')).toMatchObject({
      job: { chunkCount: 2, requestCount: 1 },
      attempts: [],
      submission: { inputText: '{"prompt":"harbour"}' },
    });
    expect(await history.get('absent')).toBeNull();
    expect((await history.findByJobId(aJob().baseUrl, 'echo', 'job-1')).map(({ key }) => key)).toEqual(['k1']);
    expect(await history.findByJobId('http://elsewhere.test', 'echo', 'job-1')).toEqual([]);
    expect((await history.liveJobs()).map((job) => job.key)).toEqual(['k1']);
    expect(await history.list({ ...emptyFilter, text: 'harbour' }, null, 10)).toMatchObject({
      total: 1,
      allTotal: 1,
      nextBeforeKey: null,
      snippets: { k1: 'prompt \u0001harbour\u0002' },
    });
    expect((await history.counts()).all).toMatchObject({ all: 1, active: 1 });
    expect((await history.counts()).savedBytes).toBeGreaterThan(50_000);
    expect(await history.body('k1', 'input', 3, 4)).toEqual({ text: '{"pr', bytes: 20, isCut: true });
    expect(await history.body('k1', 'output', null, null)).toBeNull();
    expect(await history.runTimes('connection-1')).toEqual([]);
    expect((await history.setStarred('k1', true))?.isStarred).toBe(true);
    expect(await history.changeTags('k1', { add: ['x'], remove: [] })).toMatchObject({ tags: ['x'] });
    expect((await history.markSeen(['k1'])).map((job) => job.isSeen)).toEqual([true]);
    const health = {
      endpointId: 'echo',
      connectionId: 'c',
      atMs: 9,
      jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 4, retried: 0 },
      workers: { idle: 0, running: 1 },
      extra: {},
    };
    await history.addHealth(health);
    expect(await history.latestHealth('c')).toEqual([health]);
    expect(await history.healthTrends('c', 0)).toMatchObject([
      { endpointId: 'echo', samples: [{ atMs: 9, inQueue: 4 }] },
    ]);
    await history.putDocument('draft', 'd', '"text"');
    expect([await history.readDocument('draft', 'd'), await history.documents('draft')]).toEqual([
      '"text"',
      [{ id: 'd', json: '"text"' }],
    ]);
    await history.removeDocument('draft', 'd');
    expect(await history.readDocument('draft', 'd')).toBeNull();
  });

  it('reports that a file is being upgraded while the upgrade runs', async () => {
    const path = join(aFolder(), 'history.db');
    const old = new DatabaseSync(path);
    migrate(old, 1);
    old.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
    const order: string[] = [];
    const told = Promise.withResolvers<void>();
    const opening = openHistory({
      path,
      now: Date.now,
      onPreparing: ({ kind }) => {
        order.push(kind);
        told.resolve();
      },
    });
    const opened = opening.then(({ history }) => {
      order.push('open');
      onTestFinished(() => history.close());
    });
    await Promise.race([told.promise, opened]);
    expect(order).toEqual(['upgrade']);
    old.exec('COMMIT');
    old.close();
    await opened;
    expect(order).toEqual(['upgrade', 'open']);
  });

  it('runs concurrent calls in their order, reads between writes included', async () => {
    const history = await aHistory();
    await history.commit([newJob('k1')]);
    const calls = Array.from({ length: 1_500 }, (_, at) =>
      at % 3 === 2
        ? history.chunks('k1', 1, 0, 10_000).then((chunks) => chunks.length)
        : history.appendChunks('k1', 1, [chunk(`${at}`)], at).then(([placed]) => placed?.seq ?? -1),
    );
    const answers = await Promise.all(calls);
    let written = 0;
    expect(answers).toEqual(answers.map((_, at) => (at % 3 === 2 ? written : (written += 1) - 1)));
  });

  it('refuses one bad call with a readable message, and its neighbours succeed', async () => {
    const history = await aHistory();
    const settled = await Promise.allSettled([
      history.commit([newJob('k1')]),
      history.appendChunks('absent', 1, [chunk('lost')], 0),
      history.commit([newJob('k2'), { job: aJob({ key: 'k3', createdAtMs: Number.NaN }) }]),
      history.commit([newJob('k4')]),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({
      reason: { message: 'There is no job absent in the history.', reason: 'change' },
    });
    expect((await history.list(emptyFilter, null, 10)).jobs.map((job) => job.key)).toEqual(['k4', 'k1']);
  });

  it('keeps everything over closing and opening, folds the -wal in, and answers every call made before closing', async () => {
    const path = join(aFolder(), 'history.db');
    const history = await aHistory(path);
    const last = history.commit([newJob('k1')]);
    const closed = history.close();
    expect((await last)[0]?.key).toBe('k1');
    await closed;
    expect(existsSync(`${path}-wal`)).toBe(false);
    await expect(history.liveJobs()).rejects.toThrow('The history is closed.');
    await expect(history.close()).resolves.toBeUndefined();
    const again = await aHistory(path);
    expect((await again.get('k1'))?.job.key).toBe('k1');
  });

  it('reports a file it had to set aside, and continues', async () => {
    const path = join(aFolder(), 'history.db');
    writeFileSync(path, 'no database '.repeat(1_000));
    const { history, setAside } = await openHistory({ path, now: () => Date.UTC(2026, 10, 20, 16, 30) });
    onTestFinished(() => history.close());
    expect(setAside).toEqual({
      path: path.replace('history.db', 'history.damaged-2026-11-20T16-30-00.db'),
      reason: 'not-a-database',
      detail: 'The file is not a database.',
      keptDocuments: 0,
    });
    expect(await history.commit([newJob('k1')])).toHaveLength(1);
  });

  it('rejects with a reason when nothing can be opened', async () => {
    const folder = aFolder();
    await expect(openHistory({ path: folder, now: Date.now })).rejects.toThrow(/cannot be opened|unable to open/);
  });
});

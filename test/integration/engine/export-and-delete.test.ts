import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src-preload/connection.ts';
import type { ExportFormat, ExportSource, WantedExport } from '../../../src-preload/export.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { openTestHistory } from '../../kit/threads.ts';
import { closeApps, listed, openApp, removeAppFolders, type App } from './app-scene.ts';

let app: App;
let sandbox: Connection;
let folder: string;
beforeEach(async () => {
  app = await openApp();
  sandbox = await app.answer('connection:openSandbox', undefined);
  folder = await mkdtemp(join(tmpdir(), 'jobdeck-export-'));
});
afterEach(async () => {
  await closeApps();
  await rm(folder, { recursive: true, force: true });
});
afterAll(removeAppFolders);

async function ended(title: string, input: Record<string, unknown> = {}, tags: string[] = []): Promise<Job> {
  const job = await app.submit({ connectionId: sandbox.id, endpointId: 'echo', input: { title, ...input }, tags });
  return await app.untilEnd(job.key);
}

async function running(): Promise<Job> {
  const job = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 600_000 } });
  return await app.untilJob(job.key, ({ phase }) => phase === 'active');
}

async function exported(source: WantedExport, format: ExportFormat): Promise<string> {
  const result = await app.answer('job:export', { source, format });
  if (result === null) throw new Error('No file was chosen.');
  return await readFile(result.path, 'utf8');
}

const objectsOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('an export', () => {
  it('of a selection has these jobs in their order, with input and output', async () => {
    const [one, two] = [await ended('one', { big: 1 }, ['kept']), await ended('two')];
    await ended('three');
    const keys = [two.key, 'nobody', one.key];
    const lines = objectsOf(await exported({ kind: 'jobs', keys }, 'ndjson'));
    expect(lines).toMatchObject([
      { key: two.key, id: two.jobId, row: null, connection: sandbox.name, endpoint: 'echo', status: 'COMPLETED' },
      { key: one.key, tags: ['kept'], input: { title: 'one', big: 1 }, error: null, starred: false },
    ]);
  });

  it('of a view has the jobs that pass its filter, newest first, beyond one page', async () => {
    const batch = await app.answer('batch:submit', {
      name: 'Rows',
      inputs: Array.from({ length: 250 }, (_, index) => JSON.stringify({ number: index })),
      draft: { connectionId: sandbox.id, endpointId: 'echo', operation: 'run', tags: ['many'] },
    });
    if (batch.kind !== 'accepted') throw new Error('The rows were refused.');
    await ended('another');
    const filter = { ...emptyFilter, tags: ['many'] };
    const lines = objectsOf(await exported({ kind: 'filter', filter }, 'ndjson'));
    expect(lines.map(({ row }) => row)).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
    const rows = objectsOf(await exported({ kind: 'batch', id: batch.batch.id }, 'ndjson'));
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  });

  it('of a list in another order has its jobs in that order, each once, beyond one page', async () => {
    const titles = Array.from({ length: 230 }, (_, index) => `row ${String((index * 7) % 230).padStart(3, '0')}`);
    const batch = await app.answer('batch:submit', {
      name: 'Rows',
      inputs: titles.map((title) => JSON.stringify({ title })),
      draft: { connectionId: sandbox.id, endpointId: 'echo', operation: 'run', tags: ['many'] },
    });
    if (batch.kind !== 'accepted') throw new Error('The rows were refused.');
    const filter = { ...emptyFilter, tags: ['many'] };
    for (const isDescending of [false, true]) {
      const sort = { column: 'title', isDescending } as const;
      const lines = objectsOf(await exported({ kind: 'filter', filter, sort }, 'ndjson'));
      const wanted = titles.toSorted();
      expect(lines.map(({ title }) => title)).toEqual(isDescending ? wanted.toReversed() : wanted);
    }
  });

  it('in another order continues where a page of large jobs was cut short', async () => {
    const blank = 'x'.repeat(900_000);
    for (const title of ['c', 'a', 'd', 'b', 'e']) await ended(title, { blank });
    const sort = { column: 'title', isDescending: false } as const;
    const lines = objectsOf(await exported({ kind: 'filter', filter: emptyFilter, sort }, 'ndjson'));
    expect(lines.map(({ title }) => title)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('has a stream of any length whole, in every format', async () => {
    const { id: connectionId, baseUrl } = sandbox;
    const saved = aSavedJob({ number: 1, connectionId, baseUrl, endpointId: 'text', title: 'long', ageMs: 60_000 });
    const { dataDir } = app;
    await app.close();
    const { history } = await openTestHistory({ path: join(dataDir, 'history.db'), now: Date.now });
    await history.commit([{ ...saved, bodies: [], job: { ...saved.job, outputBytes: 0 } }]);
    const outputs = Array.from({ length: 100_500 }, (_, at) => `token ${at};`);
    for (let at = 0; at < outputs.length; at += 25_125) {
      const chunks = outputs.slice(at, at + 25_125).map((text) => ({ outputJson: `"${text}"`, metricsJson: null }));
      await history.appendChunks(saved.job.key, 1, chunks, 0);
    }
    await history.close();
    app = await openApp({ dataDir });
    const keys = [saved.job.key];
    for (const format of ['ndjson', 'dataset'] as const)
      expect(objectsOf(await exported({ kind: 'jobs', keys }, format))[0]?.['output']).toEqual(outputs);
    expect((await exported({ kind: 'jobs', keys }, 'csv')).includes(`,"${outputs.join('')}",`)).toBe(true);
    expect((await exported({ kind: 'jobs', keys }, 'report')).includes(`>${outputs.join('')}</pre>`)).toBe(true);
    const copied = await app.answer('job:dataset', { keys });
    expect(objectsOf(copied.text)[0]?.['output']).toEqual(outputs);
  });

  it('as CSV has a record for each job, and no formula', async () => {
    const job = await ended('=HYPERLINK("x")');
    const text = await exported({ kind: 'jobs', keys: [job.key] }, 'csv');
    const [head = '', record = ''] = text.split('\r\n');
    expect(head.split(',').slice(0, 4)).toEqual(['row', 'key', 'id', 'connection']);
    expect(record).toContain(`,"'=HYPERLINK(""x"")",completed,COMPLETED,`);
  });

  it('as a report is one page, whole, with a section for each job', async () => {
    const [one, two] = [await ended('one'), await ended('<b>two</b>')];
    const text = await exported({ kind: 'jobs', keys: [two.key, one.key] }, 'report');
    expect(text.startsWith('<!doctype html>')).toBe(true);
    expect(text.endsWith('</html>\n')).toBe(true);
    expect([...text.matchAll(/<bdi>([^<]*)<\/bdi><\/h2>/g)].map((match) => match[1])).toEqual([
      '&lt;b&gt;two&lt;/b&gt;',
      'one',
    ]);
  });

  it('includes the cost if the endpoint has a rate', async () => {
    const job = await ended('priced');
    await app.answer('cost:setRate', {
      connectionId: sandbox.id,
      endpointId: 'echo',
      creditsPerHour: 36_000,
      source: { kind: 'typed' },
    });
    const [line] = objectsOf(await exported({ kind: 'jobs', keys: [job.key] }, 'ndjson'));
    expect(line?.['cost']).toBeCloseTo(Number(line?.['executionTime']) / 100, 6);
  });

  it('never overwrites Jobdeck’s own files, and neither does a backup', async () => {
    const job = await ended('one');
    const source: ExportSource = { kind: 'jobs', keys: [job.key] };
    const linked = join(folder, 'link to the data folder');
    await symlink(app.dataDir, linked, 'dir');
    for (const path of [join(app.dataDir, 'history.db'), join(linked, 'History.db-wal'), join(linked, 'jobdeck.log')]) {
      const refused = { ok: false, failure: { kind: 'refused', message: expect.stringContaining('its own data') } };
      expect(await app.engine.exportJobs(source, 'csv', path)).toMatchObject(refused);
      expect(await app.engine.backups.write(path)).toMatchObject(refused);
    }
    expect((await app.engine.exportJobs(source, 'csv', join(app.dataDir, 'mine.csv'))).ok).toBe(true);
    expect((await app.engine.exportJobs(source, 'csv', join(folder, 'history.db'))).ok).toBe(true);
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'on a full disk says so and leaves nothing behind',
    async ({ skip }) => {
      const job = await ended('one', { text: 'plum '.repeat(60_000) });
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
      } catch {
        skip('this container may not mount');
      }
      try {
        for (const format of ['csv', 'ndjson', 'report'] as const)
          expect(
            await app.engine.exportJobs({ kind: 'jobs', keys: [job.key] }, format, join(folder, `out.${format}`)),
          ).toMatchObject({ ok: false, failure: { message: expect.stringContaining('The disk is full. Free') } });
        expect(await readdir(folder)).toEqual([]);
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );

  it('leaves nothing behind if it cannot be written', async () => {
    const job = await ended('one');
    const source: ExportSource = { kind: 'jobs', keys: [job.key] };
    expect(await app.engine.exportJobs(source, 'csv', join(folder, 'no such folder', 'out.csv'))).toMatchObject({
      ok: false,
      failure: { kind: 'storage', message: expect.stringContaining('no part of it was saved') },
    });
    expect((await app.engine.exportJobs(source, 'csv', join(folder, 'out.csv'))).ok).toBe(true);
    expect(await readdir(folder)).toEqual(['out.csv']);
  });
});

describe('a deletion', () => {
  it('removes finished jobs from lists, counts and search, and notifies every window', async () => {
    const [gone, stays] = [await ended('violet one'), await ended('violet two')];
    const answer = await app.answer('job:delete', { keys: [gone.key] });
    expect(answer).toEqual({ deleted: [gone.key], kept: [], isBinRefused: false });
    const told = await app.untilEvent('job:changed', ({ removedKeys }) => removedKeys.includes(gone.key));
    expect(told.counts.all.all).toBe(1);
    expect((await listed(app, { text: 'violet' })).jobs.map(({ key }) => key)).toEqual([stays.key]);
    expect((await app.answer('job:counts', undefined)).all).toMatchObject({ all: 1, finishedToday: 1 });
    expect(await app.call('job:get', { key: gone.key })).toMatchObject({ ok: false, failure: { kind: 'absent' } });
  });

  it('keeps unfinished jobs, and says why', async () => {
    const [live, over] = [await running(), await ended('over')];
    expect(await app.answer('job:delete', { keys: [live.key, over.key, over.key] })).toEqual({
      deleted: [over.key],
      kept: [{ key: live.key, reason: 'It is still active; cancel it first' }],
      isBinRefused: false,
    });
    expect((await app.answer('job:get', { key: live.key })).job.phase).toBe('active');
  });

  it('of a job that is already gone succeeds', async () => {
    expect(await app.answer('job:delete', { keys: ['nobody'] })).toMatchObject({ deleted: ['nobody'], kept: [] });
  });

  it('of an orphaned job is counted by the tracker', async () => {
    const live = await running();
    await app.answer('connection:remove', { connectionId: sandbox.id });
    await app.untilJob(live.key, ({ phase }) => phase === 'orphaned');
    expect((await app.answer('tracker:state', undefined)).orphans).toBe(1);
    await app.answer('job:delete', { keys: [live.key] });
    expect((await app.answer('tracker:state', undefined)).orphans).toBe(0);
  });

  it('of rows of a batch leaves a batch of the others', async () => {
    const submission = await app.answer('batch:submit', {
      name: 'Two rows',
      inputs: ['{"a": 1}', '{"a": 2}'],
      draft: { connectionId: sandbox.id, endpointId: 'echo', operation: 'run' },
    });
    if (submission.kind !== 'accepted') throw new Error('The rows were refused.');
    const { id } = submission.batch;
    await app.untilEvent('job:changed', ({ batches }) =>
      batches.some((batch) => batch.id === id && batch.counts.completed === 2),
    );
    const rows = (await listed(app, { batchId: id })).jobs.map(({ key }) => key);
    await app.answer('job:delete', { keys: rows.slice(0, 1) });
    await app.untilEvent('job:changed', ({ batches }) => batches.some((one) => one.id === id && one.total === 1));
    await app.answer('job:delete', { keys: rows.slice(1) });
    await app.untilEvent('job:changed', ({ batches }) => batches.some((one) => one.id === id && one.total === 0));
    expect(await app.answer('batch:list', { connectionId: sandbox.id })).toMatchObject({ batches: [] });
  });
});

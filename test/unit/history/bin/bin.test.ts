import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Bin, BinRefused, binPathOf } from '../../../../src-main/history/bin/bin.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { atomically } from '../../../../src-main/history/file/row.ts';
import { insertBatch, readBatchesById } from '../../../../src-main/history/jobs/batches.ts';
import { readBody } from '../../../../src-main/history/jobs/bodies.ts';
import { judge, writeNote } from '../../../../src-main/history/jobs/judgements.ts';
import { commit, findJob, recordRequests, setStarred, setTags } from '../../../../src-main/history/jobs/jobs.ts';
import { readLineage } from '../../../../src-main/history/jobs/lineage.ts';
import { commitChunks } from '../../../../src-main/history/jobs/streams.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { noBatchLimits } from '../../../../src-preload/batch.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { aFolder, aNewJob } from '../a-database.ts';

interface Scene {
  path: string;
  db: DatabaseSync;
  bin: Bin;
}

function scene(path = join(aFolder(), 'history.db')): Scene {
  const { db } = openDatabase(path, 0);
  const bin = new Bin(db, path);
  onTestFinished(() => {
    bin.close();
    db.close();
  });
  return { path, db, bin };
}

const over: Partial<Job> = { phase: 'finished', status: 'COMPLETED', isResultSaved: true };

/** As the history's thread runs a call that writes. */
function inThread<T>({ db, bin }: Scene, work: () => T): T {
  try {
    const answer = atomically(db, () => {
      const answered = work();
      bin.commit();
      return answered;
    });
    bin.historyCommitted();
    return answer;
  } catch (error) {
    bin.historyRolledBack();
    throw error;
  }
}

const take = (on: Scene, key: string, atMs = 1_000): boolean => inThread(on, () => on.bin.take(key, atMs));
const restore = (on: Scene, ...keys: string[]) => inThread(on, () => on.bin.restore(keys, [], 2_000));
const binned = ({ bin }: Scene): string[] => bin.page(null, 100, 1).rows.map(({ job }) => job.key);

/** Saves a job with something in every table. */
function saveWhole({ db }: Scene, key: string, job: Partial<Job> = {}, input = '{"prompt": "violet"}'): void {
  const attempt = { number: 1, startedAtMs: 1, status: 'COMPLETED', delayTimeMs: 1, executionTimeMs: 7 } as const;
  const ended = { workerId: 'w1', errorText: 'odd', hasOutput: true, outputBytes: 3, chunkCount: 0 } as const;
  commit(db, [
    {
      ...aNewJob({ key, jobId: `${key}-u1`, ...over, ...job }, input),
      bodies: [{ part: 'output', attempt: 1, text: '"x"' }],
      attempt: { ...attempt, ...ended, finishedSeenAtMs: 2 },
    },
  ]);
  commitChunks(db, { key, attempt: 1 }, [{ outputJson: '"a"', metricsJson: '{"t": 1}' }], 5);
  commitChunks(db, { key, attempt: 1 }, [{ outputJson: '"b"', metricsJson: null }], 6);
  const path = '/v2/echo/status/1';
  const request = { method: 'GET', operation: 'status', path, httpStatus: 200, failureKind: null, note: null } as const;
  recordRequests(db, key, [{ ...request, atMs: 1, tookMs: 1, bytesReceived: 1 }]);
  setStarred(db, key, true);
  setTags(db, key, ['one', 'two']);
  judge(db, key, { mark: 4, label: 'gold' });
  writeNote(db, key, '# A note\nwith two lines');
}

/** Every saved value of a job, without the database's own numbers. */
function recordOf(db: DatabaseSync, key: string): Record<string, unknown> {
  const found = findJob(db, key);
  if (found === null) throw new Error(`no job ${key}`);
  const tables = 'jobs job_tags submissions attempts bodies chunk_batches requests job_notes'.split(' ');
  return Object.fromEntries(
    tables.map((table) => [
      table,
      db
        .prepare(`SELECT * FROM ${table} WHERE ${table === 'jobs' ? 'id' : 'job'} = ?`)
        .all(found.id)
        .map(({ id: _id, job: _job, facet: _facet, ...values }) => values),
    ]),
  );
}

const counts = ({ db }: Scene): number => listJobs(db, emptyFilter, { limit: 10, startOfTodayMs: 0 }).total;

test('a deleted job is in the bin alone, and comes back whole', () => {
  const on = scene();
  saveWhole(on, 'k1');
  saveWhole(on, 'k2', { originKey: 'k1' });
  saveWhole(on, 'k3');
  const before = recordOf(on.db, 'k2');
  // As a job of a former version, whose input has no hash yet.
  on.db.exec('UPDATE jobs SET input_hash = NULL');
  expect(take(on, 'k2')).toBe(true);
  expect(findJob(on.db, 'k2')).toBeNull();
  expect([counts(on), binned(on)]).toEqual([2, ['k2']]);
  expect(restore(on, 'k2')).toMatchObject({ added: [{ key: 'k2', isStarred: true }], lastKey: 'k2' });
  expect(recordOf(on.db, 'k2')).toEqual(before);
  expect([counts(on), binned(on)]).toEqual([3, []]);
  // In its former place of the list, and of its lineage.
  expect(listJobs(on.db, emptyFilter, { limit: 10, startOfTodayMs: 0 }).jobs.map(({ key }) => key)).toEqual([
    'k3',
    'k2',
    'k1',
  ]);
  const first = findJob(on.db, 'k1');
  expect(first === null ? null : readLineage(on.db, first).copies.map(({ key }) => key)).toEqual(['k2']);
});

test('a large output comes back whole, and so does a job whose place in the history another one had meanwhile', () => {
  const on = scene();
  const text = JSON.stringify({ text: 'violet '.repeat(400_000) });
  commit(on.db, [{ ...aNewJob({ key: 'k1', ...over }), bodies: [{ part: 'output', attempt: 1, text }] }]);
  const id = findJob(on.db, 'k1')?.id ?? 0;
  take(on, 'k1');
  saveWhole(on, 'k2');
  expect(findJob(on.db, 'k2')?.id).toBe(id);
  const before = recordOf(on.db, 'k2');
  take(on, 'k2', 2_000);
  expect(binned(on)).toEqual(['k2', 'k1']);
  restore(on, 'k1', 'k2');
  expect(readBody(on.db, findJob(on.db, 'k1')?.id ?? 0, { part: 'output', attempt: 1 })?.text).toBe(text);
  expect(recordOf(on.db, 'k2')).toEqual(before);
});

test('the bin lists the last deleted first, page by page', () => {
  const on = scene();
  for (const key of ['k1', 'k2', 'k3']) saveWhole(on, key);
  take(on, 'k3', 1_000);
  take(on, 'k1', 3_000);
  take(on, 'k2', 2_000);
  const first = on.bin.page(null, 2, 1);
  expect(first).toMatchObject({ rows: [{ job: { key: 'k1' }, deletedAtMs: 3_000 }, { job: { key: 'k2' } }], jobs: 3 });
  expect(on.bin.page(first.next, 2, 1)).toMatchObject({ rows: [{ job: { key: 'k3' } }], next: null });
  expect(statSync(binPathOf(on.path)).mode & 0o777).toBe(0o600);
  expect(on.bin.use(1).bytes).toBeGreaterThan(0);
});

test('reading a bin that was never used creates no file', () => {
  const on = scene();
  expect(on.bin.page(null, 10, 1)).toEqual({ rows: [], next: null, jobs: 0, bytes: 0, asidePath: null });
  expect(inThread(on, () => on.bin.expire(9_000, [], 1))).toMatchObject({ removed: 0, oldestMs: null });
  expect(existsSync(binPathOf(on.path))).toBe(false);
});

test('deleting or restoring twice changes nothing', () => {
  const on = scene();
  saveWhole(on, 'k1');
  take(on, 'k1');
  expect(take(on, 'k1')).toBe(false);
  restore(on, 'k1');
  const before = recordOf(on.db, 'k1');
  expect(restore(on, 'k1', 'nobody')).toMatchObject({ added: [], enriched: [], lastKey: 'nobody' });
  expect(recordOf(on.db, 'k1')).toEqual(before);
});

test('a job that was tracked again meanwhile gets what its former record knew', () => {
  const on = scene();
  const service = { jobId: 'abc-u1', baseUrl: 'http://one', endpointId: 'echo' };
  saveWhole(on, 'k1', service);
  take(on, 'k1');
  commit(on.db, [aNewJob({ key: 'k9', ...service, ...over, isStarred: false })]);
  expect(restore(on, 'k1')).toMatchObject({ added: [], enriched: [{ key: 'k9', isStarred: true, label: 'gold' }] });
  expect([counts(on), binned(on)]).toEqual([1, []]);
});

test('a job that is active again is left to the ledger, and stays in the bin until then', () => {
  const on = scene();
  const service = { jobId: 'abc-u1', baseUrl: 'http://one', endpointId: 'echo' };
  saveWhole(on, 'k1', service);
  take(on, 'k1');
  commit(on.db, [aNewJob({ key: 'k9', ...service, phase: 'active', status: 'IN_PROGRESS' })]);
  expect(restore(on, 'k1')).toMatchObject({ live: [{ theirKey: 'k1', key: 'k9' }] });
  expect(binned(on)).toEqual(['k1']);
  expect(inThread(on, () => on.bin.restoreLive('k1', [], 2_000))).toMatchObject({ key: 'k9', phase: 'finished' });
  expect(binned(on)).toEqual([]);
});

test('a batch whose rows were all deleted has its name again when one is restored', () => {
  const on = scene();
  const batch = { id: 'b1', name: 'Nightly', connectionId: 'c1', endpointId: 'e', operation: 'run' } as const;
  const row = (key: string, batchRow: number) => aNewJob({ key, jobId: `${key}-u1`, ...over, batchId: 'b1', batchRow });
  insertBatch(on.db, { ...batch, createdAtMs: 1, limits: noBatchLimits }, [row('k1', 1), row('k2', 2)]);
  take(on, 'k1');
  take(on, 'k2');
  expect(readBatchesById(on.db, ['b1'])).toMatchObject([{ total: 0, name: '' }]);
  restore(on, 'k2');
  restore(on, 'k1');
  expect(readBatchesById(on.db, ['b1'])).toMatchObject([{ total: 2, name: 'Nightly', counts: { completed: 2 } }]);
});

test('a crash after the bin has the job, and before the history lost it, leaves it in the history alone', () => {
  const on = scene();
  saveWhole(on, 'k1');
  on.db.exec('BEGIN IMMEDIATE');
  on.bin.take('k1', 1_000);
  on.bin.commit();
  on.bin.close();
  on.db.exec('ROLLBACK');
  const again = new Bin(on.db, on.path);
  onTestFinished(() => again.close());
  expect(again.use(1).jobs).toBe(1);
  while (again.compare(1));
  expect(again.use(1).jobs).toBe(0);
  expect(findJob(on.db, 'k1')).not.toBeNull();
});

test('a crash after a job was restored, and before it left the bin, leaves it in the history alone', () => {
  const on = scene();
  saveWhole(on, 'k1');
  saveWhole(on, 'k2');
  take(on, 'k1');
  take(on, 'k2');
  atomically(on.db, () => on.bin.restore(['k1'], [], 2_000));
  on.bin.close();
  const again = new Bin(on.db, on.path);
  onTestFinished(() => again.close());
  expect(again.page(null, 10, 1).rows).toHaveLength(2);
  while (again.compare(1));
  expect(again.page(null, 10, 1).rows.map(({ job }) => job.key)).toEqual(['k2']);
});

test('of a job that differs from the one in the history, as after a restored backup, both records stay', () => {
  const on = scene();
  saveWhole(on, 'k1');
  take(on, 'k1');
  commit(on.db, [aNewJob({ key: 'k1', jobId: 'k1-u1', ...over })]);
  while (on.bin.compare(1));
  expect(binned(on)).toEqual(['k1']);
  restore(on, 'k1');
  expect(findJob(on.db, 'k1')?.job).toMatchObject({ isStarred: true, mark: 4 });
});

test('what the history undid is not in the bin', () => {
  const on = scene();
  saveWhole(on, 'k1');
  const fails = (): void => {
    on.bin.take('k1', 1_000);
    throw new Error('refused');
  };
  expect(() => inThread(on, fails)).toThrow('refused');
  expect(binned(on)).toEqual([]);
  expect(findJob(on.db, 'k1')).not.toBeNull();
});

test('a job that is restored and deleted again by one group of calls is in the bin', () => {
  const on = scene();
  saveWhole(on, 'k1');
  take(on, 'k1');
  inThread(on, () => {
    on.bin.restore(['k1'], [], 2_000);
    on.bin.take('k1', 3_000);
  });
  expect(findJob(on.db, 'k1')).toBeNull();
  expect(binned(on)).toEqual(['k1']);
});

test('and is there as well if the history could not save that when the bin had', () => {
  const on = scene();
  saveWhole(on, 'k1');
  take(on, 'k1');
  const fails = (): void => {
    on.bin.restore(['k1'], [], 2_000);
    on.bin.take('k1', 3_000);
    on.bin.commit();
    throw new Error('full');
  };
  expect(() => inThread(on, fails)).toThrow('full');
  expect(findJob(on.db, 'k1')).toBeNull();
  expect(binned(on)).toEqual(['k1']);
});

test('jobs are deleted for good when their time is over, except those of a clock that was wrong', () => {
  const on = scene();
  for (const key of ['k1', 'k2', 'k3']) saveWhole(on, key);
  take(on, 'k1', 1_000);
  take(on, 'k2', 2_000);
  take(on, 'k3', 9_000);
  const step = inThread(on, () => on.bin.expire(5_000, [{ fromMs: 900, toMs: 1_100 }], 1));
  expect(step).toEqual({ removed: 1, isMore: false, oldestMs: 9_000 });
  expect(binned(on)).toEqual(['k3', 'k1']);
  inThread(on, () => on.bin.remove(['k1', 'nobody'], 1));
  expect(binned(on)).toEqual(['k3']);
});

test('an emptied bin is a file less, and works again', () => {
  const on = scene();
  saveWhole(on, 'k1');
  saveWhole(on, 'k2');
  take(on, 'k1');
  inThread(on, () => on.bin.empty(2_000));
  expect(existsSync(binPathOf(on.path))).toBe(false);
  expect(on.bin.use(1)).toMatchObject({ jobs: 0, bytes: 0 });
  take(on, 'k2');
  expect(binned(on)).toEqual(['k2']);
});

test.each([
  ['emptied', (bin: Bin) => bin.empty(2_000)],
  ['deleted from', (bin: Bin) => bin.remove(['k1', 'k2'], 2_000)],
])('a job that is restored while the bin is %s stays in it if the history refuses the transaction', (_, remove) => {
  const on = scene();
  for (const key of ['k1', 'k2']) {
    saveWhole(on, key);
    take(on, key);
  }
  const both = (): void => {
    on.bin.restore(['k1'], [], 2_000);
    remove(on.bin);
  };
  const refused = (): void => {
    both();
    on.bin.commit();
    throw new Error('The disk is full.');
  };
  expect(() => inThread(on, refused)).toThrow('The disk is full.');
  expect([binned(on), findJob(on.db, 'k1')]).toEqual([['k1'], null]);
  inThread(on, both);
  expect([binned(on), findJob(on.db, 'k1')?.job.key]).toEqual([[], 'k1']);
});

test('a bin that cannot be written refuses, and the history keeps the job', () => {
  const on = scene();
  saveWhole(on, 'k1');
  mkdirSync(binPathOf(on.path));
  expect(() => take(on, 'k1')).toThrow(BinRefused);
  expect(findJob(on.db, 'k1')).not.toBeNull();
});

test('a bin that cannot be read is set aside, and says where it is', () => {
  const on = scene();
  saveWhole(on, 'k1');
  writeFileSync(binPathOf(on.path), 'not a database');
  take(on, 'k1');
  const { rows, asidePath } = on.bin.page(null, 10, 1);
  expect(rows).toHaveLength(1);
  expect(asidePath === null ? false : existsSync(asidePath)).toBe(true);
});

test('whatever is deleted and restored together, and wherever that ends, each job is in one of the two, as it was', () => {
  const step = fc.record({ key: fc.constantFrom('k1', 'k2'), isTaken: fc.boolean() });
  const group = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    // Undone by a call, or by the history's file when the bin has its part already.
    fate: fc.constantFrom('kept', 'undone', 'not saved'),
  });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 5 }), (groups) => {
      const { db } = openDatabase(':memory:', 0);
      const on: Scene = { path: ':memory:', db, bin: new Bin(db, ':memory:') };
      for (const key of ['k1', 'k2']) saveWhole(on, key, {}, `{"prompt": "${key}"}`);
      const before = new Map(['k1', 'k2'].map((key) => [key, recordOf(db, key)]));
      for (const { steps, fate } of groups) {
        const changes = (): void => {
          for (const { key, isTaken } of steps) {
            if (isTaken) on.bin.take(key, 1_000);
            else on.bin.restore([key], [], 1_000);
          }
          if (fate === 'not saved') on.bin.commit();
          if (fate !== 'kept') throw new Error(fate);
        };
        try {
          inThread(on, changes);
        } catch (error) {
          if (!(error instanceof Error) || error.message !== fate) throw error;
        }
      }
      const deleted = new Set(binned(on));
      for (const [key, record] of before) {
        expect(findJob(db, key) === null).toBe(deleted.has(key));
        if (!deleted.has(key)) expect(recordOf(db, key)).toEqual(record);
      }
      on.bin.close();
      db.close();
    }),
    { numRuns: 20 },
  );
});

test('a bin on a full disk keeps every job in the history, and takes them when there is room again', () => {
  const on = scene();
  const asked = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => asked.mockRestore());
  for (const key of ['first', 'small']) saveWhole(on, key);
  saveWhole(on, 'large', {}, JSON.stringify({ image: randomBytes(400_000).toString('base64') }));
  take(on, 'first');
  // SQLite itself refuses then, as it does on a full disk.
  const binDb = asked.mock.contexts.find(
    (db): db is DatabaseSync => db instanceof DatabaseSync && db.location() === binPathOf(on.path),
  );
  if (binDb === undefined) throw new Error('The bin is not open.');
  binDb.exec('PRAGMA max_page_count = 1');
  expect(() =>
    inThread(on, () => {
      on.bin.take('small', 2_000);
      on.bin.take('large', 2_000);
    }),
  ).toThrow(BinRefused);
  expect(() => take(on, 'large')).toThrow(/full/);
  expect(binned(on)).toEqual(['first']);
  for (const key of ['small', 'large']) expect(findJob(on.db, key)).not.toBeNull();

  // What else the calls change is saved without the bin.
  const refused = new BinRefused('The disk is full.');
  expect(on.bin.refusing(refused, () => inThread(on, () => setStarred(on.db, 'small', false)))).toBeDefined();
  binDb.exec('PRAGMA max_page_count = 1000000');
  expect([take(on, 'small', 3_000), take(on, 'large', 4_000)]).toEqual([true, true]);
  expect(binned(on)).toEqual(['large', 'small', 'first']);
  expect(findJob(on.db, 'large')).toBeNull();
});

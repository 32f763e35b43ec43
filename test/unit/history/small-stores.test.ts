import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commit } from '../../../src-main/history/jobs/jobs.ts';
import {
  readDocument,
  readDocuments,
  removeDocument,
  writeDocument,
} from '../../../src-main/history/file/documents.ts';
import { addHealth, healthTrends, latestHealth } from '../../../src-main/history/health/samples.ts';
import { percentile, readRunTimes } from '../../../src-main/history/jobs/run-times.ts';
import { storageErrorMessage } from '../../../src-main/history/file/integrity.ts';
import type { Health } from '../../../src-preload/health.ts';
import { plansOf } from '../../kit/query-plans.ts';
import { aNewJob, aDatabase } from './a-database.ts';

const aReading = (atMs: number, inQueue: number, endpointId = 'text'): Health => ({
  endpointId,
  connectionId: 'c',
  atMs,
  jobs: { completed: 1, failed: 0, inProgress: 2, inQueue, retried: 0 },
  workers: { idle: 1, running: 3, throttled: 1 },
  extra: { odd: [1] },
});

describe('health', () => {
  it('keeps the last reading of each endpoint complete', () => {
    const db = aDatabase();
    addHealth(db, aReading(1_000, 5));
    addHealth(db, aReading(2_000, 6));
    addHealth(db, aReading(1_500, 7, 'image'));
    expect(latestHealth(db, 'c')).toEqual([aReading(1_500, 7, 'image'), aReading(2_000, 6)]);
    expect(latestHealth(db, 'other')).toEqual([]);
  });

  it('returns trends since a time, by endpoint, oldest first', () => {
    const db = aDatabase();
    for (const [atMs, endpointId] of [
      [3_000, 'b'],
      [1_000, 'b'],
      [2_000, 'a'],
    ] as const)
      addHealth(db, aReading(atMs, atMs, endpointId));
    expect(
      healthTrends(db, 'c', 1_500).map(({ endpointId, samples }) => [endpointId, samples.map(({ atMs }) => atMs)]),
    ).toEqual([
      ['a', [2_000]],
      ['b', [3_000]],
    ]);
  });
});

describe('run times', () => {
  it('are learned from the newest 500 completed jobs of each endpoint', () => {
    const db = aDatabase();
    const completed = { phase: 'finished', status: 'COMPLETED' } as const;
    commit(
      db,
      Array.from({ length: 600 }, (_, at) =>
        aNewJob({
          key: `k${String(at).padStart(4, '0')}`,
          ...completed,
          executionTimeMs: at < 100 ? 1_000_000 : at,
          delayTimeMs: at % 3 === 0 ? null : 7,
          isStarred: at % 2 === 0,
        }),
      ),
    );
    commit(db, [
      aNewJob({ key: 'other', endpointId: 'image', ...completed, executionTimeMs: null }),
      aNewJob({ key: 'failed', phase: 'finished', status: 'FAILED', executionTimeMs: 5 }),
    ]);
    expect(readRunTimes(db, 'connection-1')).toEqual([
      { endpointId: 'echo', count: 500, executionP50Ms: 349, executionP95Ms: 574, delayP95Ms: 7 },
      { endpointId: 'image', count: 1, executionP50Ms: null, executionP95Ms: null, delayP95Ms: null },
    ]);
    expect(readRunTimes(db, 'elsewhere')).toEqual([]);
  });

  it('are read from an index alone, from its end, however many jobs there are', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ key: 'k', phase: 'finished', status: 'COMPLETED', executionTimeMs: 1 })]);
    const plans = plansOf(db, () => readRunTimes(db, 'connection-1'));
    expect(plans.filter(({ sql }) => sql.includes('FROM jobs '))).toMatchObject([
      { steps: ['SEARCH jobs USING COVERING INDEX jobs_by_facet (facet=?)'] },
    ]);
  });

  it('have percentiles that are measured values, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
        const p50 = percentile(values, 0.5) ?? -1;
        const p95 = percentile(values, 0.95) ?? -1;
        expect(values).toContain(p50);
        expect(p95).toBeGreaterThanOrEqual(p50);
        expect(values.filter((value) => value <= p95).length).toBeGreaterThanOrEqual(values.length * 0.95);
      }),
    );
  });
});

describe('documents', () => {
  it('are saved by kind and id, replaced and removed', () => {
    const db = aDatabase();
    writeDocument(db, 'draft', 'b', '1');
    writeDocument(db, 'draft', 'a', '{"x":"ü"}');
    writeDocument(db, 'draft', 'b', '2');
    writeDocument(db, 'settings', 'a', '3');
    expect(readDocuments(db, 'draft')).toEqual([
      { id: 'a', json: '{"x":"ü"}' },
      { id: 'b', json: '2' },
    ]);
    removeDocument(db, 'draft', 'a');
    removeDocument(db, 'draft', 'absent');
    expect([readDocument(db, 'draft', 'a'), readDocument(db, 'draft', 'b'), readDocument(db, 'settings', 'a')]).toEqual(
      [null, '2', '3'],
    );
  });
});

describe('a refused write', () => {
  it('is reported in a sentence that says what to do', () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    expect(storageErrorMessage(full)).toBe(
      'The disk is full; nothing was saved. Free some space and try again. (database or disk is full)',
    );
    expect(storageErrorMessage(new Error('There is no job k in the history.'))).toBe(
      'There is no job k in the history.',
    );
  });
});

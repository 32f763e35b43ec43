import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { jobTimings, maxTimedJobs, percentilesOf } from '../../../../src-main/history/jobs/ended-jobs.ts';
import { plansOf } from '../../../kit/query-plans.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

const completed = { phase: 'finished', status: 'COMPLETED' } as const;

describe('timings of saved jobs', () => {
  it('cover the completed jobs that ended since a time, by endpoint, starred or not, seen or not, and all together', () => {
    const db = aDatabase();
    commit(
      db,
      Array.from({ length: 200 }, (_, at) =>
        aNewJob({
          key: `k${String(at).padStart(4, '0')}`,
          ...completed,
          finishedSeenAtMs: 1_000 + at,
          delayTimeMs: at,
          executionTimeMs: at % 2 === 0 ? at * 10 : null,
          isStarred: at % 3 === 0,
          isSeen: at % 5 === 0,
        }),
      ),
    );
    commit(db, [
      aNewJob({ key: 'failed', phase: 'finished', status: 'FAILED', finishedSeenAtMs: 5_000, executionTimeMs: 1 }),
      aNewJob({ key: 'running', phase: 'active', status: 'IN_PROGRESS', executionTimeMs: 1 }),
      aNewJob({ key: 'image', endpointId: 'image', ...completed, finishedSeenAtMs: 5_000, executionTimeMs: 5_000 }),
      aNewJob({ key: 'other', connectionId: 'other', ...completed, finishedSeenAtMs: 5_000, executionTimeMs: 1 }),
    ]);
    expect(jobTimings(db, 'connection-1', null, 1_100)).toEqual([
      {
        endpointId: 'echo',
        count: 100,
        delay: { p50Ms: 149, p90Ms: 189, p95Ms: 194, p99Ms: 198 },
        execution: { p50Ms: 1_480, p90Ms: 1_880, p95Ms: 1_940, p99Ms: 1_980 },
      },
      {
        endpointId: 'image',
        count: 1,
        delay: null,
        execution: { p50Ms: 5_000, p90Ms: 5_000, p95Ms: 5_000, p99Ms: 5_000 },
      },
      {
        endpointId: null,
        count: 101,
        delay: { p50Ms: 149, p90Ms: 189, p95Ms: 194, p99Ms: 198 },
        execution: { p50Ms: 1_500, p90Ms: 1_900, p95Ms: 1_960, p99Ms: 5_000 },
      },
    ]);
    expect(jobTimings(db, 'connection-1', 'image', 0).map(({ endpointId }) => endpointId)).toEqual(['image']);
    expect(jobTimings(db, 'connection-1', 'echo', 9_999)).toEqual([
      { endpointId: 'echo', count: 0, delay: null, execution: null },
    ]);
    expect(jobTimings(db, 'elsewhere', null, 0)).toEqual([]);
  });

  it('read only the index of ended jobs, from its end, however many jobs there are', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ key: 'k', ...completed, finishedSeenAtMs: 1 })]);
    const plans = plansOf(db, () => jobTimings(db, 'connection-1', null, 0));
    expect(plans.filter(({ sql }) => sql.includes('finished_seen_at_ms >='))).toMatchObject([
      { steps: ['SEARCH jobs USING COVERING INDEX jobs_by_cost (facet=? AND finished_seen_at_ms>?)'] },
    ]);
  });

  it('cover only the last ended jobs, if there are more than the limit', () => {
    const db = aDatabase();
    commit(db, [
      aNewJob({ key: 'k', ...completed, finishedSeenAtMs: 1, executionTimeMs: 0 }),
      aNewJob({ key: 'l', ...completed, finishedSeenAtMs: 1, executionTimeMs: 0, isStarred: true }),
    ]);
    // Rows as the commit writes them, multiplied: this is about how many are read.
    const columns = db
      .prepare("SELECT name FROM pragma_table_info('jobs')")
      .all()
      .map((row) => String(row['name']));
    const values: Record<string, string> = {
      id: 'n.value',
      key: "'n' || n.value",
      finished_seen_at_ms: '10 + n.value',
      execution_time_ms: 'n.value',
    };
    db.exec(`WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${maxTimedJobs + 500})
      INSERT INTO jobs (${columns.join(', ')}) SELECT ${columns.map((column) => values[column] ?? `jobs.${column}`).join(', ')}
      FROM n JOIN jobs ON jobs.key = CASE n.value % 2 WHEN 0 THEN 'k' ELSE 'l' END`);
    const [timings] = jobTimings(db, 'connection-1', 'echo', 0);
    expect(timings?.count).toBe(maxTimedJobs);
    // The median of the last 20,000 of 1 to 20,500.
    expect(timings?.execution?.p50Ms).toBe(500 + maxTimedJobs / 2);
  });

  it('have percentiles that are measured values, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
        const ranks = percentilesOf(values);
        if (ranks === null) throw new Error('There are values.');
        const { p50Ms, p90Ms, p95Ms, p99Ms } = ranks;
        const all = [
          [0.5, p50Ms],
          [0.9, p90Ms],
          [0.95, p95Ms],
          [0.99, p99Ms],
        ] as const;
        for (const [share, value] of all) {
          expect(values).toContain(value);
          expect(values.filter((other) => other <= value).length).toBeGreaterThanOrEqual(values.length * share);
          expect(values.filter((other) => other < value).length).toBeLessThan(values.length * share);
        }
      }),
    );
    expect(percentilesOf([])).toBeNull();
  });
});

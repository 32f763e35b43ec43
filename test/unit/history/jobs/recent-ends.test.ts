import { describe, expect, it } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { recentEnds } from '../../../../src-main/history/jobs/ended-jobs.ts';
import { plansOf } from '../../../kit/query-plans.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

const ended = (key: string, finishedSeenAtMs: number, status = 'COMPLETED') =>
  aNewJob({ key, phase: 'finished', status, finishedSeenAtMs });

describe('recently ended jobs of an endpoint', () => {
  it('come with the last one first, whenever they were created and however they ended', () => {
    const db = aDatabase();
    commit(db, [
      ended('k1', 9_000),
      ended('k2', 500),
      ended('k3', 5_000, 'FAILED'),
      ended('k4', 7_000),
      aNewJob({ key: 'k5', phase: 'active', status: 'IN_PROGRESS' }),
      aNewJob({ key: 'k6', endpointId: 'image', phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: 8_000 }),
      aNewJob({ key: 'k7', connectionId: 'other', phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: 8_000 }),
    ]);
    const keys = (sinceMs: number, limit: number): string[] =>
      recentEnds(db, { connectionId: 'connection-1', endpointId: 'echo' }, sinceMs, limit).map(({ key }) => key);
    expect(keys(1_000, 10)).toEqual(['k1', 'k4', 'k3']);
    expect(keys(1_000, 2)).toEqual(['k1', 'k4']);
    expect(keys(9_001, 2)).toEqual([]);
  });

  it('are read from the index of ends alone', () => {
    const db = aDatabase();
    commit(db, [ended('k1', 9_000)]);
    const plans = plansOf(db, () => recentEnds(db, { connectionId: 'connection-1', endpointId: 'echo' }, 0, 10));
    expect(plans.filter(({ sql }) => sql.includes('finished_seen_at_ms >='))).toMatchObject([
      { steps: ['SEARCH jobs USING COVERING INDEX jobs_by_cost (facet=? AND finished_seen_at_ms>?)'] },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { JobEvent, JobState } from '../../../../src-main/job/reducer/job-event.ts';
import { reduce, reduceAll } from '../../../../src-main/job/reducer/reducer.ts';
import { aRecord, drained, failedJob, notFound, queued, status } from '../records.ts';

describe('retrying', () => {
  it('opens a new attempt and leaves the old one unchanged', () => {
    const before = failedJob();
    const reduced = reduce(before, { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() }, 6_000);
    expect(reduced).toMatchObject({ isChanged: true, bodies: [], log: null });
    expect(reduced.job).toEqual({ ...queued().job, attempt: 2, retriedAtMs: 6_000, statusReadAtMs: 6_000 });
    expect(reduced.attempt.status).toBe('IN_QUEUE');
    expect(reduced.attempt).toMatchObject({ number: 2, startedAtMs: 6_000, hasOutput: false, errorText: null });
    expect(before.attempt).toMatchObject({ number: 1, status: 'FAILED', errorText: 'boom', hasOutput: true });
  });

  it('starts without times: the service counts them again', () => {
    const timed = reduceAll(
      queued(),
      [status({ status: 'FAILED', delayTimeMs: 5, executionTimeMs: 7 }), drained()],
      4_000,
    );
    const again = reduce(timed, { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() }, 6_000);
    expect([again.job, again.attempt]).toEqual(
      [1, 2].map(() => expect.objectContaining({ delayTimeMs: null, executionTimeMs: null })),
    );
  });

  it('is not ended by the stream of the attempt before, nor by a 404 about it', () => {
    const second = reduce(failedJob(), { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() }, 6_000);
    const settling = reduce(second, status({ status: 'COMPLETED', outputJson: '1' }, 2, 7_000), 7_100);
    expect(reduce(settling, drained(1), 7_200).job.phase).toBe('active');
    expect(reduce(settling, drained(2), 7_200).job.phase).toBe('finished');
    expect(reduce(second, notFound(7_100, { wasPurgedHere: true }), 7_200).job.phase).toBe('active');
  });

  it('happens once for a repeated answer, and only for FAILED and TIMED_OUT', () => {
    const event: JobEvent = { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() };
    const once = reduce(failedJob(), event, 6_000);
    expect(reduce(once, event, 6_100).job).toBe(once.job);
    const completed = reduceAll(queued(), [status({ status: 'COMPLETED', outputJson: '1' }), drained()], 4_000);
    expect(reduce(completed, event, 6_000).isChanged).toBe(false);
  });

  it('ignores replies about the attempt before', () => {
    const second = reduce(failedJob(), { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() }, 6_000);
    for (const old of [
      status({ status: 'FAILED', errorText: 'boom' }),
      drained(1),
      { kind: 'chunks-saved', attempt: 1, chunkCount: 9 } satisfies JobEvent,
    ]) {
      expect(reduce(second, old, 6_100).job).toMatchObject({
        attempt: 2,
        status: 'IN_QUEUE',
        phase: 'active',
        chunkCount: 0,
      });
    }
    expect(reduce(second, status({ status: 'FAILED' }), 6_100).log).toBe(
      'A reply about attempt 1 came after attempt 2 began',
    );
  });

  it.each([
    ['IN_PROGRESS', 'IN_PROGRESS'],
    ['RUNNING', 'RUNNING'],
    ['', 'IN_QUEUE'],
    ['FAILED', 'IN_QUEUE'],
    ['COMPLETED', 'IN_QUEUE'],
  ])('that is answered %j is %s: no final status belongs to the new attempt', (answered, status) => {
    const second = reduce(
      failedJob(),
      { kind: 'retry-accepted', ofAttempt: 1, record: aRecord({ status: answered }) },
      6_000,
    );
    expect([second.job.status, second.attempt.status]).toEqual([status, status]);
  });

  it('has nothing of the attempt before', () => {
    const again = reduceAll(
      queued(),
      [
        status({ status: 'IN_PROGRESS' }),
        status({ status: 'IN_QUEUE' }, 1, 3_500),
        status({ status: 'IN_PROGRESS' }, 1, 3_600),
        { kind: 'chunks-saved', attempt: 1, chunkCount: 3 },
        status({ status: 'TIMED_OUT' }, 1, 3_700),
        drained(),
        { kind: 'retry-requested' },
      ],
      4_000,
    );
    expect(again.job).toMatchObject({
      phase: 'finished',
      chunkCount: 3,
      formerStartsAtMs: [4_000],
      retryRequestedAtMs: 4_000,
    });
    const second = reduce(again, { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() }, 6_000);
    expect(second.job).toEqual({ ...queued().job, attempt: 2, retriedAtMs: 6_000, statusReadAtMs: 6_000 });
    // So its first chunks show that it runs.
    expect(reduce(second, { kind: 'chunks-saved', attempt: 2, chunkCount: 1 }, 7_000)).toMatchObject({
      job: { startedSeenAtMs: 7_000, chunkCount: 1 },
      attempt: { chunkCount: 1 },
    });
  });
});

describe('a retry that cannot be sent yet', () => {
  const asked = reduce(failedJob(), { kind: 'retry-requested' }, 5_000);

  it('is saved with its request time, once', () => {
    expect(asked).toMatchObject({ isChanged: true, job: { phase: 'finished', retryRequestedAtMs: 5_000 } });
    expect(reduce(asked, { kind: 'retry-requested' }, 6_000)).toMatchObject({
      isChanged: false,
      job: { retryRequestedAtMs: 5_000 },
    });
  });

  it.each<[string, JobState]>([
    ['completed', reduceAll(queued(), [status({ status: 'COMPLETED', outputJson: '1' }), drained()], 4_000)],
    ['was cancelled', reduceAll(queued(), [status({ status: 'CANCELLED' }), drained()], 4_000)],
    ['still runs', queued()],
    ['failed and whose stream is still being read', reduce(queued(), status({ status: 'FAILED' }), 4_000)],
  ])('is not accepted for a job that %s', (_, state) => {
    expect(reduce(state, { kind: 'retry-requested' }, 5_000)).toMatchObject({ isChanged: false, job: state.job });
    expect(reduce(state, { kind: 'retry-dropped', reason: { kind: 'retry-too-late' } }, 5_000)).toMatchObject({
      isChanged: false,
      job: state.job,
    });
  });

  it('is withdrawn, or fails, and the job says so', () => {
    const back = reduce(asked, { kind: 'retry-dropped', reason: null }, 6_000);
    expect(back).toMatchObject({ isChanged: true, job: failedJob().job });
    expect(back.job).not.toHaveProperty('retryRequestedAtMs');
    expect(reduce(back, { kind: 'retry-dropped', reason: null }, 7_000).isChanged).toBe(false);
    for (const state of [asked, failedJob()]) {
      const told = reduce(state, { kind: 'retry-dropped', reason: { kind: 'retry-too-late' } }, 6_000);
      expect(told).toMatchObject({
        isChanged: true,
        job: { phase: 'finished', reason: { kind: 'retry-too-late' } },
      });
      expect(told.job).not.toHaveProperty('retryRequestedAtMs');
    }
  });
});

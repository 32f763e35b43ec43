import { describe, expect, it } from 'vitest';
import type { JobState } from '../../../../src-main/job/reducer/job-event.ts';
import { reduce, reduceAll } from '../../../../src-main/job/reducer/reducer.ts';
import { aRecord, drained, queued, status, submitting } from '../records.ts';

describe('a job that goes back into the queue (ruling 40)', () => {
  const running = reduce(queued(), status({ status: 'IN_PROGRESS' }, 1, 3_000), 3_100);

  it('counts as waiting everywhere, and keeps when it ran before', () => {
    const again = reduce(running, status({ status: 'IN_QUEUE' }, 1, 5_000), 5_100);
    expect(again.job).toMatchObject({ status: 'IN_QUEUE', startedSeenAtMs: null, formerStartsAtMs: [3_100] });
    const third = reduceAll(
      again,
      [status({ status: 'IN_PROGRESS' }, 1, 6_000), status({ status: 'IN_QUEUE' }, 1, 7_000)],
      7_100,
    );
    expect(third.job).toMatchObject({ startedSeenAtMs: null, formerStartsAtMs: [3_100, 7_100] });
    // Chunks of the run that a crash ended do not show that it runs again.
    expect(reduce(again, { kind: 'chunks-saved', attempt: 1, chunkCount: 2 }, 5_200).job.startedSeenAtMs).toBeNull();
  });

  it('is not set by an answer from before it was seen running', () => {
    expect(reduce(running, status({ status: 'IN_QUEUE' }, 1, 2_900), 5_100).job.startedSeenAtMs).toBe(3_100);
  });

  it('keeps the last twenty times it ran', () => {
    const turns = Array.from({ length: 21 }, (_, turn) => [
      { event: status({ status: 'IN_PROGRESS' }, 1, 10_000 + turn * 100), nowMs: 10_000 + turn * 100 },
      { event: status({ status: 'IN_QUEUE' }, 1, 10_050 + turn * 100), nowMs: 10_050 + turn * 100 },
    ]).flat();
    const { formerStartsAtMs } = turns.reduce<JobState>(
      (state, { event, nowMs }) => reduce(state, event, nowMs),
      queued(),
    ).job;
    expect(formerStartsAtMs).toEqual(Array.from({ length: 20 }, (_, turn) => 10_100 + turn * 100));
  });
});

describe('a status read', () => {
  const running = reduce(queued(), status({ status: 'IN_PROGRESS', workerId: 'w1' }, 1, 3_000), 3_100);

  it('that contains only an id says only that the job exists', () => {
    const there = reduce(running, status({ status: '' }, 1, 4_000), 4_100);
    expect(there).toMatchObject({
      isChanged: false,
      job: { status: 'IN_PROGRESS', startedSeenAtMs: 3_100, statusReadAtMs: 4_000 },
      attempt: { status: 'IN_PROGRESS', workerId: 'w1' },
    });
    expect(reduce(queued(), status({ status: '' }, 1, 4_000), 4_100).job).toMatchObject({
      status: 'IN_QUEUE',
      startedSeenAtMs: null,
    });
  });

  it('is a change even if only the job or only its attempt differs', () => {
    const worker = reduce(running, status({ status: 'IN_PROGRESS', workerId: 'w2' }, 1, 4_000), 4_100);
    expect(worker).toMatchObject({ isChanged: true, attempt: { workerId: 'w2' } });
    const progress = reduce(running, status({ status: 'IN_PROGRESS', outputJson: '"half"' }, 1, 4_000), 4_100);
    expect(progress).toMatchObject({ isChanged: true, job: { reason: { kind: 'progress', said: 'half' } } });
  });

  it('counts from when it left, and the latest one counts, whatever arrives last', () => {
    const lookedAt = (state: JobState, requestedAtMs: number, nowMs: number): number | null =>
      reduce(state, status({ status: 'IN_PROGRESS' }, 1, requestedAtMs), nowMs).job.statusReadAtMs;
    expect(lookedAt(queued(), 4_000, 4_100)).toBe(4_000);
    expect(lookedAt(running, 2_900, 3_000)).toBe(3_000);
    expect(lookedAt(running, 4_000, 4_100)).toBe(4_000);
    expect(reduce(running, status({ status: 'IN_QUEUE' }, 1, 3_000), 3_200).job.startedSeenAtMs).toBeNull();
    expect(reduce(running, status({ status: 'IN_QUEUE' }, 1, 2_999), 3_000).job.startedSeenAtMs).toBe(3_100);
  });
});

describe('a final record', () => {
  const done = reduce(queued(), status({ status: 'COMPLETED', outputJson: '1' }), 4_000);

  it('that reports another end than the first is ignored, and logged', () => {
    const other = reduce(done, status({ status: 'FAILED', errorText: 'boom' }, 1, 4_500), 4_600);
    expect(other).toMatchObject({
      isChanged: false,
      bodies: [],
      job: { status: 'COMPLETED' },
      attempt: { errorText: null },
      log: 'FAILED came after COMPLETED and was ignored',
    });
  });

  it('that is repeated after the end is not logged', () => {
    const finished = reduce(done, drained(), 4_100);
    expect(reduce(finished, status({ status: 'COMPLETED' }, 1, 4_500), 4_600)).toMatchObject({
      isChanged: false,
      log: null,
    });
    expect(reduce(submitting(), status({ status: 'IN_QUEUE' }), 4_600)).toMatchObject({
      isChanged: false,
      log: 'IN_QUEUE came after submitting and was ignored',
    });
  });

  it('that contains the output only when it is repeated keeps its other fields', () => {
    const bare = reduce(queued(), status({ status: 'COMPLETED' }), 4_000);
    expect(
      reduce(bare, status({ status: 'COMPLETED', outputJson: '1', extraJson: '{"retries":1}' }), 4_100).bodies,
    ).toEqual([
      { part: 'output', attempt: 1, text: '1' },
      { part: 'reply', attempt: 1, text: '{"id":"job-1","status":"COMPLETED","retries":1}' },
    ]);
  });

  it('keeps its error once, and an empty one as well', () => {
    const failed = reduce(queued(), status({ status: 'FAILED', errorText: '' }), 4_000);
    expect(failed).toMatchObject({ bodies: [{ part: 'error', text: '' }], attempt: { errorText: '' } });
    expect(reduce(failed, status({ status: 'FAILED', errorText: 'boom' }), 4_100)).toMatchObject({
      isChanged: false,
      bodies: [],
      attempt: { errorText: '' },
    });
  });
});

describe('a cancel', () => {
  it('that is answered with another end leaves the rest to a status read (ruling 38)', () => {
    const asked = reduce(queued(), { kind: 'cancel-requested' }, 3_000);
    for (const end of ['COMPLETED', 'FAILED', 'TIMED_OUT']) {
      const answered = reduce(
        asked,
        { kind: 'cancel-answered', record: aRecord({ status: end }), requestedAtMs: 3_000 },
        3_100,
      );
      expect(answered.job).toMatchObject({ phase: 'active', status: 'IN_QUEUE', isCancelling: false });
    }
    const cancelled = reduce(
      asked,
      { kind: 'cancel-answered', record: aRecord({ status: 'CANCELLED' }), requestedAtMs: 3_000 },
      3_100,
    );
    expect(cancelled.job).toMatchObject({ status: 'CANCELLED', isCancelling: false });
  });

  it('that is answered while the job still runs is over, and the job continues', () => {
    const asked = reduce(queued(), { kind: 'cancel-requested' }, 3_000);
    const answered = reduce(asked, { kind: 'cancel-answered', record: aRecord(), requestedAtMs: 3_000 }, 3_100);
    expect(answered).toMatchObject({
      isChanged: true,
      job: { phase: 'active', status: 'IN_QUEUE', isCancelling: false },
    });
  });

  it('that was not requested here is no change if it contains nothing new', () => {
    const afterRead = reduce(queued(), status({ status: 'IN_QUEUE' }), 3_100);
    for (const answer of ['IN_QUEUE', 'COMPLETED'])
      expect(
        reduce(afterRead, { kind: 'cancel-answered', record: aRecord({ status: answer }), requestedAtMs: 3_500 }, 3_600)
          .isChanged,
      ).toBe(false);
    expect(reduce(afterRead, { kind: 'cancel-refused', said: 'too late' }, 3_600)).toMatchObject({
      isChanged: false,
      job: afterRead.job,
    });
  });
});

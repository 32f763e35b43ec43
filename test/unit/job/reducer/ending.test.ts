import { describe, expect, it } from 'vitest';
import { type JobEvent, type StreamFailed, isSettling } from '../../../../src-main/job/reducer/job-event.ts';
import { reduce, reduceAll } from '../../../../src-main/job/reducer/reducer.ts';
import { hasExpiredAtMs } from '../../../../src-preload/service-retention.ts';
import { aFailure, aRecord, drained, failedJob, notFound, queued, status, submitting } from '../records.ts';

describe('a stream that cannot be read after the end (ruling 36)', () => {
  const settling = reduce(queued(), status({ status: 'COMPLETED' }, 1, 4_000), 4_100);
  const fails = (nextTryMs: number): StreamFailed => ({
    kind: 'stream-failed',
    attempt: 1,
    reason: 'The service answered 503.',
    nextTryMs,
  });

  it('keeps the job open with its final status, and says until when', () => {
    const once = reduce(settling, fails(5_000), 4_200);
    expect(once.job).toMatchObject({
      phase: 'active',
      status: 'COMPLETED',
      isWithoutOutput: false,
      isResultSaved: true,
      pendingStream: {
        sinceMs: 4_200,
        failures: 1,
        nextTryMs: 5_000,
        untilMs: hasExpiredAtMs('run', 4_100),
        reason: 'The service answered 503.',
      },
    });
    expect(reduce(once, fails(9_000), 5_200).job.pendingStream).toMatchObject({
      sinceMs: 4_200,
      failures: 2,
      nextTryMs: 9_000,
    });
  });

  it('is not recorded for a job that still runs, nor for another attempt', () => {
    expect(reduce(queued(), fails(5_000), 4_200).isChanged).toBe(false);
    expect(reduce(settling, { ...fails(5_000), attempt: 2 }, 4_200).isChanged).toBe(false);
  });

  it('ends when it was read after all, or the wait is stopped: that says nothing about the output', () => {
    const pending = reduce(settling, fails(5_000), 4_200);
    const read = reduce(pending, drained(), 6_000).job;
    expect(read).toMatchObject({ phase: 'finished', isWithoutOutput: true });
    expect(read).not.toHaveProperty('pendingStream');
    const given = reduce(
      pending,
      { kind: 'stream-given-up', attempt: 1, because: 'not-waited-for', said: null },
      6_000,
    ).job;
    expect(given).toMatchObject({
      phase: 'finished',
      status: 'COMPLETED',
      isWithoutOutput: false,
      isResultSaved: true,
      reason: { kind: 'stream-given-up', because: 'not-waited-for', said: null },
    });
    expect(given).not.toHaveProperty('pendingStream');
  });

  it('gives the reason for stopping the wait only if there is no other reason to show', () => {
    const failed = reduce(queued(), status({ status: 'FAILED', errorText: 'boom' }), 4_100);
    expect(
      reduce(failed, { kind: 'stream-given-up', attempt: 1, because: 'not-waited-for', said: null }, 6_000).job,
    ).toMatchObject({
      phase: 'finished',
      reason: { kind: 'failed', said: 'boom' },
    });
    expect(reduce(failed, drained(), 6_000).job).toMatchObject({
      phase: 'finished',
      reason: { kind: 'failed', said: 'boom' },
      isWithoutOutput: false,
    });
  });

  it('ends no job that still runs', () => {
    const asked = reduce(queued(), { kind: 'cancel-requested' }, 4_000);
    for (const end of [
      drained(),
      { kind: 'stream-given-up', attempt: 1, because: 'not-waited-for', said: null } satisfies JobEvent,
    ]) {
      expect(reduce(queued(), end, 5_000)).toMatchObject({ isChanged: false, job: { phase: 'active' } });
      expect(reduce(asked, end, 5_000)).toMatchObject({ isChanged: false, job: { isCancelling: true } });
    }
    expect(
      reduce(settling, { kind: 'stream-given-up', attempt: 2, because: 'not-waited-for', said: null }, 5_000),
    ).toMatchObject({
      isChanged: false,
      job: { phase: 'active' },
    });
  });

  it('cannot be cancelled once it is over', () => {
    const asked = reduce(settling, { kind: 'cancel-requested' }, 4_500);
    expect(asked.isChanged).toBe(false);
    const ended = reduceAll(
      queued(),
      [{ kind: 'cancel-requested' }, status({ status: 'COMPLETED', outputJson: '1' })],
      4_000,
    );
    expect(ended.job).toMatchObject({ status: 'COMPLETED', isCancelling: false });
  });
});

describe('a reply beyond all limits (ruling 43)', () => {
  const beyond = (rawReply: string): Extract<JobEvent, { kind: 'beyond-limits' }> => ({
    kind: 'beyond-limits',
    attempt: 1,
    failure: aFailure({
      kind: 'malformed',
      message: 'Longer than 64 MB.',
      isBeyondLimits: true,
      httpStatus: 200,
      rawReply,
    }),
    isClockDoubted: false,
    setAheadMs: 0,
  });

  it('is recorded and saved as far as it came, once, and the job stays live: the next answer may differ', () => {
    const once = reduce(queued(), beyond('{"id":"job-1","status":"COMPLETED","output":["'), 4_000);
    expect(once).toMatchObject({
      job: { phase: 'active', status: 'IN_QUEUE', unreadReply: 'Longer than 64 MB.' },
      bodies: [{ part: 'reply' }],
    });
    expect(isSettling(once.job)).toBe(false);
    expect(reduce(once, beyond('{"id":'), 5_000).isChanged).toBe(false);
    const read = reduce(once, status({ status: 'COMPLETED', outputJson: '"kept"' }, 1, 6_000), 6_100);
    expect(read.job).toMatchObject({ phase: 'active', status: 'COMPLETED' });
    expect(read.job).not.toHaveProperty('unreadReply');
  });

  it('changes nothing of a job whose final record is saved, nor of one that is gone', () => {
    const settling = reduce(queued(), status({ status: 'COMPLETED', outputJson: '1' }), 4_100);
    for (const state of [settling, failedJob(), submitting()])
      expect(reduce(state, beyond('{"id":'), 5_000)).toMatchObject({ isChanged: false, job: state.job });
    expect(reduce(queued(), { ...beyond('{"id":'), attempt: 2 }, 5_000).isChanged).toBe(false);
  });

  const lateMs = hasExpiredAtMs('run', 2_000);

  it.each([
    ['{"id":"job-1","status":"COMPLETED","output":["', 'COMPLETED'],
    [' {"status" : "FAILED","output":["', 'FAILED'],
    ['{"id":"job-1","status":"IN_PROGRESS","output":["', null],
    ['{"id":"job-1","output":["', null],
    ['[{"status":"COMPLETED","output":["', null],
    ['', null],
  ])('that begins with %j ends it as %s if nothing can be left to fetch', (raw, end) => {
    const asked = reduce(queued(), { kind: 'cancel-requested' }, 3_000);
    const ended = reduce(asked, beyond(raw), lateMs);
    expect(ended).toMatchObject({
      job: { finishedSeenAtMs: lateMs, isCancelling: false },
      attempt: { finishedSeenAtMs: lateMs },
    });
    expect(ended.job).toMatchObject(
      end === null
        ? { phase: 'gone', goneReason: 'too-large', status: 'IN_QUEUE' }
        : { phase: 'finished', goneReason: null, status: end },
    );
    expect(ended.attempt.status).toBe(end ?? 'IN_QUEUE');
  });

  it('ends no job while the clock is doubted, whatever it says: the next answer may differ', () => {
    const doubted = { ...beyond('{"id":"job-1","status":"COMPLETED","output":["'), isClockDoubted: true };
    expect(reduce(queued(), doubted, lateMs).job).toMatchObject({ phase: 'active', unreadReply: 'Longer than 64 MB.' });
  });

  it('shows that the service knows the job, and does not affect another attempt', () => {
    const notKnown = reduce(queued(), notFound(3_000), 3_100);
    expect(reduce(notKnown, beyond('{"id":'), 4_000).job).not.toHaveProperty('notKnown');
    const ended = reduce(notKnown, beyond('{"status":"FAILED","output":["'), lateMs);
    expect(ended.job).not.toHaveProperty('notKnown');
    const again = reduce(ended, { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() }, lateMs + 1_000);
    expect(again.job).toMatchObject({ attempt: 2, phase: 'active' });
    expect(again.job).not.toHaveProperty('unreadReply');
  });

  it('is dropped when the service answers less after all', () => {
    const lost = reduce(queued(), beyond('{"output":["'), lateMs);
    expect(lost.job).toMatchObject({ phase: 'gone', unreadReply: 'Longer than 64 MB.' });
    const found = reduce(lost, status({ status: 'COMPLETED', outputJson: '1' }, 1, lateMs + 100), lateMs + 200);
    expect(found.job).toMatchObject({ phase: 'active', status: 'COMPLETED', goneReason: null });
    expect(found.job).not.toHaveProperty('unreadReply');
  });

  it('is the last one if nothing can be left to fetch', () => {
    const ended = reduce(queued(), beyond('{"id":"job-1","status":"COMPLETED","output":["'), lateMs);
    expect(ended.job).toMatchObject({
      phase: 'finished',
      status: 'COMPLETED',
      isResultSaved: false,
      isWithoutOutput: false,
      unreadReply: 'Longer than 64 MB.',
    });
    // No status is taken from within the output.
    const lost = reduce(queued(), beyond('{"output":{"status":"FAILED","x":["'), lateMs);
    expect(lost.job).toMatchObject({
      phase: 'gone',
      goneReason: 'too-large',
      status: 'IN_QUEUE',
      reason: { kind: 'reply-too-large', said: 'Longer than 64 MB.' },
    });
  });
});

describe('the ttl of a job (ruling 39)', () => {
  it('begins when its request was sent, however late the answer comes', () => {
    const answered = reduce(
      submitting({ operation: 'runsync', policy: { ttl: 600_000 } }),
      { kind: 'accepted', record: aRecord() },
      91_000,
    );
    expect(answered.job.ttlEndsAtMs).toBe(601_000);
    const waited = reduce(
      submitting({ phase: 'waiting', policy: { ttl: 600_000 } }),
      { kind: 'sending', baseUrl: 'http://127.0.0.1:1' },
      50_000,
    );
    expect(reduce(waited, { kind: 'accepted', record: aRecord() }, 91_000).job.ttlEndsAtMs).toBe(650_000);
  });
});

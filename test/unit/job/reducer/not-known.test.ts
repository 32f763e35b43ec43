import { describe, expect, it } from 'vitest';
import type { JobState, NotFound } from '../../../../src-main/job/reducer/job-event.ts';
import { reduce, reduceAll } from '../../../../src-main/job/reducer/reducer.ts';
import { hasExpiredAtMs } from '../../../../src-preload/service-retention.ts';
import { aRecord, drained, failedJob, notFound, queued, status, submitting } from '../records.ts';

describe('a job that the service does not know (rulings 11, 34)', () => {
  const seen = reduce(queued({ policy: { ttl: 3_600_000 } }), status({ status: 'IN_QUEUE' }, 1, 3_000), 3_100);
  const after = (state: JobState, ...events: NotFound[]): JobState =>
    events.reduce((before, event) => reduce(before, event, event.requestedAtMs + 5), state);

  it('stays live after one 404, marked with since when and when the next read is', () => {
    expect(after(seen, notFound(10_000)).job).toMatchObject({
      phase: 'active',
      status: 'IN_QUEUE',
      notKnown: { sinceMs: 10_005, times: 1, lastAtMs: 10_000, nextTryMs: 40_005 },
    });
  });

  it('is gone after three 404s over a minute, and not before', () => {
    expect(after(seen, notFound(10_000), notFound(40_000), notFound(69_000)).job).toMatchObject({
      phase: 'active',
      notKnown: { times: 3 },
    });
    expect(after(seen, notFound(10_000), notFound(70_001)).job.phase).toBe('active');
    expect(after(seen, notFound(10_000), notFound(40_000), notFound(70_000)).job).toMatchObject({
      phase: 'gone',
      goneReason: 'expired',
      status: 'IN_QUEUE',
      reason: { kind: 'gone', because: 'removed' },
    });
    expect(after(seen, notFound(10_000), notFound(40_000), notFound(70_000)).job).not.toHaveProperty('notKnown');
  });

  it('does not count a page of a proxy, nor a 404 whose endpoint could not be checked', () => {
    const page = { isJson: false, isEndpointKnown: null };
    expect(
      after(seen, notFound(10_000, page), notFound(40_000, page), notFound(80_000, page), notFound(120_000, page)).job,
    ).toMatchObject({ phase: 'active', notKnown: { times: 0 } });
    const unsure = { isEndpointKnown: null };
    expect(after(seen, notFound(10_000, unsure), notFound(40_000, unsure), notFound(80_000, unsure)).job).toMatchObject(
      {
        phase: 'active',
        notKnown: { times: 0 },
      },
    );
    const known = { isJson: false, isEndpointKnown: true };
    expect(after(seen, notFound(10_000, known), notFound(40_000, known), notFound(80_000, known)).job).toMatchObject({
      phase: 'active',
      notKnown: { times: 0 },
    });
    // The minute begins with the first that counts.
    expect(after(seen, notFound(10_000, unsure), notFound(60_000), notFound(65_000), notFound(75_000)).job.phase).toBe(
      'active',
    );
  });

  it('counts one answer once, and none that is older than what is known', () => {
    const once = reduce(seen, notFound(10_000), 10_000);
    for (const [again, nowMs] of [
      [notFound(10_000), 10_000],
      [notFound(10_000), 11_000],
      [notFound(9_000), 11_000],
    ] as const)
      expect(reduce(once, again, nowMs)).toMatchObject({ isChanged: false, job: { notKnown: { times: 1 } } });
    for (const nowMs of [3_000, 4_000]) expect(reduce(seen, notFound(2_999), nowMs).job).not.toHaveProperty('notKnown');
    expect(reduce(seen, notFound(3_000), 4_000).job).toMatchObject({ notKnown: { times: 1 } });
    expect(reduce(reduce(seen, notFound(10_000), 10_005), notFound(10_001), 10_005).job).toMatchObject({
      notKnown: { times: 2 },
    });
  });

  it('clears the count with the first status read that finds it', () => {
    const found = reduce(
      after(seen, notFound(10_000), notFound(40_000)),
      status({ status: 'IN_PROGRESS' }, 1, 50_000),
      50_100,
    );
    expect(found).toMatchObject({ isChanged: true, job: { phase: 'active', status: 'IN_PROGRESS' } });
    expect(found.job).not.toHaveProperty('notKnown');
    expect(after(found, notFound(80_000)).job).toMatchObject({ phase: 'active', notKnown: { times: 1 } });
  });

  it('is gone immediately if its ttl or the longest retention can have passed, or if this app purged the queue', () => {
    const reason = { kind: 'gone', because: 'expired' };
    expect(after(seen, notFound(3_603_000)).job).toMatchObject({ phase: 'gone', goneReason: 'expired', reason });
    expect(after(seen, notFound(hasExpiredAtMs('run', 3_000))).job.reason).toEqual(reason);
    const purged = { wasPurgedHere: true };
    expect(after(seen, notFound(10_000, purged)).job).toMatchObject({
      phase: 'gone',
      goneReason: 'purged',
      reason: { kind: 'gone', because: 'purged' },
    });
    expect(after(seen, notFound(10_000, { ...purged, isEndpointKnown: false })).job.phase).toBe('active');
    const sync = reduce(queued({ operation: 'runsync' }), status({ status: 'IN_QUEUE' }, 1, 3_000), 3_100);
    expect(after(sync, notFound(200_000)).job.phase).toBe('active');
    expect(after(sync, notFound(303_000)).job.phase).toBe('gone');
  });

  it('is read again after its time while the clock is doubted: the time may not have come', () => {
    const yearsLaterMs = 73 * 365 * 24 * 3_600_000;
    const doubted = { isClockDoubted: true };
    const once = after(seen, notFound(yearsLaterMs, doubted));
    expect(once.job).toMatchObject({ phase: 'active', notKnown: { times: 1, nextTryMs: yearsLaterMs + 30_005 } });
    const twice = after(once, notFound(yearsLaterMs + 30_000, doubted));
    expect(after(twice, notFound(yearsLaterMs + 60_000, doubted)).job).toMatchObject({
      phase: 'gone',
      goneReason: 'expired',
    });
    expect(after(twice, notFound(yearsLaterMs + 31_000)).job.phase).toBe('gone');
    expect(after(seen, notFound(yearsLaterMs, { ...doubted, wasPurgedHere: true })).job.goneReason).toBe('purged');
    const page = { ...doubted, isJson: false, isEndpointKnown: null };
    const pages = [0, 30_000, 60_001].map((ms) => notFound(yearsLaterMs + ms, page));
    expect(after(seen, ...pages).job).toMatchObject({ phase: 'active', notKnown: { times: 0 } });
  });

  it('ends after its time if any 404 is repeated', () => {
    const page = { isJson: false, isEndpointKnown: null };
    const atMs = 3_700_000;
    for (const unsure of [page, { isJson: false, isEndpointKnown: true }, { isJson: true, isEndpointKnown: null }])
      expect(after(seen, notFound(atMs, unsure)).job.phase).toBe('active');
    expect(
      after(seen, notFound(atMs, page), notFound(atMs + 30_000, page), notFound(atMs + 60_001, page)).job,
    ).toMatchObject({
      phase: 'gone',
      goneReason: 'expired',
    });
  });

  it('is at an unknown endpoint if health says so each time', () => {
    const lost = { isEndpointKnown: false };
    expect(after(seen, notFound(10_000, lost)).job.phase).toBe('active');
    expect(after(seen, notFound(10_000, lost), notFound(40_000, lost), notFound(70_001, lost)).job).toMatchObject({
      phase: 'gone',
      goneReason: 'unknown-endpoint',
      reason: { kind: 'gone', because: 'unknown-endpoint' },
    });
  });

  it('is not ended while its stream is drained: nothing is lost, and there may be more', () => {
    const settling = reduce(seen, status({ status: 'COMPLETED', outputJson: '1' }, 1, 4_000), 4_100);
    expect(after(settling, notFound(5_000), notFound(40_000), notFound(90_000)).job).toMatchObject({
      phase: 'active',
      status: 'COMPLETED',
    });
  });

  it('is live again when the service knows it after all', () => {
    const gone = after(seen, notFound(10_000), notFound(40_000), notFound(70_000));
    const alive = reduce(gone, status({ status: 'IN_PROGRESS' }, 1, 100_000), 100_100);
    expect(alive).toMatchObject({
      isChanged: true,
      job: { phase: 'active', goneReason: null, status: 'IN_PROGRESS', finishedSeenAtMs: null, reason: null },
      attempt: { finishedSeenAtMs: null },
    });
    const whole = reduce(gone, status({ status: 'COMPLETED', outputJson: '"kept"' }, 1, 100_000), 100_100);
    expect(whole).toMatchObject({
      job: { phase: 'active', status: 'COMPLETED', finishedSeenAtMs: 100_100 },
      bodies: [{ part: 'output', text: '"kept"' }],
    });
    expect(alive.job.ttlEndsAtMs).toBe(3_601_000);
    for (const nowMs of [3_601_000, 3_800_100]) {
      // A ttl that ended and did not take it counts no more.
      expect(
        reduce(after(seen, notFound(3_700_000)), status({ status: 'IN_QUEUE' }, 1, 3_600_000), nowMs).job,
      ).toMatchObject({ phase: 'active', ttlEndsAtMs: null });
    }
  });

  it('must be live: a 404 does not count for any other', () => {
    for (const state of [failedJob(), submitting(), after(seen, notFound(3_700_000))])
      expect(reduce(state, notFound(4_000_000), 4_000_000)).toMatchObject({ isChanged: false, job: state.job });
  });

  it('is read again sooner if its result expires sooner', () => {
    const sync = reduce(queued({ operation: 'runsync' }), status({ status: 'IN_QUEUE' }, 1, 3_000), 3_100);
    expect(after(sync, notFound(10_000)).job).toMatchObject({ notKnown: { nextTryMs: 20_005 } });
  });

  it('can no longer be cancelled when it is gone', () => {
    const asked = reduce(seen, { kind: 'cancel-requested' }, 5_000);
    expect(after(asked, notFound(3_700_000))).toMatchObject({
      job: { phase: 'gone', isCancelling: false, finishedSeenAtMs: 3_700_005 },
      attempt: { finishedSeenAtMs: 3_700_005 },
    });
  });

  it('is not restored by the answer to a cancel: only a status read does that', () => {
    const gone = after(seen, notFound(3_700_000));
    expect(
      reduce(
        gone,
        { kind: 'cancel-answered', record: aRecord({ status: 'CANCELLED' }), requestedAtMs: 3_700_100 },
        3_700_200,
      ),
    ).toMatchObject({ isChanged: false, job: { phase: 'gone' } });
  });

  it('that was tracked by its id and never seen is gone with the first 404; one that was seen is not', () => {
    const followed: JobState = { ...queued(), job: { ...queued().job, ttlEndsAtMs: null } };
    expect(after(followed, notFound(10_000)).job).toMatchObject({ phase: 'gone', goneReason: 'expired' });
    expect(after(reduce(followed, status({ status: 'IN_QUEUE' }), 3_100), notFound(10_000)).job.phase).toBe('active');
    expect(after(queued(), notFound(10_000)).job.phase).toBe('active');
  });

  it('is over by retention counted from when it was last known: read, accepted or created', () => {
    const overMs = hasExpiredAtMs('run', 0);
    const isOver = (state: JobState, nowMs: number): boolean =>
      reduce(state, notFound(nowMs), nowMs).job.phase === 'gone';
    expect([isOver(seen, 3_000 + overMs - 1), isOver(seen, 3_000 + overMs)]).toEqual([false, true]);
    expect([isOver(queued(), 2_000 + overMs - 1), isOver(queued(), 2_000 + overMs)]).toEqual([false, true]);
    const found: JobState = { ...queued(), job: { ...queued().job, acceptedAtMs: null } };
    expect([isOver(found, 1_000 + overMs - 1), isOver(found, 1_000 + overMs)]).toEqual([false, true]);
  });

  it('is over by its ttl counted from when the answer came: its clock may have started then (ruling 39)', () => {
    const isOver = (state: JobState, nowMs: number, attempt = 1): boolean =>
      reduce(state, notFound(nowMs, { attempt }), nowMs).job.phase === 'gone';
    const short = queued({ policy: { ttl: 600_000 } });
    expect([isOver(short, 601_999), isOver(short, 602_000)]).toEqual([false, true]);
    // A retry does not begin the ttl again.
    const failed = reduceAll(short, [status({ status: 'FAILED' }), drained()], 4_000);
    const second = reduce(failed, { kind: 'retry-accepted', ofAttempt: 1, record: aRecord() }, 5_000);
    expect([isOver(second, 601_999, 2), isOver(second, 602_000, 2)]).toEqual([false, true]);
    const unlimited: JobState = { ...seen, job: { ...seen.job, ttlEndsAtMs: null } };
    expect(isOver(reduce(unlimited, status({ status: 'IN_QUEUE' }, 1, 3_690_000), 3_690_100), 3_700_000)).toBe(false);
  });
});

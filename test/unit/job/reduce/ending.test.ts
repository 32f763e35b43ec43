import { describe, expect, it } from 'vitest';
import type { JobEvent, JobState, NotFound, StreamFailed } from '../../../../src-main/job/job-event.ts';
import { isSettling } from '../../../../src-main/job/reduce/reduced.ts';
import { reduce, reduceAll } from '../../../../src-main/job/reducer.ts';
import { longestRetentionMs } from '../../../../src-preload/job.ts';
import { aFailure, aRecord, queued, submitting } from '../records.ts';

const status = (changes: Parameters<typeof aRecord>[0], attempt = 1, askedAtMs = 3_000): JobEvent => ({
  kind: 'status',
  record: aRecord(changes),
  attempt,
  askedAtMs,
});
const drained = (attempt = 1): JobEvent => ({ kind: 'drained', attempt });

describe('a job that the service does not know (rulings 11, 34)', () => {
  const seen = reduce(queued({ policy: { ttl: 3_600_000 } }), status({ status: 'IN_QUEUE' }, 1, 3_000), 3_100);
  /** One 404 in the service's own words while the endpoint's health answers, unless a test says otherwise. */
  const says = (askedAtMs: number, changes: Partial<NotFound> = {}): NotFound => ({
    kind: 'not-found',
    attempt: 1,
    askedAtMs,
    isJson: true,
    isEndpointKnown: true,
    wasPurgedHere: false,
    ...changes,
  });
  const after = (state: JobState, ...events: NotFound[]): JobState =>
    events.reduce((before, event) => reduce(before, event, event.askedAtMs + 5), state);

  it('stays live after one 404, marked with since when and when it is asked next', () => {
    expect(after(seen, says(10_000)).job).toMatchObject({
      phase: 'active',
      status: 'IN_QUEUE',
      notKnown: { sinceMs: 10_005, times: 1, lastAtMs: 10_000, nextTryMs: 40_005 },
    });
  });

  it('is gone when it was said three times over a minute, and not before', () => {
    expect(after(seen, says(10_000), says(40_000), says(69_000)).job).toMatchObject({
      phase: 'active',
      notKnown: { times: 3 },
    });
    expect(after(seen, says(10_000), says(70_001)).job.phase).toBe('active');
    expect(after(seen, says(10_000), says(40_000), says(70_001)).job).toMatchObject({
      phase: 'gone',
      goneReason: 'expired',
      status: 'IN_QUEUE',
      note: 'The service no longer has it (404), though neither its ttl nor the retention of a result can have passed: it was purged or removed elsewhere',
    });
    expect(after(seen, says(10_000), says(40_000), says(70_001)).job).not.toHaveProperty('notKnown');
  });

  it('does not count a page of a proxy, nor a 404 whose endpoint nobody could ask about', () => {
    const page = { isJson: false, isEndpointKnown: null };
    expect(
      after(seen, says(10_000, page), says(40_000, page), says(80_000, page), says(120_000, page)).job,
    ).toMatchObject({ phase: 'active', notKnown: { times: 0 } });
    const unsure = { isEndpointKnown: null };
    expect(after(seen, says(10_000, unsure), says(40_000, unsure), says(80_000, unsure)).job).toMatchObject({
      phase: 'active',
      notKnown: { times: 0 },
    });
    // The minute begins with the first that counts.
    expect(after(seen, says(10_000, unsure), says(60_000), says(65_000), says(75_000)).job.phase).toBe('active');
  });

  it('counts one answer once, and none that is older than what is known', () => {
    expect(after(seen, says(10_000), says(10_000), says(9_000)).job).toMatchObject({ notKnown: { times: 1 } });
    expect(reduce(seen, says(2_500), 4_000).job).not.toHaveProperty('notKnown');
  });

  it('forgets what was held against it with the first look that finds it', () => {
    const found = reduce(after(seen, says(10_000), says(40_000)), status({ status: 'IN_PROGRESS' }, 1, 50_000), 50_100);
    expect(found).toMatchObject({ isChanged: true, job: { phase: 'active', status: 'IN_PROGRESS' } });
    expect(found.job).not.toHaveProperty('notKnown');
    expect(after(found, says(80_000)).job).toMatchObject({ phase: 'active', notKnown: { times: 1 } });
  });

  it('is gone at once where its ttl or the longest retention can have passed, or where this app purged the queue', () => {
    const words =
      'The service no longer has it (404): its ttl or the retention of its result passed before it could be read';
    expect(after(seen, says(3_603_000)).job).toMatchObject({ phase: 'gone', goneReason: 'expired', note: words });
    expect(after(seen, says(3_000 + longestRetentionMs.run)).job.note).toBe(words);
    expect(after(seen, says(10_000, { wasPurgedHere: true })).job).toMatchObject({
      phase: 'gone',
      goneReason: 'purged',
    });
    const sync = reduce(queued({ operation: 'runsync' }), status({ status: 'IN_QUEUE' }, 1, 3_000), 3_100);
    expect(after(sync, says(200_000)).job.phase).toBe('active');
    expect(after(sync, says(303_000)).job.phase).toBe('gone');
  });

  it('ends after its time whoever answers 404, when that is repeated', () => {
    const page = { isJson: false, isEndpointKnown: null };
    const atMs = 3_700_000;
    expect(after(seen, says(atMs, page)).job.phase).toBe('active');
    expect(after(seen, says(atMs, page), says(atMs + 30_000, page), says(atMs + 60_001, page)).job).toMatchObject({
      phase: 'gone',
      goneReason: 'expired',
    });
  });

  it('is at an unknown endpoint where health says so each time', () => {
    const lost = { isEndpointKnown: false };
    expect(after(seen, says(10_000, lost)).job.phase).toBe('active');
    expect(after(seen, says(10_000, lost), says(40_000, lost), says(70_001, lost)).job).toMatchObject({
      phase: 'gone',
      goneReason: 'unknown-endpoint',
    });
  });

  it('is not ended by it while its stream is drained: nothing is lost, and there may be more', () => {
    const settling = reduce(seen, status({ status: 'COMPLETED', outputJson: '1' }, 1, 4_000), 4_100);
    expect(after(settling, says(5_000), says(40_000), says(90_000)).job).toMatchObject({
      phase: 'active',
      status: 'COMPLETED',
    });
  });

  it('lives again when the service knows it after all', () => {
    const gone = after(seen, says(10_000), says(40_000), says(70_001));
    const alive = reduce(gone, status({ status: 'IN_PROGRESS' }, 1, 100_000), 100_100);
    expect(alive).toMatchObject({
      isChanged: true,
      job: { phase: 'active', goneReason: null, status: 'IN_PROGRESS', finishedSeenAtMs: null, note: null },
      attempt: { finishedSeenAtMs: null },
    });
    const whole = reduce(gone, status({ status: 'COMPLETED', outputJson: '"kept"' }, 1, 100_000), 100_100);
    expect(whole).toMatchObject({
      job: { phase: 'active', status: 'COMPLETED', finishedSeenAtMs: 100_100 },
      bodies: [{ part: 'output', text: '"kept"' }],
    });
    const late = reduce(after(seen, says(3_700_000)), status({ status: 'IN_QUEUE' }, 1, 3_800_000), 3_800_100);
    expect(late.job).toMatchObject({ phase: 'active', ttlEndsAtMs: null });
  });
});

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
        untilMs: 4_100 + longestRetentionMs.run,
        reason: 'The service answered 503.',
      },
    });
    expect(reduce(once, fails(9_000), 5_200).job.pendingStream).toMatchObject({
      sinceMs: 4_200,
      failures: 2,
      nextTryMs: 9_000,
    });
  });

  it('says nothing of a job that still runs, nor of another attempt', () => {
    expect(reduce(queued(), fails(5_000), 4_200).isChanged).toBe(false);
    expect(reduce(settling, { ...fails(5_000), attempt: 2 }, 4_200).isChanged).toBe(false);
  });

  it('ends when it was read after all, or is waited for no more: that is no word about the output', () => {
    const pending = reduce(settling, fails(5_000), 4_200);
    const read = reduce(pending, drained(), 6_000).job;
    expect(read).toMatchObject({ phase: 'finished', isWithoutOutput: true });
    expect(read).not.toHaveProperty('pendingStream');
    const given = reduce(pending, { kind: 'stream-given-up', attempt: 1, reason: 'Not waited for' }, 6_000).job;
    expect(given).toMatchObject({
      phase: 'finished',
      status: 'COMPLETED',
      isWithoutOutput: false,
      isResultSaved: true,
      note: 'Not waited for',
    });
    expect(given).not.toHaveProperty('pendingStream');
  });
});

describe('a reply beyond all limits (ruling 43)', () => {
  const beyond = (rawReply: string): JobEvent => ({
    kind: 'beyond-limits',
    attempt: 1,
    failure: aFailure({
      kind: 'malformed',
      message: 'Longer than 64 MB.',
      isBeyondLimits: true,
      httpStatus: 200,
      rawReply,
    }),
  });

  it('is said and kept as far as it came, once, and the job stays live: the next answer may be another', () => {
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

  it('is the last one when nothing can be left to fetch', () => {
    const lateMs = 2_000 + longestRetentionMs.run;
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
      note: 'Longer than 64 MB.',
    });
  });
});

describe('a job that goes back into the queue (ruling 40)', () => {
  const running = reduce(queued(), status({ status: 'IN_PROGRESS' }, 1, 3_000), 3_100);

  it('waits in every respect, and keeps when it ran before', () => {
    const again = reduce(running, status({ status: 'IN_QUEUE' }, 1, 5_000), 5_100);
    expect(again.job).toMatchObject({ status: 'IN_QUEUE', startedSeenAtMs: null, formerStartsAtMs: [3_100] });
    const third = reduceAll(
      again,
      [status({ status: 'IN_PROGRESS' }, 1, 6_000), status({ status: 'IN_QUEUE' }, 1, 7_000)],
      7_100,
    );
    expect(third.job).toMatchObject({ startedSeenAtMs: null, formerStartsAtMs: [3_100, 7_100] });
    // Chunks of the run that a crash ended do not show that it runs again.
    expect(reduce(again, { kind: 'chunks-kept', attempt: 1, chunkCount: 2 }, 5_200).job.startedSeenAtMs).toBeNull();
  });

  it('is not taken back by an answer from before it was seen running', () => {
    expect(reduce(running, status({ status: 'IN_QUEUE' }, 1, 2_900), 5_100).job.startedSeenAtMs).toBe(3_100);
  });
});

describe('a cancel', () => {
  it('that is answered with another end leaves the rest to a look (ruling 38)', () => {
    const asked = reduce(queued(), { kind: 'cancel-asked' }, 3_000);
    for (const end of ['COMPLETED', 'FAILED', 'TIMED_OUT']) {
      const answered = reduce(
        asked,
        { kind: 'cancel-answered', record: aRecord({ status: end }), askedAtMs: 3_000 },
        3_100,
      );
      expect(answered.job).toMatchObject({ phase: 'active', status: 'IN_QUEUE', isCancelling: false });
    }
    const cancelled = reduce(
      asked,
      { kind: 'cancel-answered', record: aRecord({ status: 'CANCELLED' }), askedAtMs: 3_000 },
      3_100,
    );
    expect(cancelled.job).toMatchObject({ status: 'CANCELLED', isCancelling: false });
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

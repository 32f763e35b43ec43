import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JobEvent, type JobState, isSettling } from '../../../../src-main/job/reducer/job-event.ts';
import { reduce, reduceAll } from '../../../../src-main/job/reducer/reducer.ts';
import { isKnownStatus, isTerminalStatus, statusKind, type Job } from '../../../../src-preload/job.ts';
import { retentionMs } from '../../../../src-preload/service-retention.ts';
import { aFailure, aRecord, drained, failedJob, notFound, queued, status, submitting } from '../records.ts';

describe('a removed connection', () => {
  const removed: JobEvent = { kind: 'connection-removed' };

  const back: JobEvent = { kind: 'connection-back' };

  it('leaves behind jobs that can no longer continue, and ends none', () => {
    const asked = reduce(queued(), { kind: 'cancel-requested' }, 3_000);
    const left = reduce(asked, removed, 4_000);
    expect(left).toMatchObject({
      isChanged: true,
      job: {
        phase: 'orphaned',
        status: 'IN_QUEUE',
        isCancelling: false,
        reason: { kind: 'connection-removed', wasSent: true },
      },
    });
    expect(reduce(left, removed, 5_000).isChanged).toBe(false);
    const waiting = reduce(submitting(), { kind: 'held-back', reason: { kind: 'offline' } }, 2_000);
    expect(reduce(waiting, removed, 3_000).job).toMatchObject({
      phase: 'orphaned',
      reason: { kind: 'connection-removed', wasSent: false },
    });
    for (const other of [submitting(), failedJob()])
      expect(reduce(other, removed, 5_000)).toMatchObject({ isChanged: false, job: other.job });
  });

  it('that is back has its jobs tracked again, but sends none that was never sent', () => {
    const left = reduce(queued(), removed, 4_000);
    expect(reduce(left, back, 5_000).job).toEqual({ ...queued().job, reason: null });
    const unsent = reduce(
      reduce(submitting(), { kind: 'held-back', reason: { kind: 'offline' } }, 2_000),
      removed,
      3_000,
    );
    expect(reduce(unsent, back, 5_000).isChanged).toBe(false);
    expect(reduce(unsent, { kind: 'withdrawn' }, 5_000).job).toMatchObject({ phase: 'finished', status: 'CANCELLED' });
    expect(reduce(left, { kind: 'withdrawn' }, 5_000).isChanged).toBe(false);
    for (const other of [submitting(), queued(), failedJob()])
      expect(reduce(other, back, 5_000)).toMatchObject({ isChanged: false, job: other.job });
  });

  it('loses no final answer that was on its way', () => {
    const left = reduce(queued(), removed, 4_000);
    const ended = reduceAll(left, [status({ status: 'COMPLETED', outputJson: '"late"' }), drained()], 5_000);
    expect(ended).toMatchObject({
      job: { phase: 'finished', status: 'COMPLETED', isResultSaved: true },
      bodies: [{ part: 'output', text: '"late"' }],
    });
    expect(reduce(left, status({ status: 'IN_PROGRESS' }), 5_000)).toMatchObject({
      isChanged: false,
      job: { phase: 'orphaned', status: 'IN_QUEUE' },
    });
  });

  it('finishes a job whose result is already saved', () => {
    const settling = reduce(queued(), status({ status: 'COMPLETED', outputJson: '1' }), 3_000);
    expect(reduce(settling, removed, 4_000).job).toMatchObject({
      phase: 'finished',
      status: 'COMPLETED',
      isResultSaved: true,
      reason: { kind: 'stream-given-up', because: 'connection-removed', said: null },
    });
  });

  it('clears that the service did not know a job', () => {
    const notKnown = reduce(queued(), notFound(3_000), 3_100);
    expect(notKnown.job).toHaveProperty('notKnown');
    expect(reduce(notKnown, removed, 4_000).job).not.toHaveProperty('notKnown');
  });
});

describe('running', () => {
  it('shows progress and never keeps it as output', () => {
    const reduced = reduce(
      queued(),
      status({ status: 'IN_PROGRESS', outputJson: '"step 3 of 8"', delayTimeMs: 12 }),
      3_100,
    );
    expect(reduced.job).toMatchObject({
      status: 'IN_PROGRESS',
      reason: { kind: 'progress', said: 'step 3 of 8' },
      startedSeenAtMs: 3_100,
      delayTimeMs: 12,
      outputBytes: 0,
      isResultSaved: false,
    });
    expect(reduced.bodies).toEqual([]);
    expect(reduced.attempt.hasOutput).toBe(false);
  });

  it('keeps an unlisted status unchanged, as not finished (ruling 8)', () => {
    const { job } = reduce(queued(), status({ status: 'RUNNING' }), 3_100);
    expect(job).toMatchObject({ phase: 'active', status: 'RUNNING', finishedSeenAtMs: null });
    expect(statusKind(job)).toBe('unknown');
  });

  it('saves what comes with an unlisted status: it may be the result, until a final record replaces it', () => {
    const done = reduce(queued(), status({ status: 'SUCCESS', outputJson: '"result"' }), 3_100);
    expect(done).toMatchObject({
      isChanged: true,
      job: { phase: 'active', outputBytes: 8 },
      attempt: { outputBytes: 8, hasOutput: false },
      bodies: [{ part: 'output', attempt: 1, text: '"result"' }],
    });
    const again = reduce(done, status({ status: 'SUCCESS', outputJson: '"result"' }, 1, 4_000), 4_100);
    expect(again).toMatchObject({ isChanged: false, bodies: [] });
    const silent = reduce(done, status({ status: 'SUCCESS' }, 1, 4_000), 4_100);
    expect(silent).toMatchObject({ job: { outputBytes: 8 }, bodies: [] });
    const ended = reduce(done, status({ status: 'COMPLETED', outputJson: '"final"' }, 1, 5_000), 5_100);
    expect(ended).toMatchObject({
      job: { outputBytes: 7 },
      attempt: { hasOutput: true },
      bodies: [{ part: 'output', attempt: 1, text: '"final"' }],
    });
    expect(reduce(queued(), status({ status: 'error', errorText: 'Out of memory' }), 3_100).bodies).toEqual([
      { part: 'reply', attempt: 1, text: expect.stringContaining('"error":"Out of memory"') },
    ]);
  });

  it('keeps known times if a later reply omits them', () => {
    const timed = reduce(queued(), status({ status: 'IN_PROGRESS', delayTimeMs: 5, executionTimeMs: 7 }), 3_100);
    const after = reduce(timed, status({ status: 'IN_PROGRESS' }, 1, 4_000), 4_100);
    expect([after.job, after.attempt]).toEqual(
      [1, 2].map(() => expect.objectContaining({ delayTimeMs: 5, executionTimeMs: 7 })),
    );
    expect(reduce(after, status({ status: 'COMPLETED', executionTimeMs: 90 }, 1, 5_000), 5_100).job).toMatchObject({
      delayTimeMs: 5,
      executionTimeMs: 90,
    });
  });

  it('is no change if a status read finds everything the same', () => {
    const running = reduce(queued(), status({ status: 'IN_PROGRESS' }), 3_100);
    const again = reduce(running, status({ status: 'IN_PROGRESS' }, 1, 5_000), 5_050);
    expect(again.isChanged).toBe(false);
    expect(again.job.statusReadAtMs).toBe(5_000);
  });

  it('saves malformed replies raw and continues', () => {
    const reduced = reduce(
      queued(),
      { kind: 'malformed', failure: aFailure({ kind: 'malformed', httpStatus: 200, rawReply: '{"id": ' }) },
      3_000,
    );
    expect(reduced.job.phase).toBe('active');
    expect(reduced.bodies).toEqual([{ part: 'reply', attempt: 1, text: '{"id": ' }]);
    expect(reduced.log).not.toBeNull();
  });

  it('is the only state to be cancelled in, and to have a ttl', () => {
    const settling = reduce(queued(), status({ status: 'COMPLETED' }), 3_100);
    for (const state of [submitting(), settling, failedJob()]) {
      expect(reduce(state, { kind: 'cancel-requested' }, 4_000)).toMatchObject({ isChanged: false, job: state.job });
      expect(reduce(state, { kind: 'ttl-extended', ttlMs: 60_000, requestedAtMs: 5_000 }, 5_100)).toMatchObject({
        isChanged: false,
        job: state.job,
      });
    }
  });

  it('is recognised by its chunks', () => {
    const chunks = reduce(queued(), { kind: 'chunks-saved', attempt: 1, chunkCount: 2 }, 3_000);
    expect(chunks).toMatchObject({
      isChanged: true,
      job: { startedSeenAtMs: 3_000, chunkCount: 2 },
      attempt: { chunkCount: 2 },
    });
    expect(reduce(chunks, { kind: 'chunks-saved', attempt: 1, chunkCount: 2 }, 4_000).isChanged).toBe(false);
    const again = reduceAll(
      queued(),
      [
        status({ status: 'IN_PROGRESS' }),
        status({ status: 'IN_QUEUE' }, 1, 4_000),
        { kind: 'chunks-saved', attempt: 1, chunkCount: 2 },
      ],
      5_000,
    );
    expect(again.job.startedSeenAtMs).toBeNull();
    const running = reduceAll(
      again,
      [status({ status: 'IN_PROGRESS' }, 1, 5_500), { kind: 'chunks-saved', attempt: 1, chunkCount: 3 }],
      6_000,
    );
    expect(running.job.startedSeenAtMs).toBe(6_000);
  });

  it('restarts the ttl from when the extension was requested (ruling 19)', () => {
    expect(reduce(queued(), { kind: 'ttl-extended', ttlMs: 60_000, requestedAtMs: 5_000 }, 5_100).job.ttlEndsAtMs).toBe(
      65_000,
    );
  });

  it('shows a cancel as requested until the service answers', () => {
    const asked = reduce(queued(), { kind: 'cancel-requested' }, 3_000);
    expect(asked.job.isCancelling).toBe(true);
    expect(reduce(asked, { kind: 'cancel-refused', said: 'too late' }, 3_100).job).toMatchObject({
      isCancelling: false,
      reason: { kind: 'cancel-refused', said: 'too late' },
      phase: 'active',
    });
    const answered = reduce(
      asked,
      { kind: 'cancel-answered', record: aRecord({ status: 'CANCELLED' }), requestedAtMs: 3_000 },
      3_100,
    );
    expect(answered.job).toMatchObject({ isCancelling: false, status: 'CANCELLED' });
    expect(reduce(answered, drained(), 3_200).job).toMatchObject({
      phase: 'finished',
      status: 'CANCELLED',
      isResultSaved: true,
    });
  });
});

describe('ending', () => {
  it('is live until its stream was read to the end, with the result already saved', () => {
    const reduced = reduce(
      queued(),
      status({ status: 'COMPLETED', outputJson: '{"a":1}', workerId: 'w1', extraJson: '{"retries":1}' }),
      4_000,
    );
    expect(isSettling(reduced.job)).toBe(true);
    expect(reduced.job).toMatchObject({
      phase: 'active',
      isResultSaved: false,
      finishedSeenAtMs: 4_000,
      retentionEndsAtMs: 4_000 + retentionMs.run,
      outputBytes: 7,
    });
    expect(reduced.bodies).toEqual([
      { part: 'output', attempt: 1, text: '{"a":1}' },
      { part: 'reply', attempt: 1, text: '{"id":"job-1","status":"COMPLETED","retries":1}' },
    ]);
    expect(reduced.attempt).toMatchObject({
      hasOutput: true,
      workerId: 'w1',
      status: 'COMPLETED',
      finishedSeenAtMs: 4_000,
    });
  });

  it('ignores late replies and logs them (ruling 12)', () => {
    const done = reduceAll(queued(), [status({ status: 'COMPLETED', outputJson: '1' }), drained()], 4_000);
    for (const late of ['IN_PROGRESS', 'IN_QUEUE', 'FAILED']) {
      const reduced = reduce(done, status({ status: late }), 5_000);
      expect(reduced.isChanged).toBe(false);
      expect(reduced.job.status).toBe('COMPLETED');
      expect(reduced.log).toContain(late);
    }
  });

  it('accepts an output from a repeated final reply, and never drops one', () => {
    const bare = reduce(queued(), status({ status: 'COMPLETED' }), 4_000);
    const full = reduce(bare, status({ status: 'COMPLETED', outputJson: '"late"' }), 4_100);
    expect(full.bodies).toEqual([{ part: 'output', attempt: 1, text: '"late"' }]);
    const again = reduce(full, status({ status: 'COMPLETED' }), 4_200);
    expect(again).toMatchObject({ isChanged: false, bodies: [] });
    expect(again.attempt.hasOutput).toBe(true);
  });

  it('keeps times that only a repeated final reply contains', () => {
    const bare = reduce(queued(), status({ status: 'COMPLETED', outputJson: '1' }), 4_000);
    const timed = reduce(
      bare,
      status({ status: 'COMPLETED', outputJson: '1', executionTimeMs: 9, workerId: 'w1' }),
      4_100,
    );
    expect(timed).toMatchObject({
      isChanged: true,
      job: { executionTimeMs: 9 },
      attempt: { executionTimeMs: 9, workerId: 'w1' },
    });
  });

  it('treats null as no output: it says so, and an output from a repeated reply is still accepted (ruling 30)', () => {
    const empty = reduce(queued(), status({ status: 'COMPLETED', outputJson: 'null' }), 4_000);
    expect(reduce(empty, drained(), 4_050).job).toMatchObject({
      isWithoutOutput: true,
      reason: { kind: 'no-output' },
    });
    expect(reduce(empty, status({ status: 'COMPLETED', outputJson: '"late"' }), 4_100).bodies).toEqual([
      { part: 'output', attempt: 1, text: '"late"' },
    ]);
  });

  it('says so when nothing was returned, unless it was streamed (ruling 30)', () => {
    const events = [status({ status: 'COMPLETED' }), drained()];
    expect(reduceAll(queued(), events, 4_000).job).toMatchObject({
      isWithoutOutput: true,
      reason: { kind: 'no-output' },
    });
    const streamed = reduce(queued(), { kind: 'chunks-saved', attempt: 1, chunkCount: 2 }, 3_000);
    expect(reduceAll(streamed, events, 4_000).job).toMatchObject({
      isWithoutOutput: false,
      isResultSaved: true,
      chunkCount: 2,
      reason: null,
    });
  });

  it('keeps unspecified fields even without other data, and once', () => {
    const bare = reduce(
      queued(),
      status({ status: 'COMPLETED', extraJson: '{"outputUrl":"https://example.test/big"}' }),
      4_000,
    );
    expect(bare.bodies).toEqual([
      { part: 'reply', attempt: 1, text: '{"id":"job-1","status":"COMPLETED","outputUrl":"https://example.test/big"}' },
    ]);
    expect(
      reduce(bare, status({ status: 'COMPLETED', extraJson: '{"outputUrl":"https://example.test/big"}' }), 4_100),
    ).toMatchObject({ isChanged: false, bodies: [] });
  });

  it('shows the error in one line, unwrapped if it is JSON in a string', () => {
    const error = JSON.stringify({
      error_type: 'ValueError',
      error_message: 'prompt is too long',
      error_traceback: '...',
    });
    const reduced = reduce(queued(), status({ status: 'FAILED', errorText: error }), 4_000);
    expect(reduced.job.reason).toEqual({ kind: 'failed', said: 'prompt is too long' });
    expect(reduced.bodies).toEqual([{ part: 'error', attempt: 1, text: error }]);
  });

  it('reads an execution timeout the same in either form (ruling 14)', () => {
    const spec = reduce(queued(), status({ status: 'TIMED_OUT' }), 4_000).job;
    const field = reduce(queued(), status({ status: 'FAILED', errorText: 'executionTimeout exceeded' }), 4_000).job;
    expect(spec.reason).toEqual({ kind: 'timed-out', limitMs: 600_000, said: null });
    expect(field.reason).toEqual(spec.reason);
    expect([spec, field].map(statusKind)).toEqual(['timeout', 'timeout']);
  });
});

const anyRecord = fc
  .record({
    status: fc.constantFrom(
      'IN_QUEUE',
      'IN_PROGRESS',
      'COMPLETED',
      'FAILED',
      'CANCELLED',
      'TIMED_OUT',
      'RUNNING',
      'ERROR',
    ),
    outputJson: fc.constantFrom(null, 'null', '"a"', '{"b":2}', '[1,2,3]'),
    errorText: fc.constantFrom(null, 'boom', 'executionTimeout exceeded', '{"error_message":"deep"}'),
    delayTimeMs: fc.constantFrom(null, 5),
    executionTimeMs: fc.constantFrom(null, 7),
    workerId: fc.constantFrom(null, 'w1'),
    extraJson: fc.constantFrom(null, '{"retries":1}'),
  })
  .map((changes) => aRecord(changes));
const anyAttempt = fc.integer({ min: 1, max: 3 });
/** At 4,000 all of them have left. */
const anyAskedAtMs = fc.integer({ min: 0, max: 4_000 });
const anyEvent: fc.Arbitrary<JobEvent> = fc.oneof(
  fc.constantFrom<JobEvent>(
    { kind: 'connection-removed' },
    { kind: 'connection-back' },
    { kind: 'retry-requested' },
    { kind: 'retry-dropped', reason: null },
    { kind: 'retry-dropped', reason: { kind: 'retry-too-late' } },
  ),
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      record: anyRecord,
      attempt: anyAttempt,
      requestedAtMs: anyAskedAtMs,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('accepted' as const), record: anyRecord }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drained' as const), attempt: anyAttempt }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('retry-accepted' as const), ofAttempt: anyAttempt, record: anyRecord }),
  },
  fc.record({
    kind: fc.constant('chunks-saved' as const),
    attempt: anyAttempt,
    chunkCount: fc.integer({ min: 0, max: 40 }),
  }),
  fc.record({
    kind: fc.constant('not-found' as const),
    attempt: anyAttempt,
    requestedAtMs: anyAskedAtMs,
    isJson: fc.boolean(),
    isEndpointKnown: fc.constantFrom(true, false, null),
    wasPurgedHere: fc.boolean(),
    isClockDoubted: fc.boolean(),
    setAheadMs: fc.constantFrom(0, 2_400_000),
  }),
  fc.record({
    kind: fc.constant('stream-given-up' as const),
    attempt: anyAttempt,
    because: fc.constant('not-waited-for' as const),
    said: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('beyond-limits' as const),
    attempt: anyAttempt,
    failure: fc.constant(aFailure({ kind: 'malformed', httpStatus: 200, rawReply: '{' })),
    isClockDoubted: fc.boolean(),
    setAheadMs: fc.constantFrom(0, 2_400_000),
  }),
  fc.record({ kind: fc.constant('cancel-answered' as const), record: anyRecord, requestedAtMs: anyAskedAtMs }),
  fc.record({ kind: fc.constant('ttl-extended' as const), ttlMs: fc.constant(60_000), requestedAtMs: anyAskedAtMs }),
  fc.constantFrom<JobEvent>(
    { kind: 'connection-back' },
    { kind: 'id-mentioned', jobId: 'job-1' },
    { kind: 'evidence', counters: { more: 1, unanswered: 1, readBeforeMs: null }, isLikelyThere: true },
    { kind: 'sending', baseUrl: 'https://q.example' },
    { kind: 'held-back', reason: { kind: 'earlier-first' } },
    { kind: 'withdrawn' },
    { kind: 'cancel-requested' },
    { kind: 'cancel-refused', said: 'no' },
    { kind: 'refused', failure: aFailure({ kind: 'invalid', httpStatus: 400 }) },
    { kind: 'outcome-unknown', why: { kind: 'no-answer', said: 'lost', mentionedId: null }, rawReply: null },
    { kind: 'outcome-unknown', why: { kind: 'called-back' }, rawReply: null },
    { kind: 'malformed', failure: aFailure({ kind: 'malformed', httpStatus: 200, rawReply: '{' }) },
  ),
);
/** Random events, some of them doubled at once or again later. */
const anyHistory = fc
  .array(fc.tuple(anyEvent, fc.boolean()), { maxLength: 40 })
  .map((events) => events.flatMap(([event, isDoubled]) => (isDoubled ? [event, event] : [event])));

describe('over any events, doubled and in any order', () => {
  it('never reverts an end, an output or an attempt', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        let state: JobState = submitting();
        const outputs = new Map<number, string>();
        let jobId: string | null = null;
        for (const [index, event] of events.entries()) {
          const next = reduce(state, event, 2_000 + index * 10);
          const isRetry = next.attempt.number !== state.attempt.number;
          expect(next.job.attempt).toBe(next.attempt.number);
          expect(next.job.attempt - state.job.attempt).toBe(isRetry ? 1 : 0);
          if (isRetry) expect(event.kind).toBe('retry-accepted');
          // Without an id of the service it ended only here, and a call from the service about it undoes that.
          const isEnd = state.job.jobId !== null || event.kind !== 'outcome-unknown';
          if (!isRetry && isEnd && state.job.phase === 'finished')
            expect(next.job).toMatchObject({
              phase: 'finished',
              status: state.job.status,
              isResultSaved: state.job.isResultSaved,
            });
          if (!isRetry && isEnd && state.job.status !== null && isTerminalStatus(state.job.status))
            expect(next.job.status).toBe(state.job.status);
          if (!isRetry) {
            if (state.attempt.hasOutput) expect(next.attempt.hasOutput).toBe(true);
            if (state.attempt.errorText !== null) expect(next.attempt.errorText).toBe(state.attempt.errorText);
            expect(next.job.chunkCount).toBeGreaterThanOrEqual(state.job.chunkCount);
          }
          for (const body of next.bodies) {
            if (body.part !== 'output') continue;
            expect(outputs.has(body.attempt)).toBe(false);
            if (isTerminalStatus(next.job.status ?? '')) outputs.set(body.attempt, body.text);
            else expect(isKnownStatus(next.job.status ?? '')).toBe(false);
          }
          expect(next.attempt.hasOutput).toBe(outputs.has(next.attempt.number));
          if (next.job.isResultSaved)
            expect(next.job.phase === 'finished' || next.job.pendingStream !== undefined).toBe(true);
          if (next.job.isWithoutOutput) expect(next.attempt.hasOutput || next.job.chunkCount > 0).toBe(false);
          if (jobId !== null) expect(next.job.jobId).toBe(jobId);
          jobId = next.job.jobId;
          state = next;
        }
      }),
      { numRuns: 600 },
    );
  });

  it('eventually saves the output that the service has, whatever came before', () => {
    const hasId = new Set<Job['phase']>(['active', 'finished', 'gone', 'orphaned']);
    fc.assert(
      fc.property(anyHistory, (events) => {
        const before = reduceAll(submitting(), events, 3_000);
        const { phase, status: former, jobId, attempt } = before.job;
        // Another end is final (ruling 12). Without an id nothing can be read.
        fc.pre(jobId !== null && hasId.has(phase) && (former === 'COMPLETED' || !isTerminalStatus(former ?? '')));
        const record = aRecord({ status: 'COMPLETED', outputJson: '"whole"' });
        const after = reduceAll(
          before,
          [{ kind: 'status', record, attempt, requestedAtMs: 4_000 }, drained(attempt)],
          5_000,
        );
        expect(after.attempt).toMatchObject({ status: 'COMPLETED', hasOutput: true });
        expect(after.job).toMatchObject({ phase: 'finished', isResultSaved: true, isWithoutOutput: false });
      }),
      { numRuns: 600 },
    );
  });

  it('is the same after an event and after the same event twice', () => {
    fc.assert(
      fc.property(anyHistory, anyEvent, (events, event) => {
        const before = reduceAll(submitting(), events, 3_000);
        const once = reduce(before, event, 4_000);
        const twice = reduce(once, event, 4_000);
        expect({ job: twice.job, attempt: twice.attempt }).toEqual({ job: once.job, attempt: once.attempt });
        if (event.kind === 'status') expect(twice.isChanged).toBe(false);
      }),
      { numRuns: 600 },
    );
  });

  it('ends with the true result however the replies were repeated and reordered', () => {
    const replies = [
      status({ status: 'IN_QUEUE' }),
      status({ status: 'IN_PROGRESS', outputJson: '"half"' }),
      status({ status: 'IN_PROGRESS' }),
      status({ status: 'COMPLETED', outputJson: '"whole"', executionTimeMs: 9 }),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...replies), { maxLength: 30 }), (shuffled) => {
        const reduced = reduceAll(queued(), [...shuffled, ...replies, drained()], 5_000);
        expect(reduced.job).toMatchObject({
          phase: 'finished',
          status: 'COMPLETED',
          isResultSaved: true,
          executionTimeMs: 9,
        });
        expect(reduced.bodies.filter(({ part }) => part === 'output')).toEqual([
          { part: 'output', attempt: 1, text: '"whole"' },
        ]);
      }),
    );
  });
});

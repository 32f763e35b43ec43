import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatClock } from '../../../../../src-preload/format.ts';
import { attemptFacts } from '../../../../../src-renderer/job/timeline/attempt-facts.ts';
import { laneWidths, minSegmentPx } from '../../../../../src-renderer/job/timeline/timeline-strip.tsx';
import { timelineOf, type Segment } from '../../../../../src-renderer/job/timeline/timeline.ts';
import { timelineStepsOf } from '../../../../../src-renderer/job/timeline/timeline-steps.ts';
import { acceptedAtMs, aJob, anAttempt } from '../a-job.ts';

/** The captions below the lane, and of an ended job the fact in the footer. */
const words = (job: ReturnType<typeof aJob>, nowMs: number): string[] => {
  const { marks, kept } = timelineOf(attemptFacts(job, null), nowMs, nowMs);
  return [
    ...marks.map((mark) => [mark.label, mark.value, mark.detail].filter((text) => text !== '').join(' | ')),
    ...(kept.label === '' ? [] : [`${kept.label} | ${kept.strong}`]),
  ];
};

describe('the timeline', () => {
  it('of a running job shows the elapsed part of the execution timeout', () => {
    const job = aJob();
    const nowMs = acceptedAtMs + 1_240 + 39_600;
    expect(words(job, nowMs)).toEqual([
      'Queued | 1.24 s',
      'Running | 39.6 s | of 10:00 execution timeout',
      'Done | expires on server after 30:00',
    ]);
    const timeline = timelineOf(attemptFacts(job, null), nowMs, nowMs);
    expect(timeline.segments.find((segment) => segment.id === 'running')?.fill).toBeCloseTo(0.066);
    expect(timeline.ttlLeft).toBe('23:59:19 left');
    expect(timeline.kept).toEqual({ label: '', strong: 'Input saved locally', rest: '' });
  });

  it('of a job whose service cannot be read stops counting; its ttl does not', () => {
    const facts = attemptFacts(aJob(), null);
    const seenUntilMs = acceptedAtMs + 1_240 + 39_600;
    const stopped = timelineOf(facts, seenUntilMs + 60_000, seenUntilMs);
    expect(stopped.marks.find(({ label }) => label === 'Running')?.value).toBe('39.6 s');
    expect(stopped.ttlLeft).toBe('23:58:19 left');
  });

  it('counts chunks that are saved here, and warns when the ttl is short', () => {
    const timeline = timelineOf(
      attemptFacts(aJob({ chunkCount: 356, ttlEndsAtMs: acceptedAtMs + 60_000 }), null),
      acceptedAtMs + 30_000,
      acceptedAtMs + 30_000,
    );
    expect(timeline.kept).toEqual({ label: '', strong: '356 chunks saved locally', rest: 'as they arrive' });
    expect(timeline).toMatchObject({ ttlLeft: '0:30 left', isTtlShort: true });
  });

  it('of a queued job counts the wait', () => {
    const job = aJob({
      status: 'IN_QUEUE',
      startedSeenAtMs: null,
      delayTimeMs: null,
      operation: 'runsync',
      policy: { executionTimeout: 45_000 },
    });
    expect(words(job, acceptedAtMs + 252_000)).toEqual([
      'Queued | 4:12',
      'Running | at most 45 s',
      'Done | expires on server after 1:00',
    ]);
  });

  it('of a job that was not sent yet has the lines of an active one, without times', () => {
    const job = aJob({ phase: 'submitting', jobId: null, status: null, ttlEndsAtMs: null });
    expect(words(job, acceptedAtMs)).toEqual([
      'Queued | –',
      'Running | at most 10:00',
      'Done | expires on server after 30:00',
    ]);
    expect(timelineOf(attemptFacts(job, null), acceptedAtMs, acceptedAtMs)).toMatchObject({
      ttlLeft: null,
      kept: { strong: 'Input saved locally', rest: '' },
    });
  });

  it('of a completed job separates time on the server from the local copy', () => {
    const job = aJob({
      phase: 'finished',
      status: 'COMPLETED',
      delayTimeMs: 280,
      executionTimeMs: 6_420,
      finishedSeenAtMs: acceptedAtMs + 7_000,
      retentionEndsAtMs: acceptedAtMs + 1_807_000,
      isResultSaved: true,
      outputBytes: 5_800_000,
    });
    expect(words(job, acceptedAtMs + 507_000)).toEqual([
      'Queued | 0.28 s',
      'Done in | 6.42 s',
      'Result expires on server in | 21:40 | of 30:00',
      'Saved locally | 5.8 MB',
    ]);
    const past = words(job, acceptedAtMs + 1_900_000);
    expect(past[2]).toMatch(/^Result expired on server \| \d\d:\d\d:\d\d$/);
    expect(past[3]).toBe('Saved locally | 5.8 MB');
  });

  it('of an ended job says when it ended in the footer, where a live one has its ttl, unless a caption says so', () => {
    const ended = {
      phase: 'finished',
      finishedSeenAtMs: acceptedAtMs + 7_000,
      executionTimeMs: 6_420,
      ttlEndsAtMs: null,
    } as const;
    const endedAt = (job: ReturnType<typeof aJob>): string | null =>
      timelineOf(attemptFacts(job, null), acceptedAtMs + 8_000, acceptedAtMs + 8_000).endedAt;
    expect(endedAt(aJob())).toBeNull();
    expect(endedAt(aJob({ ...ended, status: 'COMPLETED' }))).toBe(formatClock(acceptedAtMs + 7_000));
    const neverRan = { status: 'CANCELLED', executionTimeMs: null, startedSeenAtMs: null } as const;
    expect(endedAt(aJob({ ...ended, ...neverRan }))).toBeNull();
  });

  it('of a failed job says how long it can be retried', () => {
    const job = aJob({
      phase: 'finished',
      status: 'FAILED',
      delayTimeMs: 660,
      executionTimeMs: 12_800,
      retentionEndsAtMs: acceptedAtMs + 1_100_000,
      isResultSaved: true,
    });
    expect(words(job, acceptedAtMs + 8_000)).toEqual([
      'Queued | 0.66 s',
      'Failed after | 12.8 s',
      'Can be retried until the result expires on the server | 18:12 left | then resubmit the saved input as a new job',
      'Saved locally | input and error',
    ]);
  });

  it('of a job submitted elsewhere claims no saved input', () => {
    const live = timelineOf(
      attemptFacts(aJob({ inputBytes: 0, ttlEndsAtMs: null }), null),
      acceptedAtMs + 5_000,
      acceptedAtMs + 5_000,
    );
    expect(live.kept.strong).toBe('Nothing saved yet');
    expect(live.ttlLeft).toBe('not known');
    const job = aJob({
      phase: 'finished',
      status: 'FAILED',
      inputBytes: 0,
      delayTimeMs: 660,
      executionTimeMs: 12_800,
      retentionEndsAtMs: acceptedAtMs + 1_100_000,
      isResultSaved: true,
    });
    expect(words(job, acceptedAtMs + 8_000).slice(2)).toEqual([
      'Can be retried until the result expires on the server | 18:12 left',
      'Saved locally | error',
    ]);
  });

  it('of a job cancelled in the queue claims no run', () => {
    const job = aJob({
      phase: 'finished',
      status: 'CANCELLED',
      startedSeenAtMs: null,
      delayTimeMs: null,
      executionTimeMs: null,
      finishedSeenAtMs: acceptedAtMs + 91_000,
      isResultSaved: true,
    });
    expect(words(job, acceptedAtMs + 100_000)[0]).toMatch(/^Cancelled before it ran/);
  });

  it('shows an execution timeout as a timeout even if the service says FAILED', () => {
    const job = aJob({
      phase: 'finished',
      status: 'FAILED',
      reason: { kind: 'timed-out', limitMs: 600_000, said: null },
      executionTimeMs: 600_000,
      isResultSaved: true,
    });
    expect(words(job, acceptedAtMs)[1]).toBe('Timed out after | 10:00');
  });

  it('of a former attempt shows what was saved of that attempt', () => {
    const facts = attemptFacts(aJob({ attempt: 2 }), anAttempt());
    const { marks, kept } = timelineOf(facts, acceptedAtMs, acceptedAtMs);
    expect(marks.map((mark) => `${mark.label} ${mark.value}`)).toEqual(['Queued 0.66 s', 'Failed after 12.8 s']);
    expect(kept).toMatchObject({ label: 'Saved locally', strong: 'input and error' });
  });
});

describe('lane widths', () => {
  const segment = fc
    .oneof(
      fc.record({
        kind: fc.constant('duration' as const),
        ms: fc.integer({ min: 0, max: 700_000_000 }),
        scale: fc.constantFrom('wait' as const, 'run' as const),
      }),
      fc.record({ kind: fc.constant('fixed' as const), px: fc.integer({ min: 1, max: 300 }) }),
    )
    .map((wants): Segment => ({ id: 's', texture: 'run', wants, fill: 1, fillKind: null }));
  const rest: Segment = { id: 'rest', texture: 'track', wants: { kind: 'rest' }, fill: 0, fillKind: null };

  it('fill the lane exactly and never fall below 22 px', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 300, max: 2_000 }),
        (segments, lanePx) => {
          const widths = laneWidths([...segments, rest], lanePx);
          expect(widths.reduce((sum, width) => sum + width, 0) + 2 * segments.length).toBeCloseTo(lanePx, 6);
          expect(Math.min(...widths)).toBeGreaterThanOrEqual(minSegmentPx - 1e-9);
        },
      ),
    );
  });

  it('share a lane too narrow for 22 px each', () => {
    const widths = laneWidths([rest, rest, rest], 40);
    expect(widths.every((width) => width === 12)).toBe(true);
  });

  it('give a longer wait more room, but never more than a quarter', () => {
    const wait = (ms: number): number =>
      laneWidths([{ ...rest, wants: { kind: 'duration', ms, scale: 'wait' } }, rest], 500)[0] ?? 0;
    expect(wait(1_240)).toBeGreaterThan(wait(280));
    expect(wait(600_000_000)).toBeLessThanOrEqual(125);
  });
});

describe('the story in a job’s own window', () => {
  it('shows the steps with their times, and how long the result stays', () => {
    const job = aJob({
      phase: 'finished',
      status: 'COMPLETED',
      delayTimeMs: 510,
      executionTimeMs: 21_400,
      finishedSeenAtMs: acceptedAtMs + 22_000,
      retentionEndsAtMs: acceptedAtMs + 1_822_000,
      isResultSaved: true,
      outputBytes: 96_000,
    });
    const steps = timelineStepsOf(attemptFacts(job, null), acceptedAtMs + 1_668_000, acceptedAtMs + 1_668_000);
    expect(steps.map((step) => [step.title, step.strong + step.detail])).toEqual([
      ['Queued', '0.51 s'],
      ['Ran', '21.4 s'],
      ['Completed', 'Saved here, 96 KB'],
      ['Expires on server', 'in 2:34; already saved here'],
    ]);
    expect(steps.at(-1)).toMatchObject({ isShort: true });
    expect(
      timelineStepsOf(attemptFacts(job, null), acceptedAtMs + 2_000_000, acceptedAtMs + 2_000_000).at(-1),
    ).toMatchObject({
      title: 'Expired on server',
      left: null,
    });
  });

  it('shows a start that came to nothing, in the strip and in the story (ruling 40)', () => {
    const job = aJob({
      status: 'IN_QUEUE',
      startedSeenAtMs: null,
      delayTimeMs: null,
      formerStartsAtMs: [acceptedAtMs + 3_000],
    });
    expect(
      timelineStepsOf(attemptFacts(job, null), acceptedAtMs + 40_000, acceptedAtMs + 40_000).map((step) => [
        step.title,
        step.atMs,
        step.detail,
      ])[1],
    ).toEqual(['Was running', acceptedAtMs + 3_000, 'returned to the queue']);
    expect(timelineOf(attemptFacts(job, null), acceptedAtMs + 40_000, acceptedAtMs + 40_000).former).toMatch(
      /^Was running at \d\d:\d\d:\d\d, returned to the queue$/,
    );
    expect(
      timelineOf(attemptFacts({ ...job, formerStartsAtMs: [1, 2, 3] }, null), acceptedAtMs, acceptedAtMs).former,
    ).toMatch(/^Was running 3 times before/);
    expect(timelineOf(attemptFacts(aJob(), null), acceptedAtMs, acceptedAtMs).former).toBeNull();
  });

  it('of a job that returned to the queue waits, whatever was seen of it before (ruling 40)', () => {
    const job = aJob({ status: 'IN_QUEUE', delayTimeMs: null });
    expect(words(job, acceptedAtMs + 252_000)[0]).toBe('Queued | 4:12');
  });

  it('does not say that all is saved while a stream is pending (ruling 36)', () => {
    const job = aJob({
      status: 'COMPLETED',
      isResultSaved: true,
      finishedSeenAtMs: acceptedAtMs + 22_000,
      retentionEndsAtMs: acceptedAtMs + 1_822_000,
      pendingStream: { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' },
    });
    expect(timelineOf(attemptFacts(job, null), acceptedAtMs + 40_000, acceptedAtMs + 40_000).kept.label).toBe(
      'Saved so far',
    );
    expect(
      timelineStepsOf(attemptFacts(job, null), acceptedAtMs + 40_000, acceptedAtMs + 40_000)
        .map((step) => step.strong + step.detail)
        .join(' '),
    ).not.toContain('nothing to do');
  });

  it('does not say that a reply too large to read is still to be saved (ruling 43)', () => {
    const facts = attemptFacts(
      aJob({ phase: 'finished', status: 'COMPLETED', unreadReply: 'r', finishedSeenAtMs: acceptedAtMs + 22_000 }),
      null,
    );
    expect(timelineOf(facts, acceptedAtMs + 40_000, acceptedAtMs + 40_000).kept.label).toBe('Saved in part');
    expect(timelineStepsOf(facts, acceptedAtMs + 40_000, acceptedAtMs + 40_000).map((step) => step.detail)).toContain(
      'The reply is too large to read',
    );
  });

  it('of an active job ends with its ttl', () => {
    expect(
      timelineStepsOf(attemptFacts(aJob(), null), acceptedAtMs + 40_000, acceptedAtMs + 40_000).map(
        (step) => step.title,
      ),
    ).toEqual(['Queued', 'Running', 'ttl ends']);
  });
});

import { afterEach, expect, test, vi } from 'vitest';
import type { TrackerState } from '../../../../src-preload/app.ts';
import type { ClockSetting } from '../../../../src-preload/forward-time.ts';
import { formatMinute } from '../../../../src-preload/format.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { allowedHere } from '../../../../src-renderer/data/allowed-here.ts';
import { lossAtMs } from '../../../../src-renderer/data/closures.ts';
import { engineNow, learnEngineTime, setAheadMs } from '../../../../src-renderer/data/engine-time.ts';
import { retentionEndOf, ttlEndOf, withDeadlines } from '../../../../src-renderer/data/service-deadlines.ts';
import { outcomeOf } from '../../../../src-renderer/job/outcome.ts';
import { attemptFacts } from '../../../../src-renderer/job/timeline/attempt-facts.ts';
import { timelineOf } from '../../../../src-renderer/job/timeline/timeline.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aJob } from '../job/a-job.ts';

afterEach(() => {
  learnEngineTime(0, []);
  vi.unstubAllGlobals();
});

const minuteMs = 60_000;
const here = { connections: [{ id: 'c1', isSandbox: false }], isSandboxStopped: false };

/** A job that failed ten minutes before the clock was set ahead by forty, which the engine says now. */
function failedBefore(nowMs: number, set: readonly ClockSetting[]) {
  learnEngineTime(nowMs, set);
  const finishedSeenAtMs = nowMs - 50 * minuteMs;
  return aJob({
    phase: 'finished',
    status: 'FAILED',
    finishedSeenAtMs,
    executionTimeMs: 1_000,
    retentionEndsAtMs: finishedSeenAtMs + 30 * minuteMs,
  });
}

test('after the clock was set ahead a retry is offered as long as main accepts it, and the time left is the real one', () => {
  const nowMs = Date.now();
  const job = failedBefore(nowMs, [{ atMs: nowMs - 1_000, byMs: 40 * minuteMs }]);
  expect(allowedHere(job, nowMs, here).retry.isAllowed).toBe(true);
  expect((retentionEndOf(job) ?? 0) - nowMs).toBe(20 * minuteMs);
  const strip = timelineOf(attemptFacts(withDeadlines(job), null), nowMs, nowMs);
  expect(JSON.stringify(strip)).toContain('20:00');
  // Ten minutes of real time later the retry is too late for main as well.
  const later = nowMs + 21 * minuteMs;
  expect(allowedHere(job, later, here).retry.isAllowed).toBe(false);
});

test('a job that ended after the clock was set, and one on a clock that was not, keep their ends', () => {
  const nowMs = Date.now();
  const before = failedBefore(nowMs, [{ atMs: nowMs - 51 * minuteMs, byMs: 40 * minuteMs }]);
  expect(allowedHere(before, nowMs, here).retry.isAllowed).toBe(false);
  expect(withDeadlines(before).retentionEndsAtMs).toBe(before.retentionEndsAtMs);
  learnEngineTime(nowMs, []);
  expect(withDeadlines(before)).toBe(before);
});

test('the lifespan of a job is counted from its retry, and without what the clock was set ahead since', () => {
  const nowMs = Date.now();
  learnEngineTime(nowMs, [{ atMs: nowMs - 1_000, byMs: 40 * minuteMs }]);
  const ends = { ttlEndsAtMs: nowMs, createdAtMs: nowMs - 90 * minuteMs, acceptedAtMs: nowMs - 90 * minuteMs };
  expect(ttlEndOf(ends)).toBe(nowMs + 40 * minuteMs);
  expect(ttlEndOf({ ...ends, retriedAtMs: nowMs })).toBe(nowMs);
  expect(ttlEndOf({ ...ends, ttlEndsAtMs: null })).toBeNull();
});

test('a result is not called lost before its time by what the clock was set ahead since its job was last seen', () => {
  const nowMs = Date.now();
  learnEngineTime(nowMs, [{ atMs: nowMs - minuteMs, byMs: 40 * minuteMs }]);
  const seenAtMs = nowMs - 50 * minuteMs;
  const job = aJob({ statusReadAtMs: seenAtMs, acceptedAtMs: seenAtMs, ttlEndsAtMs: null });
  expect(lossAtMs(job, new Set(['status']))).toBe(nowMs + 20 * minuteMs);
  expect(lossAtMs({ ...job, ttlEndsAtMs: seenAtMs + 15 * minuteMs }, new Set(['status']))).toBe(nowMs + 5 * minuteMs);
  const pendingStream = { sinceMs: seenAtMs, failures: 1, nextTryMs: 0, untilMs: seenAtMs + 30 * minuteMs, reason: '' };
  const isOver = { status: 'COMPLETED', finishedSeenAtMs: seenAtMs, pendingStream } as const;
  expect(lossAtMs({ ...job, ...isOver }, new Set(['stream']))).toBe(nowMs + 20 * minuteMs);
});

test('only time that passed uses up the ttl of a job that is gone', () => {
  const nowMs = Date.now();
  const set = [{ atMs: nowMs - 5 * minuteMs, byMs: 40 * minuteMs }];
  learnEngineTime(nowMs, set);
  const begunAtMs = nowMs - 50 * minuteMs;
  const gone = (ttlMinutes: number) =>
    outcomeOf(
      aJob({
        phase: 'gone',
        goneReason: 'expired',
        status: 'IN_PROGRESS',
        createdAtMs: begunAtMs,
        acceptedAtMs: begunAtMs,
        startedSeenAtMs: begunAtMs + 2 * minuteMs,
        delayTimeMs: null,
        policy: {},
        ttlEndsAtMs: begunAtMs + ttlMinutes * minuteMs,
        finishedSeenAtMs: nowMs,
      }),
    );
  expect(gone(20)).toMatchObject({ title: 'The service no longer knows this job', spent: null });
  const spent = { queuedMs: 2 * minuteMs, ranMs: 6 * minuteMs, ttlMs: 8 * minuteMs };
  const title = `Deleted when its ttl ran out at ${formatMinute(nowMs - 2 * minuteMs)}`;
  expect(gone(8)).toMatchObject({ title, spent });
  // The clock is set again after the job was seen to be gone: that changes nothing of what happened.
  learnEngineTime(nowMs, [...set, { atMs: nowMs + minuteMs, byMs: 600 * minuteMs }]);
  expect(gone(8)).toMatchObject({ title, spent });
});

test('a window whose clock moves ahead at once reads from main whether it was set', async () => {
  // Modules of its own: the clock of a window never runs backwards, not even after a test.
  vi.resetModules();
  const fresh = await import('../../../../src-renderer/data/session-store.ts');
  const clock = await import('../../../../src-renderer/data/engine-time.ts');
  expect(clock.engineNow).not.toBe(engineNow);
  const nowMs = Date.now();
  const set = [{ atMs: nowMs + 40 * minuteMs, byMs: 40 * minuteMs }];
  const state: TrackerState = {
    nowMs: nowMs + 40 * minuteMs,
    clockSettings: set,
    isPaused: false,
    tracked: 0,
    waitingToSend: 0,
    outcomeUnknown: 0,
    orphans: 0,
    nextStatusReadAtMs: null,
    connections: [],
    closures: [],
    budgets: [],
  };
  const { calls } = answerCalls({ 'tracker:state': () => Promise.resolve(ok(state)) });
  fresh.listenToEngine();
  clock.engineNow();
  expect(calls).toEqual([]);
  const wall = vi.spyOn(Date, 'now').mockReturnValue(nowMs + 40 * minuteMs);
  clock.engineNow();
  wall.mockRestore();
  await expect.poll(() => clock.setAheadMs(nowMs)).toBe(40 * minuteMs);
  expect(calls).toEqual(['tracker:state']);
  expect(setAheadMs(nowMs)).toBe(0);
});

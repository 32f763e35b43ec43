import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CountedEnds } from '../../../../src-main/job/schedule/counted-ends.ts';
import {
  allRead,
  endSeen,
  healthRequested,
  healthFailed,
  healthRead,
  isReliable,
  nothingCounted,
  unexplainedEnds,
} from '../../../../src-main/job/schedule/counted-ends.ts';

const counters = (completed: number, failed = 0) => ({
  jobs: { completed, failed, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 0, running: 0 },
  extra: {},
});
/** Read at 1,000 with five finished, and all jobs read since. */
const calm = allRead(healthRead(healthRequested(nothingCounted), counters(5), 1_000), 1_000);

const unexplained = (countedEnds: CountedEnds): number =>
  unexplainedEnds(countedEnds, countedEnds.readAtMs ?? 0)?.count ?? 0;

describe('the ends that health counters show', () => {
  it('allows one read of every job after the first health read', () => {
    const first = healthRead(healthRequested(nothingCounted), counters(5), 1_000);
    expect(unexplainedEnds(first, 1_000)).toMatchObject({ count: Infinity, beforeMs: 1_000, sinceMs: 1_000 });
    expect(unexplainedEnds(allRead(first, 1_000), 1_000)).toBeNull();
  });

  it('stays shut while nothing ends, and opens for as many as ended', () => {
    expect(unexplainedEnds(healthRead(healthRequested(calm), counters(5), 2_000), 2_000)).toBeNull();
    const moved = healthRead(healthRequested(calm), counters(6, 1), 2_000);
    expect(unexplainedEnds(moved, 2_000)).toEqual({ count: 2, beforeMs: 2_000, sinceMs: 2_000, maxStarts: 2 });
    const explained = endSeen(endSeen(moved, 'COMPLETED', 1_500, false), 'FAILED', 1_600, false);
    expect(unexplainedEnds(explained, 2_000)).toBeNull();
  });

  it('does not count an end twice that was seen before the counters showed it', () => {
    const seen = endSeen(calm, 'COMPLETED', 1_200, false);
    expect(unexplained(healthRead(healthRequested(seen), counters(6), 2_000))).toBe(0);
    expect(unexplained(healthRead(healthRequested(seen), counters(7), 2_000))).toBe(1);
  });

  it('does not subtract an end from counters that may not include it: it was seen while they were read', () => {
    const asked = healthRequested(calm);
    const read = healthRead(endSeen(asked, 'COMPLETED', 1_200, false), counters(6), 2_000);
    expect(unexplained(read)).toBe(1);
    expect(unexplained(healthRead(healthRequested(read), counters(7), 3_000))).toBe(1);
  });

  it('subtracts an end that the last counters did not show, whenever its job was read before', () => {
    const quiet = healthRead(healthRequested(calm), counters(5), 2_000);
    const seen = endSeen(quiet, 'COMPLETED', 1_500, false);
    expect(unexplained(healthRead(healthRequested(seen), counters(6), 3_000))).toBe(0);
  });

  it('counts the right number of ends, in whatever order jobs and counters are read', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('end' as const), job: fc.nat(7) }),
      fc.record({ kind: fc.constant('status' as const), job: fc.nat(7) }),
      fc.record({ kind: fc.constant('health' as const), job: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let countedEnds = calm;
        const ended = new Set<number>();
        const seen = new Set<number>();
        const unfinishedAtMs = Array.from({ length: 8 }, () => 1_000);
        for (const [at, { kind, job }] of steps.entries()) {
          const nowMs = 1_001 + at;
          if (kind === 'end') ended.add(job);
          else if (kind === 'health')
            countedEnds = healthRead(healthRequested(countedEnds), counters(5 + ended.size), nowMs);
          else if (!ended.has(job)) unfinishedAtMs[job] = nowMs;
          else if (!seen.has(job)) {
            seen.add(job);
            countedEnds = endSeen(countedEnds, 'COMPLETED', unfinishedAtMs[job] ?? 0, false);
          }
        }
        countedEnds = healthRead(healthRequested(countedEnds), counters(5 + ended.size), 2_000);
        expect(unexplained(countedEnds)).toBe(ended.size - seen.size);
      }),
    );
  });

  it('saves an end seen after the counters were requested, to subtract it from the next ones', () => {
    // One is in the counters being read, the other may not be.
    const asked = healthRequested(endSeen(calm, 'COMPLETED', 1_200, false));
    const read = healthRead(endSeen(asked, 'FAILED', 1_300, false), counters(6), 2_000);
    expect(unexplained(read)).toBe(0);
    expect(unexplained(healthRead(healthRequested(read), counters(7), 3_000))).toBe(0);
    expect(unexplained(healthRead(healthRequested(read), counters(8), 3_000))).toBe(1);
  });

  it('subtracts an end only once, even if the read that included it failed', () => {
    const failed = healthFailed(healthRequested(endSeen(calm, 'COMPLETED', 1_200, false)), 2_000);
    expect(failed).toMatchObject({ readAtMs: 2_000, seenEnds: 1, seenEndsAtRequest: 0 });
    const read = healthRead(healthRequested(failed), counters(7), 3_000);
    expect(unexplained(read)).toBe(1);
    expect(unexplained(healthRead(healthRequested(allRead(read, 3_000)), counters(8), 4_000))).toBe(1);
  });

  it('never subtracts more than the counters showed', () => {
    const twice = healthRequested(endSeen(endSeen(calm, 'COMPLETED', 1_200, false), 'COMPLETED', 1_200, false));
    const read = healthRead(twice, counters(5), 2_000);
    expect([unexplained(read), read.rises]).toEqual([0, []]);
  });

  it('explains the oldest rise first, and changes nothing before the first read', () => {
    const later = healthRead(
      healthRequested(healthRead(healthRequested(calm), counters(7), 2_000)),
      counters(8),
      3_000,
    );
    expect(later.rises).toEqual([
      { atMs: 2_000, ends: 2 },
      { atMs: 3_000, ends: 1 },
    ]);
    const one = endSeen(later, 'COMPLETED', 1_500, false);
    expect(one.rises).toEqual([
      { atMs: 2_000, ends: 1 },
      { atMs: 3_000, ends: 1 },
    ]);
    expect(endSeen(one, 'COMPLETED', 1_500, false).rises).toEqual([{ atMs: 3_000, ends: 1 }]);
    expect(unexplainedEnds(later, 3_000)).toMatchObject({ count: 3, beforeMs: 3_000, sinceMs: 2_000 });
    const more = healthRead(healthRequested(later), counters(20), 4_000);
    expect(unexplainedEnds(more, 4_000)).toMatchObject({ beforeMs: 4_000, sinceMs: 2_000 });
    // Before the first read, an end explains nothing.
    expect(endSeen(nothingCounted, 'COMPLETED', 1_500, false)).toEqual(nothingCounted);
  });

  it('keeps an end for the next counters if the job was still unfinished when these were read', () => {
    const risen = healthRead(healthRequested(calm), counters(7), 2_000);
    expect([1_999, 2_000].map((unfinishedAtMs) => endSeen(risen, 'COMPLETED', unfinishedAtMs, false).seenEnds)).toEqual(
      [0, 1],
    );
  });

  it('drops the rises before a full round of reads, and no later ones', () => {
    const moved = healthRead(
      healthRequested(healthRead(healthRequested(calm), counters(6), 2_000)),
      counters(7),
      3_000,
    );
    const left = [1_999, 2_000, 2_999, 3_000].map((sinceMs) => allRead(moved, sinceMs).rises.length);
    expect(left).toEqual([2, 1, 1, 0]);
  });

  it('does not wait for webhooks after only four of them', () => {
    let hinted = calm;
    for (let end = 0; end < 4; end += 1) hinted = endSeen(hinted, 'COMPLETED', 1_200, true);
    expect(hinted.hintedEnds).toBe(4);
    expect(unexplainedEnds(healthRead(healthRequested(hinted), counters(10), 2_000), 2_000)).toMatchObject({
      count: 1,
    });
    expect(endSeen(hinted, 'COMPLETED', 1_200, false).hintedEnds).toBe(0);
  });

  it('shows how many jobs can have started unseen: those that ended, and those in progress at the reading', () => {
    const busy = (completed: number, inProgress: number) => ({
      ...counters(completed),
      jobs: { ...counters(completed).jobs, inProgress },
    });
    const moved = healthRead(healthRequested(calm), busy(9, 3), 2_000);
    expect(unexplainedEnds(endSeen(moved, 'COMPLETED', 1_500, false), 2_000)).toMatchObject({
      count: 3,
      maxStarts: 6,
    });
    const later = healthRead(healthRequested(moved), busy(10, 2), 3_000);
    expect(unexplainedEnds(later, 3_000)).toMatchObject({ count: 5, maxStarts: 7 });
  });

  it('does not let cancelled and timed-out jobs explain anything: they may not be counted', () => {
    const moved = healthRead(healthRequested(calm), counters(6), 2_000);
    expect(endSeen(endSeen(moved, 'CANCELLED', 1_500, false), 'TIMED_OUT', 1_500, false)).toBe(moved);
  });

  it('opens for everything when the counters fell', () => {
    expect(unexplained(healthRead(healthRequested(calm), counters(0), 2_000))).toBe(Infinity);
  });

  it('is not trusted after two failures, and trusted again after one answer', () => {
    const once = healthFailed(calm, 2_000);
    const twice = healthFailed(once, 3_000);
    expect([once, twice].map(isReliable)).toEqual([true, false]);
    expect(isReliable(healthRead(twice, counters(5), 4_000))).toBe(true);
  });

  it('is not trusted while the service asks for a pause (ruling 10), which one answer ends', () => {
    const paused = healthFailed(calm, 2_000, 60_000);
    expect([isReliable(paused), paused.notBeforeMs]).toEqual([false, 62_000]);
    expect(healthFailed(paused, 3_000).notBeforeMs).toBe(62_000);
    const read = healthRead(paused, counters(5), 4_000);
    expect([isReliable(read), read.notBeforeMs]).toEqual([true, 0]);
  });

  it('waits some seconds for the webhook if the last ends all came with one, and no longer after one that did not', () => {
    let hinted = calm;
    for (let end = 0; end < 5; end += 1) hinted = endSeen(hinted, 'COMPLETED', 1_200, true);
    const moved = healthRead(healthRequested(hinted), counters(12), 2_000);
    expect(unexplainedEnds(moved, 4_999)).toBeNull();
    expect(unexplainedEnds(moved, 5_000)).toMatchObject({ count: 2, beforeMs: 2_000, sinceMs: 2_000 });
    const later = healthRead(healthRequested(moved), counters(13), 4_000);
    expect(unexplainedEnds(later, 5_000)).toMatchObject({ count: 2, beforeMs: 2_000, sinceMs: 2_000 });
    expect(unexplainedEnds(allRead(later, 2_500), 7_000)).toMatchObject({ count: 1, beforeMs: 4_000, sinceMs: 4_000 });
    expect(unexplainedEnds(endSeen(moved, 'COMPLETED', 1_500, true), 5_000)).toMatchObject({
      count: 1,
      beforeMs: 2_000,
      sinceMs: 2_000,
    });
    expect(unexplainedEnds(endSeen(moved, 'COMPLETED', 1_500, false), 2_000)).toMatchObject({
      count: 1,
      beforeMs: 2_000,
      sinceMs: 2_000,
    });
  });
});

import { QueryObserver, environmentManager } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Bridge } from '../../../../src-preload/contract.ts';
import type { EventName, Events } from '../../../../src-preload/events.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { emptyFilter, noJobs, type JobFilter } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { callQuery, queries } from '../../../../src-renderer/data/calls.ts';
import { createCountChanges } from '../../../../src-renderer/data/count-changes.ts';
import { countOnScreen } from '../../../../src-renderer/data/job-counts.ts';
import { matchesFilter } from '../../../../src-renderer/data/job-matches-filter.ts';
import { listenForStale } from '../../../../src-renderer/data/stale-on.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, queued, running } from '../jobs/job-of.ts';

const nowMs = new Date(2026, 10, 28, 12).getTime();
const dayMs = 24 * 3_600_000;
const active: JobFilter = { ...emptyFilter, view: 'active' };
const words: JobFilter = { ...emptyFilter, text: 'castle' };
const readAgain = (job: Job): Job => ({ ...job, statusReadAtMs: 9, requestCount: job.requestCount + 1 });

describe('a change', () => {
  test('alters a count if a job now matches that did not, or no longer does', () => {
    const changes = createCountChanges();
    changes.take([jobOf(1, running), jobOf(2)], [], nowMs);
    expect(changes.take([jobOf(1, running)], [], nowMs)(active)).toBe(false);
    expect(changes.take([jobOf(2, { tags: ['a'] })], [], nowMs)(active)).toBe(false);
    expect(changes.take([jobOf(2, { tags: ['a', 'b'] })], [], nowMs)({ ...emptyFilter, tags: ['b'] })).toBe(true);
    expect(changes.take([jobOf(1)], [], nowMs)(active)).toBe(true);
    expect(changes.take([], ['1'.padStart(9, '0'), jobOf(2).key], nowMs)(active)).toBe(true);
  });

  test('may alter all if nothing is known of the job, or the day differs', () => {
    const changes = createCountChanges();
    expect(changes.take([jobOf(1)], [], nowMs)(active)).toBe(true);
    expect(changes.take([jobOf(1)], [], nowMs)(active)).toBe(false);
    expect(changes.take([jobOf(1)], [], nowMs + dayMs)(active)).toBe(true);
  });

  test('of a job that only the engine can match alters it, unless the job was only read again', () => {
    const changes = createCountChanges();
    const job = jobOf(1, running);
    changes.take([job], [], nowMs);
    expect(changes.take([readAgain(job)], [], nowMs)(words)).toBe(false);
    // Its note, which the event does not carry.
    expect(changes.take([readAgain(job)], [], nowMs)(words)).toBe(true);
    expect(changes.take([{ ...readAgain(job), chunkCount: 3 }], [], nowMs)(words)).toBe(true);
    expect(changes.take([], [job.key], nowMs)(words)).toBe(true);
  });

  test('never leaves a number wrong', () => {
    const job = fc.record({
      key: fc.integer({ min: 1, max: 4 }),
      state: fc.constantFrom({}, queued, running),
      tags: fc.subarray(['a', 'b']),
      isStarred: fc.boolean(),
    });
    const filter = fc.record({
      view: fc.constantFrom<JobFilter['view']>('all', 'active', 'starred', 'finished-today'),
      tags: fc.subarray(['a', 'b']),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(job, fc.boolean()), { maxLength: 20 }), filter, (steps, asked) => {
        const wanted = { ...emptyFilter, ...asked };
        const changes = createCountChanges();
        const jobs = new Map<string, Job>();
        const count = (): number => [...jobs.values()].filter((each) => matchesFilter(each, wanted, 0) === true).length;
        let shown = 0;
        for (const [{ key, state, tags, isStarred }, isDeleted] of steps) {
          const changed = jobOf(key, { ...state, tags, isStarred, finishedSeenAtMs: nowMs });
          if (isDeleted) jobs.delete(changed.key);
          else jobs.set(changed.key, changed);
          const canAlter = changes.take(isDeleted ? [] : [changed], isDeleted ? [changed.key] : [], nowMs);
          if (canAlter(wanted)) shown = count();
          if (shown !== count()) return false;
        }
        return true;
      }),
    );
  });
});

describe('a shown saved view', () => {
  beforeAll(() => environmentManager.setIsServer(() => false));
  afterEach(() => {
    queries.clear();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('is not counted again while jobs are only read, and is when one ends', async () => {
    vi.useFakeTimers({ now: nowMs });
    const listeners: { [N in EventName]?: (payload: Events[N]) => void } = {};
    const { calls } = answerCalls({
      'job:count': async () => await Promise.resolve(ok({ total: 1, isTotalCut: false })),
    });
    const on: Bridge['on'] = (name, listener) => {
      Object.assign(listeners, { [name]: listener });
      return () => {};
    };
    vi.stubGlobal('window', { bridge: { ...window.bridge, on } });
    listenForStale();
    const counts = { revision: 1, all: noJobs, byConnection: {}, savedBytes: 0 };
    const tell = async (job: Job): Promise<void> => {
      listeners['job:changed']?.({ jobs: [job], removedKeys: [], batches: [], counts });
      await vi.advanceTimersByTimeAsync(2_000);
    };
    const hide = [active, words].flatMap((filter) => [
      countOnScreen(filter),
      new QueryObserver(queries, callQuery('job:count', { filter })).subscribe(() => {}),
    ]);
    let job = jobOf(1, running);
    await tell(job);
    await vi.advanceTimersByTimeAsync(60_000);
    const before = calls.length;
    for (let read = 0; read < 150; read += 1) {
      job = readAgain(job);
      await tell(job);
    }
    expect(calls.length - before).toBe(0);
    await tell({ ...job, phase: 'finished', status: 'COMPLETED' });
    expect(calls.length - before).toBe(2);
    for (const each of hide) each();
  });
});

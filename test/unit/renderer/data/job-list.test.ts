import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { isLive } from '../../../../src-preload/job.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { matchesFilter } from '../../../../src-renderer/data/job-matches-filter.ts';
import { JobList, type Held } from '../../../../src-renderer/data/job-list.ts';
import { makeSections } from '../../../../src-renderer/jobs/sections.ts';
import { jobOf, queued, running } from '../jobs/job-of.ts';

const pendingStream = { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' };
const shown = (list: JobList): string[] => [...list.live(), ...list.rest()];

describe('order', () => {
  test('running, queued, to be sent, then the rest; each newest first', () => {
    const list = new JobList();
    const jobs = [
      jobOf(1),
      jobOf(2, queued),
      jobOf(3, running),
      jobOf(4, { phase: 'waiting', status: null }),
      jobOf(5),
      jobOf(6, queued),
      jobOf(7, running),
    ];
    list.addPage(jobs);
    expect(list.live().map(Number)).toEqual([7, 3, 6, 2, 4]);
    expect(list.rest().map(Number)).toEqual([5, 1]);
  });

  test('in a batch by row: running, queued, then the rest, each oldest first; later rows are left for their page', () => {
    const list = new JobList();
    list.setOldestFirst(true);
    list.addPage([jobOf(1), jobOf(2, running), jobOf(3), jobOf(4, running), jobOf(5, queued)]);
    list.setLoadedDownTo(jobOf(5).key);
    expect(list.live().map(Number)).toEqual([2, 4, 5]);
    expect(list.rest().map(Number)).toEqual([1, 3]);
    list.apply([jobOf(2), jobOf(9)], emptyFilter, 0);
    expect(list.rest().map(Number)).toEqual([1, 2, 3]);
    list.setLoadedDownTo(null);
    list.apply([jobOf(9)], emptyFilter, 0);
    expect(list.rest().map(Number)).toEqual([1, 2, 3, 9]);
    expect(makeSections(list, 0, false).map(({ title, count }) => [title, count])).toEqual([
      ['Active', 2],
      ['Rows', 4],
    ]);
  });

  test('a job whose stream is pending stays with the active ones, after all that run or wait (ruling 36)', () => {
    const list = new JobList();
    list.addPage([
      jobOf(1),
      jobOf(2, queued),
      jobOf(3, { phase: 'waiting', status: null }),
      jobOf(4, { phase: 'active', pendingStream }),
      jobOf(5, running),
    ]);
    expect(list.live().map(Number)).toEqual([5, 2, 3, 4]);
    list.apply([jobOf(4)], emptyFilter, 0);
    expect(list.rest().map(Number)).toEqual([4, 1]);
  });

  test('in any order of pages and changes, every job appears once and in order', () => {
    const step = fc.record({
      at: fc.integer({ min: 1, max: 30 }),
      phase: fc.constantFrom('queued', 'running', 'finished'),
      isPage: fc.boolean(),
      held: fc.constantFrom<Held>('nothing', 'newcomers', 'all'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const list = new JobList();
        const last = new Map<string, Job>();
        for (const { at, phase, isPage, held } of steps) {
          const job = jobOf(at, phase === 'queued' ? queued : phase === 'running' ? running : {});
          list.hold(held);
          if (isPage) {
            list.addPage([job]);
            // A page never reverts a change.
            if (!last.has(job.key)) last.set(job.key, job);
          } else {
            list.apply([job], emptyFilter, 0);
            last.set(job.key, job);
          }
        }
        list.hold('nothing');
        const keys = shown(list);
        expect(new Set(keys).size).toBe(keys.length);
        expect(new Set(keys)).toEqual(new Set(last.keys()));
        expect([...list.rest()]).toEqual([...list.rest()].sort().reverse());
        for (const key of list.live()) expect(isLive(last.get(key) ?? jobOf(0))).toBe(true);
        for (const key of list.rest()) expect(isLive(last.get(key) ?? jobOf(0, running))).toBe(false);
        for (const [key, job] of last) expect(list.get(key)).toEqual(job);
      }),
    );
  });
});

describe('held while the pointer is over it', () => {
  test('a new job waits and is counted; releasing the list shows it on top', () => {
    const list = new JobList();
    list.addPage([jobOf(1)]);
    list.hold('all');
    list.apply([jobOf(2)], emptyFilter, 0);
    expect(shown(list).map(Number)).toEqual([1]);
    expect(list.waiting()).toBe(1);
    list.hold('nothing');
    expect(shown(list).map(Number)).toEqual([2, 1]);
    expect(list.waiting()).toBe(0);
  });

  test('a job that came before the list was read again waits above its rows, and shown ones do not', () => {
    const list = new JobList();
    list.addPage([jobOf(3), jobOf(1)]);
    list.hold('newcomers');
    list.hide([jobOf(3).key]);
    list.clearToReadAgain();
    list.unhide([jobOf(3).key]);
    list.addPage([jobOf(5, running), jobOf(4), jobOf(3), jobOf(1)]);
    expect(shown(list).map(Number)).toEqual([3, 1]);
    expect(list.waiting()).toBe(2);
    list.settle();
    expect(shown(list).map(Number)).toEqual([5, 4, 3, 1]);
    list.clear();
    list.addPage([jobOf(6)]);
    expect(shown(list).map(Number)).toEqual([6]);
  });

  test('a job that is opened or comes back is shown in its place, and the others still wait', () => {
    const list = new JobList();
    list.addPage([jobOf(3), jobOf(2), jobOf(1)]);
    list.hold('newcomers');
    list.hide([jobOf(2).key]);
    list.apply([jobOf(4)], emptyFilter, 0);
    list.unhide([jobOf(2).key]);
    list.apply([jobOf(2)], emptyFilter, 0);
    list.show([jobOf(2).key, jobOf(1).key]);
    expect(shown(list).map(Number)).toEqual([3, 2, 1]);
    expect(list.waiting()).toBe(1);
    list.hold('nothing');
    expect(shown(list).map(Number)).toEqual([4, 3, 2, 1]);
  });

  test('a job that ends is updated in place and moves only afterwards', () => {
    const list = new JobList();
    list.addPage([jobOf(1, running), jobOf(2, running)]);
    list.hold('all');
    list.apply([jobOf(2)], emptyFilter, 0);
    expect(list.live().map(Number)).toEqual([2, 1]);
    expect(list.get(jobOf(2).key)?.status).toBe('COMPLETED');
    list.hold('nothing');
    expect(list.live().map(Number)).toEqual([1]);
    expect(list.rest().map(Number)).toEqual([2]);
  });

  test('a job that is retried while the list is scrolled moves to the active ones immediately', () => {
    const list = new JobList();
    list.addPage([jobOf(3, running), jobOf(2, { status: 'FAILED' }), jobOf(1)]);
    list.hold('newcomers');
    list.apply([jobOf(2, { ...queued, attempt: 2 })], emptyFilter, 0);
    expect(list.live().map(Number)).toEqual([3, 2]);
    expect(list.rest().map(Number)).toEqual([1]);
  });

  test('a job that no longer belongs stays until the list is released', () => {
    const list = new JobList();
    const filter = { ...emptyFilter, view: 'active' as const };
    list.addPage([jobOf(1, running)]);
    list.hold('all');
    list.apply([jobOf(1)], filter, 0);
    expect(shown(list)).toHaveLength(1);
    list.settle();
    expect(shown(list)).toHaveLength(0);
  });

  test('a held new job that no longer belongs is dropped', () => {
    const list = new JobList();
    const filter = { ...emptyFilter, view: 'active' as const };
    list.hold('all');
    list.apply([jobOf(1, queued)], filter, 0);
    list.apply([jobOf(1)], filter, 0);
    expect(list.waiting()).toBe(0);
    list.hold('nothing');
    expect(shown(list)).toEqual([]);
  });
});

test('an old job beyond the loaded pages is left for its page, an active one is not', () => {
  const list = new JobList();
  list.addPage([jobOf(100)]);
  list.setLoadedDownTo(jobOf(100).key);
  list.apply([jobOf(50), jobOf(60, running)], emptyFilter, 0);
  expect(shown(list).map(Number)).toEqual([60, 100]);
});

describe('membership of a changed job', () => {
  test.each([
    ['another connection', { connectionId: 'c2' }, false],
    ['another endpoint', { endpointId: 'image' }, false],
    ['its endpoint', { endpointId: 'text' }, true],
    ['too old', { sinceMs: 51 }, false],
    ['its status', { statuses: ['completed'] }, true],
    ['another status', { statuses: ['failed', 'gone'] }, false],
    ['a tag it has', { tags: ['a'] }, true],
    ['a tag it lacks', { tags: ['a', 'z'] }, false],
    ['an excluded tag', { notTags: ['b'] }, false],
    ['starred only', { view: 'starred' as const }, false],
    ['active only', { view: 'active' as const }, false],
    ['finished today', { view: 'finished-today' as const }, true],
    ['a text search', { text: 'fog' }, null],
  ])('%s', (_name, patch, answer) => {
    expect(matchesFilter(jobOf(50, { tags: ['a', 'b'] }), { ...emptyFilter, ...patch }, 50)).toBe(answer);
  });

  test('finished yesterday is not finished today', () => {
    expect(matchesFilter(jobOf(50), { ...emptyFilter, view: 'finished-today' }, 51)).toBe(false);
  });

  test('failed: limits and refusals count, gone jobs do not; an execution timeout is timed_out in either form (ruling 14)', () => {
    const failed = { ...emptyFilter, view: 'failed' as const };
    const late = jobOf(1, { status: 'FAILED', reason: { kind: 'timed-out', limitMs: 600_000, said: null } });
    expect(matchesFilter(late, failed, 0)).toBe(true);
    expect(matchesFilter(late, { ...emptyFilter, statuses: ['timed_out'] }, 0)).toBe(true);
    expect(matchesFilter(late, { ...emptyFilter, statuses: ['failed'] }, 0)).toBe(false);
    expect(matchesFilter(jobOf(1, { phase: 'refused', status: null }), failed, 0)).toBe(true);
    expect(matchesFilter(jobOf(1, { phase: 'gone' }), failed, 0)).toBe(false);
    expect(
      matchesFilter(jobOf(1, { phase: 'outcome-unknown', status: null }), { ...emptyFilter, view: 'active' }, 0),
    ).toBe(false);
  });
});

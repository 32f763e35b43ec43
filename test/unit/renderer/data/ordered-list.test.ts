import { expect, test } from 'vitest';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { JobList } from '../../../../src-renderer/data/job-list.ts';
import { makeSections } from '../../../../src-renderer/jobs/sections.ts';
import { aJob } from '../../../kit/a-job.ts';

function anOrderedList(...keys: string[]): JobList {
  const list = new JobList();
  list.setOrdered(true);
  list.clear();
  list.addPage(keys.map((key) => aJob({ key, phase: 'finished', status: 'COMPLETED' })));
  return list;
}

test('keeps the order of its pages, whatever jobs do, and has no group of active ones', () => {
  const list = anOrderedList('k3', 'k9', 'k1');
  list.apply([aJob({ key: 'k1', phase: 'active', status: 'IN_PROGRESS', title: 'again' })], emptyFilter, 0);
  list.addPage([aJob({ key: 'k5' })]);
  expect(list.rest()).toEqual(['k3', 'k9', 'k1', 'k5']);
  expect(list.live()).toEqual([]);
  expect(list.get('k1')?.title).toBe('again');
  const [section, ...others] = makeSections(list, 0, false, {
    activeCount: 1,
    sort: { column: 'execution', isDescending: true },
  });
  expect([section?.title, section?.count, others]).toEqual(['Execution, longest first', 4, []]);
});

test('removes what no longer matches; new jobs wait to be read in their place', () => {
  const list = anOrderedList('k3', 'k9', 'k1');
  const failed = { ...emptyFilter, view: 'starred' as const };
  list.apply([aJob({ key: 'k9', isStarred: false })], failed, 0);
  list.apply([aJob({ key: 'k95', isStarred: true }), aJob({ key: 'k2', isStarred: true })], failed, 0);
  list.settle();
  expect(list.rest()).toEqual(['k3', 'k1']);
  // An older one that changed stands on a page not read yet.
  expect(list.waiting()).toBe(1);
});

test('a list read newest first again has its groups again', () => {
  const list = anOrderedList('k1', 'k2');
  list.setOrdered(false);
  list.clear();
  list.addPage([aJob({ key: 'k1', phase: 'active', status: 'IN_QUEUE' }), aJob({ key: 'k2', phase: 'gone' })]);
  expect([list.live(), list.rest()]).toEqual([['k1'], ['k2']]);
});

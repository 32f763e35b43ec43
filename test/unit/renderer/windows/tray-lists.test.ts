import { expect, test } from 'vitest';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { JobList } from '../../../../src-renderer/data/job-list.ts';
import { trayLists } from '../../../../src-renderer/windows/tray-lists.ts';
import { jobOf, running } from '../jobs/job-of.ts';

test.each([
  [0, 0, 6],
  [1, 1, 5],
  [4, 4, 2],
  [9, 4, 2],
])('with %i active jobs the popover shows %i of them, and %i of many that ended', (live, active, ended) => {
  const list = new JobList();
  const jobs = Array.from({ length: live + 20 }, (_, number) => jobOf(number, number < live ? running : {}));
  list.apply(jobs, emptyFilter, 0);
  const popover = trayLists(list);
  expect([popover.active.length, popover.ended.length]).toEqual([active, ended]);
});

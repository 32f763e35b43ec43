import { expect, test } from 'vitest';
import { emptyFilter, noJobs, type JobFilter } from '../../../../src-preload/history.ts';
import { listTotal } from '../../../../src-renderer/data/job-counts.ts';

const counts = { ...noJobs, all: 1_200, active: 900, failed: 7, finishedToday: 40, starred: 3 };
/** More jobs are active than were loaded, so what the list counted itself is too much. */
const counted = { total: 1_350, isTotalCut: true };

test.each([
  ['all', 1_200],
  ['active', 900],
  ['failed', 7],
  ['finished-today', 40],
  ['starred', 3],
] as const)('the list of the whole view %s has the number of the sidebar', (view, total) => {
  expect(listTotal({ ...emptyFilter, view }, counts, counted)).toEqual({ total, isTotalCut: false });
});

const filters: Partial<JobFilter>[] = [
  { endpointId: 'text' },
  { statuses: ['failed'] },
  { text: 'a' },
  { tags: ['a'] },
];
test.each(filters)('a filtered list has the number that it counted: %o', (filter) => {
  expect(listTotal({ ...emptyFilter, ...filter }, counts, counted)).toBe(counted);
});

test('until the jobs are counted, the list has the number that it counted', () => {
  expect(listTotal(emptyFilter, null, counted)).toBe(counted);
});

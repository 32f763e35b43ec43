import { expect, test } from 'vitest';
import { emptyFilter, type JobFilter } from '../../../../src-preload/history.ts';
import { isSameFilter } from '../../../../src-renderer/data/job-matches-filter.ts';

/** A value other than the empty one for each field of a filter. */
const others: { [F in keyof JobFilter]: JobFilter[F] } = {
  view: 'failed',
  connectionId: 'c1',
  endpointId: 'text',
  statuses: ['failed'],
  tags: ['a', 'b'],
  notTags: ['a'],
  marks: [1],
  labels: ['odd'],
  sinceMs: 1,
  beforeMs: 2,
  took: { over: 5, under: null },
  waited: { over: null, under: 5 },
  cost: { over: 1, under: 2 },
  idStart: 'x',
  has: ['images'],
  cause: 'c',
  sameInput: 'h',
  text: 'zebra',
  batchId: 'b1',
};

test('filters with the same fields are the same, whenever they were made', () => {
  expect(isSameFilter(emptyFilter, emptyFilter)).toBe(true);
  expect(isSameFilter(structuredClone(others), structuredClone(others))).toBe(true);
  expect(isSameFilter(null, null)).toBe(true);
  expect(isSameFilter(emptyFilter, null)).toBe(false);
  expect(isSameFilter(null, emptyFilter)).toBe(false);
});

test.each(Object.keys(others))('a filter with another %s is another one', (field) => {
  const changed: JobFilter = {
    ...emptyFilter,
    ...Object.fromEntries(Object.entries(others).filter(([f]) => f === field)),
  };
  expect(isSameFilter(emptyFilter, changed)).toBe(false);
  expect(isSameFilter(changed, emptyFilter)).toBe(false);
  expect(isSameFilter(changed, structuredClone(changed))).toBe(true);
});

test('the order of values and a part of a range count', () => {
  expect(isSameFilter({ ...emptyFilter, tags: ['a', 'b'] }, { ...emptyFilter, tags: ['b', 'a'] })).toBe(false);
  const took = { ...emptyFilter, took: { over: 5, under: null } };
  expect(isSameFilter(took, { ...took, took: { over: 6, under: null } })).toBe(false);
});

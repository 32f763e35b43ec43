import { beforeEach, expect, test } from 'vitest';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { extendTo, moveFocus, pickShown, visibleKeys } from '../../../../src-renderer/jobs/visible-keys.ts';
import { jobOf } from './job-of.ts';

const count = 30;
const nowMs = Date.now();
useJobs.getState().apply(Array.from({ length: count }, (_, number) => jobOf(nowMs - number)));
const keys = visibleKeys();

beforeEach(() => {
  useJobs.getState().clearPicked();
  useJobs.setState({ selectedKey: null, isDetailOpen: false });
});

const focusRow = (row: number): void => useJobs.getState().focus(keys[row] ?? '');
const focused = (): number => keys.indexOf(useJobs.getState().selectedKey ?? '');
const picked = (): number[] => keys.flatMap((key, row) => (useJobs.getState().pickedKeys.has(key) ? [row] : []));
const rows = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('Shift with arrows selects from the first row to the focus, even when it moves back past it', () => {
  expect(keys).toHaveLength(count);
  focusRow(5);
  moveFocus(1, true);
  moveFocus(1, true);
  expect(picked()).toEqual([5, 6, 7]);
  moveFocus(-1, true);
  expect([picked(), focused()]).toEqual([[5, 6], 6]);
  moveFocus(-1, true);
  moveFocus(-1, true);
  expect([picked(), focused()]).toEqual([[4, 5], 4]);
});

test('after the focus or the selection has changed, the range begins at the focused row', () => {
  focusRow(5);
  moveFocus(2, true);
  moveFocus(3);
  moveFocus(1, true);
  expect(picked()).toEqual([10, 11]);
  useJobs.getState().clearPicked();
  moveFocus(1, true);
  expect(picked()).toEqual([11, 12]);
  useJobs.getState().togglePicked(keys[20] ?? '');
  moveFocus(-1, true);
  expect(picked()).toEqual([11, 12]);
  moveFocus(-2, true);
  expect(picked()).toEqual([9, 10, 11, 12]);
});

test('pages and ends extend the range by as much, and a range can shrink again', () => {
  focusRow(12);
  expect(moveFocus(10, true)).toBe(true);
  expect(picked()).toEqual(rows(12, 22));
  moveFocus(Infinity, true);
  expect(picked()).toEqual(rows(12, count - 1));
  moveFocus(-Infinity, true);
  expect([picked(), focused()]).toEqual([rows(0, 12), 0]);
  moveFocus(10, true);
  expect(picked()).toEqual(rows(10, 12));
  moveFocus(-10, true);
  moveFocus(-10, true);
  expect([picked(), focused()]).toEqual([rows(0, 12), 0]);
});

test('a press with Shift selects up to its row without moving the focus, and arrows continue from there', () => {
  focusRow(3);
  extendTo(keys[8] ?? '', false);
  expect([picked(), focused()]).toEqual([rows(3, 8), 3]);
  extendTo(keys[1] ?? '', false);
  expect(picked()).toEqual(rows(1, 3));
  moveFocus(1, true);
  expect([picked(), focused()]).toEqual([[2, 3], 2]);
});

test('without a focused row in the list, the range is the row it moves to', () => {
  moveFocus(1, true);
  expect([picked(), focused()]).toEqual([[0], 0]);
  useJobs.getState().clearPicked();
  useJobs.setState({ selectedKey: 'of another list' });
  extendTo(keys[4] ?? '', false);
  expect(picked()).toEqual([4]);
});

test('the rows of the former filter are not selected: those that were asked for are, once they are read', () => {
  const [first = ''] = keys;
  const failed = { ...emptyFilter, statuses: ['failed'] };
  useJobs.setState({ filter: emptyFilter, shownFilter: emptyFilter });
  pickShown();
  expect(picked()).toHaveLength(count);

  useJobs.setState({ filter: failed, pickedKeys: new Set() });
  pickShown();
  expect(picked()).toEqual([]);
  useJobs.getState().hide(keys.slice(1));
  expect(picked()).toEqual([]);
  useJobs.setState({ shownFilter: failed });
  expect([...useJobs.getState().pickedKeys]).toEqual([first]);

  // Neither if another filter was chosen before they came.
  useJobs.setState({ filter: emptyFilter, pickedKeys: new Set() });
  pickShown();
  useJobs.setState({ filter: failed });
  useJobs.setState({ filter: emptyFilter, shownFilter: emptyFilter });
  expect(picked()).toEqual([]);
});

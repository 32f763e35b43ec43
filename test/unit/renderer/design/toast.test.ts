import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  dropImpossible,
  nextUndo,
  toast,
  undoAction,
  undoLast,
  useToasts,
  countTimeShown,
} from '../../../../src-renderer/design/toast.tsx';
import { undoableForMs } from '../../../../src-renderer/design/undo-stack.ts';

let undone: string[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
  while (undoLast());
  undone = [];
  useToasts.setState({ items: [] });
});
afterEach(() => vi.useRealTimers());

const done = (name: string, options: Parameters<typeof toast>[1] = {}): void =>
  toast(name, { action: undoAction(() => void undone.push(name)), ...options });
const shown = (): string[] => useToasts.getState().items.map(({ message }) => message);

test('the last thing is undone first, and a toast shows what that was', () => {
  done('Deleted 1 job');
  done('Marked 2 jobs');
  expect(nextUndo()).toBe('Marked 2 jobs');
  expect(undoLast()).toBe(true);
  expect(undone).toEqual(['Marked 2 jobs']);
  expect(shown()).toEqual(['Deleted 1 job', 'Undone: Marked 2 jobs']);
  expect(undoLast()).toBe(true);
  expect(undone).toEqual(['Marked 2 jobs', 'Deleted 1 job']);
  expect(undoLast()).toBe(false);
});

test('it is reached when its toast is gone, replaced or pushed away, for five minutes', () => {
  done('first', { slot: 'own-change' });
  done('second', { slot: 'own-change' });
  useToasts.setState({ items: [] });
  undoLast();
  undoLast();
  expect(undone).toEqual(['second', 'first']);
  done('third');
  vi.setSystemTime(1_000_000 + undoableForMs + 1);
  expect([nextUndo(), undoLast()]).toEqual([null, false]);
});

test('the same message twice is two things to undo, each with its toast', () => {
  done('Deleted 1 job');
  done('Deleted 1 job');
  expect(shown()).toEqual(['Deleted 1 job', 'Deleted 1 job']);
  undoLast();
  undoLast();
  expect(undone).toHaveLength(2);
});

test('what is carried out when its toast goes can be undone only until then', () => {
  let isGone = false;
  done('Forgot the pod', { onGone: () => (isGone = true) });
  undoLast();
  expect([undone, isGone]).toEqual([['Forgot the pod'], false]);
  done('Forgot the template', { onGone: () => (isGone = true) });
  for (const name of ['one', 'two', 'three']) toast(name);
  expect(isGone).toBe(true);
  expect(undoLast()).toBe(false);
});

test('an action that is no undo is left to its button', () => {
  toast('Cancelled 1 job', { action: { label: 'Submit again', onSelect: () => void undone.push('sent') } });
  expect(undoLast()).toBe(false);
  expect(undone).toEqual([]);
});

test('what can no longer be undone is passed over, and its toast is gone', () => {
  let isInBin = true;
  done('Marked 1 job');
  toast('Deleted 1 job', {
    action: undoAction(() => void undone.push('Deleted 1 job'), { isPossible: () => isInBin }),
  });
  expect(nextUndo()).toBe('Deleted 1 job');
  isInBin = false;
  dropImpossible();
  expect(nextUndo()).toBe('Marked 1 job');
  expect(shown()).toEqual(['Marked 1 job']);
  undoLast();
  expect(undone).toEqual(['Marked 1 job']);
});

afterEach(() => void vi.useRealTimers());

test('it is over after its time', () => {
  vi.useFakeTimers();
  const onOver = vi.fn<() => void>();
  countTimeShown(1_200, onOver);
  vi.advanceTimersByTime(1_199);
  expect(onOver).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onOver).toHaveBeenCalledOnce();
});

test('a window that does nothing for seconds shows it no shorter', () => {
  vi.useFakeTimers();
  const onOver = vi.fn<() => void>();
  countTimeShown(5_000, onOver);
  // A timer that is late runs once, whatever time has passed.
  for (let late = 0; late < 9; late += 1) vi.advanceTimersToNextTimer();
  expect(onOver).not.toHaveBeenCalled();
  vi.advanceTimersToNextTimer();
  expect(onOver).toHaveBeenCalledOnce();
});

test('it can be ended', () => {
  vi.useFakeTimers();
  const onOver = vi.fn<() => void>();
  countTimeShown(5_000, onOver)();
  vi.advanceTimersByTime(10_000);
  expect(onOver).not.toHaveBeenCalled();
});

import { expect, it } from 'vitest';
import { firedTimers, processorShare } from '../../../bench/idle/figures.ts';

it('is a share of a core, or not measured: never 0 % because nothing could be read', () => {
  expect(processorShare(1_000, 1_300, 60)).toBe(0.5);
  expect(processorShare(1_000, 1_000, 60)).toBe(0);
  expect(processorShare(null, 1_300, 60)).toBe('not measured');
  expect(processorShare(1_000, null, 60)).toBe('not measured');
});

it('counts timers, and says where they were set', () => {
  expect(firedTimers('shown', null)).toEqual({ 'shown: timers of ours that fired': 'not counted' });
  expect(firedTimers('shown', [])).toEqual({ 'shown: timers of ours that fired': 0 });
  expect(firedTimers('shown', ['out/a.js:1', 'out/a.js:1'])).toEqual({
    'shown: timers of ours that fired': 2,
    'shown: set at': 'out/a.js:1',
  });
});

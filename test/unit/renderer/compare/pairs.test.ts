import { expect, it } from 'vitest';
import { betterOf } from '../../../../src-renderer/compare/better-label.tsx';
import { pairAfter } from '../../../../src-renderer/compare/pair-steps.tsx';
import { pairTally } from '../../../../src-renderer/messages/compare/pane.ts';
import { aJob } from '../../../kit/a-job.ts';

it('the next pair is the next row, and after the last one the first unjudged one', () => {
  expect(pairAfter({ at: 0, total: 3, firstUnjudged: 0 })).toBe(1);
  expect(pairAfter({ at: 2, total: 3, firstUnjudged: 1 })).toBe(1);
  expect(pairAfter({ at: 2, total: 3, firstUnjudged: 2 })).toBeNull();
  expect(pairAfter({ at: 2, total: 3, firstUnjudged: null })).toBeNull();
});

it('the tally says which side is ahead', () => {
  const tally = (judged: number, ahead: [number, number]) => pairTally({ judged, total: 40, ahead });
  expect(tally(0, [0, 0])).toBe('0 of 40 judged');
  expect(tally(13, [3, 8])).toBe('13 of 40 judged, B ahead 8 to 3');
  expect(tally(13, [9, 2])).toBe('13 of 40 judged, A ahead 9 to 2');
  expect(tally(6, [3, 3])).toBe('6 of 40 judged, even at 3 each');
  expect(tally(2, [0, 0])).toBe('2 of 40 judged, all equal');
});

it('the label belongs to the better job, to both if they are equal, to none before both are judged', () => {
  const [low, high, none] = [aJob({ key: 'l', mark: 1 }), aJob({ key: 'h', mark: 5 }), aJob({ key: 'n' })];
  expect(betterOf(low, high)).toEqual([high]);
  expect(betterOf(high, low)).toEqual([high]);
  expect(betterOf(high, high)).toEqual([high, high]);
  expect(betterOf(high, none)).toEqual([]);
});

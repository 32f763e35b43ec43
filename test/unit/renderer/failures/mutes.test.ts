import { expect, test } from 'vitest';
import { withoutPastMutes } from '../../../../src-renderer/failures/failures.ts';
import { muteText } from '../../../../src-renderer/messages/failures/list.ts';

test('a mute says until when it lasts, and why', () => {
  const mute = { sinceMs: 0, untilMs: null, risesAbove: null, reason: '' };
  expect(muteText(mute)).toBe('muted');
  expect(muteText({ ...mute, reason: 'Known' })).toBe('muted: Known');
  expect(muteText({ ...mute, untilMs: new Date(2026, 11, 1).getTime(), reason: 'Known' })).toBe(
    'muted until 2026-12-01: Known',
  );
  expect(muteText({ ...mute, risesAbove: 2 })).toBe('muted until more than 2 jobs fail within 24 hours');
});

test('a mute until a date is over when that comes, and the others last', () => {
  const base = {
    endpointId: 'mock',
    message: 'CUDA out of memory',
    frame: '',
    jobs: 1,
    firstAtMs: 0,
    lastAtMs: 0,
    trend: [],
    kind: 'fail' as const,
  };
  const mute = { sinceMs: 0, untilMs: null, risesAbove: null, reason: '' };
  const overview = {
    causes: [
      { ...base, id: 1, mute: { ...mute, untilMs: 1_000 } },
      { ...base, id: 2, mute: { ...mute, untilMs: 2_000 } },
      { ...base, id: 3, mute },
      { ...base, id: 4, mute: null },
    ],
    unsorted: 0,
  };
  const mutedAt = (nowMs: number): number[] =>
    withoutPastMutes(overview, nowMs).causes.flatMap((cause) => (cause.mute === null ? [] : cause.id));
  expect(withoutPastMutes(overview, 999)).toBe(overview);
  expect(mutedAt(1_000)).toEqual([2, 3]);
  expect(mutedAt(5_000)).toEqual([3]);
});

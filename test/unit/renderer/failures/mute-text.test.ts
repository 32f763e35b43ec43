import { expect, test } from 'vitest';
import { muteText } from '../../../../src-renderer/failures/mute-text.ts';

test('a mute says until when it holds, and why', () => {
  const mute = { sinceMs: 0, untilMs: null, risesAbove: null, reason: '' };
  expect(muteText(mute)).toBe('muted');
  expect(muteText({ ...mute, reason: 'Known' })).toBe('muted: Known');
  expect(muteText({ ...mute, untilMs: new Date(2026, 11, 1).getTime(), reason: 'Known' })).toBe(
    'muted until 2026-12-01: Known',
  );
  expect(muteText({ ...mute, risesAbove: 2 })).toBe('muted until more than 2 jobs fail within 24 hours');
});

import { expect, test } from 'vitest';
import { formatLimit, formatPosition, formatTook } from '../../../../../src-renderer/messages/job/formats.ts';

test('a limit is written in the largest sensible form', () => {
  expect([45_000, 600_000, 604_800_000].map(formatLimit)).toEqual(['45 s', '10:00', '168:00:00']);
});

test('a position in a recording has hours only if it needs them', () => {
  expect([0, 61.9, 3_723].map(formatPosition)).toEqual(['0:00', '1:01', '1:02:03']);
});

test('a long request is written in seconds', () => {
  expect([12.4, 994, 6_420, 12_340].map(formatTook)).toEqual(['12 ms', '994 ms', '6.42 s', '12.3 s']);
});

import { expect, test } from 'vitest';
import { searchText, splitMatches } from '../../../../src-renderer/jobs/highlight.tsx';

test('every occurrence of every word is marked, in any case', () => {
  expect(splitMatches('Board-call on board', searchText('board'))).toEqual(['', 'Board', '-call on ', 'board', '']);
  expect(splitMatches('ridge in fog', searchText('fog ridge'))).toEqual(['', 'ridge', ' in ', 'fog', '']);
});

test('the longer word wins where both would match', () => {
  expect(splitMatches('queued', searchText('queue queued'))).toEqual(['', 'queued', '']);
});

test('signs of a pattern are taken literally', () => {
  expect(splitMatches('a.b (c) a+b', searchText('a.b (c)'))).toEqual(['', 'a.b', ' ', '(c)', ' a+b']);
});

test('without words the text stays whole', () => {
  expect(splitMatches('anything', searchText('  '))).toEqual(['anything']);
});

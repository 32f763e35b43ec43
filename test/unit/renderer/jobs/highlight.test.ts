import { expect, test } from 'vitest';
import { searchedParts, splitMatches } from '../../../../src-renderer/jobs/highlight.tsx';

test('every occurrence of every word is marked, in any case', () => {
  expect(splitMatches('Board-call on board', searchedParts('board'))).toEqual(['', 'Board', '-call on ', 'board', '']);
  expect(splitMatches('ridge in fog', searchedParts('fog ridge'))).toEqual(['', 'ridge', ' in ', 'fog', '']);
});

test('the longer word wins if both would match', () => {
  expect(splitMatches('queued', searchedParts('queue queued'))).toEqual(['', 'queued', '']);
});

test('special characters of patterns are literal', () => {
  expect(splitMatches('a.b (c) a+b', searchedParts('a.b (c)'))).toEqual(['', 'a.b', ' ', '(c)', ' a+b']);
});

test('without words the text stays whole', () => {
  expect(splitMatches('anything', searchedParts('  '))).toEqual(['anything']);
});

test('quoted text is marked as a whole, whatever characters are between its words', () => {
  expect(searchedParts('fog "a Cedar leaf" "open en')).toEqual(['a cedar leaf', 'open en', 'fog']);
  expect(splitMatches('then: A cedar,\nleaf; a leaf', searchedParts('"a cedar leaf"'))).toEqual([
    'then: ',
    'A cedar,\nleaf',
    '; a leaf',
  ]);
});

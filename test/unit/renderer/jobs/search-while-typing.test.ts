import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSearchWhileTyping } from '../../../../src-renderer/jobs/search-while-typing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function typing(): { searched: string[]; search: ReturnType<typeof createSearchWhileTyping> } {
  const searched: string[] = [];
  return { searched, search: createSearchWhileTyping((text) => searched.push(text)) };
}

test('a word is searched for in the moment it is typed; of fast typing the last word counts', () => {
  const { searched, search } = typing();
  search.type('f');
  expect(searched).toEqual(['f']);
  search.type('fo');
  search.type('fog');
  vi.advanceTimersByTime(60);
  expect(searched).toEqual(['f', 'fog']);
});

test('a token typed letter by letter is never searched for as text', () => {
  const { searched, search } = typing();
  for (let length = 1; length <= 'status:fail'.length; length += 1) {
    search.type('status:fail'.slice(0, length));
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(1_000);
  expect(searched.filter((text) => text !== '')).toEqual([]);
});

test('a word that only begins like a field is searched for when the typing pauses', () => {
  const { searched, search } = typing();
  search.type('sta');
  vi.advanceTimersByTime(159);
  expect(searched).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(searched).toEqual(['sta']);
});

test('what was not asked for yet is forgotten when the filter is set otherwise', () => {
  const { searched, search } = typing();
  search.type('f');
  search.type('fog');
  search.cancel();
  vi.advanceTimersByTime(1_000);
  expect(searched).toEqual(['f']);
});

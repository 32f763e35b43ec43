import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSearchWhileTyping, searchedFor } from '../../../../src-renderer/jobs/search-while-typing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A search that answers on command. */
function typing() {
  const searched: string[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const search = createSearchWhileTyping((text) => {
    searched.push(text);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  });
  return { searched, search, answers };
}

test('a word is searched for the moment it is typed; of the words typed until its answer the last one counts', async () => {
  const { searched, search, answers } = typing();
  search.type('f');
  expect(searched).toEqual(['f']);
  search.type('fo');
  search.type('fog');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(searched).toEqual(['f']);
  answers[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(searched).toEqual(['f', 'fog']);
  // One that failed is answered as well.
  answers[1]?.reject(new Error('no history'));
  await vi.advanceTimersByTimeAsync(0);
  search.type('foggy');
  expect(searched).toEqual(['f', 'fog', 'foggy']);
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

test('the answer to a former word does not trigger a half-typed token', async () => {
  const { searched, search, answers } = typing();
  search.type('fog');
  search.type('fog sta');
  answers[0]?.resolve();
  await vi.advanceTimersByTimeAsync(159);
  expect(searched).toEqual(['fog']);
  await vi.advanceTimersByTimeAsync(1);
  expect(searched).toEqual(['fog', 'fog sta']);
});

test('a word that only begins like a field is searched for when the typing pauses', () => {
  const { searched, search } = typing();
  search.type('sta');
  vi.advanceTimersByTime(159);
  expect(searched).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(searched).toEqual(['sta']);
});

test('without results for a word that may become a field, the words before it are searched for', () => {
  expect(searchedFor('fog statu')).toEqual({ text: 'fog statu', orElse: 'fog ' });
  expect(searchedFor('took')).toEqual({ text: 'took', orElse: '' });
  expect(searchedFor('statuette')).toEqual({ text: 'statuette', orElse: 'statuette' });
  expect(searchedFor('took ')).toEqual({ text: 'took ', orElse: 'took ' });
});

test('a search knows whether its words are still those in the box', () => {
  const still: (() => boolean)[] = [];
  const search = createSearchWhileTyping((_text, _orElse, isStillTyped) => {
    still.push(isStillTyped);
    return new Promise(() => {});
  });
  search.type('fog');
  expect(still[0]?.()).toBe(true);
  search.type('fog s');
  expect(still[0]?.()).toBe(false);
});

test('a pending search is dropped when the filter is set otherwise', async () => {
  const { searched, search, answers } = typing();
  search.type('f');
  search.type('fog');
  search.cancel();
  answers[0]?.resolve();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(searched).toEqual(['f']);
});

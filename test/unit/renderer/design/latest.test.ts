import { expect, test } from 'vitest';
import { createLatest } from '../../../../src-renderer/design/latest.ts';

test('of two requests, only the answer to the later one is wanted, whichever comes last', async () => {
  const latest = createLatest();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answers = [latest.of(first.promise), latest.of(second.promise)];
  second.resolve('second');
  expect(await answers[1]).toBe('second');
  first.resolve('first');
  expect(await answers[0]).toBeNull();
});

test('an answer that comes after everything was cancelled is not wanted', async () => {
  const latest = createLatest();
  const answer = latest.of(Promise.resolve('late'));
  latest.cancel();
  expect(await answer).toBeNull();
  expect(await latest.of(Promise.resolve('next'))).toBe('next');
});

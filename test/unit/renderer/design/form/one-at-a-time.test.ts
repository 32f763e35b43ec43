import { expect, test } from 'vitest';
import { oneAtATime } from '../../../../../src-renderer/design/form/one-at-a-time.ts';

test('work that is asked for again while it runs is done once, and can be done again after it ended or failed', async () => {
  const once = oneAtATime();
  const { promise, resolve } = Promise.withResolvers<void>();
  let times = 0;
  const work = async (): Promise<void> => {
    times += 1;
    await promise;
  };
  const first = once(work);
  await once(work);
  expect(times).toBe(1);
  resolve();
  await first;
  await expect(once(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await once(work);
  expect(times).toBe(2);
});

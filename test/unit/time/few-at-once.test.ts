import { expect, it } from 'vitest';
import { createFewAtOnce } from '../../../src-main/time/few-at-once.ts';
import { createVirtualClock } from '../../kit/clock.ts';

const refusal = (): Error => new Error('No place.');

it('runs two at once and the others in order', async () => {
  const places = createFewAtOnce({ max: 2, waitMs: 1_000, clock: createVirtualClock() });
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map((number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = places.run(() => {
      begun.push(number);
      return promise;
    }, refusal);
    return { resolve, done };
  });
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  works[1]?.resolve();
  await works[1]?.done;
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of works) resolve();
  await Promise.all(works.map(({ done }) => done));
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('refuses what finds no place in time, without running it, and gives none away with it', async () => {
  const clock = createVirtualClock();
  const places = createFewAtOnce({ max: 1, waitMs: 1_000, clock });
  const first = Promise.withResolvers<string>();
  const running = places.run(() => first.promise, refusal);
  let hasRun = false;
  const refused = places.run(async () => void (hasRun = true), refusal);
  const refusedWith = refused.then(
    () => null,
    (error: unknown) => error,
  );
  await clock.advance(1_000);
  expect(await refusedWith).toEqual(refusal());
  first.resolve('done');
  expect(await running).toBe('done');
  expect(hasRun).toBe(false);
  expect(await places.run(async () => 'next', refusal)).toBe('next');
});

it('a failure gives its place to the next', async () => {
  const places = createFewAtOnce({ max: 1, waitMs: 1_000, clock: createVirtualClock() });
  const failing = places.run(() => Promise.reject(new Error('disk')), refusal);
  const next = places.run(async () => 'next', refusal);
  await expect(failing).rejects.toThrow('disk');
  expect(await next).toBe('next');
});

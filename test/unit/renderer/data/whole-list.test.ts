import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { jobsOfCause } from '../../../../src-renderer/data/whole-list.ts';
import { aJob } from '../../../kit/a-job.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

const keys = Array.from({ length: 2_345 }, (_, at) => `k${at}`);

test('all jobs of a cause are read, however many, a thousand at a time and in order', async () => {
  const causes: unknown[] = [];
  const sizes: number[] = [];
  answerCalls({
    'job:keys': ({ filter }) => {
      causes.push({ ...emptyFilter, ...filter });
      return Promise.resolve(ok({ keys, isCut: false }));
    },
    'job:some': (asked) => {
      sizes.push(asked.keys.length);
      return Promise.resolve(ok(asked.keys.map((key) => aJob({ key }))));
    },
  });
  const jobs = await jobsOfCause(7);
  expect(jobs.ok && jobs.value.map(({ key }) => key)).toEqual(keys);
  expect([causes, sizes]).toEqual([[{ ...emptyFilter, cause: '7' }], [1_000, 1_000, 345]]);
});

test('a part that cannot be read fails the whole, so that an action never applies to some of them only', async () => {
  let pages = 0;
  answerCalls({
    'job:keys': () => Promise.resolve(ok({ keys, isCut: false })),
    'job:some': (asked) => {
      pages += 1;
      if (pages === 2) return Promise.resolve(failed({ kind: 'storage', message: 'busy' }));
      return Promise.resolve(ok(asked.keys.map((key) => aJob({ key }))));
    },
  });
  expect(await jobsOfCause(7)).toMatchObject({ ok: false, failure: { message: 'busy' } });
});

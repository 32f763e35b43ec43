import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { jobsOfCause, markAllSeen } from '../../../../src-renderer/data/whole-list.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
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

test('a part that cannot be read fails the whole, so that an action never applies to only some of them', async () => {
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

test('when marked as seen, the unseen jobs are counted, and an undo affects only these', async () => {
  useToasts.setState({ items: [] });
  const undone: unknown[] = [];
  answerCalls({
    // Every second one was seen before.
    'job:markSeen': (asked) =>
      Promise.resolve(ok({ keys: asked.keys.filter((_, at) => at % 2 === 0), atMs: asked.keys.length })),
    'job:markUnseen': (asked) => {
      undone.push([asked.keys.length, asked.atMs]);
      return Promise.resolve(ok(null));
    },
  });
  await markAllSeen(keys);
  const shown = useToasts.getState().items.at(-1);
  expect(shown?.message).toBe('1,173 jobs marked as seen');
  shown?.action?.onSelect();
  await expect
    .poll(() => undone)
    .toEqual([
      [500, 1_000],
      [500, 1_000],
      [173, 345],
    ]);
});

test('if nothing was unseen, no undo is offered; a partial failure can still be undone', async () => {
  useToasts.setState({ items: [] });
  answerCalls({ 'job:markSeen': () => Promise.resolve(ok({ keys: [], atMs: 0 })) });
  await markAllSeen(keys);
  expect(useToasts.getState().items.at(-1)).not.toHaveProperty('action');
  let calls = 0;
  answerCalls({
    'job:markSeen': (asked) => {
      calls += 1;
      return Promise.resolve(calls > 1 ? failed({ kind: 'storage', message: 'busy' }) : ok({ ...asked, atMs: 0 }));
    },
  });
  await markAllSeen(keys);
  expect(useToasts.getState().items.at(-1)).toMatchObject({
    message: 'Could not mark all of them as seen. busy',
    action: { label: 'Undo' },
  });
});

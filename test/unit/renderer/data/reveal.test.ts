import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { emptyQuery } from '../../../../src-renderer/data/parse-filter.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf } from '../jobs/job-of.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Thirty jobs, ten to a page, newest first. */
const jobs = Array.from({ length: 30 }, (_, at) => jobOf(1_030 - at));
const pageJobs = 10;

/** How many lists there were: each is another one, so that none is read as far as the one before. */
let lists = 0;

/** A list with its first page read. The others wait for `beforeMore`. Returns how many were asked for so far. */
async function aList(beforeMore = Promise.resolve()): Promise<() => number> {
  let reads = 0;
  answerCalls({
    'job:markSeen': ({ keys }) => Promise.resolve(ok({ keys, atMs: 0 })),
    'job:list': async ({ beforeKey }) => {
      reads += 1;
      if (beforeKey !== null) await beforeMore;
      const from = beforeKey === null ? 0 : jobs.findIndex(({ key }) => key < beforeKey);
      const page = jobs.slice(from, from + pageJobs);
      return ok({
        jobs: page,
        nextBeforeKey: from + pageJobs < jobs.length ? (page.at(-1)?.key ?? null) : null,
        total: jobs.length,
        isTotalCut: false,
        allTotal: jobs.length,
        counts: { revision: 1, all: noJobs, byConnection: {}, savedBytes: 0 },
        snippets: {},
      });
    },
  });
  lists += 1;
  useJobs.setState({ place: { view: 'failed', endpointId: `e${lists}` }, query: emptyQuery });
  await useJobs.getState().reload();
  return () => reads;
}

test('a job that is revealed is opened, and the list is read up to its row', async () => {
  const reads = await aList();
  expect(reads()).toBe(1);
  const wanted = jobs[25]?.key ?? '';
  const { reveals } = useJobs.getState();
  await useJobs.getState().reveal(wanted);
  const { list, selectedKey, isDetailOpen } = useJobs.getState();
  expect([selectedKey, isDetailOpen]).toEqual([wanted, true]);
  expect(list.get(wanted)?.key).toBe(wanted);
  expect(reads()).toBe(3);
  // Again: nothing is to be read, but the list is to be scrolled there.
  await useJobs.getState().reveal(wanted);
  expect(reads()).toBe(3);
  expect(useJobs.getState().reveals).toBe(reveals + 2);
});

test('for a job that the list would have had by now, or that is no longer wanted, nothing more is read', async () => {
  const reads = await aList();
  await useJobs.getState().reveal(`${jobs[3]?.key ?? ''}x`);
  expect(reads()).toBe(1);
  const revealed = useJobs.getState().reveal(jobs[25]?.key ?? '');
  useJobs.getState().select(jobs[0]?.key ?? '');
  await revealed;
  expect(reads()).toBe(2);
});

test('a job is found although a page is being read when it is revealed', async () => {
  const page = Promise.withResolvers<void>();
  const reads = await aList(page.promise);
  const wanted = jobs[25]?.key ?? '';
  const scrolled = useJobs.getState().loadMore();
  const revealed = useJobs.getState().reveal(wanted);
  await new Promise((resolve) => setImmediate(resolve));
  page.resolve();
  await Promise.all([scrolled, revealed]);
  expect([useJobs.getState().list.get(wanted)?.key, reads()]).toEqual([wanted, 3]);
});

test('a page that cannot be read is asked for once', async () => {
  await aList();
  const { calls } = answerCalls({
    'job:list': () => Promise.resolve(failed({ kind: 'defect', message: 'The disk does not answer.' })),
  });
  await useJobs.getState().reveal(jobs[25]?.key ?? '');
  expect(calls.filter((name) => name === 'job:list')).toHaveLength(1);
});

import { afterEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../../../src-preload/failure.ts';
import { emptyFilter, noJobs, type JobFilter, type JobPage } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { JobList } from '../../../../src-renderer/data/job-list.ts';
import { countOf, JobPages } from '../../../../src-renderer/data/job-pages.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A page as the engine answers it after this many changes. */
function pageOf(revision: number, jobs: Job[], nextBeforeKey: string | null = null): Result<JobPage> {
  return ok({
    jobs,
    nextBeforeKey,
    total: jobs.length,
    isTotalCut: false,
    allTotal: jobs.length,
    counts: { revision, all: { ...noJobs, all: jobs.length }, byConnection: {}, savedBytes: 0 },
    snippets: {},
  });
}

/** Loads a list from these answers, in order; the last one is repeated. */
async function loaded(
  all: Result<JobPage>[],
  live: Result<JobPage>[],
  duringRead: (pages: JobPages) => void = () => {},
): Promise<{ list: JobList; pages: JobPages; reads: number }> {
  let reads = 0;
  const next = (answers: Result<JobPage>[]): Result<JobPage> => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) throw new Error('no answer');
    return answer;
  };
  answerCalls({
    'job:list': async ({ filter }) => {
      reads += 1;
      return next(filter.view === 'active' ? live : all);
    },
  });
  const list = new JobList();
  const pages = new JobPages(list, silent);
  const read = pages.load(emptyFilter, null);
  duringRead(pages);
  await read;
  return { list, pages, reads };
}

const silent = { onAnswer: () => {}, onCounts: () => {}, onRead: () => {} };

const [older, newer] = [jobOf(1, running), jobOf(2, running)];

test('a job that ends between the two reads of a list is read again, so that rows and counts agree', async () => {
  const ended = jobOf(1);
  const { list, reads } = await loaded([pageOf(1, [newer, older]), pageOf(2, [newer, ended])], [pageOf(2, [newer])]);
  expect(reads).toBe(4);
  expect([list.live(), list.rest()]).toEqual([[newer.key], [older.key]]);
  expect(list.justEnded()).toBe(0);
});

test('two reads that agree are enough, and ones that never agree are shown eventually', async () => {
  expect((await loaded([pageOf(1, [newer, older])], [pageOf(1, [newer, older])])).reads).toBe(2);
  const { list, reads } = await loaded([pageOf(1, [newer, older])], [pageOf(2, [newer])]);
  expect(reads).toBe(6);
  expect(list.live()).toEqual([newer.key, older.key]);
});

const queued = { ...older, status: 'IN_QUEUE' } satisfies Job;

test('a job that starts between the two reads is shown as in the later one, as its counts are', async () => {
  const { list, pages, reads } = await loaded([pageOf(1, [newer, queued])], [pageOf(2, [newer, older])]);
  expect([reads, list.get(older.key)?.status]).toEqual([2, 'IN_PROGRESS']);
  pages.apply([queued], emptyFilter, 1);
  expect(list.get(older.key)?.status).toBe('IN_PROGRESS');
});

test('a change from before a page was read does not revert it, whenever it arrives; a later one is shown', async () => {
  const page = pageOf(3, [newer, older]);
  const change = (pages: JobPages, revision: number): void => pages.apply([queued], emptyFilter, revision);
  const early = await loaded([page], [page], (pages) => change(pages, 2));
  expect(early.list.get(older.key)?.status).toBe('IN_PROGRESS');
  change(early.pages, 2);
  expect(early.list.get(older.key)?.status).toBe('IN_PROGRESS');
  change(early.pages, 3);
  expect(early.list.get(older.key)?.status).toBe('IN_QUEUE');
  const late = await loaded([page], [page], (pages) => change(pages, 4));
  expect(late.list.get(older.key)?.status).toBe('IN_QUEUE');
});

test('held rows keep their place when their list is read again, and not when the list changes', async () => {
  const [first, second, third] = [jobOf(1), jobOf(2), jobOf(3)];
  const read = [pageOf(1, [first]), pageOf(2, [second, first]), pageOf(3, [third, second, first])];
  const { list, pages } = await loaded(read, [pageOf(0, [])]);
  list.hold('newcomers');
  await pages.load({ ...emptyFilter }, null);
  expect([list.rest(), list.waiting()]).toEqual([[first.key], 1]);
  await pages.load({ ...emptyFilter, endpointId: 'another' }, null);
  expect([list.rest(), list.waiting()]).toEqual([[third.key, second.key, first.key], 0]);
});

test('while another view is read, the rows on screen follow their own filter, and its rows its filter', async () => {
  const [starred, other] = [jobOf(1, { isStarred: true }), jobOf(2)];
  const { list, pages } = await loaded([pageOf(1, [other, starred])], [pageOf(1, [])]);
  const filter: JobFilter = { ...emptyFilter, view: 'starred' };
  const page = Promise.withResolvers<Result<JobPage>>();
  answerCalls({ 'job:list': () => page.promise });
  const read = pages.load(filter, null);
  pages.apply([{ ...starred, isStarred: false }, jobOf(3)], filter, 2);
  expect(list.rest()).toEqual([jobOf(3).key, other.key, starred.key]);
  page.resolve(pageOf(1, [starred]));
  await read;
  expect(list.rest()).toEqual([]);
});

test('a list that is emptied for another connection gets that connection’s jobs only', async () => {
  const { list, pages } = await loaded([pageOf(1, [newer])], [pageOf(1, [newer])]);
  pages.clear();
  pages.apply([newer, { ...older, connectionId: 'c2' }], { ...emptyFilter, connectionId: 'c2' }, 2);
  expect(list.live()).toEqual([older.key]);
});

/** How many jobs a list says that it has, and how many it has. `duringRead` is called while its pages are read. */
async function totals(
  all: Result<JobPage>,
  live: Result<JobPage>,
  duringRead: (pages: JobPages, list: JobList) => void,
  filter: JobFilter = emptyFilter,
): Promise<[total: number | undefined, rows: number]> {
  answerCalls({ 'job:list': async ({ filter: { view } }) => (view === 'active' ? live : all) });
  const list = new JobList();
  let total: number | undefined;
  const pages = new JobPages(list, { ...silent, onRead: (facts) => (total = facts.total) });
  const read = pages.load(filter, null);
  duringRead(pages, list);
  await read;
  return [total, countOf(list)];
}

test('the total counts a job that came with the page of the live ones only, or as a change during the read', async () => {
  const one = pageOf(1, [older]);
  expect(await totals(one, pageOf(2, [newer, older]), () => {})).toEqual([2, 2]);
  expect(await totals(one, one, (pages) => pages.apply([newer], emptyFilter, 2))).toEqual([2, 2]);
});

test('the total does not count a job that was deleted, or no longer matches, when its page arrives', async () => {
  const [first, second] = [jobOf(1, { isStarred: true }), jobOf(2, { isStarred: true })];
  const page = pageOf(1, [second, first]);
  const starred: JobFilter = { ...emptyFilter, view: 'starred' };
  expect(await totals(page, page, (_, list) => list.hide([first.key]), starred)).toEqual([1, 1]);
  const unstarred = { ...first, isStarred: false };
  expect(await totals(page, page, (pages) => pages.apply([unstarred], starred, 2), starred)).toEqual([1, 1]);
});

test('what was reported before an answer is applied before its counts are taken', async () => {
  const page = pageOf(1, [older]);
  answerCalls({ 'job:list': async () => page });
  const order: string[] = [];
  const pages = new JobPages(new JobList(), {
    onAnswer: () => order.push('reported'),
    onCounts: () => order.push('counts'),
    onRead: () => order.push('read'),
  });
  await pages.load(emptyFilter, null);
  expect(order).toEqual(['reported', 'counts', 'counts', 'read']);
});

const thirty = Array.from({ length: 30 }, (_, at) => jobOf(1_030 - at));

/** What the engine answers of thirty jobs, ten to the first page, and as many more as wanted to the others. */
function answerThirty(): void {
  answerCalls({
    'job:list': async ({ filter, beforeKey, limit }) => {
      if (filter.view === 'active') return pageOf(1, []);
      const from = beforeKey === null ? 0 : thirty.findIndex(({ key }) => key < beforeKey);
      const to = from + (beforeKey === null ? 10 : Math.min(10, limit));
      return pageOf(1, thirty.slice(from, to), to < thirty.length ? (thirty[to - 1]?.key ?? null) : null);
    },
  });
}

test('a list that is read again has as many rows as before, and another list its first page', async () => {
  answerThirty();
  const list = new JobList();
  const pages = new JobPages(list, silent);
  const searched: JobFilter = { ...emptyFilter, text: 'words' };
  await pages.load(searched, null);
  expect(await pages.loadMore(searched, () => ({}), false)).toBe('read');
  expect(list.rest()).toHaveLength(20);
  await pages.load({ ...searched }, null);
  expect(list.rest()).toEqual(thirty.slice(0, 20).map(({ key }) => key));
  expect([await pages.loadMore(searched, () => ({}), false), list.rest().length]).toEqual(['read', 30]);
  expect(await pages.loadMore(searched, () => ({}), false)).toBe('none');
  await pages.load(searched, { column: 'created', isDescending: false });
  expect(list.rest()).toHaveLength(10);
});

test('a page that is asked for while the list is read does not follow rows it does not continue', async () => {
  answerThirty();
  const list = new JobList();
  const pages = new JobPages(list, silent);
  await pages.load(emptyFilter, null);
  await pages.loadMore(emptyFilter, () => ({}), false);
  const late = Promise.withResolvers<Result<JobPage>>();
  const first = pageOf(1, thirty.slice(0, 10), thirty[9]?.key);
  answerCalls({ 'job:list': ({ beforeKey }) => (beforeKey === null ? Promise.resolve(first) : late.promise) });
  const failed: JobFilter = { ...emptyFilter, view: 'failed' };
  const read = pages.load(failed, null);
  const more = pages.loadMore(failed, () => ({}), false);
  await read;
  const keys = thirty.map(({ key }) => key);
  expect(list.rest()).toEqual(keys.slice(0, 10));
  answerThirty();
  late.resolve(pageOf(1, thirty.slice(20)));
  expect(await more).toBe('read');
  expect(list.rest()).toEqual(keys.slice(0, 20));
});

test('a page is asked for with the filter of the rows that it continues', async () => {
  answerThirty();
  const pages = new JobPages(new JobList(), silent);
  await pages.load(emptyFilter, null);
  const asked: unknown[] = [];
  answerCalls({
    'job:list': async ({ filter }) => {
      asked.push(filter);
      return pageOf(1, []);
    },
  });
  await pages.loadMore({ ...emptyFilter, view: 'failed' }, () => ({}), false);
  expect(asked).toEqual([emptyFilter]);
});

test('the next page can be requested the moment one is reported, until all are read', async () => {
  answerThirty();
  const list = new JobList();
  const lastRead = Promise.withResolvers<void>();
  const pages: JobPages = new JobPages(list, {
    ...silent,
    onRead: ({ hasMore }) => {
      if (hasMore === true) void pages.loadMore(emptyFilter, () => ({}), true);
      else lastRead.resolve();
    },
  });
  await pages.load(emptyFilter, null);
  await lastRead.promise;
  expect(list.rest()).toHaveLength(30);
});

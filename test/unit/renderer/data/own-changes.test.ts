import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import type { Failure, Result } from '../../../../src-preload/failure.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { judgedAfter, type JudgementChange } from '../../../../src-preload/judgement.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { changeOwn, markJobs, renameJob, starJobs } from '../../../../src-renderer/data/own-changes.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { ownChangeText } from '../../../../src-renderer/messages/data/changes.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf } from '../jobs/job-of.ts';

/** What the engine has of each job, by its key. */
let saved: Map<
  string,
  { isStarred?: boolean; tags?: string[]; title?: string; judged: ReturnType<typeof judgedAfter> }
>;
let failure: Failure | null;
/** Jobs in the history, beyond the loaded pages of the list. */
let unlisted: Job[];

beforeEach(() => {
  saved = new Map();
  unlisted = [];
  useJobs.setState({ filter: emptyFilter });
  failure = null;
  useToasts.setState({ items: [] });
  const keep = (key: string, change: object): Promise<Result<null>> => {
    if (failure !== null) return Promise.resolve(failed(failure));
    saved.set(key, { judged: {}, ...saved.get(key), ...change });
    return Promise.resolve(ok(null));
  };
  const judge = async (key: string, change: JudgementChange): Promise<Result<Job>> => {
    const result = await keep(key, { judged: judgedAfter(saved.get(key)?.judged ?? {}, change) });
    return result.ok ? ok(jobOf(0)) : result;
  };
  answerCalls({
    'job:some': async ({ keys }) => ok(unlisted.filter(({ key }) => keys.includes(key))),
    'job:star': ({ key, isStarred }) => keep(key, { isStarred }),
    'job:tag': async ({ key, add, remove }) => {
      const kept = (saved.get(key)?.tags ?? []).filter((tag) => !remove.includes(tag));
      const result = await keep(key, { tags: [...kept, ...add] });
      return result.ok ? ok(jobOf(0)) : result;
    },
    'job:rename': async ({ key, title }) => {
      const result = await keep(key, { title });
      return result.ok ? ok(jobOf(0)) : result;
    },
    'job:judge': ({ key, change }) => judge(key, change),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const inList = (key: string): Job | undefined => useJobs.getState().list.get(key);
const lastToast = () => useToasts.getState().items.at(-1);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a star is shown immediately, stays when it is saved, and is removed by Undo', async () => {
  const job = jobOf(1_000);
  useJobs.getState().apply([job]);
  const done = starJobs([job], true);
  expect(inList(job.key)?.isStarred).toBe(true);
  await done;
  expect(saved.get(job.key)?.isStarred).toBe(true);
  expect(lastToast()).toMatchObject({ message: 'Starred this job', action: { label: 'Undo' } });
  lastToast()?.action?.onSelect();
  await settled();
  expect(inList(job.key)?.isStarred).toBe(false);
  expect(saved.get(job.key)?.isStarred).toBe(false);
});

test('a star that could not be saved is removed, the reason is shown, and later changes of the job stay', async () => {
  const job = jobOf(2_000);
  useJobs.getState().apply([job]);
  failure = { kind: 'storage', message: 'The disk is full.' };
  const done = starJobs([job], true);
  useJobs.getState().apply([{ ...job, isStarred: true, requestCount: 9 }]);
  await done;
  expect(inList(job.key)).toMatchObject({ isStarred: false, requestCount: 9 });
  expect(useToasts.getState().items.map(({ message }) => message)).toEqual([
    'Could not save the star. The disk is full.',
  ]);
});

test('Undo restores jobs that are on no loaded page, except those that were changed again since', async () => {
  const [still, changed] = [jobOf(40_000), jobOf(41_000)];
  useJobs.setState({ filter: { ...emptyFilter, endpointId: 'another' } });
  unlisted = [
    { ...still, isStarred: true },
    { ...changed, isStarred: false },
  ];
  await starJobs([still, changed], true);
  expect([inList(still.key), inList(changed.key)]).toEqual([undefined, undefined]);
  saved.clear();
  lastToast()?.action?.onSelect();
  await settled();
  expect([...saved.keys()]).toEqual([still.key]);
  expect(saved.get(still.key)?.isStarred).toBe(false);
  expect(lastToast()?.message).toBe(ownChangeText.changedSince(1));
});

test('several jobs are marked, and Undo gives each its former mark', async () => {
  const { mark: _none, ...plain } = jobOf(3_000);
  const marked = { ...jobOf(4_000), mark: 2 as const };
  saved.set(marked.key, { judged: { mark: 2 } });
  useJobs.getState().apply([plain, marked]);
  await markJobs([plain, marked], 5);
  expect([inList(plain.key)?.mark, inList(marked.key)?.mark]).toEqual([5, 5]);
  expect(lastToast()?.message).toBe('Marked 2 jobs good');
  lastToast()?.action?.onSelect();
  await settled();
  expect([inList(plain.key)?.mark, inList(marked.key)?.mark]).toEqual([undefined, 2]);
  expect([saved.get(plain.key)?.judged, saved.get(marked.key)?.judged]).toEqual([{}, { mark: 2 }]);
});

test('the same mark again removes it', async () => {
  const job = { ...jobOf(5_000), mark: 5 as const };
  saved.set(job.key, { judged: { mark: 5 } });
  useJobs.getState().apply([job]);
  await markJobs([job], 5);
  expect(inList(job.key)?.mark).toBeUndefined();
  expect(saved.get(job.key)?.judged).toEqual({});
});

test('a mark that a job already has is neither saved nor reported, and a label keeps its mark', async () => {
  const job = { ...jobOf(6_000), mark: 3 as const };
  saved.set(job.key, { judged: { mark: 3 } });
  useJobs.getState().apply([job]);
  expect(await changeOwn([{ job, change: { label: null, tags: job.tags } }], 'Nothing')).toBeNull();
  expect(useToasts.getState().items).toEqual([]);
  await changeOwn([{ job, change: { label: 'blurry' } }], 'Labelled');
  expect(inList(job.key)).toMatchObject({ mark: 3, label: 'blurry' });
  expect(saved.get(job.key)?.judged).toEqual({ mark: 3, label: 'blurry' });
});

test('Undo keeps what was changed again since, such as tags from another window, and says so', async () => {
  const [job, other] = [
    { ...jobOf(7_000), tags: ['old'] },
    { ...jobOf(8_000), tags: [] },
  ];
  useJobs.getState().apply([job, other]);
  const change = { tags: ['old', 'mine'] };
  await changeOwn(
    [
      { job, change },
      { job: other, change },
    ],
    'Tags saved',
  );
  useJobs.getState().apply([{ ...job, tags: ['old', 'mine', 'theirs'] }]);
  saved.set(job.key, { judged: {}, tags: ['old', 'mine', 'theirs'] });
  lastToast()?.action?.onSelect();
  await settled();
  expect(saved.get(job.key)?.tags).toEqual(['old', 'mine', 'theirs']);
  expect(saved.get(other.key)?.tags).toEqual([]);
  expect(lastToast()?.message).toBe('Not undone for this job, which changed since');
});

test('a title that could not be saved can be saved by trying again', async () => {
  const job = jobOf(9_000);
  useJobs.getState().apply([job]);
  failure = { kind: 'storage', message: 'The disk is full.' };
  await renameJob(job, 'A typed title');
  expect(inList(job.key)?.title).toBe(job.title);
  failure = null;
  lastToast()?.action?.onSelect();
  await settled();
  expect(saved.get(job.key)?.title).toBe('A typed title');
  expect(inList(job.key)?.title).toBe('A typed title');
});

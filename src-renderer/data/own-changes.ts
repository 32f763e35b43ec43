import { ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { judgedAfter, type JudgementChange, type Mark } from '../../src-preload/judgement.ts';
import { call } from '../bridge.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { ownChangeText } from '../messages/data/changes.ts';
import { useJobs } from './jobs-store.ts';

/** A change to what the user says of a job. */
interface OwnChange extends JudgementChange {
  title?: string;
  isStarred?: boolean;
  tags?: string[];
}

/** A job, and the change to it. */
export interface ChangedJob {
  job: Job;
  change: OwnChange;
}

/**
 * Stars, tags, marks, labels or renames jobs. The change is shown immediately and saved; a toast offers to undo it.
 * Returns why it could not be saved; the jobs that were not saved are shown as before.
 */
export async function changeOwn(changed: readonly ChangedJob[], message: string): Promise<Failure | null> {
  const wanted = changed.filter(({ job, change }) => !isUnchanged(job, change));
  if (wanted.length === 0) return null;
  const failure = await save(wanted);
  if (failure !== null) return failure;
  // When jobs are judged in quick succession, only the last one is likely to need an undo.
  toast(message, { slot: 'own-change', action: undoAction(() => void undo(wanted)) });
  return null;
}

/** As `changeOwn`. A failure is a toast after `notSaved`, which offers to try the same change again. */
async function changeOrReport(changed: readonly ChangedJob[], message: string, notSaved: string): Promise<void> {
  const failure = await changeOwn(changed, message);
  if (failure !== null)
    toast(`${notSaved} ${failure.message}`, {
      action: { label: commonText.tryAgain, onSelect: () => void changeOrReport(changed, message, notSaved) },
    });
}

/** Stars jobs or removes their stars, with a toast to undo it. */
export function starJobs(jobs: readonly Job[], isStarred: boolean): Promise<void> {
  const message = isStarred ? ownChangeText.starred(jobs.length) : ownChangeText.starRemoved(jobs.length);
  return changeOrReport(
    jobs.map((job) => ({ job, change: { isStarred } })),
    message,
    ownChangeText.notSaved.star,
  );
}

/** Marks jobs. If all of them have this mark already, it is removed. */
export function markJobs(jobs: readonly Job[], mark: Mark): Promise<void> {
  const isTaken = jobs.every((job) => job.mark === mark);
  return changeOrReport(
    jobs.map((job) => ({ job, change: { mark: isTaken ? null : mark } })),
    isTaken ? ownChangeText.markRemoved(jobs.length) : ownChangeText.marked(jobs.length, mark),
    ownChangeText.notSaved.mark,
  );
}

/** Removes one tag from a job, with a toast to undo it. */
export function untagJob(job: Job, tag: string): Promise<void> {
  const tags = job.tags.filter((one) => one !== tag);
  return changeOrReport([{ job, change: { tags } }], ownChangeText.tagRemoved(tag), ownChangeText.notSaved.tags);
}

/** Changes a job's title, with a toast to undo it. */
export function renameJob(job: Job, title: string): Promise<void> {
  return changeOrReport([{ job, change: { title } }], ownChangeText.renamed, ownChangeText.notSaved.title);
}

/** Restores what the jobs had before a change, except where it was changed again since, which would be lost. */
async function undo(changed: readonly ChangedJob[]): Promise<void> {
  const current = await readCurrent(changed.map(({ job }) => job.key));
  if (!current.ok) {
    toast(`${ownChangeText.couldNotUndo} ${current.failure.message}`);
    return;
  }
  const unchanged = changed.filter(({ job, change }) => {
    const now = current.value.get(job.key);
    return now !== undefined && isUnchanged(now, change);
  });
  const failure = await save(
    unchanged.map(({ job, change }) => ({ job: shown(job, change), change: formerOf(job, change) })),
  );
  if (failure !== null) toast(`${ownChangeText.couldNotUndo} ${failure.message}`);
  else if (unchanged.length < changed.length) toast(ownChangeText.changedSince(changed.length - unchanged.length));
}

/** The jobs as they are now, by their keys. Those that are on no loaded page are read from the history. */
async function readCurrent(keys: readonly string[]): Promise<Result<Map<string, Job>>> {
  const { list } = useJobs.getState();
  const current = new Map<string, Job>();
  const unlisted: string[] = [];
  for (const key of keys) {
    const listed = list.get(key);
    if (listed === undefined) unlisted.push(key);
    else current.set(key, listed);
  }
  for (let from = 0; from < unlisted.length; from += mostRead) {
    const read = await call('job:some', { keys: unlisted.slice(from, from + mostRead) });
    if (!read.ok) return read;
    for (const job of read.value) current.set(job.key, job);
  }
  return ok(current);
}

/** How many jobs one call reads. */
const mostRead = 1_000;

/** How many jobs are saved at the same time. */
const atOnce = 50;

/** Returns the first failure. The jobs after it are not tried: if the disk refused one, it will refuse the next. */
async function save(changed: readonly ChangedJob[]): Promise<Failure | null> {
  show(changed);
  for (let from = 0; from < changed.length; from += atOnce) {
    const slice = changed.slice(from, from + atOnce);
    const failures = await Promise.all(slice.map(saveOne));
    const failure = failures.find((each) => each !== null) ?? null;
    if (failure === null) continue;
    const unsaved = [...slice.filter((_, at) => failures[at] !== null), ...changed.slice(from + atOnce)];
    show(unsaved.map((one) => ({ job: one.job, change: formerOf(one.job, one.change) })));
    return failure;
  }
  return null;
}

async function saveOne({ job, change }: ChangedJob): Promise<Failure | null> {
  const { title, isStarred, tags, ...judged } = change;
  const { key } = job;
  if (title !== undefined) {
    const result = await call('job:rename', { key, title });
    if (!result.ok) return result.failure;
  }
  if (isStarred !== undefined) {
    const result = await call('job:star', { key, isStarred });
    if (!result.ok) return result.failure;
  }
  if (tags !== undefined) {
    // Only the difference: another window may have added a tag that is not shown here yet.
    const add = tags.filter((tag) => !job.tags.includes(tag));
    const remove = job.tags.filter((tag) => !tags.includes(tag));
    const result = await call('job:tag', { key, add, remove });
    if (!result.ok) return result.failure;
  }
  if (Object.keys(judged).length > 0) {
    const result = await call('job:judge', { key, change: judged });
    if (!result.ok) return result.failure;
  }
  return null;
}

/** Shows a change. Whatever else changed about the jobs meanwhile is kept. */
function show(changed: readonly ChangedJob[]): void {
  const { list, apply } = useJobs.getState();
  apply(changed.map(({ job, change }) => shown(list.get(job.key) ?? job, change)));
}

function shown(job: Job, { title, isStarred, tags, ...judged }: OwnChange): Job {
  const { mark: _mark, label: _label, ...rest } = job;
  return {
    ...rest,
    ...judgedAfter(job, judged),
    title: title ?? job.title,
    isStarred: isStarred ?? job.isStarred,
    tags: tags ?? job.tags,
  };
}

/** The change that restores a job's current values. */
function formerOf(job: Job, change: OwnChange): OwnChange {
  return {
    ...(change.title === undefined ? {} : { title: job.title }),
    ...(change.isStarred === undefined ? {} : { isStarred: job.isStarred }),
    ...(change.tags === undefined ? {} : { tags: job.tags }),
    ...(change.mark === undefined ? {} : { mark: job.mark ?? null }),
    ...(change.label === undefined ? {} : { label: job.label ?? null }),
  };
}

/** Whether a job already has these values. */
function isUnchanged(job: Job, change: OwnChange): boolean {
  return JSON.stringify(formerOf(job, change)) === JSON.stringify(formerOf(shown(job, change), change));
}

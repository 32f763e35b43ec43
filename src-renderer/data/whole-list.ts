import type { CallOutput } from '../../src-preload/contract.ts';
import type { Result } from '../../src-preload/failure.ts';
import { emptyFilter, maxSelected, type JobFilter, type JobKeys } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { ownChangeText, wholeListText } from '../messages/data/changes.ts';
import { useJobs } from './jobs-store.ts';

/** Actions on all jobs that match a filter, including those on pages that are not loaded. */

/** How many keys one call carries. */
const keysAtOnce = 1_000;

/**
 * Selects all matching jobs. If there are more than `maxSelected`, the newest are selected and the user is informed.
 */
export async function pickAllMatching(): Promise<void> {
  const { filter } = useJobs.getState();
  const found = await call('job:keys', { filter });
  if (!found.ok) {
    toast(found.failure.message, { glyph: 'fail' });
    return;
  }
  const { keys, isCut } = found.value;
  const { list } = useJobs.getState();
  const beyond = await readJobs(keys.filter((key) => list.get(key) === undefined));
  if (!beyond.ok) {
    toast(beyond.failure.message, { glyph: 'fail' });
    return;
  }
  // Another list is shown by now.
  if (useJobs.getState().filter !== filter) return;
  useJobs.getState().pickAll(keys, new Map(beyond.value.map((job) => [job.key, job])));
  if (isCut) toast(wholeListText.selectedNewest(maxSelected));
}

/** Marks jobs as seen, and shows how many were not, with an undo for these. */
export async function markAllSeen(keys: readonly string[]): Promise<void> {
  const marked: CallOutput<'job:markSeen'>[] = [];
  let problem: string | null = null;
  for (let from = 0; from < keys.length && problem === null; from += keysAtOnce) {
    const result = await call('job:markSeen', { keys: keys.slice(from, from + keysAtOnce) });
    if (result.ok) marked.push(result.value);
    else problem = `${wholeListText.couldNotMarkSeen} ${result.failure.message}`;
  }
  const count = marked.reduce((sum, one) => sum + one.keys.length, 0);
  toast(problem ?? (count === 0 ? wholeListText.allSeenBefore : wholeListText.markedSeen(count)), {
    ...(problem !== null && { glyph: 'fail' }),
    ...(count > 0 && { action: undoAction(() => void markUnseen(marked)) }),
  });
}

async function markUnseen(marked: readonly CallOutput<'job:markSeen'>[]): Promise<void> {
  for (const one of marked) {
    const result = await call('job:markUnseen', one);
    if (result.ok) continue;
    toast(`${ownChangeText.couldNotUndo} ${result.failure.message}`, { glyph: 'fail' });
    return;
  }
}

/** The keys of all matching jobs. */
export function keysMatching(filter: JobFilter): Promise<Result<JobKeys>> {
  return call('job:keys', { filter });
}

/** All jobs of a cause of failure, the newest first, at most `maxSelected`. */
export async function jobsOfCause(id: number): Promise<Result<Job[]>> {
  const found = await keysMatching({ ...emptyFilter, cause: String(id) });
  return found.ok ? readJobs(found.value.keys) : found;
}

async function readJobs(keys: readonly string[]): Promise<Result<Job[]>> {
  const jobs: Job[] = [];
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const page = await call('job:some', { keys: keys.slice(from, from + keysAtOnce) });
    if (!page.ok) return page;
    jobs.push(...page.value);
  }
  return { ok: true, value: jobs };
}

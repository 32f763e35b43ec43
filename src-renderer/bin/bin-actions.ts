import { create } from 'zustand';
import type { BinUse } from '../../src-preload/bin.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { restoreJobs } from '../data/delete-jobs.ts';
import { toast } from '../design/toast.tsx';
import { binDoneText } from '../messages/bin.ts';
import { commonText } from '../messages/common.ts';
import { goToJob } from '../navigation/go.ts';
import { readBin } from './bin-store.ts';

/** What the user is asked about before it is deleted for good: one job, or all that the bin holds. Null: nothing. */
type BinSubject = { kind: 'one'; job: Job } | { kind: 'all'; use: Pick<BinUse, 'jobs' | 'bytes'> };

export const useBinQuestion = create<{ subject: BinSubject | null }>(() => ({ subject: null }));

/** Restores a job. A toast leads to it. */
export async function restoreOne(job: Job): Promise<void> {
  if (await restoreJobs([job.key]))
    toast(binDoneText.restored(1), { action: { label: commonText.show, onSelect: () => goToJob(job.key) } });
  await readBin();
}

/** Restores everything in the bin. */
export async function restoreAll(): Promise<void> {
  const result = await call('bin:restore', { keys: null });
  toast(result.ok ? binDoneText.restored(result.value.keys.length) : result.failure.message, {
    ...(result.ok && { glyph: 'done' as const }),
  });
  await readBin();
}

/** Deletes for good what the user was asked about. Returns why it could not, or null. */
export async function deleteForGood(subject: BinSubject): Promise<string | null> {
  const result = await call('bin:delete', { keys: subject.kind === 'one' ? [subject.job.key] : null });
  if (result.ok && subject.kind === 'all') toast(binDoneText.emptied(subject.use));
  await readBin();
  if (result.ok) return null;
  const what = subject.kind === 'one' ? binDoneText.couldNotDelete : binDoneText.couldNotEmpty;
  return `${what} ${result.failure.message}`;
}

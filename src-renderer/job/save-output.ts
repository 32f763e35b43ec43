import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { showSavedFile } from '../data/save-file.ts';
import { toast } from '../design/toast.tsx';
import { jobActionDone, jobActionFailed } from '../messages/job/actions.ts';
import { once, succeeded } from './action-store.ts';

/** Saves a job's whole output as a file: `.json` as the service sent it, or `.txt` if it is text. */
export function saveOutput({ key, jobId }: Pick<Job, 'key' | 'jobId'>, attempt: number | null): Promise<void> {
  return once(key, 'save', async () => {
    const name = `output-${jobId?.replaceAll(/[^\w-]/g, '_').slice(0, 8) ?? key}`;
    const saved = await call('app:saveOutput', { key, attempt, name });
    if (!succeeded(key, jobActionFailed.saveOutput, saved)) return;
    switch (saved.value.kind) {
      case 'saved':
        showSavedFile(saved.value.path);
        break;
      case 'empty':
        toast(jobActionDone.nothingToSave);
        break;
      case 'cancelled':
        break;
    }
  });
}

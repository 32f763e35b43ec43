import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { saveText } from '../data/save-file.ts';
import { toast } from '../design/toast.tsx';
import { jobActionDone, jobActionFailed } from '../messages/job/actions.ts';
import { once, succeeded } from './action-store.ts';

/** Saves a job's whole output as a file: `.json` as the service sent it, or `.txt` if it is text. */
export function saveOutput(job: Pick<Job, 'key' | 'jobId'>, attempt: number | null): Promise<void> {
  const { key } = job;
  return once(key, 'save', async () => {
    const output = await call('job:wholeOutput', { key, attempt });
    if (!succeeded(key, jobActionFailed.saveOutput, output)) return;
    const { text, isJson } = output.value;
    if (text === '') {
      toast(jobActionDone.nothingToSave);
      return;
    }
    const name = `output-${job.jobId?.replaceAll(/[^\w-]/g, '_').slice(0, 8) ?? key}`;
    saveText(`${name}.${isJson ? 'json' : 'txt'}`, text, isJson ? 'application/json' : 'text/plain');
  });
}

import type { Result } from '../../src-preload/failure.ts';
import type { JobText } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { jobActionDone, jobActionFailed } from '../messages/job/actions.ts';
import { once, succeeded } from './action-store.ts';

/** Opens a copy of a job's whole output in the user's editor. */
export function openOutputInEditor(job: Pick<Job, 'key' | 'jobId'>, attempt: number | null): Promise<void> {
  return openInEditor(job, `output${attempt === null ? '' : `-${attempt}`}`, () =>
    call('job:wholeOutput', { key: job.key, attempt }),
  );
}

/** Opens a copy of a job's whole input in the user's editor. */
export function openInputInEditor(job: Pick<Job, 'key' | 'jobId'>): Promise<void> {
  return openInEditor(job, 'input', async () => {
    const body = await call('job:body', { key: job.key, part: 'input', attempt: null, isWhole: true });
    return body.ok ? { ok: true, value: { text: body.value.text, isJson: true } } : body;
  });
}

function openInEditor(
  { key, jobId }: Pick<Job, 'key' | 'jobId'>,
  part: string,
  read: () => Promise<Result<JobText>>,
): Promise<void> {
  return once(key, 'editor', async () => {
    const wanted = await read();
    if (!succeeded(key, jobActionFailed.openInEditor, wanted)) return;
    const { text, isJson } = wanted.value;
    if (text === '') {
      toast(jobActionDone.nothingToOpen);
      return;
    }
    const opened = await call('app:openInEditor', {
      // Ids of two services, or two that differ in case or signs, may be the same as names of files. Keys are not.
      name: jobId === null ? `${part}-${key}` : `${part}-${jobId.slice(0, 8)}-${key}`,
      format: isJson ? 'json' : 'txt',
      bytes: new TextEncoder().encode(text),
    });
    if (succeeded(key, jobActionFailed.openInEditor, opened)) toast(jobActionDone.openedInEditor);
  });
}

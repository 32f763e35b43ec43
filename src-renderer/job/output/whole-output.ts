import { ok, type Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { call } from '../../bridge.ts';
import { toast } from '../../design/toast.tsx';
import { jobActionDone, jobActionFailed } from '../../messages/job/actions.ts';
import { once, succeeded } from '../action-store.ts';
import { showSavedFile } from '../../data/save-file.ts';

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

/** Opens a copy of a job's whole output in the user's editor. */
export function openOutputInEditor(job: Pick<Job, 'key' | 'jobId'>, attempt: number | null): Promise<void> {
  const part = `output${attempt === null ? '' : `-${attempt}`}`;
  return openInEditor(job, part, (name) => call('app:openOutput', { key: job.key, attempt, name }));
}

/** Opens a copy of a job's whole input in the user's editor. */
export function openInputInEditor(job: Pick<Job, 'key' | 'jobId'>): Promise<void> {
  return openInEditor(job, 'input', async (name) => {
    const body = await call('job:body', { key: job.key, part: 'input', attempt: null, isWhole: true });
    if (!body.ok || body.value.text === '') return body.ok ? ok({ isEmpty: true }) : body;
    const bytes = new TextEncoder().encode(body.value.text);
    const opened = await call('app:openInEditor', { name, format: 'json', bytes });
    return opened.ok ? ok({ isEmpty: false }) : opened;
  });
}

function openInEditor(
  { key, jobId }: Pick<Job, 'key' | 'jobId'>,
  part: string,
  open: (name: string) => Promise<Result<{ isEmpty: boolean }>>,
): Promise<void> {
  return once(key, 'editor', async () => {
    // Ids of two services, or two that differ in case or signs, may be the same as names of files. Keys are not.
    const opened = await open(jobId === null ? `${part}-${key}` : `${part}-${jobId.slice(0, 8)}-${key}`);
    if (succeeded(key, jobActionFailed.openInEditor, opened))
      toast(opened.value.isEmpty ? jobActionDone.nothingToOpen : jobActionDone.openedInEditor);
  });
}

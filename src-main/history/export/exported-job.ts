import { batchStateOf } from '../../../src-preload/batch.ts';
import type { Job } from '../../../src-preload/job.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';

/** A job with everything that an export says about it. */
export interface ExportedJob {
  job: Job;
  /** The name the user gave its connection; empty where that was removed. */
  connection: string;
  /** Estimated credits; null where they are not known. */
  cost: number | null;
  inputText: string;
  /** JSON or plain text, as are errors. */
  outputText: string | null;
  errorText: string | null;
  /** What the user wrote about it; empty where there is nothing. */
  note: string;
}

/** What went wrong: the service's error, else why the job is as it is; null where it completed. */
export function errorOf({ job, errorText }: ExportedJob): string | null {
  if (errorText !== null) return errorText;
  return job.reason === null || batchStateOf(job) === 'completed' ? null : reasonText(job.reason);
}

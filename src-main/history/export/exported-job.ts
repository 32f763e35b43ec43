import { batchStateOf } from '../../../src-preload/batch.ts';
import type { Job } from '../../../src-preload/job.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';

/**
 * A job with everything that an export includes. No secret has to be left out, because none is saved: replies are
 * redacted before, and an s3 secret is only joined to what is sent.
 */
export interface ExportedJob {
  job: Job;
  /** The name that the user gave to its connection. Empty if that was removed. */
  connection: string;
  /** Estimated credits. Null if not known. */
  cost: number | null;
  inputText: string;
  /** JSON or plain text, as are errors. Null if there is none, or only a stream. */
  outputText: string | null;
  /** The stream of a job without any other output. Null for every other job. */
  stream: ExportedStream | null;
  errorText: string | null;
  /** The user's note. Empty if there is none. */
  note: string;
}

/** A stream that is read only while it is written, because it may be longer than the memory. */
export interface ExportedStream {
  chunkCount: number;
  /** The outputs of its chunks in order, as they came. */
  pages(): Iterable<readonly string[]>;
}

/** What went wrong: the service's error, or else the reason for the job's state. Null if it completed. */
export function errorOf({ job, errorText }: ExportedJob): string | null {
  if (errorText !== null) return errorText;
  return job.reason === null || batchStateOf(job) === 'completed' ? null : reasonText(job.reason);
}

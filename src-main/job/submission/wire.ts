import { ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { StoredSubmission } from '../../history/records.ts';
import { checkSubmission } from '../../service/submission-body.ts';
import type { JobContext } from '../context/job-context.ts';

/** What goes over the wire, and what in it must not come back by any reply. */
export interface Wire {
  body: string;
  secrets: readonly string[];
}

/**
 * Makes of what is stored what is sent: the secret of its s3 profile joined, and the receiver's address made the
 * submission's own.
 */
export async function wireOf(
  { key, operation }: Pick<Job, 'key' | 'operation'>,
  submission: StoredSubmission,
  { s3Config: readS3Config, callbackFor }: JobContext,
): Promise<Result<Wire>> {
  const { s3ProfileId } = submission;
  const webhook = submission.webhook === null ? null : callbackFor(submission.webhook, key);
  const s3Config = s3ProfileId === null ? ok(null) : await readS3Config(s3ProfileId);
  if (!s3Config.ok) return s3Config;
  const checked = checkSubmission({ operation, ...submission, webhook, s3Config: s3Config.value });
  if (!checked.ok) return checked;
  const secret = s3Config.value?.accessSecret ?? '';
  return ok({ body: checked.value.body, secrets: secret === '' ? [] : [secret] });
}

/** Whether what stands in the way of it may come right by itself, as a locked keychain does. */
export function mayPass({ kind }: Failure): boolean {
  return kind === 'storage' || kind === 'no-key' || kind === 'defect';
}

import type { JobDetail } from '../../src-preload/job.ts';
import type { History } from '../history/history.ts';
import type { StoredJob } from '../history/records.ts';
import { readJobError } from '../service/job-error.ts';
import { memberTexts } from '../../src-preload/json-spans.ts';
import { shallow } from '../service/shapes.ts';

/** As much of a raw reply as is ever kept (ruling 6). */
const replyBytes = 65_536;

/** A stored job as the detail pane shows it. */
export async function jobDetail(stored: StoredJob, history: Pick<History, 'body'>): Promise<JobDetail> {
  const { job, attempts, submission } = stored;
  const current = attempts.find((attempt) => attempt.number === job.attempt);
  const errorText = current?.errorText ?? null;
  const reply = await history.body(job.key, 'reply', job.attempt, replyBytes);
  return {
    job,
    attempts,
    webhook: submission.webhook,
    waitMs: submission.waitMs,
    s3ProfileId: submission.s3ProfileId,
    error: errorText === null ? null : readJobError(errorText),
    extraFields: reply === null || reply.isCut ? {} : extraFieldsOf(reply.text),
  };
}

/** What the service sent beyond the specification; nothing where the kept reply is no JSON object. */
function extraFieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    const fields = Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'id' && name !== 'status'));
    return shallow(fields, memberTexts(text));
  } catch {
    return {};
  }
}

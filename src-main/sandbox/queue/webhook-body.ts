import type { Dialect } from '../dialect.ts';
import { memberText } from '../json-members.ts';
import { renderJob, type JobRecord } from './job-record.ts';

/** Ruling 25: the job record plus `input` and `webhook`. */
export function webhookBody(record: JobRecord, url: string, dialect: Dialect, nowMs: number): string {
  const input = memberText(record.submission.text, 'input') ?? '{}';
  return `${renderJob(record, dialect, nowMs).slice(0, -1)},"input":${input},"webhook":${JSON.stringify(url)}}`;
}

import { isTimeoutError } from '../../../src-preload/job.ts';
import type { JobStatus } from '../../../src-preload/job.ts';
import type { JobReason } from '../../../src-preload/job-reason.ts';
import { readJobError } from '../../service/error-body.ts';
import type { JobRecord } from '../../service/reply.ts';
import { oneLine } from './title.ts';

const longestLine = 200;

/**
 * Why a final status; null when the status says it all. An execution timeout is the same in either form (ruling 14).
 */
export function resultReason(of: {
  status: JobStatus | null;
  errorText: string | null;
  executionTimeoutMs: number;
}): JobReason | null {
  const error = of.errorText === null ? null : oneLine(readJobError(of.errorText).summary, longestLine);
  const isTimeout = of.status === 'TIMED_OUT' || (of.status === 'FAILED' && error !== null && isTimeoutError(error));
  if (!isTimeout) return error === null ? null : { kind: 'failed', said: error };
  const isPlain = error === null || /^executionTimeout exceeded$/i.test(error);
  return { kind: 'timed-out', limitMs: of.executionTimeoutMs, said: isPlain ? null : error };
}

/** Output before the end is progress, never a result (field notes: Status and result, runpod-python#250). */
export function progressReason(record: JobRecord): JobReason | null {
  if (record.outputJson === null || record.outputJson === 'null') return null;
  return { kind: 'progress', said: oneLine(unquoted(record.outputJson), longestLine) };
}

function unquoted(json: string): string {
  if (!json.startsWith('"') || json.length > 10_000) return json;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    return json;
  }
}

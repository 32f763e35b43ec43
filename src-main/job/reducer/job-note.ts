import type { JobStatus } from '../../../src-preload/job.ts';
import { readJobError } from '../../service/error-body.ts';
import type { JobRecord } from '../../service/reply.ts';
import { oneLine } from './title.ts';

const longestNote = 200;

/**
 * One line for a final status; null when the status says it all. An execution timeout reads the same in either form
 * (ruling 14).
 */
export function noteOfResult(of: {
  status: JobStatus | null;
  errorText: string | null;
  executionTimeoutMs: number;
}): string | null {
  const error = of.errorText === null ? null : oneLine(readJobError(of.errorText).summary, longestNote);
  const isTimeout =
    of.status === 'TIMED_OUT' || (of.status === 'FAILED' && error !== null && /executionTimeout exceeded/i.test(error));
  if (!isTimeout) return error;
  if (error !== null && !/^executionTimeout exceeded$/i.test(error)) return error;
  return `executionTimeout exceeded: it ran longer than ${inWords(of.executionTimeoutMs)}`;
}

/** Output before the end is progress, never a result (field notes: Status and result, runpod-python#250). */
export function progressNote(record: JobRecord): string | null {
  if (record.outputJson === null || record.outputJson === 'null') return null;
  return oneLine(unquoted(record.outputJson), longestNote);
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

function inWords(ms: number): string {
  if (ms < 60_000) return `${ms / 1_000} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 360_000) / 10} h`;
}

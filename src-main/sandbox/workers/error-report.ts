import { inspect } from 'node:util';
import { ReportedFailure } from './handlers/job.ts';
import type { ThreadExit } from './handler-thread.ts';
import { isError, readStack, textOf } from './stack-text.ts';

/** Who reports: goes into every error report. */
export interface Reporter {
  endpointId: string;
  workerId: string;
}

/** Causes are followed this far: an error can be its own cause. */
const CAUSES_MAX = 5;

function report(fields: Record<string, unknown>, { endpointId, workerId }: Reporter): string {
  return JSON.stringify({
    error_type: 'Error',
    error_message: '',
    error_traceback: '',
    hostname: `${workerId}-${endpointId}`,
    worker_id: workerId,
    runpod_version: 'sandbox',
    ...fields,
  });
}

/** What was thrown, where it is not an error, in a few words. */
export function thrownText(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 3 });
}

/** An error, what caused it, what caused that, and so on; whatever they are. */
export function withCauses(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next: unknown = thrown; chain.length < CAUSES_MAX && !chain.includes(next); next = next.cause) {
    chain.push(next);
    if (!isError(next) || next.cause === undefined) break;
  }
  return chain;
}

/** The stack of an error and of its causes, without the frames in `ownDirectory`. */
function traceback(error: Error, ownDirectory: string | null): string {
  const stacks = withCauses(error).map((thrown) => {
    if (!isError(thrown)) return thrownText(thrown);
    const { title, frames, place } = readStack(thrown, ownDirectory);
    const isPlaceInFrames = frames.length > 0 || place === null;
    return [title, ...(isPlaceInFrames ? frames : [`    at ${place.path}:${place.line}:${place.column}`])].join('\n');
  });
  return stacks.join('\nCaused by: ');
}

/**
 * The `error` of a FAILED job for what its handler threw: a JSON string with error_type,
 * error_message, error_traceback, hostname, worker_id and runpod_version (field notes: Status and
 * result). A {@link ReportedFailure} with a text is that text. Frames in `ownDirectory` (a `file:`
 * URL) are left out of the traceback, so that it begins in the handler's own code.
 */
export function reportThrown(thrown: unknown, reporter: Reporter, ownDirectory: string | null = null): string {
  if (thrown instanceof ReportedFailure) {
    return typeof thrown.report === 'string' ? thrown.report : report(thrown.report, reporter);
  }
  if (isError(thrown)) {
    const error_traceback = traceback(thrown, ownDirectory);
    return report(
      { error_type: textOf(thrown.name), error_message: textOf(thrown.message), error_traceback },
      reporter,
    );
  }
  return report({ error_type: typeof thrown, error_message: thrownText(thrown) }, reporter);
}

/** The `error` of a job whose worker ended under it (spec: Errors, "the worker may have crashed"). */
export function reportCrash(exit: ThreadExit, reporter: Reporter): string {
  if (typeof exit.report === 'string') return exit.report;
  const cause = exit.error === null ? '' : `: ${exit.error.message}`;
  return report(
    {
      error_type: 'WorkerCrashed',
      error_message: `The worker exited with code ${exit.code} before the job was done${cause}`,
      error_traceback: exit.error?.stack ?? '',
    },
    reporter,
  );
}

/** As {@link reportCrash}, for a thread that can still say what ends it. */
export function reportCrashing(code: number, thrown: unknown, reporter: Reporter, ownDirectory: string | null): string {
  const cause = isError(thrown) ? thrown.message : thrownText(thrown);
  const error_message = `The worker exited with code ${code} before the job was done: ${cause}`;
  const error_traceback = isError(thrown) ? traceback(thrown, ownDirectory) : '';
  return report({ error_type: 'WorkerCrashed', error_message, error_traceback }, reporter);
}

import { ReportedFailure } from './handlers/job.ts';

/** Who reports: goes into every error report. */
export interface Reporter {
  endpointId: string;
  workerId: string;
}

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

/**
 * The `error` of a FAILED job for what its handler threw: a JSON string with error_type,
 * error_message, error_traceback, hostname, worker_id and runpod_version (field-notes: Status and
 * result). A {@link ReportedFailure} with a text is that text.
 */
export function reportThrown(thrown: unknown, reporter: Reporter): string {
  if (thrown instanceof ReportedFailure) {
    return typeof thrown.report === 'string' ? thrown.report : report(thrown.report, reporter);
  }
  if (thrown instanceof Error) {
    return report({ error_type: thrown.name, error_message: thrown.message, error_traceback: thrown.stack ?? '' }, reporter);
  }
  return report({ error_type: typeof thrown, error_message: String(thrown) }, reporter);
}

/** The `error` of a job whose worker ended under it (spec: Errors, "the worker may have crashed"). */
export function reportCrash(exit: { code: number; error: Error | null }, reporter: Reporter): string {
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

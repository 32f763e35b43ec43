import { failed, type LocalFailure, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';

type FailureLog = Pick<Log, 'error' | 'redact'>;

/** The failure of something that could not be read or saved, which is also logged. Its `detail` is without secrets. */
export function storageFailure(log: FailureLog, message: string, error: unknown): LocalFailure {
  log.error(message, { error });
  return { kind: 'storage', message, detail: log.redact(errorText(error)) };
}

/** The result of `work`. If that throws, a `storage` failure with `message`, or null: with the history's own words. */
export async function orStorageFailure<T>(
  log: FailureLog,
  message: string | null,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    return failed(storageFailure(log, message ?? log.redact(errorText(error)), error));
  }
}

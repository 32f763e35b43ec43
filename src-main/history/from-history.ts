import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';

/**
 * What the history answers, as a `Result`: a disk that refuses is a `storage` failure, never a throw across the bridge.
 */
export async function fromHistory<T>(asked: Promise<T>): Promise<Result<T>> {
  try {
    return ok(await asked);
  } catch (thrown) {
    const detail = errorText(thrown);
    return failed({ kind: 'storage', message: detail, detail });
  }
}

/** As `fromHistory`, where null means that there is no such thing. */
export async function foundInHistory<T>(asked: Promise<T | null>, missing: string): Promise<Result<T>> {
  const result = await fromHistory(asked);
  if (!result.ok) return result;
  return result.value === null ? failed({ kind: 'absent', message: missing }) : ok(result.value);
}

export const noSuchJob = 'This job is not in the history on this computer.';

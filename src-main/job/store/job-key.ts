import type { Failure } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { Ledger } from './ledger.ts';

/**
 * Makes job keys of 26 characters: the millisecond, a counter and randomness, in base 32 (as a UUIDv7 or ULID).
 * Keys of one maker ascend strictly, also within one millisecond and when the machine's clock is set back,
 * because the list is ordered by them.
 */
export function createJobKeys(now: () => number, random: () => number): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = Math.floor(now());
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = Math.floor(random() * 2 ** 19);
    } else {
      counter += 1;
      if (counter >= 2 ** 20) {
        lastMs += 1;
        counter = 0;
      }
    }
    return (
      base32(lastMs, 10) +
      base32(counter, 4) +
      base32(Math.floor(random() * 2 ** 30), 6) +
      base32(Math.floor(random() * 2 ** 30), 6)
    );
  };
}

/** Crockford's digits: they sort as they count, and none is mistaken for another. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

function base32(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i += 1) {
    text = (digits[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** There is no job of that key. */
export const absent: Failure = { kind: 'absent', message: 'This job is not in the history any more.' };

/** A job by its key: as it stands while it is followed, else as it was saved. Null where there is none. */
export function createFindJob(
  ledger: Pick<Ledger, 'live'>,
  history: Pick<History, 'get'>,
): (key: string) => Promise<Job | null> {
  return async (key) => ledger.live().get(key)?.job ?? (await history.get(key))?.job ?? null;
}

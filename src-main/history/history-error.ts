/**
 * Why a call of the History was not done, with a message that a person can read.
 * - `change`: it alone cannot be done; others can.
 * - `storage`: nothing can be read or written now (locked, full, no thread). Nothing of it was saved.
 * - `lost`: the history's thread ended before it answered. It may be saved or not.
 */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly reason: 'change' | 'storage' | 'lost';

  constructor(message: string, reason: 'change' | 'storage' | 'lost') {
    super(message);
    this.reason = reason;
  }
}

/** True when no other call would fare better now: there is no point in trying each of several by itself. */
export function isOfStorage(error: unknown): boolean {
  return error instanceof HistoryError && error.reason !== 'change';
}

/** True when nobody knows whether it was done. */
export function isLost(error: unknown): boolean {
  return error instanceof HistoryError && error.reason === 'lost';
}

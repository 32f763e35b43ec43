import { batchStateOf, type Batch } from '../../../src-preload/batch.ts';
import type { Job } from '../../../src-preload/job.ts';

interface Limited {
  maxLive: number | null;
  /** Null: without a limit. */
  failuresLeft: number | null;
}

/**
 * What holds back rows that could be sent: how many of their batch may be at the service at the same time, and how many
 * failures stop it. In memory, because every plan needs it; the batch's own record is on disk.
 */
export class BatchLimitWatch {
  readonly #limited = new Map<string, Limited>();

  /** Notes a batch as it was read, before any of its rows is sent or while it is paused. */
  note({ id, limits, failuresLeft }: Pick<Batch, 'id' | 'limits' | 'failuresLeft'>): void {
    const { maxLive } = limits;
    if (maxLive === null && failuresLeft === null) this.#limited.delete(id);
    else this.#limited.set(id, { maxLive, failuresLeft });
  }

  /** Stops watching a batch's limits. */
  forget(id: string): void {
    this.#limited.delete(id);
  }

  /** How many rows may be at the service. Null: all. */
  maxLive(id: string): number | null {
    return this.#limited.get(id)?.maxLive ?? null;
  }

  /** Whether any batch has such a limit. Only then are the rows at the service counted. */
  get limitsLiveRows(): boolean {
    return [...this.#limited.values()].some(({ maxLive }) => maxLive !== null);
  }

  /** Notes a change of a row. Returns whether exactly this change brought its batch to its limit of failures. */
  stopsWith(before: Job | null, after: Job): boolean {
    const limited = after.batchId === null ? undefined : this.#limited.get(after.batchId);
    if (limited === undefined || limited.failuresLeft === null) return false;
    // A job that adopts a row of the batch may have failed before.
    const wasFailure = before !== null && before.batchId === after.batchId && isFailure(before);
    const change = Number(isFailure(after)) - Number(wasFailure);
    if (change === 0) return false;
    const left = limited.failuresLeft - change;
    limited.failuresLeft = Math.max(0, left);
    return change > 0 && left === 0;
  }
}

function isFailure(job: Job): boolean {
  const state = batchStateOf(job);
  return state === 'failed' || state === 'refused';
}

import { batchStateOf, type Batch } from '../../../src-preload/batch.ts';
import type { Job } from '../../../src-preload/job.ts';

interface Limited {
  mostLive: number | null;
  /** Null: it may fail as often as it has rows. */
  failuresLeft: number | null;
}

/**
 * What holds back rows that could be sent: so many of their batch on the service at once, so many failures until it
 * stops. In memory, because the plan asks with every request; the batch's own record is on disk.
 */
export class BatchLimitWatch {
  readonly #limited = new Map<string, Limited>();

  /** Takes a batch as it was read, before any of its rows is sent or while it is paused. */
  note({ id, limits, failuresLeft }: Pick<Batch, 'id' | 'limits' | 'failuresLeft'>): void {
    const { mostLive } = limits;
    if (mostLive === null && failuresLeft === null) this.#limited.delete(id);
    else this.#limited.set(id, { mostLive, failuresLeft });
  }

  /** Stops watching a batch's limits. */
  forget(id: string): void {
    this.#limited.delete(id);
  }

  /** Rows that may be on the service at once; null: as many as there are. */
  mostLive(id: string): number | null {
    return this.#limited.get(id)?.mostLive ?? null;
  }

  /** Whether any batch has such a limit: only then the rows on the service are worth counting. */
  get hasMostLive(): boolean {
    return [...this.#limited.values()].some(({ mostLive }) => mostLive !== null);
  }

  /** Takes what became of a row. Answers whether its batch has failed as often as it may with this very change. */
  stopsWith(before: Job | null, after: Job): boolean {
    const limited = after.batchId === null ? undefined : this.#limited.get(after.batchId);
    if (limited === undefined || limited.failuresLeft === null) return false;
    const change = Number(isFailure(after)) - Number(before !== null && isFailure(before));
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

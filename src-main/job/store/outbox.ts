import type { Job, SubmitOperation } from '../../../src-preload/job.ts';
import { firstIndex } from '../../../src-preload/first-index.ts';

/** Jobs that wait to be sent to one destination: single jobs, or the rows of one batch. */
export interface OutboxQueue {
  connectionId: string;
  endpointId: string;
  operation: SubmitOperation;
  batchId: string | null;
  /** In sending order. Keys ascend in time. */
  keys: readonly string[];
}

/** The waiting jobs in order: the schedule needs the first few of each queue, however many thousand are behind them. */
export class Outbox {
  readonly #queues = new Map<string, OutboxQueue & { keys: string[] }>();

  /** Adds the job while it waits, and removes it otherwise. */
  note(job: Job): void {
    const { connectionId, endpointId, operation, batchId } = job;
    const id = `${connectionId}\n${endpointId}\n${operation}\n${batchId ?? ''}`;
    let queue = this.#queues.get(id);
    if (queue === undefined) {
      if (job.phase !== 'waiting') return;
      queue = { connectionId, endpointId, operation, batchId, keys: [] };
      this.#queues.set(id, queue);
    }
    const { keys } = queue;
    const at = placeOf(keys, job.key);
    const isIn = keys[at] === job.key;
    if (job.phase === 'waiting' && !isIn) keys.splice(at, 0, job.key);
    if (job.phase !== 'waiting' && isIn) keys.splice(at, 1);
    if (keys.length === 0) this.#queues.delete(id);
  }

  /** Those that are not empty. */
  queues(): Iterable<OutboxQueue> {
    return this.#queues.values();
  }
}

/** The index of `key`, or where it would be inserted. */
function placeOf(keys: readonly string[], key: string): number {
  return firstIndex(keys.length, (index) => (keys[index] ?? '') < key);
}

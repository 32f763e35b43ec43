import type { Job, SubmitOperation } from '../../../src-preload/job.ts';

/** Jobs that wait to be sent to one place: on their own, or as rows of one batch. */
export interface OutboxQueue {
  connectionId: string;
  endpointId: string;
  operation: SubmitOperation;
  batchId: string | null;
  /** First to last; keys ascend in time. */
  keys: readonly string[];
}

/**
 * What waits to be sent, in order and at hand: the schedule needs the first few of each queue, however many thousand
 * stand behind them.
 */
export class Outbox {
  readonly #queues = new Map<string, OutboxQueue & { keys: string[] }>();

  /** Takes the job in while it waits, out when it does not. */
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

  /** Those with jobs in them. */
  queues(): Iterable<OutboxQueue> {
    return this.#queues.values();
  }
}

/** Where `key` stands or would stand. */
function placeOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

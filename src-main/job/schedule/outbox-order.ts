import type { PlannedEndpoint, PlannedJob } from './plan.ts';
import { laneId, laneOf } from './request-candidate.ts';

/**
 * When each job of the outbox may be sent, by key: no earlier than those before it on its lane, whatever their own
 * back-off, so that an outage does not change the order. Jobs of a lane can belong to several addresses, if the
 * connection's address was changed meanwhile.
 */
export function outboxDueTimes(
  jobs: readonly PlannedJob[],
  endpointStates: ReadonlyMap<string, PlannedEndpoint>,
): ReadonlyMap<string, number> {
  const dueTimes = new Map<string, number>();
  const latest = new Map<string, number>();
  for (const job of jobs.filter(({ stage }) => stage === 'waiting').toSorted(byKey)) {
    const endpoint = endpointStates.get(job.addressKey);
    if (endpoint === undefined) continue;
    // The rows of batches have a line of their own, so that a single job's back-off does not hold them.
    const line = `${laneId(laneOf(endpoint, job.operation))}\n${job.isBatchRow}`;
    const dueAtMs = Math.max(job.notBeforeMs, latest.get(line) ?? 0);
    dueTimes.set(job.key, dueAtMs);
    latest.set(line, dueAtMs);
  }
  return dueTimes;
}

/** The first submission of the outbox. Null if none waits, or while the one before it is on its way. */
export function headOfOutbox(jobs: readonly PlannedJob[]): PlannedJob | null {
  let head: PlannedJob | null = null;
  for (const job of jobs) {
    const isInLine = job.stage === 'waiting' || (job.stage === 'sending' && job.operation === 'run');
    if (isInLine && (head === null || isBefore(job, head))) head = job;
  }
  return head === null || head.stage !== 'waiting' || head.isBusy ? null : head;
}

function isBefore(job: PlannedJob, other: PlannedJob): boolean {
  return (Number(job.isBatchRow) - Number(other.isBatchRow) || byKey(job, other)) < 0;
}

/** Keys ascend in time. */
function byKey(a: PlannedJob, b: PlannedJob): number {
  return a.key < b.key ? -1 : 1;
}

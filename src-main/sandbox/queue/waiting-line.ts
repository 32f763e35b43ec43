import type { JobRecord } from './job-record.ts';

/** The jobs of one endpoint that wait for a worker. */
export interface WaitingLine {
  add(record: JobRecord): void;
  /** Does nothing when the job is not in it. */
  delete(record: JobRecord): void;
  first(): JobRecord | undefined;
  all(): JobRecord[];
  size(): number;
  /** How many of them may bring up workers: lowPriority ones do not (spec: policy object). */
  scalingDemand(): number;
}

export function createWaitingLine(): WaitingLine {
  // A set keeps the order of arrival and lets a job leave from the middle.
  const waiting = new Set<JobRecord>();
  let scalingDemand = 0;
  const demandOf = ({ submission }: JobRecord): number => (submission.isLowPriority ? 0 : 1);
  return {
    add: (record) => {
      waiting.add(record);
      scalingDemand += demandOf(record);
    },
    delete: (record) => {
      if (waiting.delete(record)) scalingDemand -= demandOf(record);
    },
    first: () => waiting.values().next().value,
    all: () => [...waiting],
    size: () => waiting.size,
    scalingDemand: () => scalingDemand,
  };
}

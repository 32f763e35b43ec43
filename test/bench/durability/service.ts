import { createSandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { faults } from './faults.ts';
import type { ServiceJob } from './judge.ts';

/** The service under the bench, and what it knows by itself. */
export interface BenchService {
  sandbox: Sandbox;
  setFaulty(isFaulty: boolean): void;
  /** Jobs of an endpoint that are not over. */
  open(endpointId: string): number;
  jobs(endpointId: string): ServiceJob[];
  requests(endpointId: string): number;
}

/** Starts it with one endpoint for each client, so that what they do can be told apart. */
export async function startService(endpointIds: readonly string[], seed: number): Promise<BenchService> {
  const markers = new Map<string, string>();
  const sandbox = await createSandbox({
    port: 0,
    apiKey: 'bench-key-0123456789',
    faultSeed: seed,
    endpoints: endpointIds.map((id) => ({ id, handler: { moduleUrl: new URL('./handler.ts', import.meta.url).href }, minWorkers: 1, maxWorkers: 6, coldStartMs: 0, idleTimeoutMs: 600_000 })),
    onHandlerLog: ({ jobId, stream, line }) => {
      if (stream === 'stdout' && jobId !== null) markers.set(jobId, line.trim());
    },
  });
  return {
    sandbox,
    setFaulty: (isFaulty) => sandbox.setFault(isFaulty ? faults : null),
    open(endpointId) {
      const counts = sandbox.health(endpointId)?.jobs;
      return (counts?.inQueue ?? 0) + (counts?.inProgress ?? 0);
    },
    jobs(endpointId) {
      const jobs = new Map<string, ServiceJob>();
      for (const { jobId, to, endpointId: of } of sandbox.transitions()) {
        if (of !== endpointId) continue;
        const job = jobs.get(jobId) ?? { id: jobId, marker: markers.get(jobId) ?? null, end: null };
        // Its record may leave in time; how it ended stays.
        if (to !== 'IN_QUEUE' && to !== 'IN_PROGRESS' && to !== 'REMOVED') job.end = to;
        jobs.set(jobId, job);
      }
      return [...jobs.values()];
    },
    requests: (endpointId) => sandbox.requests().filter((entry) => entry.endpointId === endpointId).reduce((sum, { count }) => sum + count, 0),
  };
}

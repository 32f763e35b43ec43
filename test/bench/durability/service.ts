import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { systemClock } from '../../../src-main/sandbox/clock.ts';
import type { FaultKind } from '../../../src-main/sandbox/faults/faults.ts';
import { createSandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { BenchRead } from './due-chunks.ts';
import type { ServiceJob } from './judge.ts';

/** The service under the bench, and what it recorded. */
export interface BenchService {
  sandbox: Sandbox;
  /** Jobs of an endpoint that are not over. */
  open(endpointId: string): number;
  jobs(endpointId: string): ServiceJob[];
  requests(endpointId: string): number;
  /** The number of these that were answered with an error, reset, corrupted, or done without an answer. */
  requestsGoneWrong(endpointId: string): number;
}

/** Late, stale or repeated: the answer arrived and could be read. */
const mild: readonly FaultKind[] = [
  'delay',
  'late-in-progress',
  'unknown-status',
  'replay-chunks',
  'duplicate-chunks',
  'deep',
  'large',
];

/** Starts it with one endpoint for each client, so that their actions can be distinguished. */
export async function startService(endpointIds: readonly string[], seed: number): Promise<BenchService> {
  const markers = new Map<string, string>();
  const goneWrong = new Map<string, number>();
  const reads = new Map<string, BenchRead[]>();
  const sandbox = await createSandbox({
    port: 0,
    apiKey: 'bench-key-0123456789',
    faultSeed: seed,
    endpoints: endpointIds.map((id) => ({
      id,
      handler: { moduleUrl: new URL('./handler.ts', import.meta.url).href },
      minWorkers: 1,
      maxWorkers: 6,
      coldStartMs: 0,
      idleTimeoutMs: 600_000,
    })),
    onHandlerLog: ({ jobId, stream, line }) => {
      if (stream === 'stdout' && jobId !== null) markers.set(jobId, line.trim());
    },
  });
  sandbox.requestLog.listen(
    ({ endpointId, operation, jobId, atMs, durationMs, status, fault, sentChunks, replyBytes }) => {
      if (operation === 'stream' && jobId !== null && sentChunks !== null)
        reads.set(jobId, [...(reads.get(jobId) ?? []), { atMs, durationMs, status, fault, sentChunks, replyBytes }]);
      if (endpointId !== null && fault !== null && !mild.includes(fault))
        goneWrong.set(endpointId, (goneWrong.get(endpointId) ?? 0) + 1);
    },
  );
  const connectedAtMs = new WeakMap<Socket, number>();
  subscribe('net.server.socket', (message) => {
    if (message instanceof Object && 'socket' in message && message.socket instanceof Socket)
      connectedAtMs.set(message.socket, systemClock.now());
  });
  subscribe('http.server.request.start', (message) => noteEnd(reads, connectedAtMs, message));
  return {
    sandbox,
    open(endpointId) {
      const counts = sandbox.health(endpointId)?.jobs;
      return (counts?.inQueue ?? 0) + (counts?.inProgress ?? 0);
    },
    jobs(endpointId) {
      const jobs = new Map<string, ServiceJob>();
      for (const { jobId, to, endpointId: of } of sandbox.transitions()) {
        if (of !== endpointId) continue;
        const job = jobs.get(jobId) ?? {
          id: jobId,
          marker: markers.get(jobId) ?? null,
          end: null,
          isRemoved: false,
          reads: reads.get(jobId) ?? [],
        };
        // Its record may expire. How it ended stays.
        if (to === 'REMOVED') job.isRemoved = true;
        else if (to !== 'IN_QUEUE' && to !== 'IN_PROGRESS') job.end = to;
        jobs.set(jobId, job);
      }
      return [...jobs.values()];
    },
    requestsGoneWrong: (endpointId) => goneWrong.get(endpointId) ?? 0,
    requests: (endpointId) =>
      sandbox
        .requests()
        .filter((entry) => entry.endpointId === endpointId)
        .reduce((sum, { count }) => sum + count, 0),
  };
}

/**
 * A long answer is in progress for seconds after the service has logged it: until its last byte was handed to the
 * system, or the client disconnected. `message` is what Node publishes when a request begins.
 */
function noteEnd(
  reads: ReadonlyMap<string, BenchRead[]>,
  connectedAtMs: WeakMap<Socket, number>,
  message: unknown,
): void {
  if (!(message instanceof Object && 'request' in message && 'response' in message)) return;
  const { request, response } = message;
  if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return;
  const connectionMs = connectedAtMs.get(request.socket);
  const clientPort = request.socket.remotePort;
  const jobId = /\/stream\/([^/?]+)$/.exec(request.url ?? '')?.[1];
  if (jobId === undefined) return;
  response.once('close', () => {
    const read = reads.get(jobId)?.findLast(({ isOver }) => isOver !== true);
    if (read === undefined) return;
    read.isOver = true;
    if (connectionMs !== undefined) read.connectedAtMs = connectionMs;
    if (clientPort !== undefined) read.clientPort = clientPort;
    read.durationMs = Math.max(read.durationMs, systemClock.now() - read.atMs);
  });
}

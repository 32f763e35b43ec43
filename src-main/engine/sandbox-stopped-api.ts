import { refuse } from '../service/http.ts';
import type { QueueApi } from '../service/reply.ts';

const unreachable = {
  kind: 'network',
  message: 'The sandbox is not running, so nothing was sent. Start it to go on.',
} as const;

/**
 * The operations of a sandbox that is stopped: each ends as one that cannot be reached, and nothing leaves. Whoever has
 * its port meanwhile must not be asked, let alone with its key.
 */
export function stoppedSandboxApi(now: () => number): QueueApi {
  return {
    run: async (endpointId) => refuse('run', 'POST', `/v2/${endpointId}/run`, unreachable, now),
    runsync: async (endpointId) => refuse('runsync', 'POST', `/v2/${endpointId}/runsync`, unreachable, now),
    status: async (endpointId, jobId) => refuse('status', 'GET', `/v2/${endpointId}/status/${jobId}`, unreachable, now),
    stream: async (endpointId, jobId) => refuse('stream', 'GET', `/v2/${endpointId}/stream/${jobId}`, unreachable, now),
    cancel: async (endpointId, jobId) =>
      refuse('cancel', 'POST', `/v2/${endpointId}/cancel/${jobId}`, unreachable, now),
    retry: async (endpointId, jobId) => refuse('retry', 'POST', `/v2/${endpointId}/retry/${jobId}`, unreachable, now),
    purgeQueue: async (endpointId) => refuse('purge-queue', 'POST', `/v2/${endpointId}/purge-queue`, unreachable, now),
    health: async (endpointId) => refuse('health', 'GET', `/v2/${endpointId}/health`, unreachable, now),
  };
}

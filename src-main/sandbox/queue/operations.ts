/** The queue operations (spec: Queue operations); `status-sync` exists in the observed dialect only (ruling 32). */
export const OPERATIONS = {
  run: { method: 'POST', namesJob: false },
  runsync: { method: 'POST', namesJob: false },
  status: { method: 'GET', namesJob: true },
  'status-sync': { method: 'GET', namesJob: true },
  stream: { method: 'GET', namesJob: true },
  cancel: { method: 'POST', namesJob: true },
  retry: { method: 'POST', namesJob: true },
  'purge-queue': { method: 'POST', namesJob: false },
  health: { method: 'GET', namesJob: false },
} as const;

export type Operation = keyof typeof OPERATIONS;

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}

/** A request's path taken apart, before anything is known to exist. */
export type RequestTarget =
  | { area: 'queue'; endpointId: string; operation: string; jobId: string | null; query: URLSearchParams }
  | { area: 'management' }
  | { area: 'elsewhere' };

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Reads a request line's target: `/v2/{endpoint_id}/<operation>[/{job_id}]` is the queue interface,
 * `/v1/...` the management interface. Never throws, whatever the client sent.
 */
export function readTarget(rawTarget: string): RequestTarget {
  const [path = '', query = ''] = rawTarget.replace(/^https?:\/\/[^/?#]*/i, '').split(/\?(.*)/s, 2);
  const [, space, ...rest] = path.replace(/\/$/, '').split('/').map(decode);
  if (space === 'v1') return { area: 'management' };
  const [endpointId, operation, jobId, ...extra] = rest;
  if (space !== 'v2' || endpointId === undefined || endpointId === '' || operation === undefined) return { area: 'elsewhere' };
  const isBeyond = extra.length > 0 && operation !== 'openai';
  if (isBeyond) return { area: 'elsewhere' };
  return { area: 'queue', endpointId, operation, jobId: jobId ?? null, query: new URLSearchParams(query) };
}

import { hash, timingSafeEqual } from 'node:crypto';

const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** True for names of this machine: a web page whose host name resolves to 127.0.0.1 still sends that name. */
export function isOwnHost(host: string): boolean {
  return OWN_HOST.test(host);
}

/** Which forms of the header an interface accepts (ruling 4). */
type AuthorizationForms = 'bare-or-bearer' | 'bearer';

export type CheckAuthorization = (header: string | undefined, forms: AuthorizationForms) => boolean;

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * Creates the check of the `authorization` header against an API key. Digests are compared in constant time, so that
 * the timing reveals neither the key's length nor its first wrong character. Spec: Authentication; ruling 4.
 */
export function createAuthorization(apiKey: string): CheckAuthorization {
  const expected = digest(apiKey);
  return (header, forms) => {
    if (header === undefined) return false;
    const bearer = /^bearer +(.*)$/i.exec(header.trim());
    const key = bearer?.[1] ?? (forms === 'bare-or-bearer' ? header.trim() : undefined);
    return key !== undefined && timingSafeEqual(digest(key), expected);
  };
}

/** The operations of the management interface (spec: Management operations), as faults and counters name them. */
export const MANAGEMENT_OPERATIONS = ['get-pod', 'update-template'] as const;

export type ManagementOperation = (typeof MANAGEMENT_OPERATIONS)[number];

/** The parsed target of a request, before it is known whether it exists. Segments are decoded. */
export type RequestTarget =
  | { area: 'queue'; endpointId: string; operation: string; jobId: string | null; query: URLSearchParams }
  /** `path`: the segments after `/v1` or `/_sandbox`. */
  | { area: 'management' | 'control'; path: readonly string[]; query: URLSearchParams }
  | { area: 'elsewhere' };

const ELSEWHERE: RequestTarget = { area: 'elsewhere' };
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The authority of a target in absolute form (`GET http://host/path`), which replaces Host. Otherwise null. */
export function authorityOf(rawTarget: string): string | null {
  return rawTarget.startsWith('/') ? null : (ABSOLUTE_FORM.exec(rawTarget)?.[1] ?? null);
}

/**
 * Reads a request line's target: `/v2/{endpoint_id}/<operation>[/{job_id}]` is the queue interface, `/v1/...` the
 * management interface, `/_sandbox/...` the control interface. Never throws.
 */
export function readTarget(rawTarget: string): RequestTarget {
  const ownTarget = rawTarget.startsWith('/') ? rawTarget : rawTarget.replace(ABSOLUTE_FORM, '');
  const fragmentAt = ownTarget.indexOf('#');
  const target = fragmentAt === -1 ? ownTarget : ownTarget.slice(0, fragmentAt);
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const query = new URLSearchParams(queryAt === -1 ? '' : target.slice(queryAt + 1));

  const [before, space, ...rest] = (path.endsWith('/') ? path.slice(0, -1) : path).split('/').map(decode);
  if (before !== '') return ELSEWHERE;
  if (space === 'v1') return { area: 'management', path: rest, query };
  if (space === '_sandbox') return { area: 'control', path: rest, query };
  const [endpointId, operation, jobId, ...extra] = rest;
  if (space !== 'v2' || endpointId === undefined || endpointId === '' || operation === undefined || operation === '')
    return ELSEWHERE;
  if (extra.length > 0 && operation !== 'openai') return ELSEWHERE;
  return { area: 'queue', endpointId, operation, jobId: jobId ?? null, query };
}

/** The method of each management operation (spec: Management operations). */
export const MANAGEMENT_METHODS: Record<ManagementOperation, 'GET' | 'POST'> = {
  'get-pod': 'GET',
  'update-template': 'POST',
};

/** What the decoded segments after /v1 name, whether or not it exists. Null if nothing is served there. */
export function readManagementPath([collection, id, action, ...rest]: readonly string[]): {
  operation: ManagementOperation;
  id: string;
} | null {
  if (id === undefined || id === '' || rest.length > 0) return null;
  if (collection === 'pods' && action === undefined) return { operation: 'get-pod', id };
  return collection === 'templates' && action === 'update' ? { operation: 'update-template', id } : null;
}

/** The management operation of a method and path, if any, because a fault can only be set for an existing one. */
export function managementOperationOf(method: string | undefined, path: readonly string[]): ManagementOperation | null {
  const operation = readManagementPath(path)?.operation ?? null;
  return operation !== null && method === MANAGEMENT_METHODS[operation] ? operation : null;
}

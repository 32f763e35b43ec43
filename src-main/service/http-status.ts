import type { ServiceFailureKind } from '../../src-preload/failure.ts';

const kinds: Record<number, ServiceFailureKind> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not-found',
  408: 'timeout',
  410: 'not-found',
  413: 'too-large',
  429: 'rate-limited',
};

/** The kind of a reply with an HTTP status other than 2xx (ruling 7). Redirects are not followed. */
export function kindOfStatus(httpStatus: number): ServiceFailureKind {
  return kinds[httpStatus] ?? (httpStatus >= 500 ? 'server' : 'invalid');
}

/**
 * Statuses by which a service itself says that it did nothing (ruling 9). Any other may come from something in front of
 * it.
 */
const plainRefusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413, 415, 422, 429]);

/** Whether a reply of this status, if it is the service's own, proves that the request was not carried out. */
export function isPlainRefusal(httpStatus: number): boolean {
  return plainRefusals.has(httpStatus);
}

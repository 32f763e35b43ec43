import type { ServiceFailure } from '../../src-preload/failure.ts';
import { whyUnreached } from './connect-errors.ts';
import { bestLine, cutRaw, isHtmlPage, isJsonBody } from './error-body.ts';
import { kindOfStatus, wordsForBroken, wordsForCancelled, wordsForMalformed, wordsForPage, wordsForRedirect, wordsForStatus, wordsForTimeout, wordsForUnreached } from './failure-words.ts';
import type { ServiceOperation } from './failure-words.ts';
import type { Redact } from './redact.ts';
import { retryAfterOf } from './retry-after.ts';

/**
 * The failure of a reply that is not 2xx (rulings 6, 7, 10). Redirects are not followed. A page (HTML) is a `server`
 * failure whatever its status says: a proxy wrote it, and it is no word of the service about a key or a job (rulings 34,
 * 35). Only 429 asks for the same from whomever it comes.
 */
export function ofErrorReply(operation: ServiceOperation, url: URL, response: Response, text: string, redact: Redact, nowMs: number): ServiceFailure {
  const httpStatus = response.status;
  const retryAfterMs = retryAfterOf(response.headers, httpStatus, nowMs);
  const isRedirect = httpStatus >= 300 && httpStatus < 400;
  const isPage = httpStatus !== 429 && isHtmlPage(text, response.headers.get('content-type'));
  const words = isPage ? wordsForPage(operation, httpStatus) : wordsForStatus(operation, httpStatus, retryAfterMs);
  return {
    kind: isPage ? 'server' : kindOfStatus(httpStatus),
    message: isRedirect ? redact(wordsForRedirect(operation, httpStatus, redirectTarget(url, response))) : words,
    ...whatWasSaid(text, response, redact),
    httpStatus,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    mayHaveArrived: true,
  };
}

/** The failure of a 2xx reply that cannot be read; `why` ends the sentence "the reply ..." (ruling 7: malformed). */
export function ofMalformed(operation: ServiceOperation, response: Response, why: string, text: string, redact: Redact): ServiceFailure {
  return { kind: 'malformed', message: redact(wordsForMalformed(operation, response.status, why)), ...whatWasSaid(text, response, redact), httpStatus: response.status, mayHaveArrived: true };
}

export interface NoReply {
  operation: ServiceOperation;
  host: string;
  timeoutMs: number;
  /** Our deadline passed. */
  hasTimedOut: boolean;
  /** The caller's signal aborted. */
  isStopped: boolean;
  error: unknown;
  redact: Redact;
  /** Of a reply that had begun. */
  httpStatus?: number;
  partial?: string;
}

/**
 * The failure of a request without a whole reply. `mayHaveArrived` is false only where no connection was made at all;
 * once there was one, or when that cannot be known, it is true (ruling 9).
 */
export function ofNoReply(of: NoReply): ServiceFailure {
  const { operation, host } = of;
  const begun: Pick<ServiceFailure, 'httpStatus' | 'rawReply'> = {
    ...(of.httpStatus === undefined ? {} : { httpStatus: of.httpStatus }),
    ...(of.partial === undefined || of.partial === '' ? {} : { rawReply: cutRaw(of.redact(of.partial)) }),
  };
  const why = whyUnreached(of.error);
  if (why !== null) return { kind: 'network', message: wordsForUnreached(operation, host, why), mayHaveArrived: false };
  if (of.hasTimedOut) return { kind: 'timeout', message: wordsForTimeout(operation, host, of.timeoutMs, of.httpStatus !== undefined), ...begun, mayHaveArrived: true };
  if (of.isStopped) return { kind: 'cancelled', message: wordsForCancelled(operation, true), ...begun, mayHaveArrived: true };
  return { kind: 'network', message: wordsForBroken(operation, host, of.httpStatus !== undefined), ...begun, mayHaveArrived: true };
}

/** Best line and raw text of a reply, without the key and other secrets should the service repeat them; and whether it is JSON. */
function whatWasSaid(text: string, response: Response, redact: Redact): Pick<ServiceFailure, 'serviceSaid' | 'rawReply' | 'isJson'> {
  if (text === '') return {};
  // Before anything is cut, so that no part of a key is left at the edge.
  const clean = redact(text);
  const line = bestLine(clean, response.headers.get('content-type'));
  // Once more, since reading the line takes off whatever it was wrapped in.
  return { ...(line === null ? {} : { serviceSaid: redact(line) }), rawReply: cutRaw(clean), ...(isJsonBody(text) ? { isJson: true } : {}) };
}

/** Where a redirect points, without what may be secret in it. */
function redirectTarget(url: URL, response: Response): string | null {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, url.href)) return null;
  const target = new URL(location, url.href);
  return `${target.origin}${target.pathname}`;
}

import { dayMs } from '../../src-preload/durations.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { whyUnreached, type HttpReply } from './http-call.ts';
import { bestLine, cutRaw, isHtmlPage, isJsonBody } from './error-body.ts';
import { failureText, type ServiceOperation } from '../messages/service/failures.ts';
import { isPlainRefusal, kindOfStatus } from './http-status.ts';
import { textAt } from './json-scan.ts';
import type { Redact } from '../redaction/redactor.ts';
import { largeReplyBytes } from './reply-body.ts';

/** A reply that is not 2xx, and what it answers. */
export interface RefusedRequest {
  operation: ServiceOperation;
  url: URL;
  reply: Pick<HttpReply, 'status' | 'headers'>;
  /** What it says. */
  text: string;
}

/**
 * The failure of a reply that is not 2xx (rulings 6, 7, 10). Redirects are not followed. A page (HTML) is a `server`
 * failure whatever its status says: a proxy wrote it, and it is not the service's answer about a key or a job (rulings
 * 34, 35). A 429 means the same from a proxy.
 */
export function ofErrorReply(
  { operation, url, reply, text }: RefusedRequest,
  redact: Redact,
  nowMs: number,
): ServiceFailure {
  const httpStatus = reply.status;
  const contentType = reply.headers.get('content-type');
  const retryAfterMs = retryAfterOf(reply.headers, httpStatus, nowMs);
  const isRedirect = httpStatus >= 300 && httpStatus < 400;
  const isPage = httpStatus !== 429 && isHtmlPage(text, contentType);
  const kind = kindOfStatus(httpStatus);
  const message = isPage
    ? failureText.page(operation, httpStatus)
    : failureText.status(operation, {
        httpStatus,
        kind,
        isPlainRefusal: isPlainRefusal(httpStatus),
        retryAfterMs,
      });
  return {
    kind: isPage ? 'server' : kind,
    message: isRedirect
      ? redact(failureText.redirect(operation, httpStatus, redirectTarget(url, reply.headers)))
      : message,
    ...quotedReply({ beginning: text, isCut: false, isJson: isJsonBody(text), contentType }, redact),
    httpStatus,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    mayHaveArrived: true,
  };
}

/** The part of a 2xx reply that arrived before it turned out to be unusable. */
export interface Unread extends Beginning {
  httpStatus: number;
}

interface Beginning {
  contentType: string | null;
  /** Its first characters, more than are saved. */
  beginning: string;
  /** There is more of it. */
  isCut: boolean;
  /** The whole of it is JSON of an object or list. */
  isJson: boolean;
}

/**
 * How many bytes of a long reply are decoded for a failure: twice what is saved, because secrets are removed first.
 */
const quotedBytes = 131_072;
/** Characters at the edge of a cut text in which a piece of a secret may be. */
const edge = 4_096;

/** The part of a reply's text that a failure quotes. All of a short reply. */
export function beginningOf(bytes: Uint8Array): Pick<Beginning, 'beginning' | 'isCut'> {
  const isCut = bytes.length > largeReplyBytes;
  return { beginning: textAt(bytes, 0, isCut ? quotedBytes : bytes.length), isCut };
}

/**
 * The failure of a 2xx reply that cannot be read (ruling 7: malformed) or that is beyond what is ever read (ruling 43);
 * `why` ends the sentence "the reply ...".
 */
export function ofMalformed(
  operation: ServiceOperation,
  of: Unread & { why: string; isBeyondLimits: boolean },
  redact: Redact,
): ServiceFailure {
  const write = of.isBeyondLimits ? failureText.beyondLimits : failureText.malformed;
  return {
    kind: 'malformed',
    message: redact(write(operation, of.httpStatus, of.why)),
    ...quotedReply(of, redact),
    httpStatus: of.httpStatus,
    ...(of.isBeyondLimits ? { isBeyondLimits: true } : {}),
    mayHaveArrived: true,
  };
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
  /** What came of a reply that broke off. */
  begun?: Unread;
}

/**
 * The failure of a request without a whole reply. `mayHaveArrived` is false only where no connection was made at all;
 * once there was one, or when that cannot be known, it is true (ruling 9).
 */
export function ofNoReply(noReply: NoReply): ServiceFailure {
  const { operation, host } = noReply;
  const hasBegun = noReply.begun !== undefined;
  const rawReply = noReply.begun === undefined ? '' : cleanBeginning(noReply.begun, noReply.redact);
  const begun: Pick<ServiceFailure, 'httpStatus' | 'rawReply'> = {
    ...(noReply.begun === undefined ? {} : { httpStatus: noReply.begun.httpStatus }),
    ...(rawReply === '' ? {} : { rawReply: cutRaw(rawReply) }),
  };
  const why = whyUnreached(noReply.error);
  if (why !== null && noReply.isStopped)
    return { kind: 'cancelled', message: failureText.cancelled(operation, false), mayHaveArrived: false };
  if (why !== null)
    return { kind: 'network', message: failureText.unreached(operation, host, why), mayHaveArrived: false };
  if (noReply.hasTimedOut)
    return {
      kind: 'timeout',
      message: failureText.timeout(operation, host, noReply.timeoutMs, hasBegun),
      ...begun,
      mayHaveArrived: true,
    };
  if (noReply.isStopped)
    return { kind: 'cancelled', message: failureText.cancelled(operation, true), ...begun, mayHaveArrived: true };
  return { kind: 'network', message: failureText.broken(operation, host, hasBegun), ...begun, mayHaveArrived: true };
}

/**
 * Best line and raw text of a reply, without the key and other secrets should the service repeat them; and whether it
 * is JSON.
 */
function quotedReply(reply: Beginning, redact: Redact): Pick<ServiceFailure, 'serviceSaid' | 'rawReply' | 'isJson'> {
  if (reply.beginning === '') return {};
  const clean = cleanBeginning(reply, redact);
  const line = bestLine(clean, reply.contentType);
  // Again, since reading the line takes off whatever it was wrapped in.
  return {
    ...(line === null ? {} : { serviceSaid: redact(line) }),
    rawReply: cutRaw(clean),
    ...(reply.isJson ? { isJson: true } : {}),
  };
}

/** Without secrets, before anything is cut to what is kept, so that no part of a key is left at the edge. */
function cleanBeginning({ beginning, isCut }: Beginning, redact: Redact): string {
  const clean = redact(beginning);
  return isCut ? clean.slice(0, -edge) : clean;
}

/** Where a redirect points, without what may be secret in it. */
function redirectTarget(url: URL, headers: Headers): string | null {
  const location = headers.get('location');
  if (location === null || !URL.canParse(location, url.href)) return null;
  const target = new URL(location, url.href);
  return `${target.origin}${target.pathname}`;
}

/** A day (ruling 10): no wait is longer, whatever is asked for; a date years ahead would stop an endpoint for good. */
export const maxRetryAfterMs = dayMs;

/**
 * The wait a service asks for, in milliseconds: `Retry-After` in seconds or as a date (ruling 10), else the `t=` of a
 * `RateLimit` header that comes with a 429 (field notes: Management errors). A day at most. Undefined when it asks for
 * none. A date is read against the reply's own `Date`, since the two clocks may differ, and against `nowMs` without
 * one.
 */
export function retryAfterOf(headers: Headers, httpStatus: number, nowMs: number): number | undefined {
  const waitMs = requestedWaitMs(headers, httpStatus, nowMs);
  return waitMs === undefined ? undefined : Math.min(waitMs, maxRetryAfterMs);
}

function requestedWaitMs(headers: Headers, httpStatus: number, nowMs: number): number | undefined {
  const given = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1_000);
  // Date.parse takes much that is no HTTP date, such as "-5" and "2"; a date names its month or day.
  const atMs = /[A-Za-z]{3}|\d{4}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(atMs)) {
    return Math.max(0, atMs - (dateOf(headers) ?? nowMs));
  }
  const reset = httpStatus === 429 ? /(?:^|;)\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] : undefined;
  return reset === undefined ? undefined : Number(reset) * 1_000;
}

/** The service's own clock as its answer says it (`Date`), in epoch milliseconds. Null without a valid one. */
export function dateOf(headers: Headers): number | null {
  const dateMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(dateMs) ? null : dateMs;
}

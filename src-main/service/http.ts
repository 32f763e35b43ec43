import type { AuthorizationForm } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result, ServiceFailure } from '../../src-preload/failure.ts';
import type { Secret } from '../secret/secret-search.ts';
import { createDeadline } from './deadline.ts';
import { nothingSent, wordsForCancelled } from './failure-words.ts';
import type { ServiceOperation } from './failure-words.ts';
import { patientDispatcher } from './patient-dispatcher.ts';
import { redactor } from './redact.ts';
import type { Redactor } from './redact.ts';
import { readReplyBody } from './reply-body.ts';
import { ofErrorReply, ofMalformed, ofNoReply } from './reply-failure.ts';
import type { Exchange, Reply } from './reply.ts';
import type { Shaped } from './shapes.ts';

export interface HttpOptions {
  now: () => number;
  fetch?: typeof globalThis.fetch;
  /** What must not come back beside the request's own secrets: a reply may repeat what another request sent. */
  knownSecrets?: () => readonly Secret[];
  /** Told once for every request that was sent, when it ended. Holds no key and no body. */
  onExchange?: (exchange: Exchange) => void;
}

export interface HttpRequest<T> {
  operation: ServiceOperation;
  method: 'GET' | 'POST';
  url: URL;
  authorization: AuthorizationForm;
  /** Asked for when the request is made, for the origin it goes to, and held no longer than it. */
  readKey: (origin: string) => Promise<string | null>;
  /** JSON text. */
  body?: string;
  /** What else in the body is secret, in its own words: taken out of whatever the service says of it. */
  secrets?: readonly string[] | undefined;
  /** Until the reply is there; large bodies get more, in both directions (`leastBytesPerMs`). */
  timeoutMs: number;
  /** A longer reply is not read to its end. */
  replyLimitBytes: number;
  signal?: AbortSignal | undefined;
  /** Reads the text of a 2xx reply, and takes out of it by `redact` what it may repeat of the request and of others. */
  shape: (text: string, redact: Redactor) => Shaped<T>;
  /** Reads what stands whole in a 2xx reply that broke off or that `shape` refuses, where it will not come again. */
  salvage?: (text: string) => T;
}

/** The slowest line that is waited for, half a megabit a second; a slower one, or a reply that drips, runs into the timeout. */
const leastBytesPerMs = 62.5;
/** Enough of an error to read it whole; 64 KiB of it are kept (ruling 6). */
const errorReplyLimitBytes = 1_000_000;

/**
 * Sends one request and answers what came of it. Never throws, never retries, never follows a redirect. The key goes
 * into the authorization header and nowhere else: nothing that is answered or told holds it (ruling 4), and no failure
 * holds one of `secrets` or of the known ones.
 */
export async function send<T>(request: HttpRequest<T>, options: HttpOptions): Promise<Reply<T>> {
  const { operation, method, url, signal } = request;
  const path = `${url.pathname}${url.search}`;
  const key = await keyFor(request);
  if (!key.ok) return refuse(operation, method, path, { kind: 'unauthorized', message: `${key.failure} ${nothingSent(operation)}` }, options.now);
  if (signal?.aborted === true) return refuse(operation, method, path, { kind: 'cancelled', message: wordsForCancelled(operation, false) }, options.now);

  const startedAtMs = options.now();
  const exchange: Exchange = { atMs: startedAtMs, method, operation, path, httpStatus: null, tookMs: 0, bytesReceived: 0 };
  const ended = await sendOnce(request, key.value, options, exchange);
  exchange.tookMs = Math.max(0, options.now() - startedAtMs);
  options.onExchange?.({ ...exchange });
  return { ...ended, exchange };
}

/** The answer to a request that is refused here: nothing was sent, and no exchange is told of. */
export function refuse<T>(operation: ServiceOperation, method: 'GET' | 'POST', path: string, failure: Pick<ServiceFailure, 'kind' | 'message'>, now: () => number): Reply<T> {
  return { result: failed({ ...failure, mayHaveArrived: false }), exchange: { atMs: now(), method, operation, path, httpStatus: null, tookMs: 0, bytesReceived: 0 } };
}

async function sendOnce<T>(request: HttpRequest<T>, key: string, options: HttpOptions, exchange: Exchange): Promise<Omit<Reply<T>, 'exchange'>> {
  const redact = redactor(key, request.secrets, options.knownSecrets?.());
  // Of a stream's reply whole chunks are kept however it ends (ruling 2): they are results.
  const redactUnread = request.operation === 'stream' ? redact.broken : redact.text;
  const timeoutMs = request.timeoutMs + Buffer.byteLength(request.body ?? '') / leastBytesPerMs;
  const deadline = createDeadline(timeoutMs);
  const signal = request.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, request.signal]);
  const noReply = (error: unknown, got: { httpStatus?: number; partial?: string }): ServiceFailure =>
    ofNoReply({ operation: request.operation, host: request.url.host, timeoutMs, hasTimedOut: deadline.signal.aborted, isStopped: request.signal?.aborted === true, error, redact: redactUnread, ...got });
  const unread = (failure: ServiceFailure, text: string): Omit<Reply<T>, 'exchange'> => ({ result: failed(failure), ...(request.salvage === undefined ? {} : { salvaged: request.salvage(redactUnread(text)) }) });
  try {
    const response = await call(request, key, signal, options.fetch);
    exchange.httpStatus = response.status;
    const limitBytes = response.ok ? request.replyLimitBytes : errorReplyLimitBytes;
    const body = await readReplyBody(response, limitBytes, (bytes) => {
      exchange.bytesReceived = bytes;
      deadline.extendTo(bytes / leastBytesPerMs);
    });
    // An error that breaks off is still that error: its status was said.
    if (!response.ok) return { result: failed(ofErrorReply(request.operation, request.url, response, body.text, redact.text, options.now())) };
    if (body.end.kind === 'broken') return unread(noReply(body.end.error, { httpStatus: response.status, partial: body.text }), body.text);
    const shaped: Shaped<T> = body.end.kind === 'cut' ? failed(`is longer than the ${limitBytes / 1_000_000} MB that Jobdeck reads`) : request.shape(body.text, redact);
    if (redact.hidden() > 0) exchange.hiddenSecrets = redact.hidden();
    return shaped.ok ? { result: ok(shaped.value) } : unread(ofMalformed(request.operation, response, shaped.failure, body.text, redactUnread), body.text);
  } catch (error) {
    return { result: failed(noReply(error, {})) };
  } finally {
    deadline.clear();
  }
}

async function call(request: Pick<HttpRequest<unknown>, 'method' | 'url' | 'authorization' | 'body'>, key: string, signal: AbortSignal, fetch: typeof globalThis.fetch | undefined): Promise<Response> {
  const { method, url, authorization, body } = request;
  const headers: Record<string, string> = { authorization: authorization === 'bearer' ? `Bearer ${key}` : key, accept: 'application/json' };
  const init: RequestInit = { method, headers, redirect: 'manual', signal };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = body;
  }
  if (fetch !== undefined) return await fetch(url, init);
  const dispatcher = patientDispatcher();
  return await globalThis.fetch(url, dispatcher === undefined ? init : Object.assign(init, { dispatcher }));
}

/** The key as it can stand in a header, or one sentence saying why there is none. */
async function keyFor(request: Pick<HttpRequest<unknown>, 'readKey' | 'url'>): Promise<Result<string, string>> {
  let kept: string | null;
  try {
    kept = await request.readKey(request.url.origin);
  } catch {
    return failed('The key of this connection could not be read from where it is kept.');
  }
  const key = kept?.trim() ?? '';
  if (key === '') return failed('No key is kept for this connection. Enter one in its settings.');
  // fetch would refuse it too, with an error that quotes it.
  if (!/^[\x20-\x7e]+$/.test(key)) return failed('The key of this connection has a line break or a letter that cannot be sent. Enter it again.');
  return ok(key);
}

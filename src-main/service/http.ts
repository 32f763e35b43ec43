import type { Duplex } from 'node:stream';
import type { AuthorizationForm } from '../../src-preload/connection.ts';
import { failed, ok, type Result, type ServiceFailure } from '../../src-preload/failure.ts';
import type { Secret } from '../redaction/find-secrets.ts';
import { beginningBytes, beginningMark, largeReplyBytes, readReplyBody, type ReplyBody } from './reply-body.ts';
import { createDeadline } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';
import { failureText, type ServiceOperation, replyText } from '../messages/service/failures.ts';
import { notSentText } from '../messages/service/requests.ts';
import { tryRoutes, routesInTime } from './try-routes.ts';
import { callHttp, type HttpReply } from './http-call.ts';
import { directNetwork, type Network } from './proxy-and-certificates.ts';
import { charsetOf, inUtf8 } from './charset.ts';
import { textAt } from './json-scan.ts';
import { type ReadReply, type Redaction, ownReplyReader, type ReplyReader } from './read-reply.ts';
import { chunksAt, fieldsAt, type Fields, type Parsed } from './shapes.ts';
import { redactor, type Redact, type Redactor } from '../redaction/redactor.ts';
import { beginningOf, dateOf, ofErrorReply, ofMalformed, ofNoReply, type NoReply } from './reply-failure.ts';
import type { Exchange, Reply, StreamReply } from './reply.ts';

export interface HttpOptions {
  now: () => number;
  /** Secrets to remove in addition to the request's own, because a reply may repeat what another request sent. */
  knownSecrets?: () => readonly Secret[];
  /** Called once for every request that was sent, when it has ended. Contains no key and no body. */
  onExchange?: (exchange: Exchange) => void;
  /** Called for every 2xx answer with the service's own date (epoch milliseconds), or null if it gave none. */
  onAnswer?: (host: string, dateMs: number | null) => void;
  /** Reads replies. If absent, a shared one is used. */
  replies?: ReplyReader;
  /** The clock for timeouts. Real time by default. */
  deadlineTime?: Clock;
  /** The network. If absent, there is no proxy. */
  network?: Network;
}

export interface HttpRequest<T> {
  operation: ServiceOperation;
  method: 'GET' | 'POST';
  url: URL;
  authorization: AuthorizationForm;
  /** Called when the request is made, for its origin. The key is not kept longer than the request. */
  readKey: (origin: string) => Promise<string | null>;
  /** JSON text. */
  body?: string;
  /** Further secrets in the body, which are removed from what the service says about it. */
  secrets?: readonly string[] | undefined;
  /** Until the reply is there. Large bodies get more time, in both directions (`minBytesPerMs`). */
  timeoutMs: number;
  /** A longer reply is not read to its end. */
  replyLimitBytes: number;
  signal?: AbortSignal | undefined;
  /** As in `RequestOptions`. */
  isAfterBeyondLimits?: boolean | undefined;
  /** As in `RequestOptions`. */
  beyondBeginning?: string | undefined;
  /** How a 2xx reply is read. */
  reply: ReplyShape<T>;
}

/** What is read from a 2xx reply, and what that becomes. */
export type ReplyShape<T> =
  | {
      format: 'fields';
      wanted: readonly string[];
      scope: Redaction['scope'];
      shape: (fields: Fields) => Parsed<T>;
      /** Set if it is about one job. `isNew`: the request made that job, so no answer before it can have named it. */
      job?: { idOf: (value: T) => string; isNew: boolean };
    }
  | { format: 'chunks'; wanted: readonly string[]; scope: 'strings'; jobId: string; shape: (stream: StreamReply) => T };

/** The slowest accepted transfer, half a megabit per second. A slower one runs into the timeout. */
const minBytesPerMs = 62.5;
/** No more of an error is read than can be processed without delay. 64 KiB of it are saved (ruling 6). */
const errorReplyLimitBytes = largeReplyBytes;

/**
 * Sends one request and returns its result. Never throws, never retries, never follows a redirect. The key is only in
 * the authorization header: nothing that is returned or reported contains it (ruling 4), and no failure contains one of
 * `secrets` or of the known ones.
 */
export async function send<T>(request: HttpRequest<T>, options: HttpOptions): Promise<Reply<T>> {
  const { operation, method, url, signal } = request;
  const path = `${url.pathname}${url.search}`;
  // A keychain may keep us waiting for the user's password, but not while Jobdeck closes.
  const key = await unlessAborted(keyFor(request), signal);
  if (key !== null && !key.ok) {
    // A key that cannot be read now may be readable in a moment, so this is treated like an outage.
    const kind = key.failure.isPassing ? 'network' : 'unauthorized';
    return refuse(
      { operation, method, path },
      { kind, message: `${key.failure.why} ${failureText.notSent(operation)}` },
      options.now(),
    );
  }
  if (key === null || signal?.aborted === true)
    return refuse(
      { operation, method, path },
      { kind: 'cancelled', message: failureText.cancelled(operation, false) },
      options.now(),
    );

  const startedAtMs = options.now();
  const exchange: Exchange = {
    atMs: startedAtMs,
    method,
    operation,
    path,
    httpStatus: null,
    tookMs: 0,
    bytesReceived: 0,
  };
  const ended = await sendOnce(request, key.value, options, exchange);
  exchange.tookMs = Math.max(0, options.now() - startedAtMs);
  options.onExchange?.({ ...exchange });
  return { ...ended, exchange };
}

/** The result for a request that is refused here: nothing was sent, and no exchange is reported. */
export function refuse<T>(
  request: { operation: ServiceOperation; method: 'GET' | 'POST'; path: string },
  failure: Pick<ServiceFailure, 'kind' | 'message'>,
  atMs: number,
): Reply<T> {
  return {
    result: failed({ ...failure, mayHaveArrived: false }),
    exchange: { atMs, ...request, httpStatus: null, tookMs: 0, bytesReceived: 0 },
  };
}

async function sendOnce<T>(
  request: HttpRequest<T>,
  key: string,
  options: HttpOptions,
  exchange: Exchange,
): Promise<Omit<Reply<T>, 'exchange'>> {
  const { operation, url } = request;
  const known = options.knownSecrets?.() ?? [];
  const redact = redactor(key, request.secrets, known);
  const timeoutMs = request.timeoutMs + Buffer.byteLength(request.body ?? '') / minBytesPerMs;
  const deadline = createDeadline(timeoutMs, options.deadlineTime);
  const signal = request.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, request.signal]);
  const noReply = (error: unknown, got: Pick<NoReply, 'begun'>): ServiceFailure =>
    ofNoReply({
      operation,
      host: url.host,
      timeoutMs,
      hasTimedOut: deadline.signal.aborted,
      isStopped: request.signal?.aborted === true,
      error,
      redact: redactUnread(request, redact),
      ...got,
    });
  try {
    const reply = await callByRoutes(request, key, options.network ?? directNetwork, {
      signal,
      hasTimedOut: () => deadline.signal.aborted,
    });
    exchange.httpStatus = reply.status;
    if (reply.isOk) options.onAnswer?.(url.hostname, dateOf(reply.headers));
    const body = await readReplyBody(reply.body, reply.headers.get('content-encoding'), {
      limitBytes: reply.isOk ? limitBytesFor(request, reply.headers) : errorReplyLimitBytes,
      beyondBeginning: request.beyondBeginning,
      onBytes(received) {
        exchange.bytesReceived = received;
        deadline.allowExtra(received / minBytesPerMs);
      },
    });
    deadline.clear();
    // An error reply that is cut off is still that error, because its status was received.
    const charset = charsetOf(reply.headers.get('content-type'));
    if (!reply.isOk) {
      const utf8 = inUtf8(body.bytes, charset) ?? body.bytes;
      const text = textAt(utf8, 0, utf8.length);
      return { result: failed(ofErrorReply({ operation, url, reply, text }, redact.text, options.now())) };
    }
    const { format, wanted, scope } = request.reply;
    const read = await (options.replies ?? ownReplyReader).read(body.bytes, {
      format,
      wanted,
      isWhole: body.end.kind === 'whole',
      charset,
      redaction: { key, secrets: request.secrets ?? [], known, scope },
    });
    if (read.hiddenSecrets > 0) exchange.hiddenSecrets = read.hiddenSecrets;
    if (read.namedNumbers > 0) exchange.namedNumbers = read.namedNumbers;
    return await resultOf(request, { reply, body, read }, { redact: redactUnread(request, redact), noReply });
  } catch (error) {
    return { result: failed(noReply(error, {})) };
  } finally {
    deadline.clear();
  }
}

/** Sends the request by the routes of its network, and returns the head of the reply. Rejects if none came. */
async function callByRoutes<T>(
  request: HttpRequest<T>,
  key: string,
  network: Network,
  { signal, hasTimedOut }: { signal: AbortSignal; hasTimedOut: () => boolean },
): Promise<HttpReply> {
  const { method, url, body } = request;
  let plainProxy: string | null = null;
  try {
    const routes = await routesInTime(network, url, signal);
    const headers = headersOf(request, key);
    return await tryRoutes(routes, { signal, noteAnswer: network.noteAnswer }, (route) => {
      plainProxy = url.protocol === 'http:' ? route.proxy : null;
      return callHttp({ route, method, url, headers, body, signal });
    });
  } catch (error) {
    // It may have passed this request on, which therefore is not sent again. The next request tries it last.
    if (plainProxy !== null && hasTimedOut()) network.noteAnswer(plainProxy, true);
    throw error;
  }
}

/** The result of a reply with a good status: its content in the requested form, or why it could not be read. */
async function resultOf<T>(
  request: HttpRequest<T>,
  { reply, body: { bytes, end }, read }: { reply: HttpReply; body: ReplyBody; read: ReadReply },
  { redact, noReply }: { redact: Redact; noReply: (error: unknown, got: Pick<NoReply, 'begun'>) => ServiceFailure },
): Promise<Omit<Reply<T>, 'exchange'>> {
  const shaped: Parsed<T> =
    end.kind === 'beyond' || end.kind === 'unreadable'
      ? failed(end.why)
      : reply.isEarly
        ? failed(replyText.early)
        : inTurn(request.reply, await shapeOf(request.reply, read.clean ?? bytes, read), reply.socket);
  if (end.kind === 'whole' && shaped.ok) return { result: ok(shaped.value) };
  // As in `isInTurn`: it may be a page, or the record of another job.
  reply.socket.destroy();

  const kept = {
    httpStatus: reply.status,
    contentType: reply.headers.get('content-type'),
    ...beginningOf(bytes),
    isJson: read.isJson,
  };
  const failure =
    end.kind === 'broken'
      ? noReply(end.error, { begun: kept })
      : ofMalformed(
          request.operation,
          { ...kept, why: shaped.ok ? '' : shaped.failure, isBeyondLimits: end.kind === 'beyond' },
          redact,
        );
  const beginning = end.kind === 'beyond' ? beginningMark(bytes) : null;
  return {
    result: failed(failure),
    ...(beginning === null ? {} : { beginning }),
    ...(read.salvaged === null || request.reply.format !== 'chunks'
      ? {}
      : {
          salvaged: request.reply.shape({ status: null, chunks: await chunksAt(read.clean ?? bytes, read.salvaged) }),
        }),
  };
}

/** By connection: the job that its last answer was about. */
const lastJobs = new WeakMap<Duplex, string>();

/**
 * A service, or a proxy, may send an answer twice. If the second one comes just after the next request has left, it is
 * taken for the answer to that. A submission would then get the id of another job, and so its result.
 */
function inTurn<T>(reply: ReplyShape<T>, shaped: Parsed<T>, connection: Duplex): Parsed<T> {
  if (!shaped.ok || reply.format !== 'fields' || reply.job === undefined) return shaped;
  const id = reply.job.idOf(shaped.value);
  if (reply.job.isNew && lastJobs.get(connection) === id) return failed(replyText.answeredTwice(id));
  lastJobs.set(connection, id);
  return shaped;
}

/** However a stream reply ends, its complete chunks are kept (ruling 2), because they are results. */
function redactUnread<T>(request: HttpRequest<T>, redact: Redactor): Redact {
  return request.reply.format === 'chunks' ? redact.broken : redact.text;
}

/** The successful reply in the requested form, or why it is not of that form. */
async function shapeOf<T>(reply: ReplyShape<T>, bytes: Uint8Array, { fields, stream }: ReadReply): Promise<Parsed<T>> {
  if (reply.format === 'chunks') {
    if (stream?.ok !== true) return failed(stream?.failure ?? replyText.notRead);
    // As with a status (ruling 41): its chunks, or their absence, belong to another job.
    const { id } = stream.value;
    if (id !== null && id !== reply.jobId) return failed(replyText.otherJob(id));
    return ok(reply.shape({ status: stream.value.status, chunks: await chunksAt(bytes, stream.value) }));
  }
  return fields?.ok === true
    ? reply.shape(await fieldsAt(bytes, fields.value))
    : failed(fields?.failure ?? replyText.notRead);
}

function headersOf(
  { method, authorization, body }: Pick<HttpRequest<unknown>, 'method' | 'authorization' | 'body'>,
  key: string,
): Record<string, string> {
  return {
    authorization: authorization === 'bearer' ? `Bearer ${key}` : key,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    // What a cache between has says nothing about a job now.
    ...(method === 'GET' ? { 'cache-control': 'no-cache' } : {}),
  };
}

/**
 * A reply that exceeded the limits is not downloaded again. A new one shows by its length that it is another, or is
 * small.
 */
function limitBytesFor(
  { replyLimitBytes, isAfterBeyondLimits }: Pick<HttpRequest<unknown>, 'replyLimitBytes' | 'isAfterBeyondLimits'>,
  headers: Headers,
): number {
  if (isAfterBeyondLimits !== true) return replyLimitBytes;
  const length = headers.get('content-length');
  const isWithin = length !== null && headers.get('content-encoding') === null && Number(length) <= replyLimitBytes;
  return isWithin ? replyLimitBytes : beginningBytes;
}

/** The result of `work`, or null as soon as the signal aborts; the work itself then continues. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  const stopped = Promise.withResolvers<null>();
  const stop = (): void => stopped.resolve(null);
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The key in the form for a header, or one sentence that says why there is none. */
async function keyFor(
  request: Pick<HttpRequest<unknown>, 'readKey' | 'url'>,
): Promise<Result<string, { why: string; isPassing: boolean }>> {
  const none = (why: string) => failed({ why, isPassing: false });
  let kept: string | null;
  try {
    kept = await request.readKey(request.url.origin);
  } catch {
    return failed({ why: notSentText.couldNotReadKey, isPassing: true });
  }
  const key = kept?.trim() ?? '';
  if (key === '') return none(notSentText.noKey);
  // Node would refuse the header too, with an error that quotes it.
  if (!/^[\x20-\x7e]+$/.test(key)) return none(notSentText.badKey);
  return ok(key);
}

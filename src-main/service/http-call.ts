import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { isPlainRefusal } from './http-status.ts';
import { acceptedCodings } from './reply-body.ts';
import type { Route } from './proxy-and-certificates.ts';
import { connectLimitMs, proxyLoginStatus, ProxySilent } from './tunnel-agent.ts';
import { unreachedText } from '../messages/service/unreached.ts';

/** The head of a reply, and its body as it comes: not unpacked, so that its reader can stop at a limit (ruling 43). */
export interface HttpReply {
  status: number;
  isOk: boolean;
  /** It came before all of the request had left, so it cannot be an answer to that. */
  isEarly: boolean;
  headers: Headers;
  body: IncomingMessage;
  /** Its connection. Unless it is destroyed, it is used again once the body is read. */
  socket: Duplex;
}

export interface HttpCall {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  /** JSON text. */
  body: string | undefined;
  signal: AbortSignal;
  /** Its agent fits the protocol of `url`. */
  route: Route;
}

/**
 * Sends one request and returns when the head of its reply is there. Follows no redirect, retries nothing, and has no
 * time limit except `signal`, because a runsync may wait for minutes. Rejects with the system's error if no head comes,
 * and with `NotConnected` if that was before there was a connection.
 */
export function callHttp({ method, url, headers, body, signal, route }: HttpCall): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const sent = (isSecure ? requestSecure : requestPlain)(url, {
      method,
      agent: route.agent,
      headers: {
        ...headers,
        'accept-encoding': acceptedCodings,
        'user-agent': 'Jobdeck',
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
    });
    let isConnected = false;
    // For a tunnel, the agent itself reports whether the proxy took too long.
    const isToProxy = !isSecure && route.proxy !== null;
    const connecting = setTimeout(
      () => {
        const error = isToProxy ? new ProxySilent() : new ConnectTimeout();
        sent.destroy(error);
        failed(error);
      },
      isToProxy ? route.limitMs : connectLimitMs,
    );
    const failed = (error: Error): void => {
      clearTimeout(connecting);
      reject(isConnected || signal.aborted ? error : new NotConnected(error));
    };
    // A request that is destroyed while its tunnel is being opened is never written, but Node reports no error of it.
    signal.addEventListener('abort', () => failed(new AbortedCall()));
    const connected = (): void => {
      isConnected = true;
      clearTimeout(connecting);
    };
    sent.on('socket', (socket) => {
      // A proxy's tunnel is passed on when it exists, and may exist already: from then on bytes can leave.
      const isConnecting = socket.connecting || (socket instanceof TLSSocket && !socket.authorized);
      if (sent.reusedSocket || !isConnecting) connected();
      // A request is only written after the server has shown its certificate.
      else socket.once(isSecure ? 'secureConnect' : 'connect', connected);
    });
    sent.on('response', (reply) => {
      // The proxy itself refused, so the request reached no service. Through a tunnel, or without a proxy, a 407 is the
      // service's own answer to the request.
      if (reply.statusCode === proxyLoginStatus && isToProxy) {
        reply.resume();
        clearTimeout(connecting);
        reject(new NotConnected(new ProxyLoginNeeded()));
        return;
      }
      // The reader of the body gets the error. Until then there is no listener.
      reply.on('error', () => undefined);
      // The reply itself no longer has it after its end.
      const { socket } = reply;
      const status = reply.statusCode ?? 0;
      sent.shouldKeepAlive &&= isInTurn(reply);
      const isOk = status >= 200 && status < 300;
      // An error may come early: the service wants no more of the request.
      const isEarly = isOk && !sent.writableFinished;
      resolve({ status, isOk, isEarly, headers: headersOf(reply), body: reply, socket });
    });
    sent.on('error', failed);
    // Nothing else comes after it: Node itself drops a connection that the server switches to another protocol (101).
    sent.on('close', () => reject(new Error('The connection closed without a reply.')));
    sent.end(body);
  });
}

/**
 * Whether a reply by its head is an answer to its request, or a refusal in the service's own words. After anything
 * else (a proxy that waited no longer, a redirect, a page) the real answer may still come. On a connection that is used
 * again it would be taken for that of the next request: a submission would get the id of another job.
 */
function isInTurn({ statusCode = 0, headers }: IncomingMessage): boolean {
  if (statusCode >= 200 && statusCode < 300) return true;
  return isPlainRefusal(statusCode) && (statusCode === 429 || /json/i.test(headers['content-type'] ?? ''));
}

function headersOf(reply: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(reply.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

/** The system's error codes for a connection that cannot be made. Some also occur when an existing one breaks. */
const systemCodes: Record<string, string> = {
  ECONNREFUSED: unreachedText.nothingAnswers,
  ENETUNREACH: unreachedText.networkUnreachable,
  ENETDOWN: unreachedText.networkDown,
  EHOSTUNREACH: unreachedText.hostUnreachable,
  EHOSTDOWN: unreachedText.hostDown,
  EADDRNOTAVAIL: unreachedText.noRoute,
};

/** Codes that only occur while a connection is being made, before a byte of a request can leave. */
const unreachedCodes: Record<string, string> = {
  ENOTFOUND: unreachedText.noHost,
  EAI_AGAIN: unreachedText.lookupFailed,
  EAI_FAIL: unreachedText.lookupFailed,
  CONNECT_TIMEOUT: unreachedText.notAcceptedInTime,
  // The TLS handshake was answered with something else. The request would follow only after it.
  ERR_SSL_WRONG_VERSION_NUMBER: unreachedText.notHttps,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: unreachedText.notHttps,
  ERR_SSL_UNSUPPORTED_PROTOCOL: unreachedText.outdatedTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: unreachedText.noCommonTls,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: unreachedText.handshakeFailed,
  // This side checks certificates before it sends anything.
  CERT_HAS_EXPIRED: unreachedText.certificateExpired,
  CERT_NOT_YET_VALID: unreachedText.certificateNotYetValid,
  CERT_REVOKED: unreachedText.certificateRevoked,
  CERT_UNTRUSTED: unreachedText.certificateUntrusted,
  CERT_REJECTED: unreachedText.certificateUntrusted,
  CERT_SIGNATURE_FAILURE: unreachedText.certificateInvalid,
  CERT_CHAIN_TOO_LONG: unreachedText.certificateInvalid,
  DEPTH_ZERO_SELF_SIGNED_CERT: unreachedText.certificateSelfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: unreachedText.unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unreachedText.unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unreachedText.unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unreachedText.unknownAuthority,
  PROXY_UNKNOWN: unreachedText.proxyUnknown,
  UNUSABLE_PROXY: unreachedText.unusableProxy,
  TUNNEL_REFUSED: unreachedText.proxyRefused,
  ERR_PROXY_INVALID_CONFIG: unreachedText.badProxyAddress,
  ERR_INVALID_URL: unreachedText.badProxyAddress,
  INVALID_CA: unreachedText.unknownAuthority,
  INVALID_PURPOSE: unreachedText.certificateNotForServer,
  HOSTNAME_MISMATCH: unreachedText.certificateOfOtherHost,
  ERR_TLS_CERT_ALTNAME_INVALID: unreachedText.certificateOfOtherHost,
};

/** A request failed before there was a connection. `cause` is the system's error. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super('There was no connection.', { cause });
  }
}

/** A proxy requires a name and a password, or rejects those it got. */
class ProxyLoginNeeded extends Error {
  readonly statusCode = proxyLoginStatus;
}

/** Whether an error, or its cause, is a proxy that requires a login. */
export function isProxyLoginNeeded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('statusCode' in error && error.statusCode === proxyLoginStatus) return true;
  return isProxyLoginNeeded(error.cause);
}

/**
 * Whether an error, or its cause, is a proxy that did not answer before it was given anything to pass on: not when it
 * was connected to, or not when it was asked for a tunnel.
 */
export function isProxySilent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof ProxySilent || isProxySilent(error.cause);
}

/** The caller's signal aborted. */
class AbortedCall extends Error {}

/** The connection took too long. */
export class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT';
}

/**
 * Why a connection could not be made, if an error proves that there was none, so that no byte of the request reached
 * the service (ruling 9). Null for every other error: the request may have arrived.
 */
export function whyUnreached(error: unknown): string | null {
  if (error instanceof NotConnected) return whyByCode(error.cause) ?? whyByMessage(error.cause);
  return whyByCode(error);
}

/** For an error while connecting whose code says nothing. */
function whyByMessage(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  if (/wrong version number|packet length too long/i.test(message)) return unreachedText.notHttps;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return unreachedText.other(code);
}

function whyByCode(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  if (cause instanceof AggregateError && cause.errors.length > 0) {
    // One per address of the host. Each must have failed while connecting.
    const reasons: (string | null)[] = cause.errors.map((each: unknown) => whyByCode(each));
    return reasons.includes(null) ? null : (reasons[0] ?? null);
  }
  if (isProxyLoginNeeded(cause)) return unreachedText.proxyLogin;
  if (isProxySilent(cause)) return unreachedText.proxySilent;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const known = unreachedCodes[code];
  if (known !== undefined) return known;
  const call = 'syscall' in cause && typeof cause.syscall === 'string' ? cause.syscall : '';
  return call === 'connect' || call === 'getaddrinfo' ? (systemCodes[code] ?? unreachedText.other(code)) : null;
}

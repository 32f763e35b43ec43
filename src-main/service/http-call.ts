import { request as requestPlain, type Agent, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { TLSSocket } from 'node:tls';
import { acceptedCodings } from './reply-body.ts';
import { isProxied } from './proxy-and-certificates.ts';

/** The head of a reply, and its body as it comes: not unpacked, so that its reader can stop at a limit (ruling 43). */
export interface HttpReply {
  status: number;
  isOk: boolean;
  headers: Headers;
  body: IncomingMessage;
}

export interface HttpCall {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  /** JSON text. */
  body: string | undefined;
  signal: AbortSignal;
  /** The agent for the connection. It fits the protocol of `url`. */
  agent: Agent;
}

/** How long a connection may take. */
const connectLimitMs = 10_000;

/**
 * Sends one request and returns when the head of its reply is there. Follows no redirect, retries nothing, and has no
 * time limit except `signal`, because a runsync may wait for minutes. Rejects with the system's error if no head comes,
 * and with `NotConnected` if that was before there was a connection.
 */
export function callHttp({ method, url, headers, body, signal, agent }: HttpCall): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const sent = (isSecure ? requestSecure : requestPlain)(url, {
      method,
      agent,
      headers: {
        ...headers,
        'accept-encoding': acceptedCodings,
        'user-agent': 'Jobdeck',
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
    });
    let isConnected = false;
    const connecting = setTimeout(() => sent.destroy(new ConnectTimeout()), connectLimitMs);
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
      if (reply.statusCode === proxyLoginStatus && !isSecure && isProxied(agent)) {
        reply.resume();
        clearTimeout(connecting);
        reject(new NotConnected(new ProxyLoginNeeded()));
        return;
      }
      // The reader of the body gets the error. Until then there is no listener.
      reply.on('error', () => undefined);
      const status = reply.statusCode ?? 0;
      resolve({ status, isOk: status >= 200 && status < 300, headers: headersOf(reply), body: reply });
    });
    sent.on('error', (error) => {
      clearTimeout(connecting);
      reject(isConnected || signal.aborted ? error : new NotConnected(error));
    });
    sent.end(body);
  });
}

function headersOf(reply: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(reply.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

/** The system's error codes for a connection that cannot be made. Some also occur when an existing one breaks. */
const systemCodes: Record<string, string> = {
  ECONNREFUSED: 'nothing answers at this address',
  ENETUNREACH: 'the network is unreachable',
  ENETDOWN: 'the network is down',
  EHOSTUNREACH: 'the host is unreachable',
  EHOSTDOWN: 'the host is down',
  EADDRNOTAVAIL: 'this computer has no route to the address',
};

/** Codes that only occur while a connection is being made, before a byte of a request can leave. */
const unreachedCodes: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name lookup failed',
  EAI_FAIL: 'the host name lookup failed',
  CONNECT_TIMEOUT: 'the host did not accept the connection in time',
  // The TLS handshake was answered with something else. The request would follow only after it.
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak https here; did you mean http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak https here; did you mean http://?',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server supports only outdated TLS',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'no TLS version works for both sides',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the TLS handshake failed',
  // This side checks certificates before it sends anything.
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  CERT_REJECTED: 'its certificate is not trusted',
  CERT_SIGNATURE_FAILURE: 'its certificate is not valid',
  CERT_CHAIN_TOO_LONG: 'its certificate is not valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority this computer does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an authority this computer does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority this computer does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority this computer does not know',
  PROXY_UNKNOWN: 'the system did not say in time which proxy to use',
  UNUSABLE_PROXY: 'the system names a proxy of a kind that Jobdeck cannot use',
  ERR_PROXY_TUNNEL: 'the proxy did not let the connection through',
  ERR_PROXY_INVALID_CONFIG: 'the address of the proxy is not valid',
  INVALID_CA: 'its certificate comes from an authority this computer does not know',
  INVALID_PURPOSE: 'its certificate is not meant for a server',
  HOSTNAME_MISMATCH: 'its certificate is for another host',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** A request failed before there was a connection. `cause` is the system's error. */
export class NotConnected extends Error {
  constructor(cause: Error) {
    super('There was no connection.', { cause });
  }
}

/** The status by which a proxy requests a login (RFC 9110, 15.5.8). */
export const proxyLoginStatus = 407;

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
  if (/wrong version number|packet length too long/i.test(message))
    return unreachedCodes['ERR_SSL_WRONG_VERSION_NUMBER'] ?? '';
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return `no connection could be made${code}`;
}

function whyByCode(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  if (cause instanceof AggregateError && cause.errors.length > 0) {
    // One per address of the host. Each must have failed while connecting.
    const reasons: (string | null)[] = cause.errors.map((each: unknown) => whyByCode(each));
    return reasons.includes(null) ? null : (reasons[0] ?? null);
  }
  if (isProxyLoginNeeded(cause))
    return 'the proxy did not let you in (407); check the name and the password under Settings › Network';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const known = unreachedCodes[code];
  if (known !== undefined) return known;
  const call = 'syscall' in cause && typeof cause.syscall === 'string' ? cause.syscall : '';
  return call === 'connect' || call === 'getaddrinfo'
    ? (systemCodes[code] ?? `no connection could be made (${code})`)
    : null;
}

import { request as requestPlain, type ClientRequest } from 'node:http';
import { Agent, request as requestSecure, type AgentOptions } from 'node:https';
import { isIPv6, Socket } from 'node:net';
import { connect } from 'node:tls';

/** How long a connection may take, through a proxy or without one. */
export const connectLimitMs = 10_000;

/** The status by which a proxy requests a login (RFC 9110, 15.5.8). */
export const proxyLoginStatus = 407;

/** A proxy did not accept a connection, or did not answer, in time. */
export class ProxySilent extends Error {
  readonly code = 'PROXY_SILENT';
}

/** A proxy answered, but opened no tunnel. Null: its answer was no HTTP, or it broke off. */
class TunnelRefused extends Error {
  readonly code = 'TUNNEL_REFUSED';
  readonly statusCode: number | null;

  constructor(statusCode: number | null) {
    super(`The proxy opened no tunnel (${statusCode ?? 'no answer'}).`);
    this.statusCode = statusCode;
  }
}

/** The proxy of a tunnel. */
interface TunnelProxy {
  /** Its address, with the login if it needs one. */
  proxy: URL;
  /** How long it may take to open a tunnel, in all: a proxy that drips bytes must not be awaited for longer. */
  limitMs: number;
}

/**
 * An agent for https through a proxy. Node's own has a limit only for the silence between two bytes of the proxy's
 * answer, and for each byte of an unfinished one it doubles its work: 25 bytes blocked main for seconds.
 */
export class TunnelAgent extends Agent {
  readonly #address: URL;
  readonly #login: { 'proxy-authorization'?: string };
  readonly #limitMs: number;
  readonly #trust: Pick<AgentOptions, 'secureContext'>;

  constructor(options: AgentOptions, { proxy, limitMs }: TunnelProxy) {
    super(options);
    this.#address = new URL(proxy.origin);
    this.#limitMs = limitMs;
    this.#trust = options.secureContext === undefined ? {} : { secureContext: options.secureContext };
    const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    this.#login =
      user === ':' ? {} : { 'proxy-authorization': ['Basic', Buffer.from(user).toString('base64')].join(' ') };
  }

  /** Opens a tunnel through the proxy, and TLS in it. Both only through `created`. */
  override createConnection(...[options, created]: Parameters<Agent['createConnection']>): undefined {
    // The agent does not use the socket of a connection that failed.
    const failed = (error: Error): void => created?.(error, new Socket());
    const host = options.host ?? '';
    const tunnelRequest = this.#requestTunnel(`${isIPv6(host) ? `[${host}]` : host}:${options.port ?? ''}`);
    const late = setTimeout(() => tunnelRequest.destroy(new ProxySilent()), this.#limitMs);
    tunnelRequest.on('close', () => clearTimeout(late));
    tunnelRequest.on('error', (error) => {
      // It was asked, so whatever came of that is its answer.
      failed(error instanceof ProxySilent || !tunnelRequest.writableFinished ? error : new TunnelRefused(null));
    });
    tunnelRequest.on('connect', ({ statusCode = 0 }, tunnel: Socket) => {
      clearTimeout(late);
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy();
        return failed(new TunnelRefused(statusCode));
      }
      const secured = connect({ socket: tunnel, host, servername: options.servername ?? '', ...this.#trust });
      const hanging = setTimeout(() => secured.destroy(), connectLimitMs);
      tunnel.on('error', () => secured.destroy());
      secured.on('close', () => clearTimeout(hanging));
      secured.on('error', failed);
      secured.on('secureConnect', () => {
        clearTimeout(hanging);
        secured.off('error', failed);
        created?.(null, secured);
      });
    });
    tunnelRequest.end();
  }

  #requestTunnel(target: string): ClientRequest {
    const isSecure = this.#address.protocol === 'https:';
    return (isSecure ? requestSecure : requestPlain)(this.#address, {
      method: 'CONNECT',
      path: target,
      headers: { host: target, connection: 'keep-alive', 'proxy-connection': 'keep-alive', ...this.#login },
      agent: false,
      ...this.#trust,
    });
  }
}

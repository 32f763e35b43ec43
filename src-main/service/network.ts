import { Agent, type AgentOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { ProxyChoice } from '../../src-preload/network.ts';

/** The way out of this computer: connections by the proxy and the certificates that the system, or the user, names. */
export interface Network {
  agentFor(url: URL): Promise<Agent>;
  /** The proxy for an address, as host and port; null for none. Rejects with a sentence where there is only one of a
   * kind that cannot be used. */
  proxyFor(url: URL): Promise<string | null>;
}

export interface NetworkParts {
  /** What the system says of an address, as a PAC file answers: `PROXY host:port; DIRECT`. */
  resolveProxy: (url: string) => Promise<string>;
  choice: () => ProxyChoice;
  /** The password for this proxy and name; null where none is kept. */
  password?: (user: { proxy: string; name: string }) => Promise<string | null>;
}

/** An unused connection is closed after this: before most services do it, whose closing could meet a request. */
const idleMs = 4_000;

/** How to reach the world without a proxy, trusting the authorities of Node and of the system. */
export const directNetwork: Network = createNetwork({
  resolveProxy: () => Promise.resolve('DIRECT'),
  choice: () => ({ kind: 'none' }),
});

/**
 * Node knows neither the system's proxy nor its certificates; Electron does know the proxy. Loopback is never asked by
 * a proxy. Agents are made once for each proxy, so that connections are reused.
 */
export function createNetwork({ resolveProxy, choice, password }: NetworkParts): Network {
  const agents = new Map<string, Agent>();

  async function proxyFor(url: URL): Promise<string | null> {
    if (isLoopback(url.hostname)) return null;
    const chosen = choice();
    switch (chosen.kind) {
      case 'none':
        return null;
      case 'manual':
        return chosen.url;
      case 'system':
        return proxyIn(await resolveProxy(url.origin));
    }
  }

  /** The proxy with who signs in there (Basic), as Node reads it. Both go to the proxy of the settings alone. */
  async function signedIn(proxy: string | null): Promise<string | null> {
    const chosen = choice();
    if (proxy === null || chosen.kind !== 'manual' || chosen.name === undefined) return proxy;
    const address = new URL(proxy);
    address.username = encodeURIComponent(chosen.name);
    address.password = encodeURIComponent((await password?.({ proxy, name: chosen.name })) ?? '');
    return address.href;
  }

  return {
    proxyFor,
    async agentFor(url) {
      const isSecure = url.protocol === 'https:';
      const proxy = await signedIn(await proxyFor(url));
      const key = `${isSecure} ${proxy ?? ''}`;
      const known = agents.get(key);
      if (known !== undefined) return known;
      const options: AgentOptions = {
        keepAlive: true,
        timeout: idleMs,
        ...(proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
      };
      const made = isSecure ? new SecureAgent({ ...options, secureContext: trust() }) : new Agent(options);
      agents.set(key, made);
      if (proxy !== null) proxied.add(made);
      return made;
    },
  };
}

const proxied = new WeakSet<Agent>();

/** Whether this agent's requests go by a proxy. */
export function isProxied(agent: Agent): boolean {
  return proxied.has(agent);
}

let trusted: string[] | null = null;

/** Those that Node brings along, and those of the system: a company's own stands there. Read at the first need. */
export function authorities(): string[] {
  return (trusted ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}

let trusting: SecureContext | null = null;

/**
 * What is made of the authorities, once for all connections: made for each it would hold main for 10 ms and more,
 * and as `ca` of an agent they would be written into the name by which each request looks for a connection.
 */
function trust(): SecureContext {
  return (trusting ??= createSecureContext({ ca: authorities() }));
}

/** The first usable way in an answer such as `PROXY a:1; HTTPS b:2; DIRECT`, as an address; null for none. */
export function proxyIn(answer: string): string | null {
  const ways = answer.split(';').map((way) => way.trim().split(/\s+/));
  for (const [kind = '', place = ''] of ways) {
    if (kind === 'DIRECT') return null;
    if (kind === 'PROXY' && place !== '') return `http://${place}`;
    if (kind === 'HTTPS' && place !== '') return `https://${place}`;
  }
  if (answer.trim() === '') return null;
  throw new UnusableProxy(answer);
}

/** The system names only proxies of a kind that Jobdeck cannot use. Nothing was sent. */
class UnusableProxy extends Error {
  readonly code = 'UNUSABLE_PROXY';
  constructor(answer: string) {
    super(`The system names a proxy that Jobdeck cannot use: ${answer.slice(0, 200)}`);
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

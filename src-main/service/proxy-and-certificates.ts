import { Agent } from 'node:http';
import { Agent as SecureAgent, type AgentOptions as SecureAgentOptions } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { ProxyChoice } from '../../src-preload/network.ts';
import { isThisMachine } from '../../src-preload/url.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/** One route to an address. */
export interface Route {
  /** The address of the proxy, without its login. Null: directly. */
  proxy: string | null;
  agent: Agent;
  /** How long the proxy may take to accept a connection, or to open a tunnel. */
  limitMs: number;
}

/** Connections to the network, with the proxy and the certificates of the system or the user. */
export interface Network {
  /**
   * The routes to an address, in the order in which they are to be tried (`try-routes.ts`): as the system names them,
   * but proxies that did not answer lately come last, unless `isAsNamed`. Rejects with a sentence if there are only
   * proxies of a kind that cannot be used.
   */
  routesTo(url: URL, isAsNamed?: boolean): Promise<Route[]>;
  /** Reports whether a proxy answered in time. */
  noteAnswer(proxy: string, isSilent: boolean): void;
}

export interface NetworkParts {
  /** The system's proxy for an address, in the syntax of a PAC file: `PROXY host:port; DIRECT`. */
  resolveProxy: (url: string) => Promise<string>;
  choice: () => ProxyChoice;
  /** The password for this proxy and name, or null. */
  password?: (user: { proxy: string; name: string }) => Promise<string | null>;
  /** How long a proxy may take if there is another route. */
  proxyLimitMs?: number;
  /** Milliseconds since an arbitrary moment. */
  steadyMs?: () => number;
  /** Epoch milliseconds, over a sleep of the machine too. */
  now?: () => number;
}

const defaultProxyLimitMs = 5_000;
/** Shorter than `connectLimitMs`, so that the failure names the proxy. */
const lastProxyLimitMs = 9_000;

/**
 * An unused connection is closed after this time, before most services do it, because a request could coincide with
 * their closing.
 */
const idleMs = 4_000;

/** The network without a proxy. It trusts the authorities of Node and of the system. */
export const directNetwork: Network = createNetwork({
  resolveProxy: () => Promise.resolve('DIRECT'),
  choice: () => ({ kind: 'none' }),
});

/**
 * Node knows neither the system's proxy nor its certificates; Electron knows the proxy. This machine is reached without
 * one. Agents are created once for each proxy, so that connections are reused.
 */
export function createNetwork({ resolveProxy, choice, password, ...parts }: NetworkParts): Network {
  const agents = new Map<string, Agent>();
  const now = parts.now ?? Date.now;
  let usedAtMs = now();
  const silent = createSilentProxies(parts.steadyMs ?? (() => performance.now()));

  async function proxiesFor(url: URL): Promise<(string | null)[]> {
    if (isThisMachine(url.hostname)) return [null];
    const chosen = choice();
    switch (chosen.kind) {
      case 'none':
        return [null];
      case 'manual':
        return [chosen.url];
      case 'system':
        return proxiesIn(await resolveProxy(url.origin));
    }
  }

  /** The proxy with its login (Basic), as Node reads it. Both are sent only to the proxy of the settings. */
  async function signedIn(proxy: string | null): Promise<string | null> {
    const chosen = choice();
    if (proxy === null || chosen.kind !== 'manual' || chosen.name === undefined) return proxy;
    const address = new URL(proxy);
    address.username = encodeURIComponent(chosen.name);
    address.password = encodeURIComponent((await password?.({ proxy, name: chosen.name })) ?? '');
    return address.href;
  }

  function agentFor(proxy: string | null, isSecure: boolean, limitMs: number): Agent {
    const key = `${isSecure} ${limitMs} ${proxy ?? ''}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const options = { keepAlive: true, timeout: idleMs };
    const made = isSecure
      ? secureAgent({ ...options, secureContext: trust() }, proxy, limitMs)
      : new Agent(proxy === null ? options : { ...options, proxyEnv: { HTTP_PROXY: proxy } });
    agents.set(key, made);
    return made;
  }

  /**
   * The timers of unused connections stand still while the machine sleeps. After it the other side has forgotten them,
   * and a submission on one of them would get no answer.
   */
  function closeUnusedAfterSleep(): void {
    const unusedMs = now() - usedAtMs;
    usedAtMs = now();
    if (unusedMs <= idleMs) return;
    for (const { freeSockets } of agents.values())
      for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  return {
    async routesTo(url, isAsNamed = false) {
      closeUnusedAfterSleep();
      const named = await proxiesFor(url);
      const routes: Route[] = [];
      for (const [at, proxy] of (isAsNamed ? named : silent.order(named)).entries()) {
        const isLast = at === named.length - 1;
        const limitMs = isLast ? lastProxyLimitMs : (parts.proxyLimitMs ?? defaultProxyLimitMs);
        routes.push({ proxy, limitMs, agent: agentFor(await signedIn(proxy), url.protocol === 'https:', limitMs) });
      }
      return routes;
    },
    noteAnswer: silent.note,
  };
}

function secureAgent(options: SecureAgentOptions, proxy: string | null, limitMs: number): Agent {
  return proxy === null ? new SecureAgent(options) : new TunnelAgent(options, { proxy: new URL(proxy), limitMs });
}

let trusted: string[] | null = null;

/** The authorities of Node and those of the system, which include a company's own. Read when first needed. */
export function authorities(): string[] {
  return (trusted ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}

let trusting: SecureContext | null = null;

/**
 * The TLS context with the authorities, made once for all connections: making it for each would block main for 10 ms
 * and more, and as `ca` of an agent they would be part of the name by which each request looks for a connection.
 */
function trust(): SecureContext {
  return (trusting ??= createSecureContext({ ca: authorities() }));
}

/**
 * The usable entries of an answer such as `PROXY a:1; HTTPS b:2; DIRECT`, in its order: addresses, or null for a direct
 * connection.
 */
export function proxiesIn(answer: string): (string | null)[] {
  const usable: (string | null)[] = [];
  for (const route of answer.split(';')) {
    const [kind = '', place = ''] = route.trim().split(/\s+/);
    if (kind === 'DIRECT') usable.push(null);
    const scheme = kind === 'PROXY' ? 'http' : kind === 'HTTPS' ? 'https' : null;
    if (scheme !== null && URL.canParse(`${scheme}://${place}`)) usable.push(`${scheme}://${place}`);
  }
  if (usable.length > 0) return [...new Set(usable)];
  if (answer.trim() === '') return [null];
  throw new UnusableProxy(answer);
}

/** The system only has proxies of a kind that Jobdeck cannot use. Nothing was sent. */
class UnusableProxy extends Error {
  readonly code = 'UNUSABLE_PROXY';
  constructor(answer: string) {
    super(`The system names a proxy that Jobdeck cannot use: ${answer.slice(0, 200)}`);
  }
}

/** How long a proxy that did not answer is tried after the others. */
const rememberedMs = 60_000;

/** Which proxies did not answer in time. */
interface SilentProxies {
  /** Notes whether a proxy answered. */
  note(proxy: string, isSilent: boolean): void;
  /** The same proxies (null: directly), with those that did not answer within the last minute at the end. */
  order(proxies: readonly (string | null)[]): (string | null)[];
}

/** `steadyMs` gives milliseconds since an arbitrary moment. */
function createSilentProxies(steadyMs: () => number): SilentProxies {
  const untilMs = new Map<string, number>();

  function isSilent(proxy: string | null): boolean {
    return proxy !== null && (untilMs.get(proxy) ?? -Infinity) > steadyMs();
  }

  return {
    note(proxy, isNowSilent) {
      if (isNowSilent) untilMs.set(proxy, steadyMs() + rememberedMs);
      else untilMs.delete(proxy);
    },
    order: (proxies) => [...proxies.filter((each) => !isSilent(each)), ...proxies.filter(isSilent)],
  };
}

/** Node's variable that disables the check of certificates for every connection of a process. */
const openTlsVariable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Removes that variable from the environment, also for threads started later: with it, others on the network could read
 * keys. Returns true if it was set.
 */
export function refuseOpenTls(environment: NodeJS.ProcessEnv): boolean {
  const isOpen = environment[openTlsVariable] === '0';
  if (isOpen) Reflect.deleteProperty(environment, openTlsVariable);
  return isOpen;
}

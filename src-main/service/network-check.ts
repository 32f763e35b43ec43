import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { NetworkCheck } from '../../src-preload/network.ts';
import { errorText } from '../async/error-text.ts';
import { tryRoutes, routesInTime } from './try-routes.ts';
import { isProxyLoginNeeded, whyUnreached } from './http-call.ts';
import { authorities, type Network, type Route } from './proxy-and-certificates.ts';
import { proxyLoginStatus, ProxySilent } from './tunnel-agent.ts';
import { networkTestText, unreachedText } from '../messages/service/unreached.ts';

/** Three silent proxies and a slow answer fit in. */
const limitMs = 25_000;

/**
 * Connects to an address through the chosen proxy, up to its first answer. Proxies are tried as the system names them,
 * even those that did not answer lately.
 */
export async function checkNetwork(
  network: Network,
  address: string,
  now: () => number,
): Promise<Result<NetworkCheck>> {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return failed({ kind: 'refused', field: 'url', message: networkTestText.address });
  const startedAtMs = now();
  let proxy: string | null = null;
  let problem: string | null = null;
  const silent: string[] = [];
  const noteAnswer: Network['noteAnswer'] = (of, isSilent) => {
    network.noteAnswer(of, isSilent);
    if (isSilent) silent.push(of);
  };
  try {
    const signal = AbortSignal.timeout(limitMs);
    await tryRoutes(await routesInTime(network, url, signal, true), { signal, noteAnswer }, (route) => {
      proxy = route.proxy;
      return reach(url, route, signal);
    });
  } catch (error) {
    const refused = isProxyLoginNeeded(error) && proxy !== null ? await refusedLogin(proxy, url) : null;
    problem = networkTestText.couldNotReach(url.host, refused ?? whyUnreached(error) ?? errorText(error));
  }
  return ok({ proxy, silent, authorities: authorities().length, tookMs: Math.max(0, now() - startedAtMs), problem });
}

/**
 * The head of the front page, which is no operation of the service and about no job. So it may be requested again, and
 * a proxy that gets an unencrypted request has only `limitMs` to answer.
 */
function reach(url: URL, { agent, proxy, limitMs: proxyLimitMs }: Route, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const make = isSecure ? requestSecure : requestPlain;
    const sent = make(new URL('/', url), { method: 'HEAD', agent, signal, headers: { 'user-agent': 'Jobdeck' } });
    const answering =
      proxy === null || isSecure ? undefined : setTimeout(() => sent.destroy(new ProxySilent()), proxyLimitMs);
    sent.on('close', () => clearTimeout(answering));
    sent.on('response', (reply) => {
      clearTimeout(answering);
      reply.resume();
      if (reply.statusCode === proxyLoginStatus)
        reject(Object.assign(new Error('407'), { statusCode: proxyLoginStatus }));
      else resolve();
    });
    sent.on('error', reject);
    sent.end();
  });
}

/**
 * Why Jobdeck cannot log in at a proxy: a second request, without a name, finds out which schemes it accepts. Null if
 * it accepts Basic, or does not say.
 */
async function refusedLogin(proxy: string, url: URL): Promise<string | null> {
  const schemes = await signInSchemes(new URL(proxy), `${url.hostname}:${url.port === '' ? '443' : url.port}`);
  if (schemes.length === 0 || schemes.some((scheme) => scheme.toLowerCase() === 'basic')) return null;
  return unreachedText.proxyAcceptsOnly(schemes);
}

/** The schemes in a proxy's answer (`Proxy-Authenticate`). Empty if there is no such answer. */
function signInSchemes(proxy: URL, target: string): Promise<string[]> {
  return new Promise((resolve) => {
    const make = proxy.protocol === 'https:' ? requestSecure : requestPlain;
    const signal = AbortSignal.timeout(limitMs);
    const sent = make(proxy, { method: 'CONNECT', path: target, headers: { host: target }, signal, agent: false });
    sent.on('connect', ({ headers }, socket) => {
      socket.destroy();
      const schemes = [headers['proxy-authenticate'] ?? []].flat().join(', ');
      resolve(
        ['Basic', 'Digest', 'NTLM', 'Negotiate'].filter((scheme) => new RegExp(`\\b${scheme}\\b`, 'i').test(schemes)),
      );
    });
    sent.on('error', () => resolve([]));
    sent.end();
  });
}

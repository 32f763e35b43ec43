import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { NetworkCheck } from '../../src-preload/network.ts';
import { errorText } from '../async/error-text.ts';
import { whyUnreached } from './http-call.ts';
import { authorities, type Network } from './network.ts';

const limitMs = 15_000;

/** Reaches an address, by the proxy that is set, as far as its first answer. */
export async function checkNetwork(
  network: Network,
  address: string,
  now: () => number,
): Promise<Result<NetworkCheck>> {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return failed({ kind: 'refused', field: 'url', message: 'Enter an address that begins with https:// or http://.' });
  const startedAtMs = now();
  let proxy: string | null = null;
  let problem: string | null = null;
  try {
    proxy = await network.proxyFor(url);
    await reach(url, await network.agentFor(url));
  } catch (error) {
    problem = `Could not reach ${url.host}: ${whyUnreached(error) ?? errorText(error)}.`;
  }
  return ok({ proxy, authorities: authorities().length, tookMs: Math.max(0, now() - startedAtMs), problem });
}

/** The head of the front page: no operation of a service, and about no job. */
function reach(url: URL, agent: Awaited<ReturnType<Network['agentFor']>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const make = url.protocol === 'https:' ? requestSecure : requestPlain;
    const signal = AbortSignal.timeout(limitMs);
    const sent = make(new URL('/', url), { method: 'HEAD', agent, signal, headers: { 'user-agent': 'Jobdeck' } });
    sent.on('response', (reply) => {
      reply.resume();
      resolve();
    });
    sent.on('error', reject);
    sent.end();
  });
}

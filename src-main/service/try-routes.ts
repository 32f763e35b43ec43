import { isProxySilent, NotConnected } from './http-call.ts';
import type { Network, Route } from './proxy-and-certificates.ts';

/** The system did not say in time which proxy leads to an address, so nothing was sent. */
class ProxyUnknown extends Error {
  readonly code = 'PROXY_UNKNOWN';
}

/**
 * The routes to an address, as `Network.routesTo`. Rejects only with `NotConnected`, also when `signal` aborts first:
 * without a route nothing can leave.
 */
export async function routesInTime(
  network: Network,
  url: URL,
  signal: AbortSignal,
  isAsNamed?: boolean,
): Promise<Route[]> {
  const late = Promise.withResolvers<never>();
  const stop = (): void => late.reject(new NotConnected(new ProxyUnknown()));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([network.routesTo(url, isAsNamed), late.promise]);
  } catch (error) {
    throw error instanceof NotConnected ? error : new NotConnected(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export interface Trying {
  signal: AbortSignal;
  /** Called with what is found out about a proxy. */
  noteAnswer: Network['noteAnswer'];
}

/**
 * Tries the routes in their order. The next one is tried only if nothing was given to a proxy to pass on, so that nothing
 * is sent twice: it was not connected to, or it did not answer in time and was only asked for a tunnel. What failed in
 * any other manner may have passed the request on. Rejects with the error of the last attempt.
 */
export async function tryRoutes<T>(
  routes: readonly Route[],
  trying: Trying,
  attempt: (route: Route) => Promise<T>,
): Promise<T> {
  const [route, ...others] = routes;
  if (route === undefined) throw new Error('There is no route to this address.');
  const { proxy } = route;
  try {
    const got = await attempt(route);
    if (proxy !== null) trying.noteAnswer(proxy, false);
    return got;
  } catch (error) {
    if (proxy === null) throw error;
    const isSilent = isProxySilent(error);
    if (isSilent) trying.noteAnswer(proxy, true);
    if (others.length === 0 || trying.signal.aborted || !(isSilent || isUnconnected(error))) throw error;
  }
  return tryRoutes(others, trying, attempt);
}

/** Whether the host of a connection has no address, or did not accept one. Through a proxy that host is the proxy. */
function isUnconnected(error: unknown): boolean {
  if (error instanceof NotConnected) return isUnconnected(error.cause);
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnconnected);
  if (!(error instanceof Error && 'syscall' in error)) return false;
  return error.syscall === 'connect' || error.syscall === 'getaddrinfo';
}

/** How long a proxy that did not answer is tried after the others. */
const rememberedMs = 60_000;

/** Which proxies did not answer in time. */
export interface SilentProxies {
  /** Notes whether a proxy answered. */
  note(proxy: string, isSilent: boolean): void;
  /** The same proxies (null: directly), with those that did not answer within the last minute at the end. */
  order(proxies: readonly (string | null)[]): (string | null)[];
}

/** `steadyMs` gives milliseconds since an arbitrary moment. */
export function createSilentProxies(steadyMs: () => number): SilentProxies {
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

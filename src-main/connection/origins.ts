import type { PlainHttp } from '../../src-preload/connection.ts';
import { failed, ok, type LocalFailure, type Result } from '../../src-preload/failure.ts';
import { isReadableOnItsWay } from '../service/address.ts';
import { keyText, plainHttpText } from '../messages/connection.ts';

type Refused = Extract<LocalFailure, { kind: 'refused' }>;

/** The two addresses of a connection, normalised. `restUrl` is empty if pods and templates are not used. */
export interface Addresses {
  baseUrl: string;
  restUrl: string;
}

/**
 * Scheme, host and port of a URL. A key is sent only to the origins it was entered for (ruling 44). Null if it is not a
 * URL.
 */
function originOf(url: string): string | null {
  return URL.parse(url)?.origin ?? null;
}

/** The origins of a connection's requests, the base URL's first, each once. */
export function originsOf({ baseUrl, restUrl }: Addresses): string[] {
  return [...new Set([originOf(baseUrl), originOf(restUrl)].flatMap((origin) => origin ?? []))];
}

/** Whether a key that was entered for `keyOrigins` may be sent to this URL. */
export function mayHaveKey(keyOrigins: readonly string[], url: string): boolean {
  const origin = originOf(url);
  return origin !== null && keyOrigins.includes(origin);
}

/** Why a saved key is not sent to these addresses: it was entered for others. Null if it may be sent. */
export function keyNotFor(addresses: Addresses, keyOrigins: readonly string[]): Refused | null {
  const origins = originsOf(addresses).filter((origin) => !keyOrigins.includes(origin));
  if (origins.length === 0) return null;
  return { kind: 'refused', field: 'key', message: keyText.enterAgain(origins, keyOrigins) };
}

/** The origins to which both keys may be sent, for the time in which it is uncertain which of them is saved. */
export function originsOfBothKeys(former: readonly string[], next: readonly string[]): string[] {
  return next.filter((origin) => former.includes(origin));
}

/** The origins among the addresses that use http:// to another machine. `agreed`: those the user agreed to. */
export function plainHttpOf(addresses: Addresses, agreed: readonly string[]): PlainHttp[] {
  const base = originOf(addresses.baseUrl);
  return originsOf(addresses)
    .filter(isReadableOnItsWay)
    .map((origin) => ({
      origin,
      host: origin.slice('http://'.length),
      carries: origin === base ? plainHttpText.carriesJobs : plainHttpText.carriesVariables,
      isAgreed: agreed.includes(origin),
    }));
}

/**
 * The agreed origins among the addresses that use http:// to another machine. Refused if one is not agreed to (ruling
 * 44), except that a connection saved before this question existed keeps its addresses. `agreed`: from the draft; if
 * absent, from `former` (the saved connection).
 */
export function agreedPlainHttp(
  addresses: Addresses,
  agreed: readonly string[] | undefined,
  former: (Addresses & { plainHttpOrigins: string[] }) | null,
): Result<string[], Refused> {
  const plain = plainHttpOf(addresses, agreed ?? former?.plainHttpOrigins ?? []);
  const known = former === null ? [] : originsOf(former).filter((origin) => !former.plainHttpOrigins.includes(origin));
  const open = plain.find(({ origin, isAgreed }) => !isAgreed && !known.includes(origin));
  if (open === undefined) return ok(plain.flatMap(({ origin, isAgreed }) => (isAgreed ? [origin] : [])));
  return failed({ kind: 'refused', field: 'plainHttp', message: plainHttpText.notAgreed(open.carries, open.host) });
}

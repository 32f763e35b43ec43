import { unreadText, type RequestSource } from '../../messages/composer/paste.ts';

/** A request as it was written, before any of it is used. */
export interface FoundRequest {
  source: RequestSource;
  /** Null: not given, as with the SDKs. */
  url: string | null;
  method: string | null;
  endpointId: string | null;
  operation: 'run' | 'runsync' | null;
  /** Only for runsync. */
  waitMs: number | null;
  /** The text of the body. Null if it could not be read. */
  body: string | null;
  /** A key that is in it as plain text, so that it can be removed from the input. It is never shown. */
  key: string | null;
  /** What could not be read, in sentences. */
  unread: string[];
}

/** Nothing found yet. */
export function emptyRequest(source: RequestSource): FoundRequest {
  return {
    source,
    url: null,
    method: null,
    endpointId: null,
    operation: null,
    waitMs: null,
    body: null,
    key: null,
    unread: [],
  };
}

/** The request with the endpoint, the operation and the wait from its address (spec: Queue operations). Pure. */
export function withAddress(request: FoundRequest, address: string): FoundRequest {
  const url = URL.parse(address.trim());
  if (url === null) return { ...request, unread: [...request.unread, unreadText.address] };
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const at = parts.findLastIndex((part) => part === 'run' || part === 'runsync');
  const wait = Number(url.searchParams.get('wait') ?? Number.NaN);
  return {
    ...request,
    url: url.href,
    endpointId: at < 1 ? null : decodeURIComponentSafely(parts[at - 1] ?? ''),
    operation: parts[at] === 'run' || parts[at] === 'runsync' ? parts[at] : null,
    waitMs: Number.isFinite(wait) && wait > 0 ? wait : request.waitMs,
  };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The key in an authorization header, if it is plain text. Null for a variable. Pure. */
export function keyIn(value: string): string | null {
  const key = value
    .trim()
    .replace(/^(?:bearer|basic|token)\s+/i, '')
    .trim();
  // A name to be replaced later: $KEY, ${KEY}, %KEY%, <your key>, YOUR_API_KEY.
  return key === '' || /^[$%<{[]|^your[_ -]|^\.+$/i.test(key) ? null : key;
}

/** The key in header lines or in names with values. Pure. */
export function keyOfHeaders(headers: readonly (readonly [string, string])[]): string | null {
  for (const [name, value] of headers) {
    if (!/^(?:proxy-)?authorization$|^x?-?api-?key$|^cookie$/i.test(name.trim())) continue;
    const key = keyIn(value);
    if (key !== null) return key;
  }
  return null;
}

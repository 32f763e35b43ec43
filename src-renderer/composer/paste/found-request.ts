/** In what a request was written. */
export type RequestSource = 'curl' | 'powershell' | 'fetch' | 'sdk-js' | 'sdk-python' | 'requests' | 'http';

/** A request as it is written somewhere, before anything of it is taken. */
export interface FoundRequest {
  source: RequestSource;
  /** Null: not said, as the sdks do not. */
  url: string | null;
  method: string | null;
  endpointId: string | null;
  operation: 'run' | 'runsync' | null;
  /** runsync only. */
  waitMs: number | null;
  /** The body's text; null where it could not be read. */
  body: string | null;
  /** A key that stands in it as plain text: to be told from the input, and shown nowhere. */
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

/** A request with the endpoint, the operation and the wait that its address names (spec: Queue operations). Pure. */
export function withAddress(request: FoundRequest, address: string): FoundRequest {
  const url = URL.parse(address.trim());
  if (url === null)
    return { ...request, unread: [...request.unread, 'The address could not be read, so the endpoint is unchanged.'] };
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

/** The key of an authorization header that stands there as plain text; null for a variable. Pure. */
export function keyIn(value: string): string | null {
  const key = value
    .trim()
    .replace(/^(?:bearer|basic|token)\s+/i, '')
    .trim();
  // A name that is filled in later: $KEY, ${KEY}, %KEY%, <your key>, YOUR_API_KEY.
  return key === '' || /^[$%<{[]|^your[_ -]|^\.+$/i.test(key) ? null : key;
}

/** The key that header lines or names with values hold. Pure. */
export function keyOfHeaders(headers: readonly (readonly [string, string])[]): string | null {
  for (const [name, value] of headers) {
    if (!/^(?:proxy-)?authorization$|^x?-?api-?key$|^cookie$/i.test(name.trim())) continue;
    const key = keyIn(value);
    if (key !== null) return key;
  }
  return null;
}

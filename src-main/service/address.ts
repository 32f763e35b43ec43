import { failed, ok, type Result, type LocalFailure } from '../../src-preload/failure.ts';
import { isUrlOfThisMachine } from '../../src-preload/url.ts';
import { addressNoteText, addressText, badAddressText } from '../messages/service/requests.ts';

/** Longer than any id seen so far. A URL must be able to contain it. */
const maxSegmentChars = 500;

/**
 * The URL of an operation: `base` (normalised, without its version), then the segments, each encoded so that an id is
 * one segment whatever it contains, then the query. Returns a sentence if an id cannot be in a path.
 */
export function addressOf(
  base: string,
  segments: readonly string[],
  query: Record<string, string | number> = {},
): Result<URL, string> {
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== null) return failed(problem);
  }
  const address = `${base}/${segments.map(encodeURIComponent).join('/')}`;
  if (!URL.canParse(address)) return failed(addressText.invalid);
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return ok(url);
}

/** A sentence if a text cannot be a segment of a path, otherwise null. */
export function segmentProblem(segment: string): string | null {
  if (segment.trim() === '') return addressText.emptyId;
  // Encoding does not change dots, and URLs treat them as a path to the parent.
  if (segment === '.' || segment === '..') return addressText.notId(segment);
  if (segment.length > maxSegmentChars) return addressText.longId(maxSegmentChars);
  // A lone surrogate has no UTF-8 form.
  return segment.isWellFormed() ? null : addressText.brokenId;
}

/** Whether two base URLs have the same host, so that the key of one may be sent to the other. */
export function isSameHost(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}

export interface NormalisedUrl {
  /** With a scheme, without a slash or the version at its end. */
  url: string;
  /** One sentence for each change, to be shown (ruling 28). Empty if it is as entered. */
  notes: string[];
}

const kinds = {
  base: {
    field: 'baseUrl',
    version: 'v2',
    operations: /\/v2\/[^/]+\/(?:run|runsync|purge-queue|health|(?:status|stream|cancel|retry)\/[^/]+)$/,
  },
  rest: {
    field: 'restUrl',
    version: 'v1',
    operations: /\/v1\/(?:pods\/[^/]+|templates\/[^/]+(?:\/update)?)$/,
  },
} as const;

/**
 * Normalises a base URL (queue interface) or REST URL (management interface): trimmed, with a scheme, without slashes
 * and `/v2` or `/v1` at its end (ruling 28). Refused: other schemes than http and https, a user or password, a query, a
 * fragment. A normalised URL stays the same and has no notes.
 */
export function normaliseUrl(typed: string, kind: 'base' | 'rest'): Result<NormalisedUrl, LocalFailure> {
  const { field, version, operations } = kinds[kind];
  const refuse = (message: string): Result<NormalisedUrl, LocalFailure> => failed({ kind: 'refused', field, message });
  const notes: string[] = [];

  const trimmed = typed.trim();
  if (trimmed === '') return refuse(badAddressText.empty(kind));
  if (trimmed !== typed) notes.push(addressNoteText.spaces);
  const schemed = withScheme(trimmed);
  if (schemed === null) return refuse(badAddressText.scheme(kind));
  if (schemed.note !== null) notes.push(schemed.note);
  if (!URL.canParse(schemed.text)) return refuse(badAddressText.notAddress(kind));
  const url = new URL(schemed.text);
  if (url.username !== '' || url.password !== '') return refuse(badAddressText.user(kind));
  if (schemed.text.includes('?')) return refuse(badAddressText.query(kind));
  if (schemed.text.includes('#')) return refuse(badAddressText.fragment(kind));

  const path = withoutSlashes(url.pathname);
  const withoutOperation = path.replace(operations, `/${version}`);
  if (withoutOperation !== path)
    notes.push(addressNoteText.operation(path.slice(withoutOperation.length - version.length - 1)));
  let bare = withoutOperation;
  while (bare.endsWith(`/${version}`)) bare = withoutSlashes(bare.slice(0, -version.length));
  if (bare !== withoutOperation && withoutOperation === path) notes.push(addressNoteText.version(version));
  if (schemed.text.endsWith('/') && bare === path) notes.push(addressNoteText.slash);

  const result = `${url.origin}${bare}`;
  const plain = withoutSlashes(schemed.text);
  if (notes.length === 0 && result !== plain) notes.push(addressNoteText.writtenAs(result));
  return ok({ url: result, notes });
}

/** Without the slashes at its end. No pattern, because one would take minutes for a pasted text full of slashes. */
function withoutSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}

function withScheme(text: string): { text: string; note: string | null } | null {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') return { text, note: null };
  if (scheme !== undefined) return null;
  // https:host and https:/host: slashes are missing.
  const short = /^(https?):\/?(?=[^/\d])/i.exec(text);
  if (short !== null) {
    const whole = `${(short[1] ?? '').toLowerCase()}://`;
    return { text: `${whole}${text.slice(short[0].length)}`, note: addressNoteText.completed(whole) };
  }
  const rest = text.replace(/^\/+/, '');
  // Services on this machine usually use http.
  const prefix = isUrlOfThisMachine(`http://${rest}`) ? 'http://' : 'https://';
  return { text: `${prefix}${rest}`, note: addressNoteText.prefix(prefix) };
}

/** Whether others can read what is sent to this normalised URL: plain http to another machine. */
export function isReadableOnItsWay(url: string): boolean {
  return url.startsWith('http://') && !isUrlOfThisMachine(url);
}

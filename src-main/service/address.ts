import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';

/** Longer than any id seen; a URL has to hold it. */
const longestSegment = 500;

/**
 * The URL of an operation: `base` (normalised, without its version), then the segments, each encoded so that an id
 * stays one segment whatever it holds, then the query. Answers a sentence when an id cannot stand in a path.
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
  if (!URL.canParse(address)) return failed('The address of this connection cannot be read. Check it in its settings.');
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return ok(url);
}

function segmentProblem(segment: string): string | null {
  if (segment.trim() === '') return 'The id is empty.';
  // Encoding leaves dots alone, and a URL takes them for a way up.
  if (segment === '.' || segment === '..') return `"${segment}" is not an id.`;
  if (segment.length > longestSegment) return `The id has more than ${longestSegment} characters.`;
  // A lone surrogate has no UTF-8 form.
  return segment.isWellFormed() ? null : 'The id holds a broken character.';
}

/** Whether two base URLs are of the same host, so that one's key may go to the other. */
export function isSameHost(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}

import type { StreamReply } from './reply.ts';
import { readStream } from './shapes.ts';

/**
 * The chunks that stand whole in a stream reply that broke off or cannot be read as JSON. The read has taken them off
 * the service (ruling 2), so what is readable of it is all there will ever be. Takes the raw reply in either shape
 * (ruling 1); answers the leading elements up to the first that is not whole.
 */
export function salvageChunks(raw: string): StreamReply['chunks'] {
  const start = startOfList(raw);
  const chunks: StreamReply['chunks'] = [];
  for (let at = start; at !== null && at < raw.length; ) {
    const end = endOfElement(raw, at);
    if (end === null) break;
    const read = readStream(`[${raw.slice(at, end)}]`);
    if (!read.ok) break;
    chunks.push(...read.value.chunks);
    at = raw[end] === ',' ? end + 1 : raw.length;
  }
  return chunks;
}

/** Just behind the bracket that opens the list: the whole reply's, or that of its field `stream`. */
function startOfList(raw: string): number | null {
  const bare = /^\s*\[/.exec(raw);
  if (bare !== null) return bare[0].length;
  const wrapped = /^\s*\{[^[\]]*?"stream"\s*:\s*\[/.exec(raw);
  return wrapped === null ? null : wrapped[0].length;
}

/** Where the element that begins at `from` is followed by a comma or the list's end; null when it is not whole. */
function endOfElement(raw: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < raw.length; at += 1) {
    switch (raw[at]) {
      case '"': {
        const end = endOfString(raw, at);
        if (end === null) return null;
        at = end;
        break;
      }
      case '{':
      case '[':
        depth += 1;
        break;
      case '}':
      case ']':
        if (depth === 0) return raw.slice(from, at).trim() === '' ? null : at;
        depth -= 1;
        break;
      case ',':
        if (depth === 0) return at;
        break;
      default:
    }
  }
  return null;
}

/** Index of the quote that closes the text opened at `from`. */
function endOfString(raw: string, from: number): number | null {
  for (let at = from + 1; at < raw.length; at += 1) {
    if (raw[at] === '\\') at += 1;
    else if (raw[at] === '"') return at;
  }
  return null;
}

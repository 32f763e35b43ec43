import { parseJson } from './json-spans.ts';
import { isJsonObject } from './json-object.ts';

/**
 * Text out of streamed increments. The worker decides the shape of `output`; these are the shapes seen in the field
 * (spec: Stream chunk; field notes: Stream): a string, an array of strings, or an object whose text stands under a
 * known name.
 */

/** Names under which workers put a piece of text, in the order they are looked for. */
const textFields = ['text', 'token', 'content', 'delta', 'tokens', 'choices', 'message'] as const;

/** How deep `delta: { content: [...] }` and the like are followed; deeper is not text but structure. */
const maxDepth = 4;

/**
 * The text an output carries, or null when it holds none.
 * An array is text only when every member is (a mix is structure, and is shown as JSON instead).
 */
export function textOfOutput(output: unknown, depth = 0): string | null {
  if (typeof output === 'string') return output;
  if (depth >= maxDepth) return null;
  if (Array.isArray(output)) {
    if (output.length === 0) return null;
    const parts: string[] = [];
    for (const member of output) {
      const part = textOfOutput(member, depth + 1);
      if (part === null) return null;
      parts.push(part);
    }
    return parts.join('');
  }
  if (!isJsonObject(output)) return null;
  for (const field of textFields) {
    if (!Object.hasOwn(output, field)) continue;
    const text = textOfOutput(output[field], depth + 1);
    if (text !== null) return text;
  }
  return null;
}

/** What one chunk contributes to the running text. */
export interface Piece {
  text: string;
  /** False where the chunk held no text and its JSON stands in for it, on a line of its own. */
  isText: boolean;
  /** Tokens the worker says this chunk (or the stream so far) holds; null when it says nothing. */
  outputTokens: number | null;
  inputTokens: number | null;
}

/** Reads one chunk. `outputJson` is JSON text; what does not parse is taken unchanged. */
export function pieceOfChunk(outputJson: string): Piece {
  const output = parseJson(outputJson);
  if (output === undefined) return { text: outputJson, isText: true, outputTokens: null, inputTokens: null };
  const text = textOfOutput(output);
  // A last chunk with counters only (`{"output_tokens": 48}`) is bookkeeping, not a line of output.
  const isBookkeeping =
    text === null &&
    isJsonObject(output) &&
    Object.keys(output).length > 0 &&
    Object.keys(output).every((field) => tokenFields.has(field));
  return {
    text: text ?? (isBookkeeping ? '' : `${outputJson}\n`),
    isText: text !== null || isBookkeeping,
    outputTokens: tokens(output, 'output'),
    inputTokens: tokens(output, 'input'),
  };
}

const tokenFields: ReadonlySet<string> = new Set(['input_tokens', 'output_tokens', 'usage']);

const usageNames = {
  output: ['output', 'completion_tokens', 'output_tokens'],
  input: ['input', 'prompt_tokens', 'input_tokens'],
} as const;

/** `output_tokens` of the output itself, or of its `usage`; of the last member for an array. */
function tokens(output: unknown, side: 'input' | 'output'): number | null {
  const holder = Array.isArray(output) ? output.at(-1) : output;
  if (!isJsonObject(holder)) return null;
  const direct = count(holder[`${side}_tokens`]);
  if (direct !== null) return direct;
  const usage = holder['usage'];
  if (!isJsonObject(usage)) return null;
  for (const name of usageNames[side]) {
    const found = count(usage[name]);
    if (found !== null) return found;
  }
  return null;
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Running count of tokens over a stream whose workers count either per chunk or so far. */
export interface TokenCount {
  sum: number;
  last: number;
  seen: number;
  /** True while every count was larger than the one before it: then the worker counts "so far". */
  isRising: boolean;
}

export const noTokens: TokenCount = { sum: 0, last: 0, seen: 0, isRising: true };

/** Adds what one chunk reported. */
export function addTokens(count: TokenCount, reported: number | null): TokenCount {
  if (reported === null) return count;
  return {
    sum: count.sum + reported,
    last: reported,
    seen: count.seen + 1,
    isRising: count.isRising && (count.seen === 0 || reported > count.last),
  };
}

/**
 * Tokens in all; null when no chunk reported any. Counts that only ever rise over at least three chunks are running
 * totals; anything else is per chunk and is summed.
 */
export function totalTokens(count: TokenCount): number | null {
  if (count.seen === 0) return null;
  return count.isRising && count.seen >= 3 ? count.last : count.sum;
}

import { parseJson, isJsonObject } from './json-spans.ts';

/**
 * The text in streamed increments. The worker decides the form of `output`. These forms have been seen (spec: Stream
 * chunk; field notes: Stream): a string, an array of strings, or an object with the text under a known name.
 */

/** The names under which workers send text, in the order of the search. */
const textFields = ['text', 'token', 'content', 'delta', 'tokens', 'choices', 'message'] as const;

/** How deep `delta: { content: [...] }` and the like are searched. What is deeper is structure, not text. */
const maxDepth = 4;

/**
 * The text in an output, or null. An array is text only if every element is; a mixture is structure and is shown as
 * JSON.
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
  /** False if the chunk had no text, so that its JSON is shown on a line of its own. */
  isText: boolean;
  /** How many tokens this chunk (or the stream so far) has, as the worker says. Null if it does not say. */
  outputTokens: number | null;
  inputTokens: number | null;
}

/** Reads one chunk. `outputJson` is JSON text; what cannot be parsed is taken unchanged. */
export function pieceOfChunk(outputJson: string): Piece {
  const output = parseJson(outputJson);
  if (output === undefined) return { text: outputJson, isText: true, outputTokens: null, inputTokens: null };
  const text = textOfOutput(output);
  // A last chunk with counters only (`{"output_tokens": 48}`) is no line of output.
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

/** `output_tokens` of the output itself or of its `usage`. For an array: of the last element. */
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

/** Counts the tokens of a stream. Workers report either the number of each chunk or the total so far. */
export interface TokenCount {
  sum: number;
  last: number;
  seen: number;
  /** True while every count was larger than the one before, as totals are. */
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
 * The total number of tokens. Null if no chunk reported any. If the counts of at least three chunks only rise, they are
 * totals; otherwise they are per chunk and are added up.
 */
export function totalTokens(count: TokenCount): number | null {
  if (count.seen === 0) return null;
  return count.isRising && count.seen >= 3 ? count.last : count.sum;
}

/** A pattern that finds every `wanted`, ignoring case. As it is global, its `lastIndex` moves. */
export function plainPattern(wanted: string): RegExp {
  return new RegExp(wanted.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gi');
}

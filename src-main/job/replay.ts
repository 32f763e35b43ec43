import { createHash } from 'node:crypto';
import type { NewChunk } from '../history/history.ts';

/** What is known of how a server answers repeated reads of one job's stream (ruling 2). */
export interface ReplayState {
  /** `drains`: a read takes chunks away. `repeats`: every read tells all from the start. */
  mode: 'unknown' | 'drains' | 'repeats';
  /** Chunks that look like a repetition and could still turn out to be new ones. */
  held: readonly NewChunk[];
  /** Replies in a row that looked like repetitions. */
  doubts: number;
}

export const unknownReplay: ReplayState = { mode: 'unknown', held: [], doubts: 0 };

/** This many equal replies in a row are no coincidence. */
const enoughDoubts = 3;
/** A shorter reply counts as a repetition only with this many chunks, not all equal: less is likely chance. */
const telling = 3;

/** What is stored is as telling with this many chunks where the reply goes on behind them. */
const tellingPrefix = 2;

/** A short text that is equal exactly for equal chunks. */
export function fingerprint(chunk: NewChunk): string {
  const metrics = chunk.metricsJson === null ? '-' : `+${chunk.metricsJson}`;
  return createHash('sha1').update(`${chunk.outputJson.length}:`).update(chunk.outputJson).update(metrics).digest('base64');
}

export interface Sifted {
  state: ReplayState;
  /** To be stored behind what is stored, in this order. */
  fresh: readonly NewChunk[];
}

/**
 * Which chunks of a reply are new. Draining is assumed, so that nothing is lost; a server that repeats from the start
 * is recognised by a reply that begins with all that is stored. One of several chunks, all unlike each other, is no
 * coincidence even from a server that has been seen to drain. Where both could be (the
 * reply is no longer than what is stored), the chunks are held back until the next replies tell: an empty reply, or one
 * that does not begin at the start, comes only from a server that drains, and then what was held is new. Two equal
 * chunks in one reply are two chunks. What is mistaken here for a repetition stands in the output of a job that
 * completes, and is taken from there (history/mend-chunks.ts).
 *
 * `stored` are the fingerprints of the stored chunks, in order. `isPartial`: the reply broke off, so that its length
 * tells nothing.
 */
export function sift(state: ReplayState, stored: readonly string[], reply: readonly NewChunk[], isPartial = false): Sifted {
  if (stored.length === 0) return { state, fresh: reply };
  if (isToldAgain(stored, reply, isPartial)) return { state: repeating, fresh: reply.slice(stored.length) };
  if (state.mode === 'drains') return { state, fresh: reply };
  if (reply.length === 0 && isPartial) return { state, fresh: [] };
  if (reply.length === 0) return state.mode === 'repeats' ? { state, fresh: [] } : drains(state.held);

  const marks = reply.slice(0, stored.length).map(fingerprint);
  const isFromStart = marks.every((mark, index) => mark === stored[index]);
  if (!isFromStart) return drains([...state.held, ...reply]);
  if (reply.length > stored.length) return { state: repeating, fresh: reply.slice(stored.length) };
  if (state.mode === 'repeats') return { state, fresh: [] };

  const isTelling = isPartial || reply.length === stored.length || (marks.length >= telling && new Set(marks).size > 1);
  if (!isTelling) return drains([...state.held, ...reply]);
  const doubts = state.doubts + 1;
  if (doubts >= enoughDoubts) return { state: repeating, fresh: [] };
  return { state: { mode: 'unknown', held: [...state.held, ...reply], doubts }, fresh: [] };
}

/**
 * True when a reply begins with everything stored, or broke off within it, and is no coincidence: enough chunks, no two
 * of the reply alike.
 */
function isToldAgain(stored: readonly string[], reply: readonly NewChunk[], isPartial: boolean): boolean {
  const common = Math.min(stored.length, reply.length);
  const [first] = reply;
  if (first === undefined || common < (reply.length > stored.length ? tellingPrefix : telling) || (common < stored.length && !isPartial) || fingerprint(first) !== stored[0]) return false;
  const marks = reply.map(fingerprint);
  return new Set(marks).size === marks.length && marks.slice(0, common).every((mark, index) => mark === stored[index]);
}

const repeating: ReplayState = { mode: 'repeats', held: [], doubts: 0 };

function drains(fresh: readonly NewChunk[]): Sifted {
  return { state: { mode: 'drains', held: [], doubts: 0 }, fresh };
}

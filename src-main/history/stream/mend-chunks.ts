import { elementTexts } from '../../../src-preload/json-spans.ts';
import type { NewChunk } from '../records.ts';

/** A saved chunk without its index. */
export interface StoredChunk extends NewChunk {
  receivedAtMs: number;
  /** It was never received: its output is known from the job's final output. */
  isRebuilt?: true;
}

/**
 * The chunks of a completed stream as they must have been sent, from the received ones and the job's final `output`. A
 * read of a stream removes its chunks from the service (ruling 2), so a reply that is lost on its way, or in a crash,
 * leaves a gap; but a handler that streams returns the list of all its outputs, which has what is missing. Returns the
 * whole list: received chunks unchanged, and rebuilt ones marked, received at `nowMs`.
 *
 * Null if nothing is missing, or nothing proves what is: no chunk was received, the output is not a list, or the list
 * does not contain the received chunks in their order. A reply that repeated the stream from its start is recognised by
 * the list and removed (ruling 2: not stored twice). Equal consecutive chunks of one reply are two chunks (ruling 2:
 * both kept), unless the list proves the service wrong: it contains all of them only without the repeated ones. If no
 * two entries of the list are equal, and it contains everything that was received, each chunk has one place in it,
 * however often and in whatever order it came.
 */
export function mendedChunks(
  received: readonly StoredChunk[],
  outputJson: string,
  nowMs: number,
): StoredChunk[] | null {
  if (received.length === 0 || !outputJson.trimStart().startsWith('[')) return null;
  const list = elementTexts(outputJson);
  const places = placesOf(received, list);
  if (places === null) return null;
  const byPlace = new Map<number, StoredChunk>();
  for (const [index, place] of places.entries()) {
    const chunk = received[index];
    // A repeated chunk has the place of its first one.
    if (chunk !== undefined && !byPlace.has(place)) byPlace.set(place, chunk);
  }
  if (received.length === list.length && places.every((place, index) => place === index)) return null;
  return list.map(
    (outputJson, place) =>
      byPlace.get(place) ?? { outputJson, metricsJson: null, receivedAtMs: nowMs, isRebuilt: true },
  );
}

/** If this many distinct chunks are all in the list, that is no coincidence, even in another order. */
const minDistinct = 4;

/** The place of each chunk in the list. Null if that cannot be known. */
function placesOf(received: readonly StoredChunk[], list: readonly string[]): number[] | null {
  const places = placesAsReceived(received, list) ?? placesWithoutDoubles(received, list);
  if (places !== null) return places;
  const sent = received.map(({ outputJson }) => outputJson);
  return placesByValue(sent, list) ?? placesByValue(sent.map(canonical), list.map(canonical));
}

/** As `placesAsReceived`, if chunks came twice in a row: the second one has the place of the first. */
function placesWithoutDoubles(received: readonly StoredChunk[], list: readonly string[]): number[] | null {
  const isDouble = received.map(({ outputJson }, at) => received[at - 1]?.outputJson === outputJson);
  if (!isDouble.includes(true)) return null;
  const places = placesAsReceived(
    received.filter((_, at) => isDouble[at] !== true),
    list,
  );
  if (places === null) return null;
  let place = -1;
  return isDouble.map((isSecond) => (isSecond ? (places[place] ?? 0) : (places[(place += 1)] ?? 0)));
}

/**
 * The places in any order, for a list without equal entries. Null if it has some, if a received chunk is not in it, or
 * if so few came that it may contain them by coincidence.
 */
function placesByValue(sent: readonly string[], list: readonly string[]): number[] | null {
  const placeOf = new Map(list.map((output, place) => [output, place]));
  if (placeOf.size < list.length || new Set(sent).size < minDistinct) return null;
  const places = sent.flatMap((output) => placeOf.get(output) ?? []);
  return places.length === sent.length ? places : null;
}

/** The places of chunks that came in the order of the list, whole or with repetitions from its start. */
function placesAsReceived(received: readonly StoredChunk[], list: readonly string[]): number[] | null {
  const sent = received.map(({ outputJson }) => outputJson);
  const beginsReply = (at: number): boolean => received[at - 1]?.receivedAtMs !== received[at]?.receivedAtMs;
  const exact = placesInOrder(sent, list) ?? placesWithRepeats(sent, list, beginsReply);
  if (exact !== null) return exact;
  // A service may write the same value in two ways.
  const [values, listed] = [sent.map(canonical), list.map(canonical)];
  return placesInOrder(values, listed) ?? placesWithRepeats(values, listed, beginsReply);
}

/** Ascending. Null if the list does not contain them in this order. */
function placesInOrder(sent: readonly string[], list: readonly string[]): number[] | null {
  const places: number[] = [];
  let from = 0;
  for (const chunk of sent) {
    const place = list.indexOf(chunk, from);
    if (place === -1) return null;
    places.push(place);
    from = place + 1;
  }
  return places;
}

/**
 * As `placesInOrder`, if some replies repeated the stream from its start: all chunks until then or, in an incomplete
 * reply, some. A repetition of one chunk counts only at the beginning of a reply.
 */
function placesWithRepeats(
  sent: readonly string[],
  list: readonly string[],
  beginsReply: (at: number) => boolean,
): number[] | null {
  const places: number[] = [];
  let reached = 0;
  for (let at = 0; at < sent.length;) {
    const repeated = repeatedFromStart(sent, at, list, reached);
    const isRepeat = repeated > 1 || (repeated === 1 && beginsReply(at));
    const place = isRepeat && repeated === reached ? -1 : list.indexOf(sent[at] ?? '', reached);
    if (place !== -1) {
      places.push(place);
      reached = place + 1;
      at += 1;
      continue;
    }
    if (!isRepeat) return null;
    for (let again = 0; again < repeated; again += 1) places.push(again);
    at += repeated;
  }
  return places;
}

/** How many chunks from `at` on equal the list from its start, up to the furthest place reached. */
function repeatedFromStart(sent: readonly string[], at: number, list: readonly string[], reached: number): number {
  let count = 0;
  while (count < reached && at + count < sent.length && sent[at + count] === list[count]) count += 1;
  return count;
}

function canonical(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

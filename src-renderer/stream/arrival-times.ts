import type { Arrivals } from '../../src-preload/stream-digest.ts';

/** The arrival times of the parts of a growing text, in bounded memory for any number of parts. */
export interface ArrivalTimes {
  /**
   * The arrival of the first part that begins at or after `from` and before `to`, in epoch milliseconds. Null if none
   * begins there.
   */
  firstWithin(from: number, to: number): number | null;
  /** Adds the parts of an appended text. `base` is the length of the text before it. */
  add(base: number, arrivals: Arrivals): void;
}

/**
 * At most this many parts have a time (2 MB). In a longer stream, lines have several parts and show the time of one.
 */
const maxKept = 131_072;
const firstRoom = 256;

/**
 * Starts without parts. Beyond `most` parts, every second one is dropped, and from then on only every second one is
 * kept.
 */
export function createArrivalTimes(max = maxKept): ArrivalTimes {
  let places = new Float64Array(Math.min(max, firstRoom));
  let times = new Float64Array(places.length);
  let count = 0;
  /** Every n-th part has a time. */
  let stride = 1;
  let passedOver = 0;

  function makeRoom(): void {
    if (places.length < max) {
      places = grown(places, Math.min(max, places.length * 2));
      times = grown(times, places.length);
      return;
    }
    count = Math.ceil(count / 2);
    for (let at = 1; at < count; at += 1) {
      places[at] = places[at * 2] ?? 0;
      times[at] = times[at * 2] ?? 0;
    }
    stride *= 2;
  }

  /** The index of the first part at or after a position, or `count` if there is none. */
  function indexFrom(place: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((places[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    firstWithin(from, to) {
      const index = indexFrom(from);
      return index < count && (places[index] ?? to) < to ? (times[index] ?? null) : null;
    },
    add(base, arrivals) {
      for (const [index, place] of arrivals.places.entries()) {
        passedOver = (passedOver + 1) % stride;
        if (passedOver !== 0) continue;
        if (count === places.length) makeRoom();
        places[count] = base + place;
        times[count] = arrivals.atMs[index] ?? 0;
        count += 1;
      }
    },
  };
}

function grown(from: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(length);
  to.set(from);
  return to;
}

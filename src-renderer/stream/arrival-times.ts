import type { Arrivals } from '../../src-preload/stream-digest.ts';

/** When the parts of a text arrived that only ever grows, at a bounded size however many parts there are. */
export interface ArrivalTimes {
  /**
   * When the first part arrived that begins at `from` or behind it and before `to`, in epoch milliseconds; null where
   * none begins there.
   */
  firstWithin(from: number, to: number): number | null;
  /** Adds the parts of a text that is put behind the one so far; `base`: the length of that. */
  add(base: number, arrivals: Arrivals): void;
}

/** At most this many parts have a time: 2 MB. In a longer stream, a line has several parts and the time of one. */
const mostKept = 131_072;
const firstRoom = 256;

/** No parts yet. Beyond `most` parts every second one is let go, and from then on only every second one is taken. */
export function createArrivalTimes(most = mostKept): ArrivalTimes {
  let places = new Float64Array(Math.min(most, firstRoom));
  let times = new Float64Array(places.length);
  let count = 0;
  /** Every n-th part has a time. */
  let stride = 1;
  let passedOver = 0;

  function makeRoom(): void {
    if (places.length < most) {
      places = grown(places, Math.min(most, places.length * 2));
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

  /** Index of the first part at or behind a place; `count` where there is none. */
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

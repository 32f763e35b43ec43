/** How many events there were in the last `windowMs`, exactly. Memory follows the most that were in it at once. */
export interface SlidingWindow {
  /** The events of the last `windowMs`; one that is `windowMs` old is out. */
  count(nowMs: number): number;
  add(nowMs: number): void;
  /** Milliseconds until no more than `maxCount` of the events are left; 0 when that is so now. */
  untilCountIs(maxCount: number, nowMs: number): number;
}

const FIRST_CAPACITY = 16;

/** A ring of times in the order they came: every event is written once and passed over once, nothing is moved. */
export function createSlidingWindow(windowMs: number): SlidingWindow {
  let times = new Float64Array(FIRST_CAPACITY);
  let head = 0;
  let size = 0;

  function at(index: number): number {
    return times[(head + index) % times.length] ?? 0;
  }

  function forgetOld(nowMs: number): void {
    while (size > 0 && at(0) <= nowMs - windowMs) {
      head = (head + 1) % times.length;
      size -= 1;
    }
  }

  function grow(): void {
    const larger = new Float64Array(times.length * 2);
    for (let index = 0; index < size; index += 1) larger[index] = at(index);
    times = larger;
    head = 0;
  }

  return {
    count: (nowMs) => {
      forgetOld(nowMs);
      return size;
    },
    add: (nowMs) => {
      forgetOld(nowMs);
      if (size === times.length) grow();
      times[(head + size) % times.length] = nowMs;
      size += 1;
    },
    untilCountIs: (maxCount, nowMs) => {
      forgetOld(nowMs);
      return size <= maxCount ? 0 : at(size - maxCount - 1) + windowMs - nowMs;
    },
  };
}

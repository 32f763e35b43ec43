/**
 * The first index from `from` to `count` for which `isBefore` is false, or `count`, by binary search: `isBefore` must
 * be true for all indexes up to some, and false for the others.
 */
export function firstIndex(count: number, isBefore: (index: number) => boolean, from = 0): number {
  let low = from;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

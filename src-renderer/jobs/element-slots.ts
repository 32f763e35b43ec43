/**
 * Gives each drawn row a slot, which is the key of its element: a row keeps its slot for as long as it is drawn, and a
 * new one takes the lowest slot that is free. So the elements of rows that leave are used for those that come, which
 * costs less than new ones, and yet a row that stays remains the same element. The same holds for group heads.
 */
export interface ElementSlots {
  /** The slots of the drawn rows, in the order of `keys`. */
  of(keys: readonly string[]): readonly number[];
}

/** Nothing has a slot yet. */
export function createElementSlots(): ElementSlots {
  let before: ReadonlyMap<string, number> = new Map();
  return {
    of(keys) {
      const slots = assignSlots(before, keys);
      before = new Map(keys.map((key, at) => [key, slots[at] ?? at]));
      return slots;
    },
  };
}

/** `before`: the slot of each row that was drawn, by key. */
function assignSlots(before: ReadonlyMap<string, number>, keys: readonly string[]): readonly number[] {
  const taken = new Set(keys.flatMap((key) => before.get(key) ?? []));
  let free = -1;
  const nextFree = (): number => {
    do free += 1;
    while (taken.has(free));
    return free;
  };
  return keys.map((key) => before.get(key) ?? nextFree());
}

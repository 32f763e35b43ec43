/**
 * Gives each drawn row of a section a slot, which is the key of its element: a row keeps its slot for as long as it is
 * drawn, and a new one takes the lowest slot that is free. So the elements of rows that leave are used for those that
 * come, which costs less than new ones, and yet a row that stays remains the same element.
 */
export interface RowSlots {
  /** The slots of a section's drawn rows, in the order of `keys`. */
  of(sectionId: string, keys: readonly string[]): readonly number[];
}

/** No row has a slot yet. */
export function createRowSlots(): RowSlots {
  const sections = new Map<string, ReadonlyMap<string, number>>();
  return {
    of(sectionId, keys) {
      const slots = assignSlots(sections.get(sectionId) ?? new Map(), keys);
      sections.set(sectionId, new Map(keys.map((key, at) => [key, slots[at] ?? at])));
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

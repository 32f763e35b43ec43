import { useState } from 'react';

/** Returns the same array as long as a new list has the same items, so that memoised values stay valid. */
export function useSameList<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list);
  if (kept.length === list.length && kept.every((item, index) => item === list[index])) return kept;
  setKept(list);
  return list;
}

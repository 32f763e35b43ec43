import { useState } from 'react';

/**
 * The list as it was first given, for as long as a new one holds the same items: what is made from it need not be made
 * anew.
 */
export function useSameList<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list);
  if (kept.length === list.length && kept.every((item, index) => item === list[index])) return kept;
  setKept(list);
  return list;
}

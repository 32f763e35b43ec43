import { useState } from 'react';

/** True from the first time that `isWanted` is true. */
export function useOnce(isWanted: boolean): boolean {
  const [wasWanted, setWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWanted(true);
  return wasWanted || isWanted;
}

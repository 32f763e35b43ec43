import { useEffect, useRef } from 'react';

type Take = (text: string) => void;

const boxes = new Set<Take>();

/** Puts the beginning of a token into the filter box, for the user to complete: `took>`. */
export function fillFilterBox(text: string): void {
  for (const take of boxes) take(text);
}

/** Calls `take` with what other parts of the list put into the filter box. */
export function useFilterBoxFilled(take: Take): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const listen: Take = (text) => latest.current(text);
    boxes.add(listen);
    return () => void boxes.delete(listen);
  }, []);
}

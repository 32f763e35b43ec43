import { useEffect, useRef } from 'react';

type Take = (text: string) => void;

const boxes = new Set<Take>();

/** Puts the beginning of a token into the filter box, to be typed on from there: `took>`. */
export function askFilter(text: string): void {
  for (const take of boxes) take(text);
}

/** Hands what other parts of the list ask the filter box for to `take`. */
export function useFilterAsked(take: Take): void {
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

import { useEffect, useState } from 'react';

const pauseMs = 120;

/** False for the first 120 ms: what loads that fast needs no skeleton (design language: Loading). */
export function useAfterPause(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), pauseMs);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}

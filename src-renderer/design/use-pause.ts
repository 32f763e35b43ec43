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

/** The value as it was when it last stood still for `pauseMs`: what is typed is asked about when the typing pauses. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

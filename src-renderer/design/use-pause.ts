import { useEffect, useState } from 'react';

const pauseMs = 120;

/** False for the first 120 ms: content that loads faster needs no skeleton (design language: Loading). */
export function useAfterPause(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), pauseMs);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}

/** The value that last stayed unchanged for `pauseMs`. For input that is evaluated when the user pauses. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

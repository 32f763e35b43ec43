import { useEffect, useState } from 'react';

/** The value as it was when it last stood still for `pauseMs`: what is typed is asked about when the typing pauses. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

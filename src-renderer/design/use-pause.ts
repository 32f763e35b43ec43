import { useEffect, useState } from 'react';

/** How long nothing is drawn while something loads, in milliseconds (design language: Loading). */
export const pauseMs = 120;

/** False for the first 120 ms: content that loads faster needs no skeleton (design language: Loading). */
export function useAfterPause(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), pauseMs);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}

/** True once `isOn` has been true for `lastsMs`, until it is false. */
export function useLasting(isOn: boolean, lastsMs: number): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setLasted(true), lastsMs);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [isOn, lastsMs]);
  return isOn && hasLasted;
}

/**
 * The value to draw: the former one until another one is ready, for 120 ms at most, so that no frame in between is
 * blank. `isOther`: whether two values are of different subjects; a change of the same subject is drawn immediately.
 */
export function useWhenReady<T>(value: T, isReady: boolean, isOther: (shown: T, next: T) => boolean): T {
  const [shown, setShown] = useState(value);
  const isHeld = !isReady && isOther(shown, value);
  if (!isHeld && shown !== value) setShown(value);
  useEffect(() => {
    if (!isHeld) return undefined;
    const timer = setTimeout(() => setShown(value), pauseMs);
    return () => clearTimeout(timer);
  }, [isHeld, value]);
  return isHeld ? shown : value;
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

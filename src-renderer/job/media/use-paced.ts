import { useEffect, useEffectEvent, useState } from 'react';

/**
 * A number that grows, at most every `everyMs`. The first one, and the first one after another `of`, is returned
 * immediately.
 */
export function usePaced(value: number, of: object, everyMs: number): number {
  const [shown, setShown] = useState({ value, of });
  const isBehind = shown.of === of && shown.value !== value;
  const show = useEffectEvent(() => setShown({ value, of }));
  if (shown.of !== of) setShown({ value, of });
  useEffect(() => {
    if (!isBehind) return undefined;
    const timer = setTimeout(show, everyMs);
    return () => clearTimeout(timer);
  }, [isBehind, shown, everyMs]);
  return shown.of === of ? shown.value : value;
}

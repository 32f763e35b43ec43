import { useEffect, useRef, useState } from 'react';
import { spokenChange, type SpokenState } from './spoken-changes.ts';

/** Says changes of the job in view to screen readers, politely: after what they are saying, and without the focus. */
export function SpokenJob({ kind, word, attempt, ranMs, hasOutput }: SpokenState) {
  const former = useRef<SpokenState | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const now = { kind, word, attempt, ranMs, hasOutput };
    const change = former.current === null ? null : spokenChange(former.current, now);
    former.current = now;
    if (change !== null) setSaid(change);
  }, [kind, word, attempt, ranMs, hasOutput]);
  // There before it has words: a screen reader says what changes in it.
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}

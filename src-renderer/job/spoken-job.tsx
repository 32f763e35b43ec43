import { useEffect, useRef, useState } from 'react';
import { statusKind, type Job } from '../../src-preload/job.ts';
import { spokenChange, type SpokenState } from './spoken-changes.ts';
import { stateWord } from './state-word.ts';

/** Says changes of the job in view to screen readers, politely: after what they are saying, and without the focus. */
export function SpokenJob({ job }: { job: Job }) {
  const former = useRef<SpokenState | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const now: SpokenState = {
      kind: statusKind(job),
      word: stateWord(job),
      attempt: job.attempt,
      ranMs: job.executionTimeMs,
      hasOutput: job.chunkCount > 0,
    };
    const change = former.current === null ? null : spokenChange(former.current, now);
    former.current = now;
    if (change !== null) setSaid(change);
  }, [job]);
  // There before it has words: a screen reader says what changes in it.
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}

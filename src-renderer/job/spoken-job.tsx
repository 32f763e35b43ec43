import { useEffect, useRef, useState } from 'react';
import { statusKind, type Job, type StatusKind } from '../../src-preload/job.ts';
import { stateWord } from './job-header.tsx';
import { spokenText } from '../messages/job/pane.ts';

/** The state of the job in view, as far as its changes are spoken by a screen reader. */
export interface SpokenState {
  kind: StatusKind;
  /** As the pill above the title says it. */
  word: string;
  attempt: number;
  /** How long it ran, in milliseconds of the service. Null while it runs, or if that is not known. */
  ranMs: number | null;
  hasOutput: boolean;
}

/**
 * What a screen reader says when a job in view changes: its state, and once that output arrives. Never the output
 * itself, which would be talked over by its own next chunk (design language: Screen readers). Null: nothing. Pure.
 */
export function spokenChange(before: SpokenState, now: SpokenState): string | null {
  if (before.attempt !== now.attempt) return spokenText.attempt(now.attempt, stateOf(now));
  const isOther = before.word !== now.word;
  if (isOther && hasEnded(now.kind)) return stateOf(now);
  const parts = [
    ...(isOther ? [stateOf(now)] : []),
    ...(!before.hasOutput && now.hasOutput ? [spokenText.output] : []),
  ];
  return parts.length === 0 || hasEnded(now.kind) ? null : parts.join('. ');
}

function stateOf({ kind, word, ranMs }: SpokenState): string {
  return hasEnded(kind) && ranMs !== null ? spokenText.endedAfter(word, ranMs) : word;
}

function hasEnded(kind: StatusKind): boolean {
  return kind === 'done' || kind === 'fail' || kind === 'timeout' || kind === 'cancel';
}

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

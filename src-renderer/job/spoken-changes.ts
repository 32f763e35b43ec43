import type { StatusKind } from '../../src-preload/job.ts';
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

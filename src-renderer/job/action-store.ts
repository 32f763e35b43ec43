import { create } from 'zustand';
import type { Failure } from '../../src-preload/failure.ts';

/** An action on a job that did not work, kept where the job is shown until it is dismissed or tried again. */
export interface ActionFailure {
  /** What was tried: "The job was not cancelled". */
  title: string;
  failure: Failure;
  /** Neutral where it was done, and found nothing. */
  tone?: 'neutral' | 'error';
}

interface ActionState {
  /** The last failure by job key. */
  failures: Readonly<Record<string, ActionFailure>>;
  /** Actions under way, as `key action`, so that a second press does nothing. */
  busy: ReadonlySet<string>;
}

export const useActions = create<ActionState>(() => ({ failures: {}, busy: new Set() }));

/** Forgets a failure that was read. */
export function dismissFailure(key: string): void {
  useActions.setState(({ failures }) => ({
    failures: Object.fromEntries(Object.entries(failures).filter(([each]) => each !== key)),
  }));
}

/** Shows a failure on the job itself. */
export function showFailure(key: string, failure: ActionFailure): void {
  useActions.setState(({ failures }) => ({ failures: { ...failures, [key]: failure } }));
}

/** Runs `run` unless the same action is already under way for this job. */
export async function once(key: string, action: string, run: () => Promise<void>): Promise<void> {
  const id = `${key} ${action}`;
  if (useActions.getState().busy.has(id)) return;
  useActions.setState(({ busy }) => ({ busy: new Set([...busy, id]) }));
  try {
    await run();
  } finally {
    useActions.setState(({ busy }) => ({ busy: new Set([...busy].filter((each) => each !== id)) }));
  }
}

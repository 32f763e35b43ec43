import { create } from 'zustand';
import type { Failure } from '../../src-preload/failure.ts';
import { toast } from '../design/toast.tsx';

/** An action on a job that did not work, kept where the job is shown until it is dismissed or tried again. */
export interface ActionFailure {
  /** What was tried: "Could not cancel the job". */
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

/** How often each job is on view in this window, by key. */
const onView = new Map<string, number>();

/** The job is on view, with what its actions came to, until the answered function is called. */
export function showsFailures(key: string): () => void {
  onView.set(key, (onView.get(key) ?? 0) + 1);
  return () => void onView.set(key, (onView.get(key) ?? 1) - 1);
}

/**
 * Shows a failure on the job itself; of one that is not on view, such as a row of the list, it is said in passing as
 * well.
 */
export function showFailure(key: string, failure: ActionFailure): void {
  if ((onView.get(key) ?? 0) === 0) toast(`${failure.title}. ${failure.failure.message}`);
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

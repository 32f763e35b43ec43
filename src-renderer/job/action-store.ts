import { create } from 'zustand';
import type { Failure, Result } from '../../src-preload/failure.ts';
import { toast } from '../design/toast.tsx';

/** The failure of an action on a job, shown with the job until it is dismissed or the action is repeated. */
export interface ActionFailure {
  /** What failed: "Could not cancel the job". */
  title: string;
  failure: Failure;
  /** Neutral if the action worked but found nothing. */
  tone?: 'neutral' | 'error';
}

interface ActionState {
  /** The last failure by job key. */
  failures: Readonly<Record<string, ActionFailure>>;
  /** Actions in progress, as `busyId` names them, so that a second press does nothing. */
  busy: ReadonlySet<string>;
}

export const useActions = create<ActionState>(() => ({ failures: {}, busy: new Set() }));

/** Removes a failure that the user dismissed. */
export function dismissFailure(key: string): void {
  useActions.setState(({ failures }) => ({
    failures: Object.fromEntries(Object.entries(failures).filter(([each]) => each !== key)),
  }));
}

/** How many times each job is shown in this window, by key. */
const onView = new Map<string, number>();

/** Notes that the job is shown, with the failures of its actions, until the returned function is called. */
export function showsFailures(key: string): () => void {
  onView.set(key, (onView.get(key) ?? 0) + 1);
  return () => {
    const left = (onView.get(key) ?? 1) - 1;
    if (left === 0) onView.delete(key);
    else onView.set(key, left);
  };
}

/** Shows a failure with the job. If the job is not shown, such as a row of the list, also as a toast. */
export function showFailure(key: string, failure: ActionFailure): void {
  if (!onView.has(key)) toast(`${failure.title}. ${failure.failure.message}`);
  useActions.setState(({ failures }) => ({ failures: { ...failures, [key]: failure } }));
}

/** Whether this action on the job is in progress, for a component. */
export function useIsBusy(key: string, action: string): boolean {
  return useActions(({ busy }) => busy.has(busyId(key, action)));
}

/** An action on a job in `busy`. */
export function busyId(key: string, action: string): string {
  return `${key} ${action}`;
}

/** Calls `run` unless the same action is in progress for this job. */
export async function once(key: string, action: string, run: () => Promise<void>): Promise<void> {
  const id = busyId(key, action);
  if (useActions.getState().busy.has(id)) return;
  useActions.setState(({ busy }) => ({ busy: new Set([...busy, id]) }));
  try {
    await run();
  } finally {
    useActions.setState(({ busy }) => ({ busy: new Set([...busy].filter((each) => each !== id)) }));
  }
}

/** Shows a failure with the job. Returns whether the result is a success. */
export function succeeded<T>(key: string, title: string, result: Result<T>): result is { ok: true; value: T } {
  if (result.ok) {
    dismissFailure(key);
    return true;
  }
  showFailure(key, { title, failure: result.failure });
  return false;
}

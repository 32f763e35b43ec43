import type { CallInput } from '../../src-preload/contract.ts';

/** Which jobs each window shows, and which any of them shows. */
export interface WatchedJobs {
  /** Replaces what the window showed before. */
  set(windowId: number, onView: WindowView): void;
  /** The window was closed, perhaps without reporting that its jobs are no longer shown. */
  forget(windowId: number): void;
  /** Reports which window has the focus, or null. */
  focus(windowId: number | null): void;
  /** Whether the job is open in the window that has the focus. */
  isOpenInFocus(jobKey: string): boolean;
}

/** What a window shows: its open job, and the jobs whose rows are on screen. */
type WindowView = CallInput<'job:watch'>;

/** `onChange` is called with the jobs of all windows together, each once. */
export function createWatchedJobs(onChange: (openedKeys: string[], rowKeys: string[]) => void): WatchedJobs {
  const byWindow = new Map<number, WindowView>();
  let focusedId: number | null = null;
  const reportWatched = (): void => {
    const views = [...byWindow.values()];
    const opened = new Set(views.map(({ openKey }) => openKey).filter((key) => key !== null));
    onChange([...opened], [...new Set(views.flatMap(({ rowKeys }) => rowKeys))]);
  };
  return {
    set(windowId, onView) {
      byWindow.set(windowId, onView);
      reportWatched();
    },
    forget(windowId) {
      if (byWindow.delete(windowId)) reportWatched();
    },
    focus(windowId) {
      focusedId = windowId;
    },
    isOpenInFocus: (jobKey) => focusedId !== null && byWindow.get(focusedId)?.openKey === jobKey,
  };
}

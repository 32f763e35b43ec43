/** Which jobs each window has on view, and with that which any window has. */
export interface WatchedJobs {
  /** Replaces the window's former ones. */
  set(windowId: number, keys: readonly string[]): void;
  /** The window is gone, whether or not it took its jobs off view before. */
  forget(windowId: number): void;
}

/** `onChange` is told the jobs of all windows together, each once. */
export function createWatchedJobs(onChange: (keys: string[]) => void): WatchedJobs {
  const byWindow = new Map<number, readonly string[]>();
  const tell = (): void => onChange([...new Set([...byWindow.values()].flat())]);
  return {
    set(windowId, keys) {
      byWindow.set(windowId, keys);
      tell();
    },
    forget(windowId) {
      if (byWindow.delete(windowId)) tell();
    },
  };
}

import { create } from 'zustand';
import type { OutputView } from './output-views.ts';

/** The user's choices in the pane. Kept when another job is shown, and dropped with the window. */
interface PaneState {
  /** The job in view, and the number of its attempt that is shown. Null while none is. */
  inView: { jobKey: string; attempt: number } | null;
  /** By job key: whether the view stays at the end of the stream. */
  following: Readonly<Record<string, boolean>>;
  /** By job key: the output view that the user chose. */
  chosenViews: Readonly<Record<string, OutputView>>;
  isPlain: boolean;
  setFollowing: (key: string, isFollowing: boolean) => void;
  chooseView: (key: string, view: OutputView) => void;
  setPlain: (isPlain: boolean) => void;
}

export const usePaneState = create<PaneState>((set) => ({
  inView: null,
  following: {},
  chosenViews: {},
  isPlain: false,
  setFollowing: (key, isFollowing) => set(({ following }) => ({ following: { ...following, [key]: isFollowing } })),
  chooseView: (key, view) => set(({ chosenViews }) => ({ chosenViews: { ...chosenViews, [key]: view } })),
  setPlain: (isPlain) => set({ isPlain }),
}));

/** The attempt of a job that this window shows, or null for the newest. */
export function attemptInView(jobKey: string): number | null {
  const { inView } = usePaneState.getState();
  return inView?.jobKey === jobKey ? inView.attempt : null;
}

/** Notes which attempt of a job is shown, until the returned function is called. */
export function showAttempt(jobKey: string, attempt: number): () => void {
  usePaneState.setState({ inView: { jobKey, attempt } });
  return () => usePaneState.setState({ inView: null });
}

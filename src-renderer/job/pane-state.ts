import { create } from 'zustand';
import type { OutputView } from './output-views.ts';

export const paneTabs = ['output', 'input', 'metrics', 'requests', 'note'] as const;
export type PaneTab = (typeof paneTabs)[number];

/** What the user chose in the pane; kept while moving from job to job, gone with the window. */
interface PaneState {
  tab: PaneTab;
  /** By job key: whether the reader holds on to the end of what streams. */
  following: Readonly<Record<string, boolean>>;
  /** By job key: the output view chosen by hand. */
  chosenViews: Readonly<Record<string, OutputView>>;
  isPlain: boolean;
  setTab: (tab: PaneTab) => void;
  setFollowing: (key: string, isFollowing: boolean) => void;
  chooseView: (key: string, view: OutputView) => void;
  setPlain: (isPlain: boolean) => void;
}

export const usePaneState = create<PaneState>((set) => ({
  tab: 'output',
  following: {},
  chosenViews: {},
  isPlain: false,
  setTab: (tab) => set({ tab }),
  setFollowing: (key, isFollowing) => set(({ following }) => ({ following: { ...following, [key]: isFollowing } })),
  chooseView: (key, view) => set(({ chosenViews }) => ({ chosenViews: { ...chosenViews, [key]: view } })),
  setPlain: (isPlain) => set({ isPlain }),
}));

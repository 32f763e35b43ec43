import { create } from 'zustand';
import { useJobs } from '../data/jobs-store.ts';

export const paneTabs = ['output', 'input', 'metrics', 'requests', 'note', 'printed'] as const;
export type PaneTab = (typeof paneTabs)[number];

/** The tab of the job pane. It stays when another job is shown, so that one thing can be read of many jobs. */
export const usePaneTab = create<{ tab: PaneTab; setTab: (tab: PaneTab) => void }>((set) => ({
  tab: 'output',
  setTab: (tab) => set({ tab }),
}));

/** Opens a job that was just submitted, with its output: whatever was read of another job, this one is watched. */
export function openNewJob(key: string): void {
  usePaneTab.getState().setTab('output');
  useJobs.getState().select(key);
}

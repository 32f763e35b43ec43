import { create } from 'zustand';

/** What the main window shows beside its list, and what lies over it. */
interface ShellState {
  /** The sandbox's pane is shown in place of list and job. */
  isSandboxShown: boolean;
  isPaletteOpen: boolean;
  areShortcutsOpen: boolean;
  /** Ids of jobs submitted elsewhere are asked for. */
  isFollowOpen: boolean;
  /** Keys of jobs a cancel was asked for, waiting for a yes; null when nothing is asked. */
  cancelAsked: readonly string[] | null;
  /** Keys of jobs a tag is being typed for. */
  tagAsked: readonly string[] | null;
  set: (patch: Partial<Omit<ShellState, 'set'>>) => void;
}

export const useShell = create<ShellState>((set) => ({
  isSandboxShown: false,
  isPaletteOpen: false,
  areShortcutsOpen: false,
  isFollowOpen: false,
  cancelAsked: null,
  tagAsked: null,
  set: (patch) => set(patch),
}));

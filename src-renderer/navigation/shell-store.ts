import { create } from 'zustand';

/** What the main window's panel shows: the list with its job, or something instead. */
export type Pane =
  | { kind: 'jobs' }
  | { kind: 'sandbox' }
  /** Null for all endpoints of the connection together. */
  | { kind: 'health'; endpointId: string | null }
  | { kind: 'pods' }
  | { kind: 'templates' }
  | { kind: 'failures' }
  | { kind: 'bin' }
  | { kind: 'compare'; sides: readonly ComparedSide[]; pairs?: ComparedPairs };

/** A job, or one attempt of it, that is compared with others. Null: the newest attempt. */
export interface ComparedSide {
  key: string;
  attempt: number | null;
}

/** Two batches whose rows are compared one by one, and which of the pairs this is, from 0. */
export interface ComparedPairs {
  batchId: string;
  withId: string;
  at: number;
}

/** The list with its job. */
export const jobsPane: Pane = { kind: 'jobs' };

/** Whether both show the same. */
export function isSamePane(one: Pane, other: Pane): boolean {
  if (one.kind === 'health' && other.kind === 'health') return one.endpointId === other.endpointId;
  if (one.kind === 'compare' && other.kind === 'compare')
    return JSON.stringify([one.sides, one.pairs]) === JSON.stringify([other.sides, other.pairs]);
  return one.kind === other.kind;
}

/** What the main window shows beside its sidebar, and what covers it. */
interface ShellState {
  pane: Pane;
  isPaletteOpen: boolean;
  areShortcutsOpen: boolean;
  areNotificationsOpen: boolean;
  /** Keys of jobs whose cancel waits for confirmation, or null. */
  cancelDialogKeys: readonly string[] | null;
  /** Keys of jobs that a tag is being entered for. */
  tagDialogKeys: readonly string[] | null;
  set: (patch: Partial<Omit<ShellState, 'set'>>) => void;
}

export const useShell = create<ShellState>((set) => ({
  pane: jobsPane,
  isPaletteOpen: false,
  areShortcutsOpen: false,
  areNotificationsOpen: false,
  cancelDialogKeys: null,
  tagDialogKeys: null,
  set: (patch) => set(patch),
}));

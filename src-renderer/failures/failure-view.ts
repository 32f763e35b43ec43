import { create } from 'zustand';
import type { Grouping } from './cause-groups.ts';

/** The periods to choose from, in days including today. */
export const spans = ['1', '7', '30'] as const;
export type Span = (typeof spans)[number];

/** What the failures pane shows. It is as the user left it when they come back, until the window closes. */
interface FailureView {
  span: Span;
  grouping: Grouping;
  /** The row whose cause is shown. Null, or a row that is not there: the first one. */
  chosenKey: string | null;
  /** The text of the filter. */
  typed: string;
  isMutedFolded: boolean;
  set: (change: Partial<Omit<FailureView, 'set'>>) => void;
}

export const useFailureView = create<FailureView>()((set) => ({
  span: '7',
  grouping: 'cause',
  chosenKey: null,
  typed: '',
  isMutedFolded: false,
  set,
}));

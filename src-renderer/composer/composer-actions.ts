import { create } from 'zustand';
import type { AfterSubmit } from './use-submit.ts';

/** What the keys and the palette can do with the draft in the open composer. */
export interface ComposerActions {
  submit: (after: AfterSubmit) => void;
  /** What its button says. */
  submitLabel: string;
  /** Why it cannot be submitted now, or null. */
  problem: string | null;
}

/** Null while no composer is open. */
export const useComposerActions = create<{ actions: ComposerActions | null }>(() => ({ actions: null }));

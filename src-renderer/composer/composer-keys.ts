import { create } from 'zustand';
import type { AfterSubmit } from './use-submit.ts';

/** What a key does in the composer. `held`: nothing, as it did what it does when it was pressed. */
type ComposerKey = 'submit' | 'submit-and-stay' | 'held' | 'policy' | 'input' | 'presets' | 'history';

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'repeat'>;

/**
 * What the pressed keys do in the composer. Null: nothing here. However long Ctrl Enter is held, it submits once:
 * "submit and stay" would otherwise submit the same job with each repeat.
 */
export function composerKeyOf(press: KeyPress): ComposerKey | null {
  if (!(press.ctrlKey || press.metaKey)) return null;
  if (press.key === 'Enter') {
    if (press.repeat) return 'held';
    return press.shiftKey ? 'submit-and-stay' : 'submit';
  }
  if (press.key === '2') return 'policy';
  if (press.key === '1') return 'input';
  if (press.shiftKey || press.altKey) return null;
  switch (press.key.toLowerCase()) {
    case 'p':
      return 'presets';
    case 'h':
      return 'history';
    default:
      return null;
  }
}

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

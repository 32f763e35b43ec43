import { create } from 'zustand';

/** A message above the input, with an action. */
export interface ComposerNotice {
  /** What happened, in a few words. */
  title: string;
  /** A further explanation. */
  detail?: string;
  actions: readonly { label: string; onSelect: () => void }[];
}

interface NoticeState {
  notice: ComposerNotice | null;
  show: (notice: ComposerNotice | null) => void;
}

/** The composer's short messages. A toast would be outside of the sheet, where a click closes the sheet. */
export const useComposerNotice = create<NoticeState>((set) => ({
  notice: null,
  show: (notice) => set({ notice }),
}));

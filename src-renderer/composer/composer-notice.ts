import { create } from 'zustand';

/** Something that is said above the input, with what can be done about it. */
export interface ComposerNotice {
  /** What happened, in a few words. */
  title: string;
  /** More about it. */
  detail?: string;
  actions: readonly { label: string; onSelect: () => void }[];
}

interface NoticeState {
  notice: ComposerNotice | null;
  say: (notice: ComposerNotice | null) => void;
}

/** What the composer says in passing. A toast would lie outside the sheet, where a click closes it. */
export const useComposerNotice = create<NoticeState>((set) => ({
  notice: null,
  say: (notice) => set({ notice }),
}));

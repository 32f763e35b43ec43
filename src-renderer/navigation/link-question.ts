import { create } from 'zustand';

interface LinkQuestion {
  /** The address that is asked about, and where it comes from. Null while there is no question. */
  asked: { url: string; owner: string } | null;
  ask: (url: string, owner: string) => void;
  close: () => void;
}

/** The question before a page of the service is opened in the browser, wherever it was asked for. */
export const useLinkQuestion = create<LinkQuestion>((set) => ({
  asked: null,
  ask: (url, owner) => set({ asked: { url, owner } }),
  close: () => set({ asked: null }),
}));

import { create } from 'zustand';

interface LinkQuestion {
  /** The address that is asked about, and where it comes from. Null while there is no question. */
  asked: { url: string; owner: string } | null;
  close: () => void;
}

/** The question before an address is opened in the browser, wherever it was asked for. */
export const useLinkQuestion = create<LinkQuestion>((set) => ({
  asked: null,
  close: () => set({ asked: null }),
}));

/** Asks before an address is opened in the browser. `owner`: where it comes from, such as "the job's output". */
export function askToOpen(url: string, owner: string): void {
  useLinkQuestion.setState({ asked: { url, owner } });
}

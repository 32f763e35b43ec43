import { create } from 'zustand';

/** The job whose lifetime is extended, or null while the dialog is closed. */
export const useExtendRequest = create<{ jobKey: string | null; open: (jobKey: string) => void; close: () => void }>(
  (set) => ({
    jobKey: null,
    open: (jobKey) => set({ jobKey }),
    close: () => set({ jobKey: null }),
  }),
);

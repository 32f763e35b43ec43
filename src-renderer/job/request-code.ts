import { create } from 'zustand';

/** The job whose submission is shown as code, or null while the dialog is closed. */
export const useRequestCode = create<{ jobKey: string | null; open: (jobKey: string) => void; close: () => void }>(
  (set) => ({
    jobKey: null,
    open: (jobKey) => set({ jobKey }),
    close: () => set({ jobKey: null }),
  }),
);

import { create } from 'zustand';

interface JobDialog {
  /** The job that the dialog is about. Null while it is closed. */
  jobKey: string | null;
  open: (jobKey: string) => void;
  close: () => void;
}

const jobDialog = () =>
  create<JobDialog>((set) => ({
    jobKey: null,
    open: (jobKey) => set({ jobKey }),
    close: () => set({ jobKey: null }),
  }));

/** The dialog that shows the submission of a job as code. */
export const useCodeDialog = jobDialog();

/** The dialog that extends the lifetime of a job. */
export const useExtendDialog = jobDialog();

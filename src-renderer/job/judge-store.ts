import { create } from 'zustand';
import type { Job } from '../../src-preload/job.ts';

/** The jobs that are being judged in the dialog, and where its focus starts; null while it is closed. */
interface Judging {
  asked: { jobs: readonly Job[]; startsWith: 'mark' | 'label' } | null;
  ask: (jobs: readonly Job[], startsWith: 'mark' | 'label') => void;
  close: () => void;
}

export const useJudging = create<Judging>((set) => ({
  asked: null,
  ask: (jobs, startsWith) => {
    if (jobs.length > 0) set({ asked: { jobs, startsWith } });
  },
  close: () => set({ asked: null }),
}));

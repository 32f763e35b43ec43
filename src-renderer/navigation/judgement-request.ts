import { create } from 'zustand';
import type { Job } from '../../src-preload/job.ts';

/** The jobs that are judged in the dialog, and where its focus starts; null while it is closed. */
interface JudgementRequest {
  asked: { jobs: readonly Job[]; startsWith: 'mark' | 'label' } | null;
  close: () => void;
}

export const useJudgementRequest = create<JudgementRequest>((set) => ({
  asked: null,
  close: () => set({ asked: null }),
}));

/** Asks what the user thinks of jobs. Nothing happens without any. */
export function askJudgement(jobs: readonly Job[], startsWith: 'mark' | 'label'): void {
  if (jobs.length > 0) useJudgementRequest.setState({ asked: { jobs, startsWith } });
}

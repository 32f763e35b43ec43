import { create } from 'zustand';
import type { Job } from '../../src-preload/job.ts';

/** The jobs in the dialog for marks, labels and notes, and the field with the focus. Null while it is closed. */
interface JudgementRequest {
  asked: { jobs: readonly Job[]; startsWith: 'mark' | 'label' } | null;
  close: () => void;
}

export const useJudgementRequest = create<JudgementRequest>((set) => ({
  asked: null,
  close: () => set({ asked: null }),
}));

/** Opens the dialog for the user's judgement of jobs. Does nothing without jobs. */
export function askJudgement(jobs: readonly Job[], startsWith: 'mark' | 'label'): void {
  if (jobs.length > 0) useJudgementRequest.setState({ asked: { jobs, startsWith } });
}

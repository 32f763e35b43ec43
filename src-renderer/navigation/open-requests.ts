import { create } from 'zustand';
import type { Job } from '../../src-preload/job.ts';

/**
 * What any part of the window may ask to open without importing it: the composer, and the dialogs for judgements, for
 * ids of external jobs and for addresses. The settings have a store of their own, `settings-dialog-store.ts`.
 */

/**
 * What the composer opens with: a new job or several, for an endpoint (null: the likely one), or the input of a job
 * again. `onOpened` is called when it is in the composer, or why it cannot be.
 */
export type ComposerRequest =
  | { endpointId: string | null; inputText?: string; isMany?: boolean; onOpened?: () => void }
  | { jobKey: string; onOpened?: () => void };

/** A request that the composer has not handled yet, because its code may still be loading. */
export const useComposerRequest = create<{ request: ComposerRequest | null }>(() => ({ request: null }));

/** Opens the composer. `inputText` is filled in only if the composer is empty. */
export function openComposer(request: ComposerRequest): void {
  useComposerRequest.setState({ request });
}

/** The jobs in the dialog for marks, labels and notes, and the field with the focus. Null while it is closed. */
interface JudgementRequest {
  subject: { jobs: readonly Job[]; startsWith: 'mark' | 'label' } | null;
  close: () => void;
}

export const useJudgementRequest = create<JudgementRequest>((set) => ({
  subject: null,
  close: () => set({ subject: null }),
}));

/** Opens the dialog for the user's judgement of jobs. Does nothing without jobs. */
export function askJudgement(jobs: readonly Job[], startsWith: 'mark' | 'label'): void {
  if (jobs.length > 0) useJudgementRequest.setState({ subject: { jobs, startsWith } });
}

interface FollowRequest {
  isOpen: boolean;
  /** The initial content of the field for ids. */
  text: string;
  open: (text?: string) => void;
  close: () => void;
}

/** Whether the dialog for the ids of external jobs is open. */
export const useFollowDialog = create<FollowRequest>((set) => ({
  isOpen: false,
  text: '',
  open: (text = '') => set({ isOpen: true, text }),
  close: () => set({ isOpen: false }),
}));

interface LinkQuestion {
  /** The address that is asked about, and where it comes from. Null while there is no question. */
  link: { url: string; owner: string } | null;
  close: () => void;
}

/** The question before an address is opened in the browser, from any part of the window. */
export const useLinkQuestion = create<LinkQuestion>((set) => ({
  link: null,
  close: () => set({ link: null }),
}));

/** Asks before an address is opened in the browser. `owner`: where it comes from, such as "the job's output". */
export function askToOpen(url: string, owner: string): void {
  useLinkQuestion.setState({ link: { url, owner } });
}

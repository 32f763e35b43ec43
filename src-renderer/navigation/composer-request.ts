import { create } from 'zustand';

/** What the composer is asked for: a new job or many, to an endpoint (null: the likely one), or a job's input again. */
export type ComposerRequest = { endpointId: string | null; inputText?: string; isMany?: boolean } | { jobKey: string };

/** What was asked for and the composer did not answer yet: its code may still be on the way. */
export const useComposerRequest = create<{ request: ComposerRequest | null }>(() => ({ request: null }));

/** Opens the composer. `inputText` goes in only where nothing was typed. */
export function openComposer(request: ComposerRequest): void {
  useComposerRequest.setState({ request });
}

import { create } from 'zustand';

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

import { create } from 'zustand';

/** The endpoint whose purge card is to be shown and focused next; null when none is. */
export const usePurgeTarget = create<{ endpointId: string | null }>(() => ({ endpointId: null }));

/** Asks for the card of an endpoint: the one on screen, or the one that will be. */
export function showPurgeCard(endpointId: string): void {
  usePurgeTarget.setState({ endpointId });
}

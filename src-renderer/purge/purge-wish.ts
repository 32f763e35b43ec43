import { create } from 'zustand';

/** The endpoint whose purge card is to be shown and focused next; null when none is. */
export const usePurgeWish = create<{ endpointId: string | null }>(() => ({ endpointId: null }));

/** Asks for the card of an endpoint: the one on screen, or the one that will be. */
export function wishForPurge(endpointId: string): void {
  usePurgeWish.setState({ endpointId });
}

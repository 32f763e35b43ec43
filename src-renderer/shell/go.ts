import { useJobs } from '../jobs/jobs-store.ts';
import type { Place } from '../jobs/filter-query.ts';
import { changeSettings } from '../session/session-store.ts';
import { jobsPane, useShell } from './shell-store.ts';
import type { Pane } from './shell-store.ts';

/** Where the main window goes when the user asks for a place: back to the list from whatever stands in its place. */

export function goToPlace(place: Place): void {
  useShell.getState().set({ pane: jobsPane });
  useJobs.getState().setPlace(place);
}

export function goToJob(key: string): void {
  useShell.getState().set({ pane: jobsPane });
  useJobs.getState().select(key);
}

/** All jobs that wait to be sent, of whatever place the list shows. */
export function goToWaiting(): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [{ field: 'status', value: 'waiting' }], text: '' });
}

/** All submissions that nobody answered. */
export function goToUnknown(): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [{ field: 'status', value: 'outcome_unknown' }], text: '' });
}

/** Jobs of removed connections that nobody asks about any more. */
export function goToLeftBehind(): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [{ field: 'status', value: 'left_behind' }], text: '' });
}

export function goToConnection(connectionId: string): void {
  useShell.getState().set({ pane: jobsPane });
  void changeSettings({ currentConnectionId: connectionId });
}

/** Shows something in place of list and job. */
export function showPane(pane: Pane): void {
  useShell.getState().set({ pane });
}

export function showSandbox(): void {
  showPane({ kind: 'sandbox' });
}

/** Back to the list, as it was. */
export function leavePane(): void {
  useShell.getState().set({ pane: jobsPane });
}

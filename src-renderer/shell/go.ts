import { useJobs } from '../jobs/jobs-store.ts';
import type { Place } from '../jobs/filter-query.ts';
import { changeSettings } from '../session/session-store.ts';
import { useShell } from './shell-store.ts';

/** Where the main window goes when the user asks for a place: away from the sandbox's pane, where that is shown. */

export function goToPlace(place: Place): void {
  useShell.getState().set({ isSandboxShown: false });
  useJobs.getState().setPlace(place);
}

export function goToJob(key: string): void {
  useShell.getState().set({ isSandboxShown: false });
  useJobs.getState().select(key);
}

/** The jobs that wait to be sent. */
export function goToWaiting(): void {
  useShell.getState().set({ isSandboxShown: false });
  useJobs.getState().setQuery({ tokens: [{ field: 'status', value: 'waiting' }], text: '' });
}

export function goToConnection(connectionId: string): void {
  useShell.getState().set({ isSandboxShown: false });
  void changeSettings({ currentConnectionId: connectionId });
}

export function showSandbox(): void {
  useShell.getState().set({ isSandboxShown: true });
}

/** Back to the list, as it was. */
export function leaveSandbox(): void {
  useShell.getState().set({ isSandboxShown: false });
}

import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { callOrSay } from '../call-or-say.ts';
import { toast } from '../design/toast.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { type Place } from '../data/filter-query.ts';
import { anyConnection, isOfAllConnections } from '../data/filter-tokens.ts';
import { chooseSettings } from '../data/session-store.ts';
import { jobsPane, useShell, type ComparedSide, type Pane } from './shell-store.ts';

/** Where the main window goes when the user asks for a place: back to the list from whatever stands in its place. */

export function goToPlace(place: Place): void {
  useShell.getState().set({ pane: jobsPane });
  useJobs.getState().setPlace(place);
}

/** Shows the list with this job selected. */
export function goToJob(key: string): void {
  useShell.getState().set({ pane: jobsPane });
  useJobs.getState().select(key);
}

/** Everything that is saved, of whatever connection: the only list with the finished jobs of one that was removed. */
export function goToAllConnections(): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [anyConnection], text: '' });
}

/** All jobs that wait to be sent, of whatever place the list shows, as they are counted. */
export function goToWaiting(): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [anyConnection, { field: 'status', value: 'waiting' }], text: '' });
}

/** All submissions that nobody answered. */
export function goToUnknown(): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [anyConnection, { field: 'status', value: 'outcome_unknown' }], text: '' });
}

/** The failed jobs of one cause, in the list. */
export function goToCause(id: number): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [{ field: 'cause', value: String(id) }], text: '' });
}

/** The runs of a job's input at its endpoint, in the list. */
export function goToSameInput({ key, jobId }: Pick<Job, 'key' | 'jobId'>): void {
  const { query } = useJobs.getState();
  goToPlace({ view: 'all', endpointId: null });
  const tokens = [{ field: 'same-input' as const, value: jobId ?? key }];
  useJobs.getState().setQuery({ tokens: isOfAllConnections(query) ? [anyConnection, ...tokens] : tokens, text: '' });
}

/** Jobs of removed connections that nobody asks about any more. */
export function goToLeftBehind(): void {
  goToPlace({ view: 'all', endpointId: null });
  useJobs.getState().setQuery({ tokens: [{ field: 'status', value: 'orphaned' }], text: '' });
}

/** Also out of the list of all connections: whoever chooses one wants its jobs. */
export function goToConnection(connectionId: string): void {
  useShell.getState().set({ pane: jobsPane });
  const { query, setQuery } = useJobs.getState();
  if (isOfAllConnections(query))
    setQuery({ ...query, tokens: query.tokens.filter(({ field }) => field !== anyConnection.field) });
  void chooseSettings({ currentConnectionId: connectionId });
}

/** Opens a pod's window, or brings it forward. */
export function openPod(connectionId: string, podId: string): void {
  callOrSay('window:openResource', { connectionId, kind: 'pod', id: podId });
}

/** Shows something in place of list and job. */
export function showPane(pane: Pane): void {
  useShell.getState().set({ pane });
}

/** As many are compared at once as stand beside each other. */
const comparedBounds = { least: 2, most: 4 } as const;

/** Whether so many jobs can be compared. */
export function canCompare(count: number): boolean {
  return count >= comparedBounds.least && count <= comparedBounds.most;
}

/** Compares jobs or attempts in place of the list. */
export function compareSides(sides: readonly ComparedSide[]): void {
  showPane({ kind: 'compare', sides });
}

/** Compares the newest attempts of jobs, the oldest job first. */
export function compareJobs(keys: readonly string[]): void {
  compareSides(keys.toSorted().map((key) => ({ key, attempt: null })));
}

/** Compares the last attempts of a job. */
export function compareAttempts({ key, attempt }: Pick<Job, 'key' | 'attempt'>): void {
  const first = Math.max(1, attempt - comparedBounds.most + 1);
  compareSides(Array.from({ length: attempt - first + 1 }, (_, at) => ({ key, attempt: first + at })));
}

/** Shows the sandbox pane. */
export function showSandbox(): void {
  showPane({ kind: 'sandbox' });
}

/** Starts the built-in sandbox and makes it the connection in use; says why where it cannot. */
export async function openSandbox(): Promise<void> {
  const opened = await call('connection:openSandbox', undefined);
  if (opened.ok) await chooseSettings({ currentConnectionId: opened.value.id });
  else toast(opened.failure.message);
}

/** Back to the list, as it was. */
export function leavePane(): void {
  useShell.getState().set({ pane: jobsPane });
}

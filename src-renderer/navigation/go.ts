import type { CallInput } from '../../src-preload/contract.ts';
import { maxCompared } from '../../src-preload/destination.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { writeList } from '../data/written-list.ts';
import { callOrReport, orReport } from '../call-or-report.ts';
import { toast } from '../design/toast.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { type Place } from '../data/query-to-job-filter.ts';
import { anyConnection, emptyQuery, isOfAllConnections, isSameQuery, type FilterQuery } from '../data/parse-filter.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { isMainWindow } from './route.ts';
import { jobsPane, useShell, type ComparedPairs, type ComparedSide, type Pane } from './shell-store.ts';

/** The ways to places of the main window. From another window they open it there, or bring it forward. */

/** A place of the main window, as another window names it. */
type Destination = CallInput<'window:openMain'>['destination'];

/** Shows a place of the main window: by `show` in the main window itself, from another one by its name. */
function inMain(destination: Destination, show: () => void): void {
  if (isMainWindow()) show();
  else callOrReport('window:openMain', { destination });
}

/** Shows a place with its own filter: none, unless one is given (docs/decisions/076). */
export function goToPlace(place: Place, query: FilterQuery = emptyQuery): void {
  inMain(listDestination(place, query), () => {
    useShell.getState().set({ pane: jobsPane });
    useJobs.getState().show(place, query);
  });
}

function listDestination(place: Place, query: FilterQuery): Destination {
  const { batchId } = place;
  return batchId === undefined || !isSameQuery(query, emptyQuery)
    ? { kind: 'list', ...writeList(place, query) }
    : { kind: 'batch', id: batchId };
}

/** Shows the list with this job open, and its row in view if the list has it. */
export function goToJob(key: string): void {
  inMain({ kind: 'job', key }, () => {
    useShell.getState().set({ pane: jobsPane });
    void useJobs.getState().reveal(key);
  });
}

/** Shows everything that Jobdeck reported. */
export function goToNotifications(): void {
  inMain({ kind: 'notifications' }, () => useShell.getState().set({ areNotificationsOpen: true }));
}

/** Shows everything that is saved, of all connections. Only this list has the finished jobs of removed connections. */
export function goToAllConnections(): void {
  goToPlace({ view: 'all', endpointId: null }, { tokens: [anyConnection], text: '' });
}

/** Shows all jobs that wait to be sent, from any place, just as they are counted. */
export function goToWaiting(): void {
  goToPlace(
    { view: 'all', endpointId: null },
    { tokens: [anyConnection, { field: 'status', value: 'waiting' }], text: '' },
  );
}

/** Shows all submissions without an answer. */
export function goToUnknown(): void {
  goToPlace(
    { view: 'all', endpointId: null },
    { tokens: [anyConnection, { field: 'status', value: 'outcome_unknown' }], text: '' },
  );
}

/** Shows the failed jobs of one cause in the list. */
export function goToCause(id: number): void {
  goToPlace({ view: 'all', endpointId: null }, { tokens: [{ field: 'cause', value: String(id) }], text: '' });
}

/** The runs of a job's input at its endpoint, in the list: in that of all connections if its own has none. */
export function goToSameInput({ key, jobId, connectionId }: Pick<Job, 'key' | 'jobId' | 'connectionId'>): void {
  const isInOtherConnection = currentConnection(useSession.getState())?.id !== connectionId;
  const tokens = [{ field: 'same-input' as const, value: jobId ?? key }];
  goToPlace(
    { view: 'all', endpointId: null },
    {
      tokens: isInOtherConnection || isOfAllConnections(useJobs.getState().query) ? [anyConnection, ...tokens] : tokens,
      text: '',
    },
  );
}

/** Shows jobs of removed connections, which are no longer tracked. */
export function goToOrphans(): void {
  goToPlace({ view: 'all', endpointId: null }, { tokens: [{ field: 'status', value: 'orphaned' }], text: '' });
}

/** Even from the list of all connections: choosing a connection shows its jobs. */
export function goToConnection(connectionId: string): void {
  inMain({ kind: 'connection', id: connectionId }, () => {
    useShell.getState().set({ pane: jobsPane });
    const { query, setQuery } = useJobs.getState();
    if (isOfAllConnections(query))
      setQuery({ ...query, tokens: query.tokens.filter(({ field }) => field !== anyConnection.field) });
    void chooseSettings({ currentConnectionId: connectionId });
  });
}

/** Opens a pod's window, or brings it forward. */
export function openPod(connectionId: string, podId: string): void {
  callOrReport('window:openResource', { connectionId, kind: 'pod', id: podId });
}

/** Shows a pane instead of list and job. */
export function showPane(pane: Pane): void {
  inMain(destinationOf(pane), () => useShell.getState().set({ pane }));
}

function destinationOf(pane: Pane): Destination {
  switch (pane.kind) {
    case 'jobs':
      return { kind: 'home' };
    case 'compare':
      return { kind: 'compare', sides: [...pane.sides] };
    case 'health': {
      const connectionId = currentConnection(useSession.getState())?.id;
      return connectionId === undefined ? { kind: 'home' } : { ...pane, connectionId };
    }
    default:
      return { kind: 'pane', pane: pane.kind };
  }
}

/** Whether this many jobs can be compared: as many as fit beside each other. */
export function canCompare(count: number): boolean {
  return count >= 2 && count <= maxCompared;
}

/** Compares jobs or attempts, instead of the list. `pairs`: they are a pair of two batches. */
export function compareSides(sides: readonly ComparedSide[], pairs?: ComparedPairs): void {
  showPane({ kind: 'compare', sides, ...(pairs !== undefined && { pairs }) });
}

/** Compares the rows of two batches one by one, from pair `at` (from 0); null: from the first that is not judged. */
export async function comparePair({ batchId, withId }: Omit<ComparedPairs, 'at'>, at: number | null): Promise<void> {
  const pair = orReport(await call('batch:pair', { batchId, withId, at }));
  if (!pair.ok) return;
  const sides = pair.value.keys.map((key) => ({ key, attempt: null }));
  compareSides(sides, { batchId, withId, at: pair.value.at });
}

/** Compares the newest attempts of jobs, the oldest job first. */
export function compareJobs(keys: readonly string[]): void {
  compareSides(keys.toSorted().map((key) => ({ key, attempt: null })));
}

/** Compares the last attempts of a job. */
export function compareAttempts({ key, attempt }: Pick<Job, 'key' | 'attempt'>): void {
  const first = Math.max(1, attempt - maxCompared + 1);
  compareSides(Array.from({ length: attempt - first + 1 }, (_, at) => ({ key, attempt: first + at })));
}

/** Shows the sandbox pane. */
export function showSandbox(): void {
  showPane({ kind: 'sandbox' });
}

/** Starts the built-in sandbox and makes it the current connection. Shows why if that fails. */
export async function openSandbox(): Promise<void> {
  const opened = await call('connection:openSandbox', undefined);
  if (opened.ok) await chooseSettings({ currentConnectionId: opened.value.id });
  else toast(opened.failure.message);
}

/** Returns to the list as it was. */
export function leavePane(): void {
  useShell.getState().set({ pane: jobsPane });
}

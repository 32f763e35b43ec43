import { create } from 'zustand';
import type { SandboxFault, SandboxRequests, SandboxWorkers } from '../../src-preload/sandbox.ts';
import type { CallInput, CallName, CallOutput } from '../../src-preload/contract.ts';
import { call, on } from '../bridge.ts';
import { hint, orReport } from '../call-or-report.ts';
import { useSession } from '../data/session-store.ts';
import { noFilter, type RequestFilter } from './request-filter.ts';
import { addRequests, clearLog, emptyLog, pauseLog, resumeLog, type RequestLog } from './request-log.ts';
import { emptyFilter } from '../../src-preload/history.ts';

/** What the window shows of the sandbox, apart from its state in the session. Kept while the pane is closed. */
interface SandboxView {
  log: RequestLog;
  /** Whether the requests before this window were read: not yet, or not at all. */
  status: 'first' | 'ready' | 'failed';
  filter: RequestFilter;
  workers: readonly SandboxWorkers[];
  /** What failed last, and why. */
  problem: string | null;
  /** The sandbox is being started or stopped. */
  isSwitching: boolean;
  /** What the pane shows beside the settings. */
  view: 'requests' | 'printed';
  setView: (view: 'requests' | 'printed') => void;
  setFilter: (patch: Partial<RequestFilter>) => void;
  setPaused: (isPaused: boolean) => void;
  clear: () => void;
  dismissProblem: () => void;
}

export const useSandbox = create<SandboxView>((set) => ({
  log: emptyLog,
  status: 'first',
  filter: noFilter,
  workers: [],
  problem: null,
  isSwitching: false,
  view: 'requests',
  setView: (view) => set({ view }),
  setFilter: (patch) => set(({ filter }) => ({ filter: { ...filter, ...patch } })),
  setPaused: (isPaused) => set(({ log }) => ({ log: isPaused ? pauseLog(log) : resumeLog(log) })),
  clear: () => set(({ log }) => ({ log: clearLog(log) })),
  dismissProblem: () => set({ problem: null }),
}));

/** Shows requests and workers as they come, until the returned function is called. */
export function watchSandbox(): () => void {
  let isEnded = false;
  /** The earlier requests are added first. Otherwise newer ones would make them count as old. */
  let isReady = false;
  const early: SandboxRequests[] = [];
  const take = (batch: SandboxRequests): void => useSandbox.setState(({ log }) => ({ log: addRequests(log, batch) }));
  const endRequests = on('sandbox:requestsSeen', (batch) => {
    if (isReady) take(batch);
    else early.push(batch);
  });
  const endWorkers = on('sandbox:workersSeen', ({ workers }) => useSandbox.setState({ workers }));
  const endState = on('sandbox:changed', ({ isRunning }) => {
    if (!isRunning) useSandbox.setState({ workers: [] });
  });
  void call('sandbox:requests', undefined).then((last) => {
    if (isEnded) return;
    isReady = true;
    // Requests missed before were counted the first time.
    if (last.ok) take(useSandbox.getState().log.lastSeq === 0 ? last.value : { ...last.value, missed: 0 });
    early.forEach(take);
    useSandbox.setState({
      status: last.ok ? 'ready' : 'failed',
      ...(last.ok ? { workers: last.value.workers } : { problem: last.failure.message }),
    });
  });
  hint('sandbox:watch', { isWatching: true });
  return () => {
    isEnded = true;
    endRequests();
    endWorkers();
    endState();
    // When the pane is opened again they are read again. Until then they are not known.
    useSandbox.setState({ workers: [] });
    hint('sandbox:watch', { isWatching: false });
  };
}

async function ask<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N> | null> {
  const result = await call(name, input);
  useSandbox.setState({ problem: result.ok ? null : result.failure.message });
  return result.ok ? result.value : null;
}

async function switching(run: () => Promise<unknown>): Promise<void> {
  useSandbox.setState({ isSwitching: true });
  await run();
  useSandbox.setState({ isSwitching: false });
}

/** Starts the sandbox and opens its connection. A failure is shown. */
export function startSandbox(): Promise<void> {
  return switching(() => ask('connection:openSandbox', undefined));
}

/** Stops the sandbox. Its jobs are kept on disk and continue when it is started again. */
export function stopSandbox(): Promise<void> {
  return switching(() => ask('sandbox:stop', undefined));
}

/** Asks for a file with a handler and serves it. A failure is shown. */
export function addHandler(): Promise<void> {
  return switching(() => ask('app:addSandboxHandler', undefined));
}

/** Serves a handler no longer. A failure is shown. */
export function removeHandler(endpointId: string): Promise<void> {
  return switching(() => ask('sandbox:removeHandler', { endpointId }));
}

/** Makes the sandbox's time run `timeScale` times as fast. A failure is shown. */
export async function setTimeScale(timeScale: number): Promise<void> {
  await ask('sandbox:setTimeScale', { timeScale });
}

/** Ends with the change of faults that was asked for last. */
let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Changes the list of faults; a failure is shown. Resolves with whether main accepted it. A change begins from the list
 * that the one before it left, even if both are asked for at the same moment.
 */
export function changeFaults(change: (faults: readonly SandboxFault[]) => readonly SandboxFault[]): Promise<boolean> {
  const changed = lastChange.then(async () => {
    const before = useSession.getState().sandbox?.faults ?? [];
    const sandbox = await ask('sandbox:setFaults', { faults: [...change(before)] });
    return sandbox !== null;
  });
  // A change that failed in an unexpected way must not stop those after it.
  lastChange = changed.catch(() => null);
  return changed;
}

/** The key of the job with this id at the sandbox. Null if another client submitted it. */
export async function findSandboxJob(jobId: string): Promise<string | null> {
  const connection = useSession.getState().connections.find((one) => one.isSandbox);
  if (connection === undefined) return null;
  const filter = { ...emptyFilter, connectionId: connection.id, text: jobId };
  const page = orReport(await call('job:list', { filter, beforeKey: null, limit: 20 }));
  return page.ok ? (page.value.jobs.find((job) => job.jobId === jobId)?.key ?? null) : null;
}

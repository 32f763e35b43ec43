import { replaceEqualDeep } from '@tanstack/react-query';
import { useMemo } from 'react';
import { create } from 'zustand';
import type { AppInfo, Closure, Notice, Preparation, TrackerState } from '../../src-preload/app.ts';
import type { Connection, Endpoint, KeyStorage } from '../../src-preload/connection.ts';
import type { Failure } from '../../src-preload/failure.ts';
import type { Health, HealthTrend } from '../../src-preload/health.ts';
import { countsOf, type AllJobCounts, type JobCounts, type RunTimes } from '../../src-preload/history.ts';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { settingsDefaults, type Settings } from '../../src-preload/settings.ts';
import type { UnknownJob, WebhookReceiverState } from '../../src-preload/webhook.ts';
import { call, on } from '../bridge.ts';
import { hint, orReport } from '../call-or-report.ts';
import { startOfDay } from '../../src-preload/format.ts';
import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import { RecentOurJobs, type OurJobCounts } from './recent-our-jobs.ts';
import { usePendingDeletions, withoutJobs } from './pending-deletions.ts';
import { createThrottle } from './throttle.ts';
import { useNow } from './use-now.ts';
import { engineNow, learnEngineTime, onClockJump } from './engine-time.ts';

/** Everything the window knows apart from the job list: a copy of the engine's state, updated by its events. */
export interface SessionState {
  /** False until the first answers are here. */
  isLoaded: boolean;
  /** What the first answers wait for, if that takes seconds. */
  preparation: Preparation | null;
  /** Why the engine did not answer at the start. */
  problem: Failure | null;
  /** What does not change while the app runs; what does is beside it. */
  info: Omit<AppInfo, 'keyStorage' | 'notices'> | null;
  /** Where keys are saved; null until that is known. */
  keyStorage: KeyStorage | null;
  connections: Connection[];
  settings: Settings;
  tracker: TrackerState | null;
  /** When `tracker` was received, by the engine's clock. */
  trackerReadAtMs: number;
  sandbox: SandboxState | null;
  webhook: WebhookReceiverState | null;
  notices: Notice[];
  /** By `endpointKey`. */
  health: Record<string, Health>;
  /** Our own jobs on an endpoint at about the time of its health reading, by `endpointKey`. */
  ourJobsAtHealth: Record<string, OurJobCounts>;
  /** By `endpointKey`, oldest sample first. */
  trends: Record<string, HealthTrend>;
  /** Learned run times of the current connection's endpoints, by `endpointKey`. */
  runTimes: Record<string, RunTimes>;
  /** The connection whose run times those are; null until they are read. */
  runTimesOf: string | null;
  /** How many jobs there are. Null until they are counted. */
  counts: AllJobCounts | null;
  windowIsMaximized: boolean;
  load: () => Promise<void>;
}

const trendLength = 60;
const recentOurJobs = new RecentOurJobs();

export const useSession = create<SessionState>((set, get) => ({
  isLoaded: false,
  preparation: null,
  problem: null,
  info: null,
  keyStorage: null,
  connections: [],
  settings: settingsDefaults,
  tracker: null,
  trackerReadAtMs: 0,
  sandbox: null,
  webhook: null,
  notices: [],
  health: {},
  ourJobsAtHealth: {},
  trends: {},
  runTimes: {},
  runTimesOf: null,
  counts: null,
  windowIsMaximized: false,

  load: async () => {
    const before = get();
    void call('app:preparation', undefined).then((preparation) => {
      if (get().preparation === before.preparation) set({ preparation: preparation.ok ? preparation.value : null });
    });
    const [info, settings, connections, tracker, sandbox, webhook] = await Promise.all([
      call('app:info', undefined),
      call('settings:get', undefined),
      call('connection:list', undefined),
      call('tracker:state', undefined),
      call('sandbox:state', undefined),
      call('webhook:state', undefined),
      refreshCounts(),
    ]);
    for (const other of [tracker, sandbox, webhook]) orReport<unknown>(other);
    const problem = [info, settings, connections].find((result) => !result.ok);
    const now = get();
    // An event that came before the answer is newer than the answer.
    set({
      isLoaded: true,
      problem: problem !== undefined && !problem.ok ? problem.failure : null,
      ...(info.ok && { info: info.value, notices: mergeNotices(info.value.notices, now.notices) }),
      ...(info.ok && now.keyStorage === before.keyStorage && { keyStorage: info.value.keyStorage }),
      ...(settings.ok && now.settings === before.settings && { settings: settings.value }),
      ...(connections.ok && now.connections === before.connections && { connections: connections.value }),
      ...(tracker.ok && now.tracker === before.tracker && trackerAsOf(tracker.value)),
      ...(sandbox.ok && now.sandbox === before.sandbox && { sandbox: sandbox.value }),
      ...(webhook.ok && now.webhook === before.webhook && { webhook: webhook.value }),
    });
    await loadOfConnection();
  },
}));

/** The state of the tracker with its time, by which all ages are shown. */
function trackerAsOf(tracker: TrackerState): Pick<SessionState, 'tracker' | 'trackerReadAtMs'> {
  learnEngineTime(tracker.nowMs, tracker.clockSettings);
  return { tracker, trackerReadAtMs: engineNow() };
}

/** Both together, in their order; of two about the same thing the newer one. Pure. */
export function mergeNotices(first: readonly Notice[], more: readonly Notice[]): Notice[] {
  const byId = new Map(first.map((notice) => [notice.id, notice]));
  for (const notice of more) if ((byId.get(notice.id)?.atMs ?? -Infinity) <= notice.atMs) byId.set(notice.id, notice);
  return [...byId.values()];
}

/** The connection in use: the chosen one, or else the first. Null if there is none. */
export function currentConnection(state: Pick<SessionState, 'connections' | 'settings'>): Connection | null {
  return state.connections.find((one) => one.id === state.settings.currentConnectionId) ?? state.connections[0] ?? null;
}

/** Whether there is nothing to show yet: no connection, and no job of a removed one. */
export function isFirstRun({ connections, counts }: Pick<SessionState, 'connections' | 'counts'>): boolean {
  return connections.length === 0 && (counts === null || counts.all.all === 0);
}

/** The connection that the window shows, for a component. Null if there is none. */
export function useCurrentConnection(): Connection | null {
  return useSession(currentConnection);
}

const noUnknownJobs: readonly UnknownJob[] = [];

/** Jobs that webhooks named and that are not in the history. Returns the same array until they change. */
export function useUnknownJobs(): readonly UnknownJob[] {
  return useSession((state) => state.webhook?.unknownJobs ?? noUnknownJobs);
}

const noClosures: readonly Closure[] = [];

/**
 * Operations of a connection that the service currently refuses. Empty if it refuses the key as a whole. Returns the
 * same array until they change.
 */
export function useClosures(connectionId: string | undefined): readonly Closure[] {
  const all = useSession((state) => state.tracker?.closures ?? noClosures);
  return useMemo(() => closuresOf(all, connectionId), [all, connectionId]);
}

/** The closures of one connection. */
function closuresOf(all: readonly Closure[], connectionId: string | undefined): readonly Closure[] {
  const mine = all.filter((closure) => closure.connectionId === connectionId);
  return mine.length === 0 ? noClosures : mine;
}

/** An endpoint with its current name. A removed endpoint is named by its id. */
export function findEndpoint(connections: readonly Connection[], connectionId: string, endpointId: string): Endpoint {
  const found = connections.find((one) => one.id === connectionId)?.endpoints.find((one) => one.id === endpointId);
  return found ?? { id: endpointId, label: '', flavour: 'unknown' };
}

async function loadOfConnection(): Promise<void> {
  const connectionId = currentConnection(useSession.getState())?.id;
  if (useSession.getState().runTimesOf !== connectionId) useSession.setState({ runTimes: {}, runTimesOf: null });
  if (connectionId === undefined) return;
  const [latest] = await Promise.all([call('health:latest', { connectionId }), refreshRunTimes()]);
  // The kept readings may be old. New ones come as `health:changed`.
  hint('health:refresh', { connectionId });
  orReport(latest);
  if (!latest.ok) return;
  // A reading that came as an event meanwhile is newer.
  const now = useSession.getState();
  const keyOf = (one: EndpointRef): string => endpointKey(one);
  const health = latest.value.health.filter((one) => one.atMs >= (now.health[keyOf(one)]?.atMs ?? 0));
  const around = health.map((one): [string, OurJobCounts] => {
    const key = keyOf(one);
    return [key, recentOurJobs.healthRead(key, engineNow())];
  });
  useSession.setState((state) => ({
    ourJobsAtHealth: { ...state.ourJobsAtHealth, ...Object.fromEntries(around) },
    health: {
      ...state.health,
      ...Object.fromEntries(health.map((one) => [keyOf(one), one])),
    },
    trends: {
      ...state.trends,
      ...Object.fromEntries(latest.value.trends.map((one) => [keyOf(one), joined(one, state.trends[keyOf(one)])])),
    },
  }));
}

/** A trend as it was read, with the samples that events brought meanwhile. */
function joined(read: HealthTrend, known: HealthTrend | undefined): HealthTrend {
  const lastMs = read.samples.at(-1)?.atMs ?? 0;
  const later = (known?.samples ?? []).filter(({ atMs }) => atMs > lastMs);
  return { ...read, samples: [...read.samples, ...later].slice(-trendLength) };
}

/** Reads the counts of all jobs: at first, when a new day begins (jobs that finished today), and if that failed. */
export async function refreshCounts(): Promise<void> {
  const counts = orReport(await call('job:counts', undefined));
  if (counts.ok) takeCounts(counts.value);
}

/** Takes the counts of all jobs, unless newer ones are here already. */
export function takeCounts(counts: AllJobCounts): void {
  const { counts: before, ourJobsAtHealth } = useSession.getState();
  if (counts.revision < (before?.revision ?? 0)) return;
  const affected = recentOurJobs.note(counts, engineNow());
  const around = affected.map((key): [string, OurJobCounts] => [key, recentOurJobs.around(key)]);
  useSession.setState({
    // Parts that are as before stay the same objects, so that what shows them is not drawn again.
    counts: replaceEqualDeep(before, counts),
    ...(around.length > 0 && { ourJobsAtHealth: { ...ourJobsAtHealth, ...Object.fromEntries(around) } }),
  });
}

/** The counts of the current connection, or of all jobs if there is none. Null until they are counted. */
export function useJobCounts(): JobCounts | null {
  const counts = useSession(jobCounts);
  const connectionId = useSession((state) => currentConnection(state)?.id ?? null);
  const pending = usePendingDeletions();
  const startOfTodayMs = startOfDay(useNow(60_000));
  return useMemo(() => {
    const deleted = [...pending.values()].filter((job) => connectionId === null || job.connectionId === connectionId);
    return counts === null ? null : withoutJobs(counts, deleted, startOfTodayMs);
  }, [counts, connectionId, pending, startOfTodayMs]);
}

function jobCounts(state: Pick<SessionState, 'connections' | 'settings' | 'counts'>): JobCounts | null {
  return state.counts === null ? null : countsOf(state.counts, currentConnection(state)?.id ?? null);
}

async function refreshRunTimes(): Promise<void> {
  const connectionId = currentConnection(useSession.getState())?.id;
  if (connectionId === undefined) return;
  const times = orReport(await call('job:runTimes', { connectionId }));
  // Another connection may have been chosen meanwhile.
  if (times.ok && currentConnection(useSession.getState())?.id === connectionId)
    useSession.setState({
      runTimes: Object.fromEntries(
        times.value.map((one) => [endpointKey({ connectionId, endpointId: one.endpointId }), one]),
      ),
      runTimesOf: connectionId,
    });
}

const refreshRunTimesSoon = createThrottle(5_000, () => void refreshRunTimes());

/** Shows other settings or connections. If another connection is the current one then, what belongs to it is read. */
export function showChanged(changed: Pick<SessionState, 'settings'> | Pick<SessionState, 'connections'>): void {
  const before = currentConnection(useSession.getState())?.id;
  useSession.setState(changed);
  if (currentConnection(useSession.getState())?.id !== before) void loadOfConnection();
}

/** Dismisses a notice for good. It is shown again if that fails. */
export async function dismissNotice(notice: Notice): Promise<void> {
  dropNotice(notice);
  const dismissed = orReport(await call('notice:dismiss', { id: notice.id, atMs: notice.atMs }));
  if (!dismissed.ok) takeNotice(notice);
}

function takeNotice(notice: Notice): void {
  useSession.setState(({ notices }) => ({ notices: mergeNotices(notices, [notice]) }));
}

function dropNotice({ id }: { id: string }): void {
  useSession.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
}

function takeHealth(health: Health): void {
  const key = endpointKey(health);
  const around = recentOurJobs.healthRead(key, engineNow());
  useSession.setState((state) => {
    const samples = state.trends[key]?.samples ?? [];
    const sample = {
      atMs: health.atMs,
      inQueue: health.jobs.inQueue,
      inProgress: health.jobs.inProgress,
      running: health.workers.running,
      idle: health.workers.idle,
    };
    return {
      health: { ...state.health, [key]: health },
      ourJobsAtHealth: { ...state.ourJobsAtHealth, [key]: around },
      trends: {
        ...state.trends,
        [key]: {
          endpointId: health.endpointId,
          connectionId: health.connectionId,
          samples: [...samples, sample].slice(-trendLength),
        },
      },
    };
  });
}

/**
 * Starts listening to all but the settings (`listenToSettings`). main.tsx calls it once, before `load`, so that no
 * event in between is missed.
 */
export function listenToEngine(): void {
  on('connection:changed', ({ connections }) => showChanged({ connections }));
  on('app:preparing', ({ preparation }) => useSession.setState({ preparation }));
  on('keys:changed', (keyStorage) => useSession.setState({ keyStorage }));
  on('tracker:changed', (tracker) => useSession.setState(trackerAsOf(tracker)));
  onClockJump(() => {
    void call('tracker:state', undefined).then((tracker) => {
      if (tracker.ok) useSession.setState(trackerAsOf(tracker.value));
    });
  });
  on('sandbox:changed', (sandbox) => useSession.setState({ sandbox }));
  on('webhook:changed', (webhook) => useSession.setState({ webhook }));
  on('notice:added', takeNotice);
  on('notice:removed', dropNotice);
  on('health:changed', ({ health }) => takeHealth(health));
  on('window:changed', ({ isMaximized }) => useSession.setState({ windowIsMaximized: isMaximized }));
  on('job:changed', ({ jobs }) => {
    if (jobs.some((job) => job.phase === 'finished')) refreshRunTimesSoon();
  });
}

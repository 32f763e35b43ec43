import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { create } from 'zustand';
import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { pointOf, type Health, type HealthPoint, type JobTimings } from '../../src-preload/health.ts';
import { call } from '../bridge.ts';
import { useCall } from '../data/calls.ts';
import { useNow } from '../data/use-now.ts';
import { healthStateText } from '../messages/health/pane.ts';
import type { OurJobs } from './our-jobs.ts';
import { firstRange, neededSinceMs, rangeOf, type RangeId } from './range.ts';
import { withPoints } from './runs.ts';
import { engineNow } from '../data/engine-time.ts';

/** What a window shows: one endpoint, or all of a connection. */
export interface HealthSubject {
  connectionId: string;
  endpointId: string | null;
}

/** What the window shows of endpoints' health. Records are keyed by endpoint id. */
interface HealthState {
  subject: HealthSubject | null;
  rangeId: RangeId;
  /** The user chose the range. Until then it depends on the readings. */
  isRangeChosen: boolean;
  /** `first`: there is no answer for this subject yet. */
  status: 'first' | 'ready' | 'failed';
  failure: Failure | null;
  points: Readonly<Record<string, HealthPoint[]>>;
  latest: Readonly<Record<string, Health>>;
  /** Our live jobs on the one endpoint. */
  ourJobs: OurJobs;
  /** Why the last action in the pane failed. */
  problem: string | null;
  isReading: boolean;
  /** Why the last read of an endpoint failed, by endpoint id. A reading removes it. */
  readFailures: Readonly<Record<string, string>>;
  setRange: (rangeId: RangeId) => void;
  dismissProblem: () => void;
}

/** Nothing is known of the subject yet. */
const emptyHealth = {
  status: 'first',
  failure: null,
  points: {},
  latest: {},
  ourJobs: {},
  problem: null,
  isReading: false,
  readFailures: {},
} as const satisfies Partial<HealthState>;

export const useHealth = create<HealthState>((set) => ({
  ...emptyHealth,
  subject: null,
  rangeId: '1h',
  isRangeChosen: false,
  setRange: (rangeId) => {
    set({ rangeId, isRangeChosen: true });
    void loadSeries();
  },
  dismissProblem: () => set({ problem: null }),
}));

const noPoints: HealthPoint[] = [];

/** The points of an endpoint. Returns the same array until they change. */
export function usePoints(endpointId: string): HealthPoint[] {
  return useHealth((state) => state.points[endpointId] ?? noPoints);
}

/**
 * Changes to another subject and drops the data of the former one. From all endpoints to one of them, what is known of
 * that one stays.
 */
export function showSubject(subject: HealthSubject): void {
  const { subject: before, isRangeChosen } = useHealth.getState();
  const isSame = before?.connectionId === subject.connectionId && before.endpointId === subject.endpointId;
  const known = isSame ? null : knownOf(subject);
  useHealth.setState(
    isSame
      ? {}
      : (known ?? {
          ...(isRangeChosen ? {} : { rangeId: '1h' as const }),
          ...emptyHealth,
          subject,
        }),
  );
  void loadAll();
}

/** What is known of an endpoint from all endpoints of its connection, if these are shown. */
function knownOf(subject: HealthSubject): Partial<HealthState> | null {
  const { subject: before, status, points, latest } = useHealth.getState();
  const { connectionId, endpointId } = subject;
  if (status !== 'ready' || endpointId === null || before?.connectionId !== connectionId) return null;
  const own = points[endpointId];
  const health = latest[endpointId];
  if (before.endpointId !== null || own === undefined) return null;
  return {
    subject,
    points: { [endpointId]: own },
    latest: health === undefined ? {} : { [endpointId]: health },
    ourJobs: {},
    problem: null,
    isReading: false,
    readFailures: {},
  };
}

/** Loads everything the subject shows. A failure is shown instead of the data. */
export async function loadAll(): Promise<void> {
  await Promise.all([loadSeries(), loadLatest()]);
}

function isCurrent(subject: HealthSubject): boolean {
  return useHealth.getState().subject === subject;
}

/** Loads the saved points of the range. */
export async function loadSeries(): Promise<void> {
  const { subject, rangeId } = useHealth.getState();
  if (subject === null) return;
  const result = await call('health:series', { ...subject, sinceMs: neededSinceMs(rangeOf(rangeId), engineNow()) });
  const now = useHealth.getState();
  if (!isCurrent(subject) || now.rangeId !== rangeId) return;
  if (!result.ok) {
    useHealth.setState({ status: 'failed', failure: result.failure });
    return;
  }
  const points = Object.fromEntries(result.value.map((one) => [one.endpointId, one.points]));
  if (now.status === 'first' && !now.isRangeChosen)
    useHealth.setState({ rangeId: firstRange(Object.values(points), engineNow()) });
  // Readings that came in the meantime are not in the answer.
  for (const [endpointId, health] of Object.entries(now.latest))
    points[endpointId] = withPoints(points[endpointId] ?? [], [pointOf(health)], 0);
  useHealth.setState({ status: 'ready', failure: null, points });
}

/** How long saved jobs of the range waited and ran, for each endpoint on screen and for all together. */
export function useTimings(subject: HealthSubject): UseQueryResult<JobTimings[], Failure> {
  const rangeId = useHealth((state) => state.rangeId);
  // The range moves every minute. Jobs that end in between come as events.
  const nowMs = useNow(60_000);
  return useCall(
    'health:timings',
    { ...subject, sinceMs: Math.max(0, nowMs - rangeOf(rangeId).spanMs) },
    { placeholder: (former) => former },
  );
}

/** The diagnoses of a connection's endpoints, by endpoint id. Empty before they are read. */
export function useDiagnoses(connectionId: string): Readonly<Record<string, EndpointDiagnosis>> {
  const { data } = useReadDiagnoses(connectionId);
  return useMemo(() => Object.fromEntries((data ?? []).map((one) => [one.endpointId, one])), [data]);
}

/** The diagnosis of an endpoint. Null: there is none; undefined: it is not read yet. */
export function useDiagnosis(connectionId: string, endpointId: string): EndpointDiagnosis | null | undefined {
  const { data, error } = useReadDiagnoses(connectionId);
  if (data === undefined && error === null) return undefined;
  return data?.find((one) => one.endpointId === endpointId) ?? null;
}

function useReadDiagnoses(connectionId: string): UseQueryResult<EndpointDiagnosis[], Failure> {
  return useCall('health:diagnoses', { connectionId }, { isKeptByEvents: true, isFailureToast: true });
}

async function loadLatest(): Promise<void> {
  const { subject } = useHealth.getState();
  if (subject === null) return;
  const result = await call('health:latest', { connectionId: subject.connectionId });
  if (!isCurrent(subject)) return;
  if (!result.ok) {
    useHealth.setState({ problem: result.failure.message });
    return;
  }
  takeReadings(result.value.health);
  for (const { endpointId, message } of result.value.failures)
    if (subject.endpointId === null || subject.endpointId === endpointId) takeReadFailure(endpointId, message);
}

/**
 * Takes readings of the subject's endpoints: each becomes a point, and the newest is the current one. Readings of other
 * endpoints are ignored.
 */
export function takeReadings(readings: readonly Health[]): void {
  const { subject, latest, points, rangeId } = useHealth.getState();
  if (subject === null) return;
  const sinceMs = neededSinceMs(rangeOf(rangeId), engineNow());
  const nextLatest = { ...latest };
  const nextPoints = { ...points };
  let isChanged = false;
  for (const health of [...readings].sort((one, other) => one.atMs - other.atMs)) {
    const { connectionId, endpointId } = health;
    if (connectionId !== subject.connectionId || (subject.endpointId !== null && subject.endpointId !== endpointId))
      continue;
    if ((nextLatest[endpointId]?.atMs ?? 0) >= health.atMs) continue;
    nextLatest[endpointId] = health;
    nextPoints[endpointId] = withPoints(nextPoints[endpointId] ?? [], [pointOf(health)], sinceMs);
    isChanged = true;
  }
  if (!isChanged) return;
  const readFailures = Object.fromEntries(
    Object.entries(useHealth.getState().readFailures).filter(
      ([endpointId]) => nextLatest[endpointId] === latest[endpointId],
    ),
  );
  useHealth.setState({ latest: nextLatest, points: nextPoints, readFailures });
}

/** Notes that an endpoint of the subject could not be read, and why. */
export function takeReadFailure(endpointId: string, message: string): void {
  useHealth.setState(({ readFailures }) => ({ readFailures: { ...readFailures, [endpointId]: message } }));
}

/** Reads the health of the connection's endpoints now. The pane shows why that failed, or that nothing was read. */
export async function readNow(): Promise<void> {
  const { subject, latest: before } = useHealth.getState();
  if (subject === null) return;
  useHealth.setState({ isReading: true, problem: null });
  const result = await call('health:refresh', { connectionId: subject.connectionId });
  const now = result.ok ? await call('health:latest', { connectionId: subject.connectionId }) : result;
  if (!isCurrent(subject)) return;
  useHealth.setState({ isReading: false, ...(now.ok ? {} : { problem: now.failure.message }) });
  if (!now.ok) return;
  takeReadings(now.value.health);
  if (useHealth.getState().latest === before) useHealth.setState({ problem: healthStateText.nothingRead });
}

/** Hides an endpoint's diagnosis until then. Null shows it again. */
export async function mute(endpointId: string, untilMs: number | null): Promise<void> {
  const { subject } = useHealth.getState();
  if (subject === null) return;
  const result = await call('health:mute', { connectionId: subject.connectionId, endpointId, untilMs });
  if (!result.ok) useHealth.setState({ problem: result.failure.message });
}

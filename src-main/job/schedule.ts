import type { RunTimes } from '../../src-preload/history.ts';
import type { SubmitOperation } from '../../src-preload/job.ts';
import type { GovernedOperation, Lane, Room } from '../service/rate-governor.ts';
import { deadlineMarginMs, lookByMs, lookIntervalMs, oldIntervalMs, sweepIntervalMs } from './cadence.ts';
import { fewestErrors, likelyEndedAtMs } from './end-odds.ts';
import { isReliable, soughtEnds } from './health-gate.ts';
import type { HealthGate } from './health-gate.ts';
import { choose } from './suspects.ts';

/** A live job as the schedule sees it. */
export interface PlannedJob {
  key: string;
  /** Jobs of one group share their endpoint, and so its health: see `PlannedGroup`. */
  groupId: string;
  operation: SubmitOperation;
  /** One of many that were submitted together: in the outbox it lets jobs go first that someone submitted on their own. */
  isBatchRow: boolean;
  /**
   * `waiting`: in the outbox. `sending`: its one request is under way. `active`: on the service. `settling`: final
   * record saved, stream still to be drained.
   */
  stage: 'waiting' | 'sending' | 'active' | 'settling';
  acceptedAtMs: number;
  startedSeenAtMs: number | null;
  /** When the last status request that was answered left. */
  lookedAtMs: number | null;
  /** When it is forecast to end (see forecasts.ts); null while nothing tells. */
  endsAtMs: number | null;
  ttlEndsAtMs: number | null;
  retentionEndsAtMs: number | null;
  isWatched: boolean;
  /** Someone or something wants a look at once. */
  isLookWanted: boolean;
  /** No status request (or submission, while waiting) before this: back-off after a failure. Those behind it in the outbox wait as well. */
  notBeforeMs: number;
  /** Its stream is to be collected as soon as it runs, which only a look can tell. */
  isStreamAwaited: boolean;
  /** When its stream is to be read next; null: not now. */
  streamAtMs: number | null;
  /** When a cancel is to be sent; null: none is wanted. */
  cancelAtMs: number | null;
  /** A status request or submission is under way. */
  isBusy: boolean;
  isStreamBusy: boolean;
  isCancelBusy: boolean;
}

/** An endpoint of a connection at one base URL, with what its health told. */
export interface PlannedGroup {
  id: string;
  connectionId: string;
  endpointId: string;
  gate: HealthGate;
  isHealthBusy: boolean;
  runTimes: RunTimes | null;
  /** By how much its last ends were later than forecast, ascending; too few to go by at first (see end-odds.ts). */
  errorsMs: readonly number[];
}

/** What stands between us and a connection. `closed` waits for its user, `offline` is tried with one request at a time. */
export type Gateway = { kind: 'open' } | { kind: 'closed' } | { kind: 'offline'; probeAtMs: number; isProbing: boolean };

export interface ScheduleInput {
  nowMs: number;
  isPaused: boolean;
  isWindowVisible: boolean;
  /** The machine runs on its battery: what nobody watches is looked at half as often. */
  isOnBattery: boolean;
  jobs: readonly PlannedJob[];
  groups: ReadonlyMap<string, PlannedGroup>;
  gateway: (connectionId: string) => Gateway;
  room: (lane: Lane) => Room;
  /** How many more requests may be under way in all. */
  freeSlots: number;
}

export type PlannedRequest =
  | { kind: 'submit' | 'status' | 'stream' | 'cancel'; key: string }
  | { kind: 'health'; groupId: string };

export interface Plan {
  requests: PlannedRequest[];
  /** When planning again can matter; null when only an answer or the user can change anything. */
  wakeAtMs: number | null;
  /** When the next request is expected to leave, for the status bar; null when nothing is active. */
  nextRequestAtMs: number | null;
  /** Groups whose jobs were all looked at since a moment after their counters moved (see `allLookedAt`). */
  lookedThrough: { groupId: string; sinceMs: number }[];
}

/** This many jobs of an endpoint are polled one by one; more are asked about with one health call (ruling 20: one a second at most). */
const mostWithoutHealth = 3;
/** A look that has to leave within this goes before all others; one that is too late already may wait for those. */
const urgentMs = 15_000;
/** Whoever has been due for so long stands in line with those on view, first come first served. */
const longOverdueMs = 15_000;
/** Jobs that are asked about one by one: their endpoint's health is read once they waited so long, and so often while they do. */
const whyItWaits = { afterMs: 30_000, everyMs: 60_000 };
const healthIntervalMs = { least: 1_000, most: 3_000 };
/** So many of our ends may be waiting to be noticed before the counters are worth another call. */
const endsUnseen = 0.5;
/** A job that is polled by itself is looked at when its odds to have ended reach this; the second when there is no hurry. */
const likelyOdds = { near: 0.6, far: 0.85 };

interface Candidate {
  request: PlannedRequest;
  lane: Lane;
  dueAtMs: number;
  /** Lower goes first: 0 a result about to leave the service, 1 asked for, watched or long overdue, 2 the rest. */
  rank: number;
  /** Within a rank, lower goes first. */
  order: number;
}

/**
 * What to send now and when to think again. Pure. Results closest to leaving the service go first, then what someone
 * waits for, then whatever has waited longest; each within the budget of its endpoint and operation. An endpoint with
 * many jobs costs one health call a tick, and status calls only when its finished counters moved, besides a slow
 * sweep. Nothing is planned while paused, and nothing wakes when nothing is active.
 */
export function schedule(input: ScheduleInput): Plan {
  if (input.isPaused || input.jobs.length === 0) return { requests: [], wakeAtMs: null, nextRequestAtMs: null, lookedThrough: [] };
  const byGroup = Map.groupBy(input.jobs, (job) => job.groupId);
  const turns = outboxTurns(input);
  const candidates: Candidate[] = [];
  let laterAtMs = Infinity;
  const lookedThrough: Plan['lookedThrough'] = [];
  const probes = new Map<string, PlannedJob[]>();
  for (const [groupId, jobs] of byGroup) {
    const group = input.groups.get(groupId);
    if (group === undefined) continue;
    const gateway = input.gateway(group.connectionId);
    if (gateway.kind === 'open') {
      const wishes = wishesOf(group, jobs, turns, input);
      for (const wish of wishes.due) candidates.push(wish);
      laterAtMs = Math.min(laterAtMs, wishes.laterAtMs);
      if (wishes.lookedSinceMs !== null) lookedThrough.push({ groupId, sinceMs: wishes.lookedSinceMs });
    }
    if (gateway.kind === 'offline') probes.set(group.connectionId, [...(probes.get(group.connectionId) ?? []), ...jobs]);
  }
  for (const [connectionId, jobs] of probes) {
    const probe = probeOf(input.gateway(connectionId), jobs, input);
    if (probe !== null) candidates.push(probe);
  }
  return { ...fit(candidates, laterAtMs, input), lookedThrough };
}

/**
 * When each job of the outbox may be sent, by key: no earlier than those before it on its lane, whatever their own
 * back-off says, so that an outage does not shuffle them. Jobs of a lane can be of several groups, when the
 * connection's address was changed meanwhile.
 */
function outboxTurns({ jobs, groups }: ScheduleInput): ReadonlyMap<string, number> {
  const turns = new Map<string, number>();
  const latest = new Map<string, number>();
  for (const job of jobs.filter(({ stage }) => stage === 'waiting').toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const group = groups.get(job.groupId);
    if (group === undefined) continue;
    // The rows of batches stand in a line of their own: one job's back-off is no reason to hold them.
    const lane = `${laneId(laneOf(group, job.operation))}\n${job.isBatchRow}`;
    const turn = Math.max(job.notBeforeMs, latest.get(lane) ?? 0);
    turns.set(job.key, turn);
    latest.set(lane, turn);
  }
  return turns;
}

/** What the jobs of an endpoint would send now, and when the next of the rest is due. Of ten thousand jobs hardly one is. */
interface Wishes {
  due: Candidate[];
  laterAtMs: number;
  /** Set when every job was looked at since counters moved: the earliest of those looks. */
  lookedSinceMs: number | null;
}

function wishesOf(group: PlannedGroup, jobs: readonly PlannedJob[], turns: ReadonlyMap<string, number>, input: ScheduleInput): Wishes {
  const { nowMs, isWindowVisible, isOnBattery } = input;
  const due: Candidate[] = [];
  let laterAtMs = Infinity;
  const wish = (kind: 'submit' | 'status' | 'stream' | 'cancel', operation: GovernedOperation, job: PlannedJob, dueAtMs: number, rank: number, order = dueAtMs): void => {
    if (dueAtMs > nowMs) laterAtMs = Math.min(laterAtMs, dueAtMs);
    else due.push({ request: { kind, key: job.key }, lane: laneOf(group, operation), dueAtMs, rank, order });
  };
  const isBehindHealth = (job: PlannedJob): boolean => job.stage === 'active' && !(job.isWatched && isWindowVisible);
  const behindHealth = jobs.filter(isBehindHealth);
  const isGated = behindHealth.length > mostWithoutHealth && isReliable(group.gate);
  const sought = isGated ? soughtEnds(group.gate, nowMs) : null;
  const suspects: PlannedJob[] = [];
  const suspectsBusy: PlannedJob[] = [];
  const sweepMs = sweepIntervalMs('run', behindHealth.length);
  const syncSweepMs = sweepIntervalMs('runsync', behindHealth.length);
  const isCalibrated = group.errorsMs.length >= fewestErrors;
  let oldestLookMs = Infinity;
  let healthEveryMs: number = healthIntervalMs.most;

  for (const job of jobs) {
    if (job.stage === 'sending') continue;
    if (job.stage === 'waiting') {
      if (!job.isBusy) wish('submit', job.operation, job, turns.get(job.key) ?? job.notBeforeMs, 1, Number(job.isBatchRow));
      continue;
    }
    if (job.cancelAtMs !== null && !job.isCancelBusy) wish('cancel', 'cancel', job, job.cancelAtMs, 1);
    // What is left of a finished job's stream leaves the service with its result.
    if (job.streamAtMs !== null && !job.isStreamBusy) wish('stream', 'stream', job, job.streamAtMs, job.stage === 'settling' ? 0 : 1);
    if (job.stage === 'settling') continue;

    const lookedAtMs = job.lookedAtMs ?? job.acceptedAtMs;
    const isGatedJob = isGated && isBehindHealth(job);
    const isSuspect = sought !== null && isGatedJob && lookedAtMs < sought.beforeMs;
    if (isGatedJob) oldestLookMs = Math.min(oldestLookMs, lookedAtMs);
    if (job.isBusy) {
      if (isSuspect) suspectsBusy.push(job);
      continue;
    }
    const likelyAt = (odds: number): number | null => (isCalibrated && job.endsAtMs !== null ? likelyEndedAtMs(group.errorsMs, job.endsAtMs, lookedAtMs, odds) : null);
    const lookBy = lookByMs(job);
    let dueAtMs: number;
    if (isGatedJob) {
      dueAtMs = lookedAtMs + (job.operation === 'run' ? sweepMs : syncSweepMs);
      healthEveryMs = Math.min(healthEveryMs, Math.max(healthIntervalMs.least, intervalOf(job, group, null, input)));
    } else {
      dueAtMs = lookedAtMs + intervalOf(job, group, job.isStreamAwaited ? null : likelyAt(isWindowVisible && !isOnBattery ? likelyOdds.near : likelyOdds.far), input);
    }
    if (job.isLookWanted) dueAtMs = nowMs;
    dueAtMs = Math.max(Math.min(dueAtMs, lookBy), job.notBeforeMs);
    const isUrgent = lookBy - nowMs <= urgentMs && nowMs - lookBy <= deadlineMarginMs;
    const rank = isUrgent ? 0 : job.isLookWanted || job.isWatched || dueAtMs < nowMs - longOverdueMs ? 1 : 2;
    if (isSuspect && dueAtMs > nowMs && job.notBeforeMs <= nowMs) {
      suspects.push(job);
      continue;
    }
    // Nearest deadline first; for jobs of one kind that is the one looked at longest ago.
    wish('status', 'status', job, isSuspect ? Math.min(dueAtMs, Math.max(nowMs, job.notBeforeMs)) : dueAtMs, rank, lookBy);
  }

  if (sought !== null && suspects.length > 0) {
    const choice = choose(suspects, suspectsBusy, sought, group.errorsMs, nowMs);
    const chosen = new Set(choice.now);
    for (const [index, job] of choice.now.entries()) wish('status', 'status', job, nowMs, 2, index);
    for (const job of suspects) {
      if (chosen.has(job)) continue;
      const lookedAtMs = job.lookedAtMs ?? job.acceptedAtMs;
      const sweepAtMs = lookedAtMs + (job.operation === 'run' ? sweepMs : syncSweepMs);
      wish('status', 'status', job, Math.min(sweepAtMs, lookByMs(job), Math.max(sought.sinceMs, lookedAtMs) + choice.restMs), 2, choice.now.length + lookedAtMs);
    }
  }

  const dueOfHealthMs = !isGated
    ? whyItWaitsDueAtMs(group, jobs, input)
    : isCalibrated ? countersDueAtMs(group, behindHealth, input) : group.gate.readAtMs === null ? nowMs : group.gate.readAtMs + healthEveryMs;
  if (dueOfHealthMs !== null && !group.isHealthBusy) {
    const dueAtMs = dueOfHealthMs;
    if (dueAtMs > nowMs) laterAtMs = Math.min(laterAtMs, dueAtMs);
    else due.push({ request: { kind: 'health', groupId: group.id }, lane: laneOf(group, 'health'), dueAtMs, rank: isGated ? 0 : 2, order: dueAtMs });
  }
  const isLookedThrough = sought !== null && oldestLookMs >= sought.sinceMs;
  return { due, laterAtMs, lookedSinceMs: isLookedThrough ? oldestLookMs : null };
}

/**
 * When a few jobs that wait long are worth a health call: it tells why they wait, to whoever diagnoses the endpoint. Null
 * where none was seen waiting.
 */
function whyItWaitsDueAtMs({ gate: { readAtMs } }: PlannedGroup, jobs: readonly PlannedJob[], { isWindowVisible, isOnBattery }: ScheduleInput): number | null {
  let waitsSinceMs = Infinity;
  for (const { stage, startedSeenAtMs, lookedAtMs, acceptedAtMs } of jobs) {
    if (stage === 'active' && startedSeenAtMs === null && lookedAtMs !== null) waitsSinceMs = Math.min(waitsSinceMs, acceptedAtMs);
  }
  if (waitsSinceMs === Infinity) return null;
  const everyMs = isWindowVisible && !isOnBattery ? whyItWaits.everyMs : whyItWaits.everyMs * 2;
  return Math.max(waitsSinceMs + whyItWaits.afterMs, readAtMs === null ? 0 : readAtMs + everyMs);
}

/** When an endpoint's counters are worth a call: not before some job of ours likely ended, but every 15 s all the same. */
function countersDueAtMs({ gate: { readAtMs }, errorsMs }: PlannedGroup, jobs: readonly PlannedJob[], { nowMs, isWindowVisible, isOnBattery }: ScheduleInput): number {
  if (readAtMs === null) return nowMs;
  const soonestMs = readAtMs + (isWindowVisible && !isOnBattery ? healthIntervalMs.least : healthIntervalMs.most);
  if (soonestMs > nowMs) return soonestMs;
  let likelyAtMs = readAtMs + oldIntervalMs;
  for (const { endsAtMs, lookedAtMs, acceptedAtMs } of jobs) {
    // Of one that nothing tells of, it can be any moment.
    if (endsAtMs === null) return soonestMs;
    likelyAtMs = Math.min(likelyAtMs, likelyEndedAtMs(errorsMs, endsAtMs, lookedAtMs ?? acceptedAtMs, endsUnseen / jobs.length));
  }
  return Math.max(soonestMs, likelyAtMs);
}

function intervalOf(job: PlannedJob, group: PlannedGroup, likelyAtMs: number | null, { nowMs, isWindowVisible, isOnBattery }: ScheduleInput): number {
  const { operation, isWatched, acceptedAtMs, startedSeenAtMs, lookedAtMs } = job;
  return lookIntervalMs({ operation, isWatched, isWindowVisible, isOnBattery, acceptedAtMs, startedSeenAtMs, lookedAtMs, runTimes: group.runTimes, likelyAtMs }, nowMs);
}

/**
 * The one request that finds out whether an unreachable connection is back: about the job nearest to its deadline
 * (ruling 11's results first), else the first submission of the outbox.
 */
function probeOf(gateway: Gateway, jobs: readonly PlannedJob[], input: ScheduleInput): Candidate | null {
  if (gateway.kind !== 'offline' || gateway.isProbing) return null;
  const idle = jobs.filter((job) => !job.isBusy && !job.isStreamBusy);
  const onService = idle.filter((job) => job.stage === 'active').toSorted((a, b) => lookByMs(a) - lookByMs(b))[0];
  const settling = idle.find((job) => job.stage === 'settling');
  // The outbox keeps its order: while its first is on its way, no later one is tried in its place.
  const head = jobs.filter((job) => job.stage === 'waiting' || (job.stage === 'sending' && job.operation === 'run')).toSorted((a, b) => Number(a.isBatchRow) - Number(b.isBatchRow) || (a.key < b.key ? -1 : 1))[0];
  const unsent = head?.stage === 'waiting' && !head.isBusy ? head : undefined;
  const job = onService ?? settling ?? unsent;
  const group = job === undefined ? undefined : input.groups.get(job.groupId);
  if (job === undefined || group === undefined) return null;
  const kind = job.stage === 'active' ? 'status' : job.stage === 'settling' ? 'stream' : 'submit';
  return { request: { kind, key: job.key }, lane: laneOf(group, kind === 'submit' ? job.operation : kind), dueAtMs: gateway.probeAtMs, rank: 0, order: 0 };
}

/** Takes what is due and fits the budgets. What is due but does not fit waits for its lane, never forgotten. */
function fit(candidates: readonly Candidate[], laterAtMs: number, input: ScheduleInput): Omit<Plan, 'lookedThrough'> {
  const { nowMs } = input;
  let wakeAtMs = laterAtMs;
  const due: Candidate[] = [];
  for (const candidate of candidates) {
    if (candidate.dueAtMs <= nowMs) due.push(candidate);
    else wakeAtMs = Math.min(wakeAtMs, candidate.dueAtMs);
  }
  let nextRequestAtMs = wakeAtMs;

  const lanes = new Map<string, { lane: Lane; room: Room; free: number; queue: Candidate[]; taken: number }>();
  for (const candidate of due) {
    const id = laneId(candidate.lane);
    let entry = lanes.get(id);
    if (entry === undefined) {
      const room = input.room(candidate.lane);
      entry = { lane: candidate.lane, room, free: room.free, queue: [], taken: 0 };
      lanes.set(id, entry);
    }
    entry.queue.push(candidate);
  }
  for (const entry of lanes.values()) {
    // The outbox keeps its order: keys ascend in time, and rows of batches come behind the rest.
    entry.queue.sort((a, b) => a.rank - b.rank || a.order - b.order || compareKeys(a, b));
    if (entry.free > 0) continue;
    nextRequestAtMs = Math.min(nextRequestAtMs, entry.room.nextAtMs ?? nowMs);
    if (entry.room.nextAtMs !== null) wakeAtMs = Math.min(wakeAtMs, entry.room.nextAtMs);
  }

  // Round by round, so that an endpoint with thousands of due jobs does not hold up the others.
  const requests: PlannedRequest[] = [];
  let open = [...lanes.values()].filter((entry) => entry.free > 0).toSorted((a, b) => (a.queue[0]?.rank ?? 0) - (b.queue[0]?.rank ?? 0));
  while (open.length > 0 && requests.length < input.freeSlots) {
    for (const entry of open) {
      const next = entry.queue[entry.taken];
      if (next === undefined || requests.length >= input.freeSlots) continue;
      requests.push(next.request);
      entry.taken += 1;
    }
    open = open.filter((entry) => entry.taken < Math.min(entry.free, entry.queue.length));
  }
  if (requests.length > 0) nextRequestAtMs = nowMs;
  return {
    requests,
    wakeAtMs: wakeAtMs === Infinity ? null : Math.max(wakeAtMs, nowMs),
    nextRequestAtMs: nextRequestAtMs === Infinity ? null : Math.ceil(nextRequestAtMs),
  };
}

function laneOf(group: PlannedGroup, operation: GovernedOperation): Lane {
  return { connectionId: group.connectionId, endpointId: group.endpointId, operation };
}

function laneId(lane: Lane): string {
  return `${lane.connectionId}\n${lane.endpointId}\n${lane.operation}`;
}

function compareKeys(a: Candidate, b: Candidate): number {
  const left = 'key' in a.request ? a.request.key : '';
  const right = 'key' in b.request ? b.request.key : '';
  return left < right ? -1 : left > right ? 1 : 0;
}

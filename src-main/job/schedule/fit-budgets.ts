import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import type { Room } from '../../service/rate-governor.ts';
import { deadlineMarginMs, tryAgainAtMs } from './read-deadlines.ts';
import type { PlannedClosure, Plan, PlannedRequest, ScheduleInput, PlannedEndpoint, PlannedJob } from './plan.ts';
import { laneId, type RequestCandidate } from './request-candidate.ts';

/** The due requests of one endpoint and operation, and how many of them may be sent. */
interface Line {
  room: Room;
  queue: RequestCandidate[];
  chosen: number;
  /** When its connection, which does not answer, was last tried. Null: it answers. */
  triedAtMs: number | null;
  /** Slots that the lines of one endpoint share, and those of all connections that do not answer. */
  slots: readonly Slots[];
}

interface Slots {
  free: number;
}

type BudgetInput = Pick<
  ScheduleInput,
  'nowMs' | 'room' | 'closure' | 'access' | 'triedAtMs' | 'freeSlots' | 'jobs' | 'endpointStates'
>;

/**
 * Takes what fits the budgets. Due requests that do not fit wait for their lane or for a slot and are not lost.
 * `laterAtMs`: when the first of the others is due, or Infinity; `nextAtMs`: the same for what is shown to the user.
 */
export function fitBudgets(
  candidates: readonly RequestCandidate[],
  laterAtMs: number,
  input: BudgetInput,
  nextAtMs = laterAtMs,
): Omit<Plan, 'readThrough'> {
  const { nowMs, freeSlots } = input;
  let wakeAtMs = laterAtMs;
  let nextRequestAtMs = nextAtMs;
  const lines = linesOf(candidates, input);
  for (const {
    room: { free, nextAtMs: roomAtMs },
  } of lines) {
    if (free > 0) continue;
    nextRequestAtMs = Math.min(nextRequestAtMs, roomAtMs ?? nowMs);
    if (roomAtMs !== null) wakeAtMs = Math.min(wakeAtMs, roomAtMs);
  }
  const requests = chooseInTurn(lines, freeSlots);
  if (requests.length > 0) nextRequestAtMs = nowMs;
  return {
    requests,
    wakeAtMs: wakeAtMs === Infinity ? null : Math.max(wakeAtMs, nowMs),
    nextRequestAtMs: nextRequestAtMs === Infinity ? null : Math.ceil(nextRequestAtMs),
  };
}

function linesOf(
  candidates: readonly RequestCandidate[],
  { nowMs, room, closure, access, triedAtMs, freeSlots, jobs, endpointStates }: BudgetInput,
): Line[] {
  const held = slotsHeld(jobs, endpointStates);
  const silent: Slots = { free: slotsFor(heldBySilent(held, endpointStates, triedAtMs), freeSlots) };
  const slots = new Map<string, Slots>();
  const lines = new Map<string, Line>();
  for (const candidate of candidates) {
    const id = laneId(candidate.lane);
    let line = lines.get(id);
    if (line === undefined) {
      const endpoint = endpointKey(candidate.lane);
      const own = slots.get(endpoint) ?? { free: slotsFor(held.get(endpoint) ?? 0, freeSlots) };
      slots.set(endpoint, own);
      const lastTryMs = triedAtMs(candidate.lane.connectionId);
      line = {
        room: room(candidate.lane),
        queue: [],
        chosen: 0,
        triedAtMs: lastTryMs,
        slots: lastTryMs === null ? [own] : [own, silent],
      };
      lines.set(id, line);
    }
    line.queue.push(candidate);
  }
  // The outbox keeps its order: keys ascend in time, and rows of batches come after the others.
  for (const { queue } of lines.values())
    queue.sort((a, b) => a.rank - b.rank || a.order - b.order || compareKeys(a, b));
  for (const line of lines.values()) {
    const [first] = line.queue;
    // The probe of a whole connection is also the try of its operation.
    if (first === undefined || access(first.lane.connectionId).kind !== 'open') continue;
    const closed = closure(first.lane);
    if (closed !== null) line.room = behindClosure(closed, line, nowMs);
  }
  return [...lines.values()].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.triedAtMs ?? -Infinity) - (b.triedAtMs ?? -Infinity),
  );
}

/**
 * How urgent the next request of a line is. The first one to a connection that does not answer is a try of it, whatever
 * it is about, so those that were not tried for the longest time come first.
 */
function rankOf({ queue, chosen, triedAtMs }: Line): number {
  return triedAtMs !== null && chosen === 0 ? 0 : (queue[chosen]?.rank ?? 0);
}

/** A refused operation is tried with one request at a time (ruling 35), early enough for what expires soon. */
function behindClosure(closure: PlannedClosure, { room, queue }: Line, nowMs: number): Room {
  // An answer, or an accepted read, wakes what waits for it.
  if (closure.isTrying || closure.isWaitingForRead) return { free: 0, nextAtMs: null };
  const leavesAtMs = queue.reduce(
    (min, candidate) => (nowMs < candidate.leavesAtMs + deadlineMarginMs ? Math.min(min, candidate.leavesAtMs) : min),
    Infinity,
  );
  const tryAtMs = tryAgainAtMs(closure, leavesAtMs, nowMs);
  return tryAtMs <= nowMs
    ? { ...room, free: Math.min(1, room.free) }
    : { free: 0, nextAtMs: Math.max(tryAtMs, room.nextAtMs ?? 0) };
}

/**
 * Chooses first what expires soon, then the rest. Each in rounds, so that an endpoint with thousands of due jobs does
 * not block the others.
 */
function chooseInTurn(lines: readonly Line[], freeSlots: number): PlannedRequest[] {
  const requests: PlannedRequest[] = [];
  for (const lastRank of [0, Infinity]) {
    let hasChosen = true;
    while (hasChosen) {
      hasChosen = false;
      for (const line of lines) {
        const next = line.queue[line.chosen];
        if (
          next === undefined ||
          rankOf(line) > lastRank ||
          line.chosen >= line.room.free ||
          line.slots.some(({ free }) => free <= 0) ||
          requests.length >= freeSlots
        )
          continue;
        requests.push(next.request);
        line.chosen += 1;
        for (const slots of line.slots) slots.free -= 1;
        hasChosen = true;
      }
    }
  }
  return requests;
}

function compareKeys(a: RequestCandidate, b: RequestCandidate): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

function keyOf({ request }: RequestCandidate): string {
  return 'key' in request ? request.key : '';
}

/**
 * An endpoint may use at most this share of the free slots and its own: if it does not answer, it holds each for half a
 * minute, and others have results that expire sooner. So may all connections together that do not answer: with hundreds
 * of them, those that answer would get none (docs/decisions/133).
 */
const maxOfSlots = 3 / 4;

/** Requests in progress by endpoint. A runsync is open for as long as it waits and takes no slot. */
export function slotsHeld(
  jobs: readonly PlannedJob[],
  endpointStates: ReadonlyMap<string, PlannedEndpoint>,
): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  const add = (endpoint: PlannedEndpoint | undefined, count: number): void => {
    if (endpoint !== undefined && count > 0)
      held.set(endpointKey(endpoint), (held.get(endpointKey(endpoint)) ?? 0) + count);
  };
  for (const job of jobs) {
    const isWaitingRunsync = job.operation === 'runsync' && (job.stage === 'waiting' || job.stage === 'sending');
    const count = Number(job.isBusy && !isWaitingRunsync) + job.streamReads + Number(job.isCancelBusy);
    add(endpointStates.get(job.addressKey), count);
  }
  for (const endpoint of endpointStates.values()) add(endpoint, Number(endpoint.isHealthBusy));
  return held;
}

/**
 * How many more requests may be in progress, of `all` together. Those to connections that do not answer count as three
 * quarters at most: health is also read in the background, without a slot of the plan.
 */
export function freeSlots(
  all: number,
  inFlight: ReadonlyMap<string, number>,
  triedAtMs: BudgetInput['triedAtMs'],
): number {
  let silent = 0;
  let answering = 0;
  for (const [connectionId, count] of inFlight) {
    if (triedAtMs(connectionId) === null) answering += count;
    else silent += count;
  }
  return Math.max(0, all - answering - Math.min(silent, slotsFor(0, all)));
}

/** Requests in progress to connections that do not answer. */
function heldBySilent(
  held: ReadonlyMap<string, number>,
  endpointStates: ReadonlyMap<string, PlannedEndpoint>,
  triedAtMs: BudgetInput['triedAtMs'],
): number {
  const silent = new Set(
    [...endpointStates.values()].filter((endpoint) => triedAtMs(endpoint.connectionId) !== null).map(endpointKey),
  );
  return [...held].reduce((sum, [endpoint, count]) => sum + (silent.has(endpoint) ? count : 0), 0);
}

/** How many of the free slots an endpoint may take that uses `held` already. At least one if it uses none. */
export function slotsFor(held: number, freeSlots: number): number {
  const max = Math.floor((freeSlots + held) * maxOfSlots) - held;
  return Math.max(held === 0 ? 1 : 0, max);
}

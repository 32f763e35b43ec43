import { describe, expect, it } from 'vitest';
import { fitBudgets } from '../../../../src-main/job/schedule/fit-budgets.ts';
import type {
  PlannedClosure,
  ConnectionAccess,
  Plan,
  PlannedEndpoint,
  PlannedJob,
} from '../../../../src-main/job/schedule/plan.ts';
import type { RequestCandidate } from '../../../../src-main/job/schedule/request-candidate.ts';
import type { QueueOperation } from '../../../../src-main/service/reply.ts';
import type { Lane, Room } from '../../../../src-main/service/rate-governor.ts';
import { anEndpoint, aPlannedJob } from './schedule-world.ts';

const nowMs = 100_000;

interface CandidateParts {
  operation?: QueueOperation;
  endpointId?: string;
  rank?: number;
  order?: number;
  leavesAtMs?: number;
}

function candidate(
  key: string,
  { operation = 'status', endpointId = 'a', rank = 2, order = 0, leavesAtMs = Infinity }: CandidateParts = {},
): RequestCandidate {
  const request =
    operation === 'stream' || operation === 'cancel' || operation === 'status'
      ? { kind: operation, key }
      : { kind: 'submit' as const, key };
  return { request, lane: { connectionId: 'main', endpointId, operation }, dueAtMs: nowMs, rank, order, leavesAtMs };
}

function healthCandidate(endpointId: string): RequestCandidate {
  return {
    request: { kind: 'health', addressKey: endpointId },
    lane: { connectionId: 'main', endpointId, operation: 'health' },
    dueAtMs: nowMs,
    rank: 1,
    order: 0,
    leavesAtMs: Infinity,
  };
}

interface World {
  laterAtMs?: number;
  room?: (lane: Lane) => Room;
  closure?: (lane: Lane) => PlannedClosure | null;
  access?: ConnectionAccess;
  triedAtMs?: (connectionId: string) => number | null;
  freeSlots?: number;
  jobs?: PlannedJob[];
  endpoints?: PlannedEndpoint[];
}

function fit(candidates: RequestCandidate[], world: World = {}): Omit<Plan, 'readThrough'> {
  return fitBudgets(candidates, world.laterAtMs ?? Infinity, {
    nowMs,
    room: world.room ?? (() => ({ free: 100, nextAtMs: null })),
    closure: world.closure ?? (() => null),
    access: () => world.access ?? { kind: 'open' },
    triedAtMs: world.triedAtMs ?? (() => null),
    freeSlots: world.freeSlots ?? 1_000,
    jobs: world.jobs ?? [],
    endpointStates: new Map(
      (world.endpoints ?? ['a', 'b', 'c'].map((id) => anEndpoint(id))).map((one) => [one.id, one]),
    ),
  });
}

const keys = ({ requests }: Pick<Plan, 'requests'>): string[] =>
  requests.map((request) => ('key' in request ? request.key : `health of ${request.addressKey}`));

describe('the wake time', () => {
  it('is when something is due, and never if nothing will be', () => {
    expect(fit([])).toEqual({ requests: [], wakeAtMs: null, nextRequestAtMs: null });
    expect(fit([], { laterAtMs: 105_000.4 })).toEqual({ requests: [], wakeAtMs: 105_000.4, nextRequestAtMs: 105_001 });
    expect(fit([candidate('x')], { laterAtMs: 105_000 })).toEqual({
      requests: [{ kind: 'status', key: 'x' }],
      wakeAtMs: 105_000,
      nextRequestAtMs: nowMs,
    });
    expect(fit([], { laterAtMs: 90_000 }).wakeAtMs).toBe(nowMs);
  });

  it('is when the first full lane has room again, if that time is known', () => {
    const room = (lane: Lane): Room => ({ free: 0, nextAtMs: lane.endpointId === 'a' ? 103_000 : 102_000 });
    expect(fit([candidate('x'), candidate('y', { endpointId: 'b' })], { room, laterAtMs: 105_000 })).toEqual({
      requests: [],
      wakeAtMs: 102_000,
      nextRequestAtMs: 102_000,
    });
  });

  it('is not set by a lane that waits for its requests in progress: the next may leave any moment', () => {
    expect(fit([candidate('x')], { room: () => ({ free: 0, nextAtMs: null }), laterAtMs: 105_000 })).toEqual({
      requests: [],
      wakeAtMs: 105_000,
      nextRequestAtMs: nowMs,
    });
  });

  it('is not earlier because of a lane that has room', () => {
    expect(fit([candidate('x')], { room: () => ({ free: 1, nextAtMs: 101_000 }) })).toEqual({
      requests: [{ kind: 'status', key: 'x' }],
      wakeAtMs: null,
      nextRequestAtMs: nowMs,
    });
  });
});

describe('the order on one lane', () => {
  it('is by rank, then by order, then by key', () => {
    const candidates = [
      candidate('e', { order: 5 }),
      candidate('d', { rank: 1, order: 9 }),
      candidate('c', { order: 4 }),
      candidate('b', { order: 4 }),
      candidate('a', { order: 7 }),
      candidate('f', { rank: 0, order: 99 }),
    ];
    expect(keys(fit(candidates))).toEqual(['f', 'd', 'b', 'c', 'e', 'a']);
    expect(keys(fit(candidates.toReversed(), { room: () => ({ free: 3, nextAtMs: null }) }))).toEqual(['f', 'd', 'b']);
  });
});

describe('requests that leave together', () => {
  it('alternate between endpoints', () => {
    const candidates = [
      ...['a1', 'a2', 'a3'].map((key) => candidate(key)),
      candidate('b1', { endpointId: 'b' }),
      candidate('c1', { endpointId: 'c' }),
      candidate('c2', { endpointId: 'c' }),
    ];
    expect(keys(fit(candidates))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect(keys(fit(candidates, { freeSlots: 4 }))).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('begin with the endpoint of the most urgent, and include all about to expire on the service first', () => {
    const candidates = [
      candidate('a1', { rank: 2 }),
      candidate('b1', { endpointId: 'b', rank: 1 }),
      candidate('c1', { endpointId: 'c', rank: 0 }),
      candidate('c2', { endpointId: 'c', rank: 0, order: 1 }),
      candidate('c3', { endpointId: 'c', rank: 1 }),
    ];
    expect(keys(fit(candidates))).toEqual(['c1', 'c2', 'c3', 'b1', 'a1']);
  });

  it('are counted by lane: a full operation holds up no other', () => {
    const candidates = [
      candidate('s1'),
      candidate('s2'),
      candidate('x', { operation: 'stream' }),
      healthCandidate('a'),
    ];
    const room = ({ operation }: Lane): Room => ({ free: operation === 'status' ? 1 : 10, nextAtMs: null });
    expect(new Set(keys(fit(candidates, { room })))).toEqual(new Set(['s1', 'x', 'health of a']));
  });

  it('leave a quarter of the slots to other endpoints, counted over all operations of one', () => {
    const candidates = [
      ...Array.from({ length: 8 }, (_, index) => candidate(`s${index}`)),
      ...Array.from({ length: 8 }, (_, index) => candidate(`t${index}`, { operation: 'stream' })),
    ];
    expect(fit(candidates, { freeSlots: 8 }).requests).toHaveLength(6);
    expect(
      fit([...candidates, candidate('b1', { endpointId: 'b' }), candidate('b2', { endpointId: 'b' })], { freeSlots: 8 })
        .requests,
    ).toHaveLength(8);
    const busy = Array.from({ length: 6 }, (_, index) => aPlannedJob({ key: `busy-${index}`, isBusy: true }));
    expect(fit(candidates, { freeSlots: 2, jobs: busy }).requests).toEqual([]);
  });
});

describe('connections that do not answer', () => {
  const of = (connectionId: string, key: string, rank: number): RequestCandidate => {
    const { lane, ...rest } = candidate(key, { rank, endpointId: connectionId });
    return { ...rest, lane: { ...lane, connectionId } };
  };
  const probes = Array.from({ length: 300 }, (_, at) => of(`silent-${at}`, `probe-${at}`, 0));
  const isSilent = (connectionId: string): boolean => connectionId.startsWith('silent');
  const triedAtMs = (connectionId: string): number | null => (isSilent(connectionId) ? nowMs - 20_000 : null);

  it('leave a quarter of the slots to those that answer, however many there are', () => {
    const answering = ['r1', 'r2', 'r3'].map((key) => of('main', key, 2));
    const together = keys(fit([...probes, ...answering], { freeSlots: 64, triedAtMs }));
    expect(together).toHaveLength(51);
    expect(together).toEqual(expect.arrayContaining(['r1', 'r2', 'r3']));
    const hanging = Array.from({ length: 48 }, (_, at) =>
      aPlannedJob({ key: `hangs-${at}`, addressKey: `silent-${at}`, isBusy: true }),
    );
    const endpoints = hanging.map(({ addressKey: id }) => anEndpoint(id, { connectionId: id }));
    const later = fit([...probes, ...answering], { freeSlots: 16, triedAtMs, jobs: hanging, endpoints });
    expect(keys(later)).toEqual(['r1', 'r2', 'r3']);
  });

  it('are tried in turn: one that was never tried comes first, whatever its request is about', () => {
    const untried = (connectionId: string): number | null =>
      connectionId === 'silent-new' ? 0 : triedAtMs(connectionId);
    const [first] = keys(fit([...probes, of('silent-new', 'n1', 3)], { freeSlots: 64, triedAtMs: untried }));
    expect(first).toBe('n1');
  });

  it('come after what expires soon at one that answers', () => {
    const [first] = keys(fit([...probes, of('main', 'leaving', 0)], { freeSlots: 1, triedAtMs }));
    expect(first).toBe('leaving');
  });
});

describe('a refused operation of an endpoint', () => {
  const closure: PlannedClosure = { nextTryMs: 130_000, triedAtMs: 95_000, isTrying: false, isWaitingForRead: false };
  const behind = (
    changes: Partial<PlannedClosure>,
    candidates: RequestCandidate[] = [candidate('x'), candidate('y')],
    world: World = {},
  ): Omit<Plan, 'readThrough'> =>
    fit(candidates, {
      closure: ({ operation }) => (operation === 'status' ? { ...closure, ...changes } : null),
      ...world,
    });

  it('is tried with one request when its pause is over, while the others continue', () => {
    expect(behind({})).toEqual({ requests: [], wakeAtMs: 130_000, nextRequestAtMs: 130_000 });
    expect(keys(behind({ nextTryMs: nowMs }))).toEqual(['x']);
    expect(
      keys(
        behind({}, [
          candidate('x'),
          candidate('t1', { operation: 'stream' }),
          candidate('t2', { operation: 'stream' }),
        ]),
      ),
    ).toEqual(['t1', 't2']);
    expect(keys(behind({ nextTryMs: nowMs }, undefined, { room: () => ({ free: 0, nextAtMs: 101_000 }) }))).toEqual([]);
  });

  it('waits for the try in progress, or for an accepted read, and no timer wakes it', () => {
    for (const changes of [{ isTrying: true }, { isWaitingForRead: true }]) {
      expect(behind({ ...changes, nextTryMs: nowMs })).toEqual({
        requests: [],
        wakeAtMs: null,
        nextRequestAtMs: nowMs,
      });
    }
  });

  it('is tried in time before the first of its results expires', () => {
    const leaving = [candidate('x', { leavesAtMs: 125_000 }), candidate('y', { leavesAtMs: 120_000 }), candidate('z')];
    expect(behind({}, leaving).wakeAtMs).toBe(120_000);
    expect(keys(behind({}, [candidate('x', { leavesAtMs: nowMs })]))).toEqual(['x']);
    // Tried for it just now: again a second later.
    expect(behind({ triedAtMs: 99_500 }, [candidate('x', { leavesAtMs: 98_000 })])).toMatchObject({
      requests: [],
      wakeAtMs: 100_500,
    });
  });

  it('is not tried for results that may have expired, but for those that can still be saved', () => {
    const late = candidate('late', { leavesAtMs: 90_000 });
    expect(behind({}, [late])).toMatchObject({ requests: [], wakeAtMs: 130_000 });
    expect(behind({}, [late, candidate('near', { leavesAtMs: 110_000 })]).wakeAtMs).toBe(110_000);
    expect(behind({ triedAtMs: 99_500 }, [candidate('just', { leavesAtMs: 90_001 })]).wakeAtMs).toBe(100_500);
  });

  it('keeps within the budget of its lane', () => {
    expect(behind({}, undefined, { room: () => ({ free: 0, nextAtMs: 140_000 }) }).wakeAtMs).toBe(140_000);
    expect(behind({}, undefined, { room: () => ({ free: 0, nextAtMs: 120_000 }) }).wakeAtMs).toBe(130_000);
  });

  it('is still used for the probe of its whole connection', () => {
    expect(
      keys(behind({}, undefined, { access: { kind: 'offline', probeAtMs: 0, probedAtMs: 0, isProbing: false } })),
    ).toEqual(['x', 'y']);
  });
});

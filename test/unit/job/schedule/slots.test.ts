import { describe, expect, it } from 'vitest';
import { endpointKey } from '../../../../src-preload/endpoint-key.ts';
import { freeSlots, slotsFor, slotsHeld } from '../../../../src-main/job/schedule/fit-budgets.ts';
import type { PlannedEndpoint, PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { anEndpoint, aPlannedJob } from './schedule-world.ts';

const endpointStates = [
  anEndpoint('a'),
  anEndpoint('a at its former address', { endpointId: 'a' }),
  anEndpoint('b'),
  anEndpoint('elsewhere', { connectionId: 'other', endpointId: 'a' }),
];
const held = (jobs: PlannedJob[], among: PlannedEndpoint[] = endpointStates): Record<string, number> =>
  Object.fromEntries(slotsHeld(jobs, new Map(among.map((endpoint) => [endpoint.id, endpoint]))));
const a = endpointKey({ connectionId: 'main', endpointId: 'a' });
const b = endpointKey({ connectionId: 'main', endpointId: 'b' });

describe('the slots an endpoint uses', () => {
  it('are its requests in progress: for its jobs, their streams and cancels, and its health', () => {
    expect(held([])).toEqual({});
    expect(held([aPlannedJob()])).toEqual({});
    expect(held([aPlannedJob({ isBusy: true })])).toEqual({ [a]: 1 });
    expect(held([aPlannedJob({ streamReads: 1 })])).toEqual({ [a]: 1 });
    expect(held([aPlannedJob({ isCancelBusy: true })])).toEqual({ [a]: 1 });
    expect(held([aPlannedJob({ isBusy: true, streamReads: 1, isCancelBusy: true })])).toEqual({ [a]: 3 });
    expect(
      held(
        [aPlannedJob({ isBusy: true })],
        [anEndpoint('a', { isHealthBusy: true }), anEndpoint('b', { isHealthBusy: true })],
      ),
    ).toEqual({ [a]: 2, [b]: 1 });
  });

  it('are counted together at its former address, and separately for another connection', () => {
    const busy = endpointStates.map(({ id }) => aPlannedJob({ key: id, addressKey: id, isBusy: true }));
    expect(held(busy)).toEqual({ [a]: 2, [b]: 1, [endpointKey({ connectionId: 'other', endpointId: 'a' })]: 1 });
  });

  it('exclude a runsync for as long as it waits, and nothing else', () => {
    const busy = (operation: 'run' | 'runsync', stage: PlannedJob['stage']): Record<string, number> =>
      held([aPlannedJob({ operation, stage, isBusy: true })]);
    expect([busy('runsync', 'sending'), busy('runsync', 'waiting')]).toEqual([{}, {}]);
    expect([busy('runsync', 'active'), busy('run', 'sending'), busy('run', 'waiting')]).toEqual([
      { [a]: 1 },
      { [a]: 1 },
      { [a]: 1 },
    ]);
    expect(held([aPlannedJob({ operation: 'runsync', stage: 'sending', isBusy: true, isCancelBusy: true })])).toEqual({
      [a]: 1,
    });
  });

  it('do not count jobs whose endpoint is unknown', () => {
    expect(held([aPlannedJob({ addressKey: 'gone', isBusy: true })])).toEqual({});
  });
});

describe('the slots an endpoint may use', () => {
  it('are three quarters of those free or its own, minus those it uses', () => {
    expect(slotsFor(0, 64)).toBe(48);
    expect(slotsFor(20, 44)).toBe(28);
    expect(slotsFor(48, 16)).toBe(0);
    expect(slotsFor(60, 4)).toBe(0);
  });

  it('are one at least while it uses none', () => {
    expect([slotsFor(0, 0), slotsFor(0, 1)]).toEqual([1, 1]);
    expect(slotsFor(1, 0)).toBe(0);
  });
});

describe('the free slots', () => {
  const triedAtMs = (connectionId: string): number | null => (connectionId.startsWith('silent') ? 0 : null);
  const free = (...inFlight: [string, number][]): number => freeSlots(64, new Map(inFlight), triedAtMs);

  it('are those that no request is in, and never less than none', () => {
    expect(free()).toBe(64);
    expect(free(['main', 10], ['silent', 5])).toBe(49);
    expect(free(['main', 70])).toBe(0);
  });

  it('are a quarter, however many requests to connections that do not answer are in progress', () => {
    expect(free(['silent-1', 48], ['silent-2', 60])).toBe(16);
    expect(free(['main', 6], ['silent-1', 48], ['silent-2', 60])).toBe(10);
  });
});

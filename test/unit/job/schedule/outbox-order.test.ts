import { describe, expect, it } from 'vitest';
import { headOfOutbox, outboxDueTimes } from '../../../../src-main/job/schedule/outbox-order.ts';
import type { PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { anEndpoint, aPlannedJob } from './schedule-world.ts';

const waiting = (key: string, changes: Partial<PlannedJob> = {}): PlannedJob =>
  aPlannedJob({ key, stage: 'waiting', ...changes });
const endpointStates = new Map(
  [anEndpoint('a'), anEndpoint('a at its former address', { endpointId: 'a' }), anEndpoint('b')].map((endpoint) => [
    endpoint.id,
    endpoint,
  ]),
);
const turns = (...jobs: PlannedJob[]): Record<string, number> =>
  Object.fromEntries(outboxDueTimes(jobs, endpointStates));

describe('the turn of a job in the outbox', () => {
  it('is no earlier than that of any before it, in whatever order they are given', () => {
    expect(
      turns(waiting('a', { notBeforeMs: 100 }), waiting('b', { notBeforeMs: 900 }), waiting('c', { notBeforeMs: 300 })),
    ).toEqual({ a: 100, b: 900, c: 900 });
    expect(
      turns(waiting('c', { notBeforeMs: 300 }), waiting('b', { notBeforeMs: 900 }), waiting('a', { notBeforeMs: 100 })),
    ).toEqual({ a: 100, b: 900, c: 900 });
  });

  it('waits only for those of its own endpoint and operation, even at a former address of it', () => {
    const slow = waiting('a', { notBeforeMs: 900 });
    expect(
      turns(
        slow,
        waiting('b', { addressKey: 'b' }),
        waiting('c', { operation: 'runsync' }),
        waiting('d', { addressKey: 'a at its former address' }),
      ),
    ).toEqual({ a: 900, b: 0, c: 0, d: 900 });
  });

  it('is separate for the rows of batches', () => {
    expect(
      turns(waiting('a', { isBatchRow: true, notBeforeMs: 900 }), waiting('b'), waiting('c', { isBatchRow: true })),
    ).toEqual({ a: 900, b: 0, c: 900 });
  });

  it('exists for waiting jobs whose endpoint is known', () => {
    expect(
      turns(
        aPlannedJob({ key: 'a', notBeforeMs: 900 }),
        aPlannedJob({ key: 'b', stage: 'sending' }),
        aPlannedJob({ key: 'c', stage: 'settling' }),
        waiting('d', { addressKey: 'gone' }),
        waiting('e'),
      ),
    ).toEqual({ e: 0 });
  });
});

describe('the first of the outbox', () => {
  const head = (...jobs: PlannedJob[]): string | null => headOfOutbox(jobs)?.key ?? null;

  it('is the one that was submitted first, in any order', () => {
    expect(head()).toBeNull();
    expect(head(waiting('b'), waiting('a'), waiting('c'))).toBe('a');
    expect(head(aPlannedJob({ key: 'a' }), aPlannedJob({ key: 'b', stage: 'settling' }), waiting('c'))).toBe('c');
  });

  it('is not a batch row while the user’s own job waits', () => {
    expect(head(waiting('a', { isBatchRow: true }), waiting('b'))).toBe('b');
    expect(head(waiting('b'), waiting('a', { isBatchRow: true }))).toBe('b');
    expect(head(waiting('b', { isBatchRow: true }), waiting('a', { isBatchRow: true }))).toBe('a');
  });

  it('is none while the one before is on its way', () => {
    expect(head(aPlannedJob({ key: 'a', stage: 'sending' }), waiting('b'))).toBeNull();
    expect(head(waiting('a', { isBusy: true }), waiting('b'))).toBeNull();
    expect(head(waiting('a'), aPlannedJob({ key: 'b', stage: 'sending' }))).toBe('a');
  });

  it('is not held up by a runsync that waits for its answer', () => {
    expect(head(aPlannedJob({ key: 'a', stage: 'sending', operation: 'runsync' }), waiting('b'))).toBe('b');
  });
});

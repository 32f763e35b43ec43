import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import type { BatchList } from '../../../../src-preload/batch.ts';
import {
  batchesOf,
  isAnyNew,
  readBatches,
  takeBatches,
  useBatchList,
} from '../../../../src-renderer/data/batch-list.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { withoutRows } from '../../../../src-renderer/data/pending-deletions.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aBatch } from '../batches/a-batch.ts';
import { jobOf } from '../jobs/job-of.ts';
import { aConnection } from '../../../kit/a-connection.ts';

/** Each test has ids of its own, because revisions are never forgotten. */
let at = 0;
let id = '';
beforeEach(() => {
  at += 1;
  id = `b${at}`;
  useBatchList.setState({ byId: new Map(), readOf: new Set() });
  useToasts.setState({ items: [] });
});
afterEach(() => void vi.unstubAllGlobals());

const connection: Connection = aConnection();
const shown = () => batchesOf(useBatchList.getState(), 'c1');

it('an answer that is older than a change does not undo it, even if the change came first', async () => {
  const before = aBatch({ active: 2 }, { id });
  const after = aBatch({ active: 1, completed: 1 }, { id });
  const other = aBatch({ active: 1 }, { id: `${id}-other` });
  const { promise, resolve } = Promise.withResolvers<Result<BatchList>>();
  answerCalls({ 'batch:list': () => promise });
  const read = readBatches('c1');
  takeBatches({ batches: [after], revision: 8 });
  resolve(ok({ batches: [before, other], revision: 7 }));
  await read;
  expect(shown()).toEqual([other, after]);
  takeBatches({ batches: [{ ...after, total: 0 }], revision: 9 });
  takeBatches({ batches: [before], revision: 7 });
  expect(shown()).toEqual([other]);
});

it('what did not change is the same object, so that nothing is drawn again', () => {
  takeBatches({ batches: [aBatch({ active: 2 }, { id })], revision: 1 });
  const { byId } = useBatchList.getState();
  takeBatches({ batches: [aBatch({ active: 2 }, { id })], revision: 2 });
  expect(useBatchList.getState().byId).toBe(byId);
});

it('a batch is new only to a window that has read those of its connection', async () => {
  const batch = aBatch({ waiting: 2 }, { id });
  expect(isAnyNew([batch], 'c1')).toBe(false);
  answerCalls({ 'batch:list': async () => ok({ batches: [], revision: 1 }) });
  await readBatches('c1');
  expect([isAnyNew([batch], 'c1'), isAnyNew([batch], 'c2'), isAnyNew([{ ...batch, total: 0 }], 'c1')]).toEqual([
    true,
    false,
    false,
  ]);
  takeBatches({ batches: [batch], revision: 1 });
  expect(isAnyNew([batch], 'c1')).toBe(false);
});

describe('the batches of a connection', () => {
  let isRefused: boolean;
  let calls: string[];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    isRefused = true;
    ({ calls } = answerCalls({
      'batch:list': async () =>
        isRefused
          ? failed({ kind: 'storage', message: 'The disk is full.' })
          : ok({ batches: [aBatch({ active: 1 }, { id })], revision: 1 }),
    }));
    useSession.setState({ connections: [connection] });
  });
  afterEach(async () => {
    isRefused = false;
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    useSession.setState({ connections: [] });
  });

  it('are read once, and again when they are shown after a failure, which is shown', async () => {
    await Promise.all([readBatches('c1'), readBatches('c1')]);
    expect(useToasts.getState().items.map(({ message }) => message)).toEqual(['The disk is full.']);
    isRefused = false;
    await readBatches('c1');
    await readBatches('c1');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([calls.length, shown().length]).toEqual([2, 1]);
  });

  it('are read again after growing pauses, which says nothing more, until they are read', async () => {
    await readBatches('c1');
    useToasts.setState({ items: [] });
    const callsAt: number[] = [];
    for (let second = 1; second <= 31; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      if (calls.length > callsAt.length + 1) callsAt.push(second);
    }
    expect(callsAt).toEqual([1, 3, 7, 15, 31]);
    expect(useToasts.getState().items).toEqual([]);
    isRefused = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(shown()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(7);
  });

  it('are not read again if the connection was removed', async () => {
    await readBatches('c1');
    useSession.setState({ connections: [] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
  });
});

it('rows that are being deleted are counted in no batch', () => {
  const batch = aBatch({ active: 1, completed: 2 }, { id });
  const other = aBatch({ failed: 1 }, { id: 'other' });
  const rows = [
    jobOf(1, { batchId: id, phase: 'finished', status: 'COMPLETED' }),
    jobOf(2, { batchId: 'other', phase: 'finished', status: 'FAILED' }),
    jobOf(3, { batchId: null }),
  ];
  const without = withoutRows([batch, other], new Map(rows.map((row) => [row.key, row])));
  expect(without).toEqual([aBatch({ active: 1, completed: 1 }, { id })]);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import type { BatchList } from '../../../../src-preload/batch.ts';
import {
  batchesOf,
  isAnyNew,
  readBatches,
  takeBatches,
  useBatchList,
} from '../../../../src-renderer/data/batch-list.ts';
import { withoutRows } from '../../../../src-renderer/data/pending-deletions.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aBatch } from '../batches/a-batch.ts';
import { jobOf } from '../jobs/job-of.ts';

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

it('the batches of a connection are read once, and again after a failure, which is shown', async () => {
  let isRefused = true;
  const { calls } = answerCalls({
    'batch:list': async () =>
      isRefused
        ? failed({ kind: 'storage', message: 'The disk is full.' })
        : ok({ batches: [aBatch({ active: 1 }, { id })], revision: 1 }),
  });
  await Promise.all([readBatches('c1'), readBatches('c1')]);
  expect(useToasts.getState().items.map(({ message }) => message)).toEqual(['The disk is full.']);
  isRefused = false;
  await readBatches('c1');
  await readBatches('c1');
  expect([calls.length, shown().length]).toEqual([2, 1]);
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

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Batch } from '../../../../src-preload/batch.ts';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import { batchMenu } from '../../../../src-renderer/batches/batch-menu.tsx';
import { discardRows } from '../../../../src-renderer/batches/discard-rows.ts';
import { useBatchList } from '../../../../src-renderer/data/batch-list.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aBatch } from './a-batch.ts';

const nightly = aBatch({ waiting: 4, completed: 2 }, { id: 'b1' });
/** What the engine was asked, and the batch as it has it. */
let asked: string[] = [];
let now: Batch;
let isRefused = false;

function setUp(batch: Batch): void {
  asked = [];
  isRefused = false;
  now = batch;
  useToasts.setState({ items: [] });
  useBatchList.setState({ byId: new Map([[batch.id, batch]]) });
  const change = (name: string, change: Partial<Batch>): Promise<Result<Batch>> => {
    asked.push(name);
    if (isRefused) return Promise.resolve(failed({ kind: 'storage', message: 'The disk is full.' }));
    now = { ...now, ...change };
    return Promise.resolve(ok(now));
  };
  answerCalls({
    'batch:pause': () => change('pause', { isPaused: true }),
    'batch:resume': ({ isUndo }) => change(isUndo === true ? 'resume as before' : 'resume', { isPaused: false }),
    'batch:withdraw': () =>
      change('withdraw', { isPaused: false, counts: { ...now.counts, waiting: 0, cancelled: now.counts.waiting } }),
  });
}
beforeEach(() => setUp(nightly));
afterEach(() => {
  vi.unstubAllGlobals();
});

const lastToast = () => useToasts.getState().items.at(-1);
const labels = (): string[] => batchMenu(now).flatMap((entry) => (entry.kind === 'item' ? [entry.label] : []));
/** As if the offer to undo had passed. */
async function offerPasses(): Promise<void> {
  const item = lastToast();
  useToasts.setState({ items: [] });
  item?.onGone?.();
  await new Promise((resolve) => setImmediate(resolve));
}

test('discarded rows are held back immediately, and cancelled when undo is no longer possible', async () => {
  await discardRows(nightly);
  expect(asked).toEqual(['pause']);
  expect(lastToast()).toMatchObject({ message: 'Discarded 4 unsent rows', action: { label: 'Undo' } });
  // Meanwhile they can neither be sent nor discarded a second time.
  expect(labels()).not.toContain('Resume');
  await discardRows(now);
  expect(asked).toEqual(['pause']);
  await offerPasses();
  expect(asked).toEqual(['pause', 'withdraw']);
});

test('after undo, they are sent as if nothing had happened', async () => {
  await discardRows(nightly);
  lastToast()?.action?.onSelect();
  await expect.poll(() => labels()).toContain('Pause');
  expect(asked).toEqual(['pause', 'resume as before']);
});

test.each([
  ['was paused before', { isPaused: true }, {}],
  ['was stopped by its failures in between', {}, { failuresLeft: 0 }],
])('after undo, a batch that %s stays paused', async (_, before, meanwhile) => {
  setUp(aBatch({ waiting: 4 }, before));
  await discardRows(now);
  now = { ...now, ...meanwhile };
  useBatchList.setState({ byId: new Map([[now.id, now]]) });
  lastToast()?.action?.onSelect();
  await expect.poll(() => labels()).toContain('Resume');
  expect(asked).toEqual(['pause']);
});

test('a batch whose last rows left at that moment continues, and no undo is offered', async () => {
  setUp(aBatch({ active: 4 }));
  await discardRows(nightly);
  expect(asked).toEqual(['pause', 'resume as before']);
  expect(lastToast()?.message).toBe('All rows were already sent. Nothing was discarded.');
  expect(lastToast()).not.toHaveProperty('action');
});

test('a failure is reported, and the rows are not sent automatically', async () => {
  isRefused = true;
  await discardRows(nightly);
  expect(lastToast()?.message).toBe('Could not discard the rows. The disk is full.');
  isRefused = false;
  await discardRows(nightly);
  isRefused = true;
  await offerPasses();
  expect(lastToast()?.message).toMatch(/^Could not discard the rows\. They are not sent while the batch is paused/);
  expect(asked).toEqual(['pause', 'pause', 'withdraw']);
  expect(labels()).toContain('Resume');
});

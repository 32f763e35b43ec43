import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RememberedPod } from '../../../../src-preload/pod-reading.ts';
import { goCommands } from '../../../../src-renderer/commands/go-commands.tsx';
import { useBatchList } from '../../../../src-renderer/data/batch-list.ts';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { addPending, dropPending } from '../../../../src-renderer/data/pending-deletions.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { forgetPod } from '../../../../src-renderer/pods/remembered-pods.ts';
import { aBatch } from '../batches/a-batch.ts';
import { jobOf } from '../jobs/job-of.ts';
import { commandNamed, labelsOf, plainWindow } from './a-window.ts';

const nightly = aBatch({ completed: 2 }, { id: 'b1', name: 'Nightly' });
const trial = aBatch({ failed: 1 }, { id: 'b2', name: 'Trial' });
const rows = [1, 2].map((at) => jobOf(at, { batchId: 'b1', batchRow: at }));
const keys = rows.map(({ key }) => key);

beforeEach(() => {
  plainWindow();
  useBatchList.setState({ byId: new Map([nightly, trial].map((batch) => [batch.id, batch])) });
});
afterEach(() => {
  dropPending(keys);
  vi.unstubAllGlobals();
});

it('a batch whose rows are all being deleted is no place, until they are back', () => {
  expect(labelsOf(goCommands())).toContain('Batch Nightly');
  addPending(rows);
  expect(labelsOf(goCommands())).not.toContain('Batch Nightly');
  expect(labelsOf(goCommands())).toContain('Batch Trial');
  dropPending(keys);
  expect(labelsOf(goCommands())).toContain('Batch Nightly');
});

it('a row that is being deleted is not counted', () => {
  addPending(rows.slice(1));
  expect(commandNamed(goCommands(), 'Batch Nightly').hint).toBe('1 row: 1 completed');
});

it('a pod that is being forgotten is no place, until that is undone', () => {
  const pod: RememberedPod = {
    connectionId: 'c1',
    podId: 'p1',
    name: 'Trainer',
    desiredStatus: null,
    hardware: null,
    adjustedCostPerHr: null,
    isPinned: false,
    openedAtMs: 0,
    readAtMs: 0,
  };
  queries.setQueryData(['pod:list', { connectionId: 'c1' }], [pod]);
  const label = 'Open pod Trainer';
  expect(labelsOf(goCommands())).toContain(label);
  forgetPod(pod);
  expect(labelsOf(goCommands())).not.toContain(label);
  useToasts.getState().items[0]?.action?.onSelect();
  expect(labelsOf(goCommands())).toContain(label);
});

import { expect, it } from 'vitest';
import { endOfBatch } from '../../../src-main/notifications/outcome-notifications.ts';
import { aBatch } from '../renderer/batches/a-batch.ts';

it.for([
  ['completed', { completed: 3 }, 'done'],
  ['gone', { completed: 3, gone: 1 }, 'gone'],
  ['of unknown outcome', { completed: 3, gone: 1, unknown: 1 }, 'unknown'],
  ['failed', { completed: 3, failed: 1, unknown: 1 }, 'fail'],
] as const)('a batch with rows that are %s has their glyph', ([, counts, statusKind]) => {
  expect(endOfBatch(aBatch(counts), 0)?.content.statusKind).toBe(statusKind);
});

it('a batch that was cancelled before any of it was sent is not reported', () => {
  expect(endOfBatch(aBatch({ cancelled: 3 }), 0)).toBeNull();
});

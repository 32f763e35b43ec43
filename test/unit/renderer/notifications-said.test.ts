import { describe, expect, it } from 'vitest';
import type { AppNotification } from '../../../src-preload/notification.ts';
import { byDay, groupSaid, looksOf } from '../../../src-renderer/notifications/said.ts';

const said = (id: number, changes: Partial<AppNotification> = {}): AppNotification => ({
  id,
  kind: 'job',
  look: 'done',
  title: `job ${id} completed`,
  body: 'on echo',
  atMs: 1_700_000_000_000 + id,
  connectionId: 'c1',
  endpointId: 'echo',
  jobKey: `k${id}`,
  batchId: null,
  delivery: 'shown',
  deliveredAtMs: 1,
  togetherId: null,
  isSeen: true,
  ...changes,
});

describe('the notification centre', () => {
  it('shows as one what was shown as one, seen only when all of it is', () => {
    const rows = groupSaid([
      said(5),
      said(4, { togetherId: 2, look: 'fail' }),
      said(3, { togetherId: 2 }),
      said(2, { togetherId: 2, isSeen: false }),
      said(1),
    ]);
    expect(rows.map(({ first, all, isSeen }) => [first.id, all.length, isSeen])).toEqual([
      [5, 1, true],
      [4, 3, false],
      [1, 1, true],
    ]);
    const [, together] = rows;
    expect(together === undefined ? [] : looksOf(together)).toEqual([
      { look: 'done', count: 2, word: 'completed' },
      { look: 'fail', count: 1, word: 'failed' },
    ]);
  });

  it('is in the order of time, by day', () => {
    const nowMs = new Date(2026, 10, 20, 12).getTime();
    const rows = groupSaid([said(2, { atMs: nowMs - 1 }), said(1, { atMs: nowMs - 86_400_000 })]);
    expect(byDay(rows, nowMs).map(({ name }) => name)).toEqual(['Earlier today', 'Yesterday']);
  });
});

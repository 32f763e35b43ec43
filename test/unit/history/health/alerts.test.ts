import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlertRecord } from '../../../../src-preload/alert.ts';
import { maxAlerts, readAlerts, readAlertsAtStart, writeAlert } from '../../../../src-main/history/health/alerts.ts';
import { migrate } from '../../../../src-main/history/file/migrations.ts';
import { atomically } from '../../../../src-main/history/file/row.ts';

let db: DatabaseSync;
beforeEach(() => {
  db = new DatabaseSync(':memory:');
  migrate(db);
});
afterEach(() => db.close());

const dayMs = 86_400_000;
const alert = (index: number, changes: Partial<AlertRecord> = {}): AlertRecord => ({
  id: `id-${String(index).padStart(8, '0')}`,
  ruleId: 'r',
  connectionId: 'c1',
  endpointId: 'echo',
  kind: 'long-wait',
  text: '1 job waits longer than 5 min',
  sinceMs: index,
  firedAtMs: index,
  lastSeenAtMs: index,
  endedAtMs: index,
  isEndExact: true,
  delivery: 'notified',
  deliveredAtMs: index,
  ...changes,
});

describe('the history of alerts', () => {
  it('returns saved alerts, newest first, page by page, of one endpoint or of all', () => {
    for (let index = 1; index <= 5; index += 1)
      writeAlert(db, alert(index, { endpointId: index % 2 === 0 ? 'mock' : 'echo' }));
    writeAlert(db, alert(6, { connectionId: 'c2' }));
    expect(readAlerts(db, { connectionId: 'c1', endpointId: null }, null, 2)).toEqual([
      alert(5),
      alert(4, { endpointId: 'mock' }),
    ]);
    expect(
      readAlerts(db, { connectionId: 'c1', endpointId: null }, alert(4).id, 10).map(({ firedAtMs }) => firedAtMs),
    ).toEqual([3, 2, 1]);
    expect(
      readAlerts(db, { connectionId: 'c1', endpointId: 'mock' }, null, 10).map(({ firedAtMs }) => firedAtMs),
    ).toEqual([4, 2]);
  });

  it('changes the outcome of an alert, not the alert itself', () => {
    writeAlert(db, alert(1, { endedAtMs: null, delivery: 'due', deliveredAtMs: null }));
    writeAlert(
      db,
      alert(1, {
        text: 'other',
        firedAtMs: 9,
        endedAtMs: 20,
        isEndExact: false,
        lastSeenAtMs: 15,
        delivery: 'in-digest',
        deliveredAtMs: 30,
      }),
    );
    expect(readAlerts(db, { connectionId: 'c1', endpointId: null }, null, 10)).toEqual([
      alert(1, { endedAtMs: 20, isEndExact: false, lastSeenAtMs: 15, delivery: 'in-digest', deliveredAtMs: 30 }),
    ]);
  });

  it('keeps the newest ten thousand of a year', () => {
    atomically(db, () => {
      for (let index = 0; index < maxAlerts; index += 1)
        db.prepare('INSERT INTO alerts VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, 0, 1, ?, NULL)').run(
          alert(index).id,
          'r',
          'c1',
          'echo',
          'long-wait',
          'x',
          index,
          'off',
        );
    });
    writeAlert(db, alert(maxAlerts));
    const kept = readAlerts(db, { connectionId: 'c1', endpointId: null }, null, 20_000);
    expect(kept).toHaveLength(maxAlerts);
    expect(kept.at(-1)?.firedAtMs).toBe(1);
    writeAlert(db, alert(maxAlerts + 1, { firedAtMs: 365 * dayMs + 5_000 }));
    expect(readAlerts(db, { connectionId: 'c1', endpointId: null }, null, 20_000).at(-1)?.firedAtMs).toBe(5_000);
  });

  it('knows at a start which alerts are not over, which are not notified, and which came last', () => {
    writeAlert(db, alert(1));
    writeAlert(db, alert(2, { endedAtMs: null }));
    writeAlert(db, alert(3, { delivery: 'held', deliveredAtMs: null }));
    writeAlert(db, alert(4, { endpointId: 'mock', delivery: 'muted', deliveredAtMs: null }));
    expect(readAlertsAtStart(db)).toEqual({
      unsettled: [alert(2, { endedAtMs: null }), alert(3, { delivery: 'held', deliveredAtMs: null })],
      lastFired: [
        { ruleId: 'r', endpointId: 'echo', firedAtMs: 3 },
        { ruleId: 'r', endpointId: 'mock', firedAtMs: 4 },
      ],
      lastDeliveredAtMs: 2,
    });
  });
});

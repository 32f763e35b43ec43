import { describe, expect, it } from 'vitest';
import { aboutAlerts, type AppNotification, type Ongoing } from '../../../../src-preload/notification.ts';
import { aJob } from '../job/a-job.ts';
import { ongoingActions, notificationActions } from '../../../../src-renderer/notifications/action-list.ts';
import { quietShares } from '../../../../src-renderer/notifications/quiet-shares.ts';
import {
  byDay,
  filterCentre,
  notificationRows,
  statusCountsOf,
  withoutRepeats,
} from '../../../../src-renderer/notifications/notification-rows.ts';

const aRunningJob = aJob();
const said = (id: number, changes: Partial<AppNotification> = {}): AppNotification => ({
  id,
  about: `job/${id}`,
  kind: 'job',
  statusKind: 'done',
  title: `job ${id} completed`,
  body: 'on echo',
  atMs: 1_700_000_000_000 + id,
  connectionId: 'c1',
  endpointId: 'echo',
  jobKey: `k${id}`,
  batchId: null,
  hasOutput: true,
  delivery: 'shown',
  deliveredAtMs: 1,
  togetherId: null,
  isSeen: true,
  ...changes,
});

describe('the notification centre', () => {
  it('shows notifications together that were shown together, seen only when all of them are', () => {
    const rows = notificationRows([
      said(5),
      said(4, { togetherId: 2, statusKind: 'fail' }),
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
    expect(together === undefined ? [] : statusCountsOf(together)).toEqual([
      { kind: 'done', count: 2, word: 'completed' },
      { kind: 'fail', count: 1, word: 'failed' },
    ]);
  });

  it('lists an alert once while it fires, and by its time afterwards', () => {
    const firing = (id: string): Ongoing => ({
      id: aboutAlerts([id]),
      kind: 'alert',
      title: `Stuck queue ${id}`,
      text: '12 waiting.',
      sinceMs: 1_700_000_000_000,
      jobs: [],
      connectionId: 'c1',
      endpointId: 'echo',
    });
    const reports = [
      said(4, { about: aboutAlerts(['a']), kind: 'alert', isSeen: false }),
      said(3, { about: aboutAlerts(['b', 'c']), kind: 'alert' }),
      said(2),
    ];
    const idsOf = (going: Ongoing[]): unknown => {
      const { ongoing, others } = withoutRepeats(reports, going);
      return { ongoing: ongoing.map(({ ids, isSeen }) => ({ ids, isSeen })), others: others.map(({ id }) => id) };
    };
    expect(idsOf([firing('a')])).toEqual({ ongoing: [{ ids: [4], isSeen: false }], others: [3, 2] });
    expect(idsOf([firing('b')])).toEqual({ ongoing: [{ ids: [], isSeen: true }], others: [4, 3, 2] });
    expect(idsOf([firing('b'), firing('c')])).toEqual({
      ongoing: [
        { ids: [3], isSeen: true },
        { ids: [3], isSeen: true },
      ],
      others: [4, 2],
    });
    expect(idsOf([])).toEqual({ ongoing: [], others: [4, 3, 2] });
  });

  it('is filtered by kind and by what was seen, with the number of each', () => {
    const going: Ongoing = {
      id: 'refusal/1',
      kind: 'refusal',
      title: 'Key refused',
      text: '',
      sinceMs: 0,
      jobs: [],
      connectionId: 'c1',
      endpointId: null,
    };
    const centre = {
      ongoing: [{ one: going, ids: [], isSeen: true }],
      others: [
        said(6, { statusKind: 'fail', isSeen: false, togetherId: 5 }),
        said(5, { togetherId: 5 }),
        said(4, { kind: 'batch', statusKind: 'timeout', batchId: 'b', jobKey: null }),
        said(3, { kind: 'alert', statusKind: null, jobKey: null, isSeen: false }),
        said(2, { statusKind: 'cancel' }),
        said(1, { kind: 'refusal', statusKind: null, jobKey: null }),
      ],
    };
    const idsOf = (filter: Parameters<typeof filterCentre>[1]): unknown => {
      const { ongoing, others, unseen } = filterCentre(centre, filter);
      return [ongoing.length, others.map(({ id }) => id), unseen];
    };
    expect(idsOf({ kind: 'all', isUnseenOnly: false })).toEqual([1, [6, 5, 4, 3, 2, 1], 2]);
    expect(idsOf({ kind: 'failed', isUnseenOnly: false })).toEqual([0, [6, 4], 1]);
    expect(idsOf({ kind: 'finished', isUnseenOnly: false })).toEqual([0, [5, 2], 0]);
    expect(idsOf({ kind: 'alerts', isUnseenOnly: false })).toEqual([0, [3], 1]);
    expect(idsOf({ kind: 'other', isUnseenOnly: false })).toEqual([1, [1], 0]);
    expect(idsOf({ kind: 'failed', isUnseenOnly: true })).toEqual([0, [6], 1]);
    const counts = (isUnseenOnly: boolean): unknown => filterCentre(centre, { kind: 'failed', isUnseenOnly }).counts;
    expect(counts(false)).toEqual({ all: 7, failed: 2, finished: 2, alerts: 1, other: 2 });
    expect(counts(true)).toEqual({ all: 2, failed: 1, finished: 0, alerts: 1, other: 0 });
  });

  it('is in the order of time, by day', () => {
    const nowMs = new Date(2026, 10, 20, 12).getTime();
    const rows = notificationRows([said(2, { atMs: nowMs - 1 }), said(1, { atMs: nowMs - 86_400_000 })]);
    expect(byDay(rows, nowMs).map(({ name }) => name)).toEqual(['Earlier today', 'Yesterday']);
  });
});

describe('actions in the centre', () => {
  const labels = (of: { label: string }[]): string[] => of.map(({ label }) => label);

  it('for one notification depend on how it ended', () => {
    expect(labels(notificationActions(said(1, { statusKind: 'fail' })))).toEqual([
      'Retry',
      'Resubmit with edits',
      'Mute this cause',
    ]);
    expect(labels(notificationActions(said(1, { statusKind: 'timeout' })))).toEqual([
      'Retry',
      'Resubmit with edits',
      'Mute this cause',
    ]);
    expect(labels(notificationActions(said(1, { statusKind: 'gone' })))).toEqual(['Check now', 'Resubmit with edits']);
    expect(labels(notificationActions(said(1)))).toEqual(['Copy output']);
    expect(notificationActions(said(1, { hasOutput: false }))).toEqual([]);
    expect(labels(notificationActions(said(1, { kind: 'alert', statusKind: null, jobKey: null })))).toEqual([
      'Show health',
    ]);
    // A job of unknown outcome may run: nothing here submits it a second time.
    expect(notificationActions(said(1, { statusKind: 'unknown' }))).toEqual([]);
    expect(notificationActions(said(1, { kind: 'batch', statusKind: 'fail', jobKey: null, batchId: 'b' }))).toEqual([]);
  });

  it('for an unfinished job apply to one; several are opened by their lines', () => {
    const going = { jobs: [aRunningJob], connectionId: 'c1', endpointId: 'echo' };
    expect(labels(ongoingActions({ ...going, kind: 'not-known' }))).toEqual(['Check now', 'Open job']);
    expect(labels(ongoingActions({ ...going, kind: 'stream' }))).toEqual(['Open job', 'Stop waiting']);
    expect(labels(ongoingActions({ ...going, kind: 'unknown' }))).toEqual(['Open job']);
    expect(ongoingActions({ ...going, jobs: [aRunningJob, aRunningJob], kind: 'not-known' })).toEqual([]);
    expect(labels(ongoingActions({ ...going, jobs: [], kind: 'refusal' }))).toEqual(['Try now']);
    expect(labels(ongoingActions({ ...going, jobs: [], kind: 'alert' }))).toEqual(['Show health']);
  });
});

describe('the hours of a day', () => {
  it('are filled where they are quiet, even over midnight', () => {
    const shares = quietShares({ fromMinute: 22 * 60 + 30, toMinute: 7 * 60 });
    expect(shares.filter(({ from, to }) => to > from).map(({ hour }) => hour)).toEqual([0, 1, 2, 3, 4, 5, 6, 22, 23]);
    expect(shares[22]).toEqual({ hour: 22, from: 0.5, to: 1 });
    expect(quietShares({ fromMinute: 60, toMinute: 60 }).every(({ from, to }) => from === to)).toBe(true);
  });
});

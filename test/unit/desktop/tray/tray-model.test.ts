import { describe, expect, it } from 'vitest';
import { trayModel } from '../../../../src-main/desktop/tray/tray-model.ts';
import type { TrayFacts } from '../../../../src-main/desktop/tray/tray-model.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { aJob } from '../../../kit/a-job.ts';

const calm: TrayFacts = {
  counts: noJobs,
  failures: [],
  live: [],
  recent: [],
  isPaused: false,
  isOffline: false,
  isUndisturbed: false,
  outcomeUnknown: 0,
  refusals: [],
  connections: [],
  settings: settingsDefaults,
};
/** One job that runs, as it is counted. */
const oneRuns = { ...noJobs, active: 1, running: 1 };

describe('trayModel', () => {
  it('is idle and says so when nothing is active', () => {
    expect(trayModel(calm)).toEqual({
      icon: 'idle',
      isPaused: false,
      isUndisturbed: false,
      tooltip: 'Jobdeck: nothing active',
      headline: 'Nothing active',
      refusals: [],
      jobs: [],
      last: null,
      failedUnseen: 0,
      areFailuresInOtherConnections: false,
      connections: [],
      shortcuts: null,
    });
  });

  it('shows the states of active jobs by the windows’ counts, in their words', () => {
    const counts = { ...noJobs, active: 1_207, running: 1, queued: 1_200, sending: 2, toSend: 1, over: 3 };
    expect(trayModel({ ...calm, counts }).headline).toBe(
      '1 running, 1,200 queued, 3 to send, 3 with a stream to fetch',
    );
  });

  it('offers to resubmit the newest job whose input is saved here, and says which', () => {
    const recent = [
      aJob({ key: 'elsewhere', inputBytes: 0 }),
      aJob({ key: 'mine', inputBytes: 20, title: 'Ridges in fog' }),
      aJob({ key: 'older', inputBytes: 20 }),
    ];
    expect(trayModel({ ...calm, recent }).last).toEqual({ key: 'mine', label: 'Resubmit last job: Ridges in fog' });
    expect(trayModel({ ...calm, recent: recent.slice(0, 1) }).last).toBeNull();
  });

  it('names the connections with the current one, and shortcuts only while they work', () => {
    const connections = [
      { id: 'a', name: 'Production' },
      { id: 'b', name: 'Staging' },
    ];
    const isCurrent = (settings: TrayFacts['settings']): boolean[] =>
      trayModel({ ...calm, connections, settings }).connections.map((one) => one.isCurrent);
    expect(isCurrent(calm.settings)).toEqual([true, false]);
    expect(isCurrent({ ...calm.settings, currentConnectionId: 'b' })).toEqual([false, true]);
    const globalShortcuts = { ...calm.settings.globalShortcuts, isOn: true };
    expect(trayModel({ ...calm, settings: { ...calm.settings, globalShortcuts } }).shortcuts).toMatchObject({
      open: 'CmdOrCtrl+J',
    });
  });

  it('names the connections of unseen failures, unless they are all in the current one', () => {
    const connections = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `Name ${id.toUpperCase()}` }));
    const modelOf = (counts: Record<string, number>) =>
      trayModel({
        ...calm,
        connections,
        counts: { ...noJobs, failedUnseen: Object.values(counts).reduce((sum, count) => sum + count, 0) },
        failures: Object.entries(counts).map(([id, count]) => ({ id, name: `Name ${id.toUpperCase()}`, count })),
      });
    const said = (counts: Record<string, number>): [string, boolean] => {
      const { tooltip, areFailuresInOtherConnections } = modelOf(counts);
      return [tooltip, areFailuresInOtherConnections];
    };
    expect(said({ a: 48 })).toEqual(['Jobdeck: 48 unseen failures', false]);
    expect(said({ b: 1 })).toEqual(['Jobdeck: 1 unseen failure in Name B', true]);
    expect(said({ a: 45, b: 3 })).toEqual(['Jobdeck: 48 unseen failures (45 in Name A, 3 in Name B)', true]);
    expect(said({ a: 1, b: 1, c: 1, d: 1 })).toEqual(['Jobdeck: 4 unseen failures in 4 connections', true]);
  });

  it('shows the most pressing state in the icon: paused, offline, attention, failed, active', () => {
    const all = {
      ...calm,
      counts: { ...oneRuns, failedUnseen: 2 },
      isPaused: true,
      isOffline: true,
      refusals: ['Key refused: Production'],
    };
    expect(trayModel(all).icon).toBe('paused');
    expect(trayModel({ ...all, isPaused: false }).icon).toBe('offline');
    expect(trayModel({ ...all, isPaused: false, isOffline: false }).icon).toBe('attention');
    expect(trayModel({ ...all, isPaused: false, isOffline: false, refusals: [] }).icon).toBe('failed');
    expect(trayModel({ ...calm, counts: oneRuns }).icon).toBe('active');
    expect(trayModel({ ...calm, counts: oneRuns, outcomeUnknown: 1 })).toMatchObject({
      icon: 'attention',
      headline: '1 running, 1 with an unknown outcome',
    });
  });

  it('names refused operations in the tooltip and the menu, and counts the rest (ruling 35)', () => {
    expect(trayModel({ ...calm, counts: oneRuns, refusals: ['Refused: cancel on Chat'] })).toMatchObject({
      tooltip: 'Jobdeck: refused: cancel on Chat; 1 running',
      refusals: ['Refused: cancel on Chat'],
    });
    const many = trayModel({
      ...calm,
      refusals: [
        'Key refused: A',
        'Key refused: B',
        'Refused: status on C',
        'Refused: status on D',
        'Refused: status on E',
      ],
    });
    expect(many.tooltip).toBe('Jobdeck: key refused: A, and 4 more; nothing active');
    expect(many.refusals).toEqual(['Key refused: A', 'Key refused: B', 'Refused: status on C', 'and 2 more']);
  });

  it('lists active jobs before ended ones, five at most, long titles cut', () => {
    const live = [1, 2, 3].map((n) =>
      aJob({ key: `live-${n}`, phase: 'active', status: 'IN_PROGRESS', title: 'x'.repeat(200) }),
    );
    const recent = [1, 2, 3].map((n) => aJob({ key: `done-${n}`, phase: 'finished', status: 'COMPLETED' }));
    const { jobs } = trayModel({ ...calm, live, recent });
    expect(jobs.map((job) => job.key)).toEqual(['live-1', 'live-2', 'live-3', 'done-1', 'done-2']);
    expect(jobs[0]?.label.length).toBeLessThan(80);
  });
});

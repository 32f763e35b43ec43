import { describe, expect, it } from 'vitest';
import { trayModel } from '../../../src-main/desktop/tray-model.ts';
import type { TrayFacts } from '../../../src-main/desktop/tray-model.ts';
import { aJob } from '../../kit/a-job.ts';

const calm: TrayFacts = {
  live: [],
  recentlyEnded: [],
  failedUnseen: 0,
  isPaused: false,
  isOffline: false,
  isUndisturbed: false,
  outcomeUnknown: 0,
  refusals: [],
};

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
    });
  });

  it('counts running, queued and unsent jobs apart', () => {
    const live = [
      aJob({ key: 'a', phase: 'active', status: 'IN_PROGRESS' }),
      aJob({ key: 'b', phase: 'active', status: 'IN_QUEUE' }),
      aJob({ key: 'c', phase: 'active', status: 'IN_QUEUE' }),
      aJob({ key: 'd', phase: 'waiting', status: null }),
    ];
    expect(trayModel({ ...calm, live }).headline).toBe('1 running, 2 queued, 1 to send');
  });

  it('calls a job that is over and still read what it is, and never one to send', () => {
    const live = [
      aJob({ key: 'a', phase: 'active', status: 'COMPLETED' }),
      aJob({ key: 'b', phase: 'active', status: 'CANCELLED' }),
      aJob({ key: 'c', phase: 'active', status: 'RUNNING' }),
      aJob({ key: 'd', phase: 'submitting', status: null }),
    ];
    expect(trayModel({ ...calm, live }).headline).toBe('1 active, 2 being saved, 1 to send');
  });

  it('counts a job whose stream is still being fetched as that (ruling 36)', () => {
    const live = [
      aJob({
        phase: 'active',
        status: 'COMPLETED',
        pendingStream: { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' },
      }),
    ];
    expect(trayModel({ ...calm, live }).headline).toBe('1 with a stream to fetch');
  });

  it('shows the most pressing state in the icon: paused, offline, attention, failed, active', () => {
    const live = [aJob({ phase: 'active', status: 'IN_PROGRESS' })];
    const all = {
      ...calm,
      live,
      failedUnseen: 2,
      isPaused: true,
      isOffline: true,
      refusals: ['Key refused: Production'],
    };
    expect(trayModel(all).icon).toBe('paused');
    expect(trayModel({ ...all, isPaused: false }).icon).toBe('offline');
    expect(trayModel({ ...all, isPaused: false, isOffline: false }).icon).toBe('attention');
    expect(trayModel({ ...all, isPaused: false, isOffline: false, refusals: [] }).icon).toBe('failed');
    expect(trayModel({ ...calm, live }).icon).toBe('active');
    expect(trayModel({ ...calm, live, outcomeUnknown: 1 })).toMatchObject({
      icon: 'attention',
      headline: '1 running, 1 with an unknown outcome',
    });
  });

  it('names what is refused in the tooltip and the menu, and counts what is too much (ruling 35)', () => {
    const live = [aJob({ phase: 'active', status: 'IN_PROGRESS' })];
    expect(trayModel({ ...calm, live, refusals: ['Refused: cancel on Chat'] })).toMatchObject({
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

  it('lists live jobs before ended ones, five at most, long titles cut', () => {
    const live = [1, 2, 3].map((n) =>
      aJob({ key: `live-${n}`, phase: 'active', status: 'IN_PROGRESS', title: 'x'.repeat(200) }),
    );
    const recentlyEnded = [1, 2, 3].map((n) => aJob({ key: `done-${n}`, phase: 'finished', status: 'COMPLETED' }));
    const { jobs } = trayModel({ ...calm, live, recentlyEnded });
    expect(jobs.map((job) => job.key)).toEqual(['live-1', 'live-2', 'live-3', 'done-1', 'done-2']);
    expect(jobs[0]?.label.length).toBeLessThan(80);
  });
});

import { noJobs } from '../../../../src-preload/history.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { describe, expect, it } from 'vitest';
import { isSameTaskbar, taskbarModel, WorkProgress } from '../../../../src-main/desktop/tray/taskbar-model.ts';
import { trayModel } from '../../../../src-main/desktop/tray/tray-model.ts';

const calm = {
  failures: [],
  live: [],
  recent: [],
  counts: { ...noJobs, failedUnseen: 0 },
  isPaused: false,
  isOffline: false,
  isUndisturbed: false,
  outcomeUnknown: 0,
  refusals: [],
  connections: [],
  settings: settingsDefaults,
};

describe('the progress of jobs', () => {
  it('is the share of finished jobs among all that were active since the last idle moment', () => {
    const work = new WorkProgress();
    expect(work.share([])).toBeNull();
    expect(work.share(['a'])).toBeNull();
    expect(work.share(['a', 'b', 'c', 'd'])).toBe(0);
    expect(work.share(['c', 'd'])).toBe(0.5);
    // More work comes in: less of it is done.
    expect(work.share(['d', 'e', 'f', 'g'])).toBe(3 / 7);
    expect(work.share(['g'])).toBe(6 / 7);
    expect(work.share([])).toBeNull();
    // What was done before counts no longer.
    expect(work.share(['h', 'i'])).toBe(0);
  });
});

describe('the overlay of the icon', () => {
  it('is shown while something needs the user, with the words of the tray', () => {
    expect(taskbarModel(trayModel(calm), null)).toEqual({ progress: null, isPaused: false, overlay: null });
    expect(taskbarModel(trayModel({ ...calm, counts: { ...noJobs, failedUnseen: 3 } }), 0.5)).toEqual({
      progress: 0.5,
      isPaused: false,
      overlay: { icon: 'failed', description: '3 unseen failures' },
    });
    expect(taskbarModel(trayModel({ ...calm, outcomeUnknown: 1 }), null).overlay?.icon).toBe('attention');
    expect(taskbarModel(trayModel({ ...calm, counts: { ...noJobs, failedUnseen: 3 }, isPaused: true }), 0.5)).toEqual({
      progress: 0.5,
      isPaused: true,
      overlay: null,
    });
  });

  it('is drawn again only if something changed', () => {
    const failed = (failedUnseen: number) =>
      taskbarModel(trayModel({ ...calm, counts: { ...noJobs, failedUnseen } }), 0.25);
    expect(isSameTaskbar(failed(1), failed(1))).toBe(true);
    expect(isSameTaskbar(failed(1), failed(2))).toBe(false);
    expect(isSameTaskbar(failed(1), { ...failed(1), progress: 0.5 })).toBe(false);
  });
});

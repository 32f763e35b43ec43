import { expect, it } from 'vitest';
import { createIconUpdates } from '../../../../src-main/desktop/tray/icon-updates.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import { settingsDefaults, type Settings } from '../../../../src-preload/settings.ts';
import { createVirtualClock } from '../../../kit/clock.ts';

it('unseen failures are marked on tray, dock and task bar, unless the user turned the badge off', async () => {
  const counts = { revision: 1, all: { ...noJobs, failedUnseen: 2 }, byConnection: {}, savedBytes: 0 };
  const clock = createVirtualClock(0);
  const drawn = { badge: -1, icon: '', overlay: '' };
  let settings: Settings = settingsDefaults;
  const icons = createIconUpdates({
    clock,
    liveJobs: () => [],
    counts: () => counts,
    history: {
      list: async () => ({
        jobs: [],
        nextBeforeKey: null,
        total: 0,
        isTotalCut: false,
        allTotal: 0,
        counts,
        snippets: {},
      }),
    },
    trackerState: () => ({
      tracked: 0,
      waitingToSend: 0,
      outcomeUnknown: 0,
      nowMs: 0,
      clockSettings: [],
      isPaused: false,
      connections: [],
      closures: [],
      orphans: 0,
      nextStatusReadAtMs: null,
      budgets: [],
    }),
    settings: () => settings,
    isUndisturbed: () => false,
    names: { connectionName: () => '', endpointLabel: () => '' },
    showTray: ({ icon }) => void (drawn.icon = icon),
    showTaskbar: ({ overlay }) => void (drawn.overlay = overlay?.icon ?? 'none'),
    setBadge: (count) => void (drawn.badge = count),
  });
  icons.changed();
  await clock.advance(300);
  expect(drawn).toEqual({ badge: 2, icon: 'failed', overlay: 'failed' });
  settings = { ...settingsDefaults, hasFailureBadge: false };
  icons.changed();
  await clock.advance(300);
  expect(drawn).toEqual({ badge: 0, icon: 'idle', overlay: 'none' });
  icons.close();
});

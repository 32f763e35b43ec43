import { expect, it } from 'vitest';
import { createIconUpdates } from '../../../../src-main/desktop/tray/icon-updates.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import { settingsDefaults, type Settings } from '../../../../src-preload/settings.ts';
import { createVirtualClock } from '../../../kit/clock.ts';

function iconsOver(start: Settings) {
  const scene = { settings: start, drawn: { badge: -1, icon: '', overlay: '' }, quiet: [] as boolean[] };
  const counts = { revision: 1, all: { ...noJobs, failedUnseen: 2 }, byConnection: {}, savedBytes: 0 };
  const clock = createVirtualClock(0);
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
    settings: () => scene.settings,
    names: { connectionName: () => '', endpointName: () => '' },
    showTray({ icon, isUndisturbed }) {
      scene.drawn.icon = icon;
      scene.quiet.push(isUndisturbed);
    },
    showTaskbar: ({ overlay }) => void (scene.drawn.overlay = overlay?.icon ?? 'none'),
    setBadge: (count) => void (scene.drawn.badge = count),
  });
  return { scene, clock, icons };
}

it('unseen failures are marked on tray, dock and task bar, unless the user turned the badge off', async () => {
  const { scene, clock, icons } = iconsOver(settingsDefaults);
  icons.changed();
  await clock.advance(300);
  expect(scene.drawn).toEqual({ badge: 2, icon: 'failed', overlay: 'failed' });
  scene.settings = { ...settingsDefaults, hasFailureBadge: false };
  icons.changed();
  await clock.advance(300);
  expect(scene.drawn).toEqual({ badge: 0, icon: 'idle', overlay: 'none' });
  icons.close();
});

it('the menu stops to show "Do not disturb" when that ends, and then there is no timer', async () => {
  const { scene, clock, icons } = iconsOver({ ...settingsDefaults, doNotDisturb: { isOn: true, untilMs: 60_000 } });
  icons.changed();
  await clock.advance(59_000);
  expect(scene.quiet.at(-1)).toBe(true);
  await clock.advance(2_000);
  expect(scene.quiet.at(-1)).toBe(false);
  expect(clock.pending()).toBe(0);
});

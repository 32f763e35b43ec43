import { app } from 'electron';
import type { News } from '../engine/engine-events.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../log.ts';
import { trayText } from '../messages/desktop/tray.ts';
import { notificationsRefusedNotice } from '../messages/notices.ts';
import { systemClock } from '../time/clock.ts';
import type { ConcealedClipboard } from './concealed-clipboard.ts';
import { isOnWayland } from './electron-system.ts';
import type { WindowStateFile } from './windows/window-state.ts';
import { createIconUpdates } from './tray/icon-updates.ts';
import { changeSettings, fromMain, createSystemSettings } from './system-settings/apply.ts';
import { endLinkNotice } from './links/links.ts';
import { keepAwake } from './lifecycle/keep-awake.ts';
import { quitWhenClosed, type LifecycleParts } from './lifecycle/lifecycle.ts';
import { isHiddenStart } from './system-settings/login-start.ts';
import { createDestinationOf, createRunAction } from './notifications/button-actions.ts';
import { DesktopNotifications } from './notifications/notifications.ts';
import { hasBusOwner, trayWatcher } from './linux/session-bus.ts';
import type { OpenedCopies } from './files/opened-copies.ts';
import type { SessionEnd } from './lifecycle/session-end.ts';
import { createTray, type AppTray } from './tray/tray.ts';
import { findTray } from './tray/presence.ts';
import type { Updates } from './updates/updates.ts';
import { applyTheme, type Windows } from './windows/windows.ts';

/** The open engine, and what exists before it is open. */
export interface DesktopParts {
  engine: Engine;
  resourcesDir: string;
  log: Log;
  news: News;
  windows: Windows;
  windowState: WindowStateFile;
  concealed: ConcealedClipboard;
  opened: OpenedCopies;
  sessionEnd: SessionEnd;
  quitting: Pick<LifecycleParts, 'closedWhileOpening' | 'onEnding'>;
  updates: Updates;
}

/** Connects the desktop to the open engine: tray, badge, notifications, settings, power, and quitting. */
export function connectDesktop(parts: DesktopParts): void {
  const { engine, log, news, windows } = parts;
  const notifications = connectNotifications(parts);
  const tray = connectTray(parts, notifications);
  const icons = connectIcons(engine, tray, windows);
  const awake = keepAwake();
  const applySavedTheme = connectTheme(parts);
  const applySystemSettings = createSystemSettings(engine, {
    open: () => windows.openMain(),
    newJob: () => windows.openMain({ kind: 'new-job' }),
    isWayland: isOnWayland(),
    log,
  });
  let { currentConnectionId } = engine.settings();
  news.listen((name) => {
    if (name === 'job:changed' || name === 'tracker:changed') icons.changed();
    if (name === 'tracker:changed') awake.set(liveJobs(engine) > 0);
    if (name === 'settings:changed') {
      applySavedTheme();
      applySystemSettings();
      icons.changed();
      // With another connection, the notice of a link is no longer about what is on screen.
      if (engine.settings().currentConnectionId !== currentConnectionId) void endLinkNotice(engine);
      ({ currentConnectionId } = engine.settings());
    }
  });
  connectQuitting(parts, notifications, async () => {
    icons.close();
    notifications.close();
    tray.close();
    await parts.concealed.clear();
    await parts.opened.clear();
    await engine.close();
  });
  applySavedTheme();
  applySystemSettings();
  icons.changed();
  awake.set(liveJobs(engine) > 0);
}

/** Jobs that would be left alone if Jobdeck quit: tracked ones, and those still to be sent. */
function liveJobs(engine: Engine): number {
  const { tracked, waitingToSend } = engine.trackerState();
  return tracked + waitingToSend;
}

function connectTray({ engine, resourcesDir, windows }: DesktopParts, notifications: DesktopNotifications): AppTray {
  return createTray({
    resourcesDir,
    openMain: () => windows.openMain(),
    openJob: (key) => windows.openMain({ kind: 'job', key }),
    // Wayland places windows itself.
    canPlacePopover: !isOnWayland(),
    togglePopover: (icon) => windows.toggleTray(icon),
    setDoNotDisturb: (isOn) => changeSettings(engine, { doNotDisturb: { isOn, untilMs: null } }),
    newJob: () => windows.openMain({ kind: 'new-job' }),
    resubmit: (key) => void resubmit(engine, notifications, key),
    openFailed: (isOfAll) =>
      windows.openMain(
        isOfAll
          ? { kind: 'list', view: 'failed', endpointId: null, tokens: 'connection:any', text: '' }
          : { kind: 'failed' },
      ),
    chooseConnection: (currentConnectionId) =>
      void engine.handlers['settings:change']({ currentConnectionId }, fromMain),
    setPaused: engine.setPaused,
    quit: () => app.quit(),
  });
}

/** Submits a job again. A failure is shown as a notification, because there may be no window. */
async function resubmit(engine: Engine, notifications: DesktopNotifications, key: string): Promise<void> {
  const sent = await engine.handlers['job:resubmit']({ key }, fromMain);
  if (!sent.ok) notifications.showProblem(trayText.couldNotResubmit, sent.failure.message, { kind: 'job', key });
}

function connectIcons(engine: Engine, tray: AppTray, windows: Windows): ReturnType<typeof createIconUpdates> {
  return createIconUpdates({
    clock: systemClock,
    counts: engine.jobCounts,
    liveJobs: engine.liveJobs,
    history: engine.history,
    trackerState: engine.trackerState,
    settings: engine.settings,
    names: { connectionName: engine.connectionName, endpointName: engine.endpointName },
    showTray: tray.show,
    showTaskbar: (model) => windows.showTaskbar(model),
    setBadge: (count) => app.setBadgeCount(count),
  });
}

function connectNotifications({ engine, log, windows }: DesktopParts): DesktopNotifications {
  const hasTray =
    process.platform === 'linux'
      ? findTray({
          check: () => hasBusOwner(trayWatcher, process.env),
          clock: systemClock,
          onAbsent: () => {
            log.info('no program of this desktop shows tray icons');
            // Otherwise the user could not reach the window.
            if (isHiddenStart()) windows.openMain();
          },
        })
      : () => true;
  const notifications = new DesktopNotifications({
    platform: process.platform,
    open: (destination) => windows.openMain(destination),
    seen: engine.notificationSeen,
    runAction: (id, action) => void runAction(id, action),
    destinationOf: createDestinationOf(engine),
    hasTray,
    log,
    reportFailed: (error) => {
      log.warn('the desktop refused a notification', { error });
      engine.addNotice(notificationsRefusedNotice(error));
    },
  });
  const runAction = createRunAction(engine, {
    showProblem: (...problem) => notifications.showProblem(...problem),
    open: (destination) => windows.openMain(destination),
  });
  engine.showNotificationsWith((notification) => notifications.show(notification));
  return notifications;
}

/** Returns a function that applies the theme of the settings and saves it for the first frame of the next start. */
function connectTheme({ engine, windowState }: DesktopParts): () => void {
  return () => {
    const { theme } = engine.settings();
    applyTheme(theme);
    windowState.save({ theme });
  };
}

function connectQuitting(
  { engine, log, quitting, sessionEnd, updates, windows }: DesktopParts,
  notifications: DesktopNotifications,
  close: () => Promise<void>,
): void {
  quitWhenClosed({
    ...quitting,
    liveJobs: () => liveJobs(engine),
    isKeptInTray: () => engine.settings().isKeptInTray,
    noWindowIsOpen: sessionEnd.noWindowIsOpen,
    closedTrayLast: () => windows.closedTrayLast(),
    notifyStillRunning: (count) => notifications.staying(count),
    close,
    takeOver: updates.takeOver,
    log,
  });
}

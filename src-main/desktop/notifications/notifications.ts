import { Notification, type NotificationConstructorOptions } from 'electron';
import type { Destination } from '../../../src-preload/destination.ts';
import type { NotificationAction, ShownNotification } from '../../notifications/shown-notification.ts';
import type { Log } from '../../log.ts';
import { actionLabel, stayingMessage } from '../../messages/notifications.ts';
import { takeLaunchClick } from './launch-click.ts';
import { notificationName, readActivation, readName, type Activation } from './toast-activation.ts';
import { asMarkup, plainText } from '../../../src-preload/plain-text.ts';
import { toastXml } from './toast-xml.ts';

/** How many notifications are kept so that their clicks are reported. */
const maxHeld = 100;

export interface DesktopNotificationsParts {
  platform: NodeJS.Platform;
  open: (destination: Destination) => void;
  /** The user clicked it or one of its actions. */
  seen: (id: number) => void;
  /** Runs the action of one of its buttons. */
  runAction: (id: number, action: NotificationAction) => void;
  /** Where a clicked notification leads that is not kept here, perhaps from an earlier run. Null if it is not saved. */
  destinationOf: (id: number) => Promise<Destination | null>;
  /** The desktop failed to show one. */
  reportFailed: (error: string) => void;
  /** False if the desktop is known to show no tray icon. */
  hasTray: () => boolean;
  log: Log;
}

/** Shows notifications. The engine decides which and when. */
export interface DesktopNotifications {
  /** Returns false if the desktop shows no notifications. */
  show(notification: ShownNotification): boolean;
  /** The last window was closed while jobs are live. Shown once. */
  staying(liveJobs: number): void;
  /** Shows a failure that cannot wait for a window: that of a notification's action. */
  showProblem(title: string, body: string, destination: Destination): void;
  close(): void;
}

/** Only macOS and Windows draw buttons (Electron's NotificationAction). Elsewhere a click opens the job. */
function drawsActions(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/** What Electron is to draw. */
function drawn(
  platform: NodeJS.Platform,
  given: ShownNotification,
  actions: NotificationAction[],
): NotificationConstructorOptions {
  const [title, body] = [plainText(given.title), plainText(given.body)];
  const labels = actions.map(actionLabel);
  const id = notificationName({ id: given.id, actions });
  const isSaved = given.id > 0;
  // Electron's own XML does not say which notification was clicked in a later run.
  if (platform === 'win32' && isSaved)
    return { id, toastXml: toastXml({ id, title, body, isSilent: !given.hasSound, actions: labels }) };
  return {
    title,
    body: platform === 'linux' ? asMarkup(body) : body,
    silent: !given.hasSound,
    // By it macOS names a notification of an earlier run. It replaces one with the same id.
    ...(platform === 'darwin' && isSaved ? { id } : {}),
    ...(labels.length > 0 ? { actions: labels.map((text) => ({ type: 'button' as const, text })) } : {}),
  };
}

/** Shows notifications of the system, and reports clicks and actions on them. */
export function createDesktopNotifications(parts: DesktopNotificationsParts): DesktopNotifications {
  const { platform } = parts;
  let hasShownStaying = false;
  // Electron drops the click handler of a notification when the object is collected.
  const held = new Map<number, Notification>();
  let ownId = 0;

  function activated(
    id: number,
    { destination, actions }: Pick<ShownNotification, 'destination' | 'actions'>,
    actionIndex: number | null,
  ): void {
    if (id > 0) parts.seen(id);
    const action = actionIndex === null ? undefined : actions[actionIndex];
    if (action === undefined) parts.open(destination);
    else parts.runAction(id, action);
  }

  function hold(id: number, notification: Notification): void {
    held.set(id, notification);
    for (const old of [...held.keys()].slice(0, -maxHeld)) held.delete(old);
  }

  /** A notification of an earlier run: its subject is looked up in the history, and its buttons are those it had. */
  function formerActivated({ id, actions, actionIndex }: Activation): void {
    void parts.destinationOf(id).then((destination) => {
      if (destination !== null) return activated(id, { destination, actions }, actionIndex);
      parts.log.info('a notification that was clicked is not saved', { id });
      parts.open({ kind: 'home' });
    });
  }

  /** macOS keeps notifications of earlier runs. Their clicks arrive when handlers are attached again. */
  async function attachToFormer(): Promise<void> {
    for (const notification of await Notification.getHistory()) {
      const name = readName(notification.id);
      if (name === null || held.has(name.id)) continue;
      hold(name.id, notification);
      notification.on('click', () => formerActivated({ ...name, actionIndex: null }));
      notification.on('action', ({ actionIndex }) => formerActivated({ ...name, actionIndex }));
    }
  }

  function show(given: ShownNotification): boolean {
    if (!Notification.isSupported()) return false;
    const id = given.id > 0 ? given.id : (ownId -= 1);
    const actions = drawsActions(platform) ? given.actions : [];
    const shown = { destination: given.destination, actions };
    const notification = new Notification(drawn(platform, given, actions));
    hold(id, notification);
    notification.on('click', () => activated(id, shown, null));
    notification.on('action', ({ actionIndex }) => activated(id, shown, actionIndex));
    notification.on('close', ({ reason }) => {
      // On Windows it is in the Action Center now and may still be clicked.
      if (reason !== 'timedOut') held.delete(id);
    });
    notification.on('failed', (_event, error) => {
      held.delete(id);
      parts.reportFailed(error);
    });
    notification.show();
    return true;
  }

  if (platform === 'win32') {
    // Electron registers what Windows calls for a click only when notifications are first used, not by the line below.
    Notification.isSupported();
    Notification.handleActivation(({ type, arguments: given, actionIndex }) => {
      const activation = readActivation(type, given, actionIndex);
      if (activation === null) {
        parts.log.warn('a click named no notification of Jobdeck', { type, given: given.slice(0, 200) });
        return parts.open({ kind: 'home' });
      }
      // The kept object gets the same click.
      if (!held.has(activation.id)) formerActivated(activation);
    });
  }
  if (platform === 'darwin') {
    const launch = takeLaunchClick();
    if (launch !== null) formerActivated(launch);
    attachToFormer().catch((error: unknown) => parts.log.warn('former notifications could not be read', { error }));
  }

  const showProblem = (title: string, body: string, destination: Destination): void =>
    void show({ id: 0, title, body, hasSound: false, destination, actions: [] });

  return {
    show,
    showProblem,
    staying(liveJobs) {
      if (hasShownStaying) return;
      hasShownStaying = true;
      const { title, body } = stayingMessage(liveJobs, parts.hasTray());
      showProblem(title, body, { kind: 'home' });
    },
    close() {
      // On other systems they stay, and a click starts Jobdeck again.
      if (platform === 'linux') for (const notification of held.values()) notification.close();
    },
  };
}

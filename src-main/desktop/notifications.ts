import { Notification } from 'electron';
import type { Destination } from '../../src-preload/app.ts';
import type { NotificationAction, ShownNotification } from '../notifications/shown-notification.ts';
import type { Log } from '../log.ts';
import { wordAction, wordStaying } from '../notifications/messages.ts';
import { readActivation } from './toast-activation.ts';
import { asMarkup, plainText } from './plain-text.ts';

/** Notifications whose clicks are still heard through their objects. */
const mostHeld = 100;

export interface DesktopNotificationsParts {
  platform: NodeJS.Platform;
  open: (destination: Destination) => void;
  /** Somebody opened it, or used one of its actions. */
  seen: (id: number) => void;
  act: (id: number, action: NotificationAction) => void;
  /** A click on a notification that is no longer held here, perhaps of a former run: what is it about? */
  find: (id: number) => Promise<{ destination: Destination; actions: NotificationAction[] } | null>;
  /** The desktop refused one. */
  sayFailed: (error: string) => void;
  /** False where the desktop shows no tray icon, as far as is known. */
  hasTray: () => boolean;
  log: Log;
}

/** What the desktop shows: the engine says what and when. */
export interface DesktopNotifications {
  /** False where the desktop shows no notifications. */
  show(notification: ShownNotification): boolean;
  /** The last window closed while jobs are live. Said once. */
  staying(liveJobs: number): void;
  /** What cannot wait for a window: an action of a notification failed. */
  say(title: string, body: string, destination: Destination): void;
  close(): void;
}

/** Only macOS and Windows draw buttons (Electron's NotificationAction); elsewhere a click opens the job. */
function drawsActions(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/** Shows notifications of the system, and reports clicks and actions on them. */
export function createDesktopNotifications(parts: DesktopNotificationsParts): DesktopNotifications {
  const { platform } = parts;
  let hasShownStaying = false;
  // Electron drops a notification's click handler once the object is collected.
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
    else parts.act(id, action);
  }

  function hold(id: number, notification: Notification): void {
    held.set(id, notification);
    for (const old of [...held.keys()].slice(0, -mostHeld)) held.delete(old);
  }

  /** One that a former run showed: what it is about is asked of what is saved. */
  function formerActivated(id: number, actionIndex: number | null): void {
    void parts.find(id).then((found) => {
      if (found !== null) return activated(id, found, actionIndex);
      parts.log.info('a notification that was clicked is not saved', { id });
      parts.open({ kind: 'home' });
    });
  }

  /** macOS keeps what former runs showed; clicks on it arrive once handlers are attached again. */
  async function attachToFormer(): Promise<void> {
    for (const notification of await Notification.getHistory()) {
      const id = Number(/^n(\d{1,15})$/.exec(notification.id)?.[1] ?? 0);
      if (id === 0 || held.has(id)) continue;
      hold(id, notification);
      notification.on('click', () => formerActivated(id, null));
    }
  }

  function show(given: ShownNotification): boolean {
    if (!Notification.isSupported()) return false;
    const body = plainText(given.body);
    const id = given.id > 0 ? given.id : (ownId -= 1);
    const actions = drawsActions(platform) ? given.actions : [];
    const shown = { destination: given.destination, actions };
    const notification = new Notification({
      title: plainText(given.title),
      body: platform === 'linux' ? asMarkup(body) : body,
      silent: !given.hasSound,
      // Windows hands it back with a click, even to a later run; macOS replaces one of the same id.
      ...(drawsActions(platform) && given.id > 0 ? { id: `n${given.id}` } : {}),
      ...(actions.length > 0
        ? { actions: actions.map((action) => ({ type: 'button' as const, text: wordAction(action) })) }
        : {}),
    });
    hold(id, notification);
    notification.on('click', () => activated(id, shown, null));
    notification.on('action', ({ actionIndex }) => activated(id, shown, actionIndex));
    notification.on('close', ({ reason }) => {
      // On Windows it is in the Action Center now, and may still be clicked.
      if (reason !== 'timedOut') held.delete(id);
    });
    notification.on('failed', (_event, error) => {
      held.delete(id);
      parts.sayFailed(error);
    });
    notification.show();
    return true;
  }

  if (platform === 'win32')
    Notification.handleActivation(({ type, arguments: given, actionIndex }) => {
      const activation = readActivation(type, given, actionIndex);
      if (activation === null) {
        parts.log.warn('a click named no notification of Jobdeck', { type, given: given.slice(0, 200) });
        return parts.open({ kind: 'home' });
      }
      // Its object is here and gets the same click.
      if (!held.has(activation.id)) formerActivated(activation.id, activation.actionIndex);
    });
  if (platform === 'darwin')
    attachToFormer().catch((error: unknown) => parts.log.warn('former notifications could not be read', { error }));

  const say = (title: string, body: string, destination: Destination): void =>
    void show({ id: 0, title, body, hasSound: false, destination, actions: [] });

  return {
    show,
    say,
    staying(liveJobs) {
      if (hasShownStaying) return;
      hasShownStaying = true;
      const { title, body } = wordStaying(liveJobs, parts.hasTray());
      say(title, body, { kind: 'home' });
    },
    close() {
      // Elsewhere they stay, and a click on one starts Jobdeck again.
      if (platform === 'linux') for (const notification of held.values()) notification.close();
    },
  };
}

import { Notification, type NotificationConstructorOptions, app } from 'electron';
import type { Destination } from '../../../src-preload/destination.ts';
import type { NotificationAction, ShownNotification } from '../../notifications/shown-notification.ts';
import type { Log } from '../../log.ts';
import { actionLabel, stayingMessage } from '../../messages/notifications.ts';
import { notificationName, readActivation, readName, type Activation, readLaunchInfo, toastXml } from './toasts.ts';
import { asMarkup, plainText } from '../../../src-preload/plain-text.ts';

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

/** Shows notifications of the system, and reports clicks and actions on them. The engine decides which and when. */
export class DesktopNotifications {
  readonly #parts: DesktopNotificationsParts;
  /** Electron drops the click handler of a notification when the object is collected. */
  readonly #held = new Map<number, Notification>();
  #hasShownStaying = false;
  /** The last id of a notification that is not saved. These are negative. */
  #ownId = 0;

  constructor(parts: DesktopNotificationsParts) {
    this.#parts = parts;
    if (parts.platform === 'win32') this.#listenOnWindows();
    if (parts.platform === 'darwin') this.#listenOnMac();
  }

  /** Returns false if the desktop shows no notifications. */
  show(given: ShownNotification): boolean {
    if (!Notification.isSupported()) return false;
    const { platform, reportFailed } = this.#parts;
    const id = given.id > 0 ? given.id : (this.#ownId -= 1);
    const actions = drawsActions(platform) ? given.actions : [];
    const shown = { destination: given.destination, actions };
    const notification = new Notification(drawn(platform, given, actions));
    this.#hold(id, notification);
    notification.on('click', () => this.#activated(id, shown, null));
    notification.on('action', ({ actionIndex }) => this.#activated(id, shown, actionIndex));
    notification.on('close', ({ reason }) => {
      // On Windows it is in the Action Center now and may still be clicked.
      if (reason !== 'timedOut') this.#held.delete(id);
    });
    notification.on('failed', (_event, error) => {
      this.#held.delete(id);
      reportFailed(error);
    });
    notification.show();
    return true;
  }

  /** Shows a failure that cannot wait for a window: that of a notification's action. */
  showProblem(title: string, body: string, destination: Destination): void {
    this.show({ id: 0, title, body, hasSound: false, destination, actions: [] });
  }

  /** The last window was closed while jobs are live. Shown once. */
  staying(liveJobs: number): void {
    if (this.#hasShownStaying) return;
    this.#hasShownStaying = true;
    const { title, body } = stayingMessage(liveJobs, this.#parts.hasTray());
    this.showProblem(title, body, { kind: 'home' });
  }

  /** Takes away what is shown, where it could not be clicked later. */
  close(): void {
    // On other systems they stay, and a click starts Jobdeck again.
    if (this.#parts.platform === 'linux') for (const notification of this.#held.values()) notification.close();
  }

  #activated(
    id: number,
    { destination, actions }: Pick<ShownNotification, 'destination' | 'actions'>,
    actionIndex: number | null,
  ): void {
    if (id > 0) this.#parts.seen(id);
    const action = actionIndex === null ? undefined : actions[actionIndex];
    if (action === undefined) this.#parts.open(destination);
    else this.#parts.runAction(id, action);
  }

  #hold(id: number, notification: Notification): void {
    this.#held.set(id, notification);
    for (const old of [...this.#held.keys()].slice(0, -maxHeld)) this.#held.delete(old);
  }

  /** A notification of an earlier run: its subject is looked up in the history, and its buttons are those it had. */
  #formerActivated({ id, actions, actionIndex }: Activation): void {
    const { destinationOf, log, open } = this.#parts;
    void destinationOf(id).then((destination) => {
      if (destination !== null) return this.#activated(id, { destination, actions }, actionIndex);
      log.info('a notification that was clicked is not saved', { id });
      open({ kind: 'home' });
    });
  }

  #listenOnWindows(): void {
    const { log, open } = this.#parts;
    // Electron registers what Windows calls for a click only when notifications are first used, not by the line below.
    Notification.isSupported();
    Notification.handleActivation(({ type, arguments: given, actionIndex }) => {
      const activation = readActivation(type, given, actionIndex);
      if (activation === null) {
        log.warn('a click named no notification of Jobdeck', { type, given: given.slice(0, 200) });
        return open({ kind: 'home' });
      }
      // The kept object gets the same click.
      if (!this.#held.has(activation.id)) this.#formerActivated(activation);
    });
  }

  #listenOnMac(): void {
    const { log } = this.#parts;
    const launch = takeLaunchClick();
    if (launch !== null) this.#formerActivated(launch);
    this.#attachToFormer().catch((error: unknown) => log.warn('former notifications could not be read', { error }));
  }

  /** macOS keeps notifications of earlier runs. Their clicks arrive when handlers are attached again. */
  async #attachToFormer(): Promise<void> {
    for (const notification of await Notification.getHistory()) {
      const name = readName(notification.id);
      if (name === null || this.#held.has(name.id)) continue;
      this.#hold(name.id, notification);
      notification.on('click', () => this.#formerActivated({ ...name, actionIndex: null }));
      notification.on('action', ({ actionIndex }) => this.#formerActivated({ ...name, actionIndex }));
    }
  }
}

let launchInfo: unknown = null;

/**
 * Keeps the data of the notification click that launched Jobdeck on macOS. Must be called before the first `await`:
 * Electron passes it once, when the app is ready, long before the notification can be looked up.
 */
export function keepLaunchClick(): void {
  app.once('ready', (_event, info) => {
    launchInfo = info;
  });
}

/** The click that started Jobdeck. Returned once; null if it was started otherwise. */
function takeLaunchClick(): Activation | null {
  const activation = readLaunchInfo(launchInfo);
  launchInfo = null;
  return activation;
}

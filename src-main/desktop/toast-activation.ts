/** A click on a notification: our id, and which button. */
export interface Activation {
  id: number;
  /** Null: on the notification itself. */
  actionIndex: number | null;
}

/** Our id in that of a notification. Null if it is not ours. */
export function readId(notificationId: string): number | null {
  const digits = /^n(\d{1,15})$/.exec(notificationId)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Reads what Windows returns for a click. Null if it is not ours. */
export function readActivation(type: string, given: string, actionIndex: number | undefined): Activation | null {
  const tag = /(?:^|&)tag=([^&]*)(?:&|$)/.exec(given)?.[1];
  const id = tag === undefined ? null : readId(tag);
  return id === null ? null : { id, actionIndex: type === 'action' ? (actionIndex ?? null) : null };
}

/** What macOS calls a click on the notification itself (`UNNotificationDefaultActionIdentifier`). */
const clicked = 'com.apple.UNNotificationDefaultActionIdentifier';

/**
 * Reads the `launchInfo` of Electron's `ready`: the click that started Jobdeck on macOS. Null if none did, if it is not
 * on a notification of ours, and if it only removed that. Electron gives buttons the name `ACTION_` and their index.
 */
export function readLaunchInfo(info: unknown): Activation | null {
  if (typeof info !== 'object' || info === null || !('identifier' in info && 'actionIdentifier' in info)) return null;
  const { identifier, actionIdentifier } = info;
  if (typeof identifier !== 'string' || typeof actionIdentifier !== 'string') return null;
  const id = readId(identifier);
  const button = /^ACTION_(\d{1,3})$/.exec(actionIdentifier)?.[1];
  if (id === null || (button === undefined && actionIdentifier !== clicked)) return null;
  return { id, actionIndex: button === undefined ? null : Number(button) };
}

import type { NotificationAction } from '../../notifications/shown-notification.ts';

export interface Toast {
  /** The notification's id, which Windows returns with a click. */
  id: string;
  title: string;
  body: string;
  isSilent: boolean;
  /** The labels of its buttons. */
  actions: string[];
}

/** Escapes a text for XML, which has no place for half a pair of surrogates and two other codes. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * A notification as Windows draws it (Toast schema). It is what Electron would write, with one addition: `launch`.
 * Without it a click in a later run would not say which notification it was on. A button's arguments are in the form
 * that Electron reads: by `tag` it finds the object in the same run.
 */
export function toastXml({ id, title, body, isSilent, actions }: Toast): string {
  const lines = [title, body].filter((line) => line !== '').map((line) => `<text>${escaped(line)}</text>`);
  const buttons = actions.map((label, index) => {
    const given = escaped(`type=action&action=${index}&tag=${id}`);
    return `<action activationType="foreground" arguments="${given}" content="${escaped(label)}"/>`;
  });
  return [
    `<toast launch="${escaped(`type=click&tag=${id}`)}">`,
    `<visual><binding template="ToastGeneric">${lines.join('')}</binding></visual>`,
    buttons.length === 0 ? '' : `<actions>${buttons.join('')}</actions>`,
    isSilent ? '<audio silent="true"/>' : '',
    '</toast>',
  ].join('');
}

/** What the id of a notification says of it, in this and in later runs. */
export interface NotificationName {
  /** Our number of it. */
  id: number;
  /** What its buttons do, in their order. Those of its job may be others by now. */
  actions: NotificationAction[];
}

/** A click on a notification, and which button it was on. */
export interface Activation extends NotificationName {
  /** Null: on the notification itself. */
  actionIndex: number | null;
}

/** Never change a letter: notifications of earlier versions have it. */
const letters = { r: 'retry', e: 'edit', c: 'copy-output' } as const satisfies Record<string, NotificationAction>;

/**
 * The name that the system has for a notification. A click in a later run reports nothing else, so the name contains
 * all that is needed.
 */
export function notificationName({ id, actions }: NotificationName): string {
  const written = actions.map((action) => Object.entries(letters).find(([, named]) => named === action)?.[0] ?? '');
  return `n${id}${written.join('')}`;
}

/** Reads the id of a notification. Null if it is not ours. */
export function readName(name: string): NotificationName | null {
  const [, digits, written = ''] = /^n(\d{1,15})([rec]{0,3})$/.exec(name) ?? [];
  if (digits === undefined) return null;
  const isLetter = (letter: string): letter is keyof typeof letters => letter in letters;
  return { id: Number(digits), actions: [...written].filter(isLetter).map((letter) => letters[letter]) };
}

/** Reads what Windows returns for a click. Null if it is not ours. */
export function readActivation(type: string, given: string, actionIndex: number | undefined): Activation | null {
  const tag = /(?:^|&)tag=([^&]*)(?:&|$)/.exec(given)?.[1];
  const name = tag === undefined ? null : readName(tag);
  return name === null ? null : { ...name, actionIndex: type === 'action' ? (actionIndex ?? null) : null };
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
  const name = readName(identifier);
  const button = /^ACTION_(\d{1,3})$/.exec(actionIdentifier)?.[1];
  if (name === null || (button === undefined && actionIdentifier !== clicked)) return null;
  return { ...name, actionIndex: button === undefined ? null : Number(button) };
}

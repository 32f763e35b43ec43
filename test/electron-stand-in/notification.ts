import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StandInEmitter, checkOptions, guard } from './guard.ts';
import { describeImage } from './native-image.ts';
import type { NativeImage } from './native-image.ts';

export interface NotificationOptions {
  title?: string;
  subtitle?: string;
  body?: string;
  silent?: boolean;
  icon?: NativeImage | string;
  urgency?: 'normal' | 'critical' | 'low';
  actions?: { type: 'button'; text?: string }[];
  closeButtonText?: string;
  timeoutType?: 'default' | 'never';
  id?: string;
  groupId?: string;
}

/** A notification as plain data. */
export interface NotificationPicture {
  title: string;
  subtitle: string;
  body: string;
  isSilent: boolean;
  icon: string;
  urgency: string;
  actions: string[];
  isClosed: boolean;
  /** The id on Windows and macOS. Empty elsewhere. */
  id: string;
}

/** What Windows passes on about a click. */
export interface ActivationArguments {
  type: 'click' | 'action';
  arguments: string;
  actionIndex?: number;
}

/**
 * As the desktop keeps them: Electron's objects are collected when the app no longer references them, and then get no
 * click.
 */
const shown: { object: WeakRef<Notification>; picture: NotificationPicture }[] = [];
let areSupported = true;
let failure: string | null = null;
let activation: ((details: ActivationArguments) => void) | null = null;
/** A click that came before the app registered a listener. It is delivered when the app does. */
let unheard: ActivationArguments | null = null;
/** Windows cuts off a longer tag. */
const longestTag = 64;

/** Recorded and not shown on a real desktop. The test clicks it. */
export class Notification extends StandInEmitter {
  title: string;
  subtitle: string;
  body: string;
  silent: boolean;
  urgency: string;
  actions: { type: 'button'; text?: string }[];
  timeoutType: string;
  closeButtonText: string;
  readonly id: string;
  readonly groupId: string;
  private readonly icon: string;
  private isClosed = false;
  private entry: { picture: NotificationPicture } | null = null;

  static isSupported(): boolean {
    return areSupported;
  }

  /** Windows only. On other systems Electron has no such function. */
  static get handleActivation(): ((callback: (details: ActivationArguments) => void) => void) | undefined {
    if (process.platform !== 'win32') return undefined;
    return (callback) => {
      activation = callback;
      const former = unheard;
      unheard = null;
      if (former !== null) callback(former);
    };
  }

  /** macOS only: notifications of former runs in the Notification Center (ELECTRON_STAND_IN_DELIVERED, as JSON). */
  static get getHistory(): (() => Promise<Notification[]>) | undefined {
    if (process.platform !== 'darwin') return undefined;
    return async () => deliveredBefore().map((options) => Notification.delivered(options));
  }
  private static delivered(options: NotificationOptions): Notification {
    const former = new Notification(options);
    former.keep();
    return former;
  }

  constructor(options: NotificationOptions = {}) {
    super('Notification', ['show', 'click', 'close', 'action', 'failed', 'reply']);
    checkOptions('Notification', options, [
      'title',
      'subtitle',
      'body',
      'silent',
      'icon',
      'urgency',
      'actions',
      'closeButtonText',
      'timeoutType',
      'id',
      'groupId',
    ]);
    this.title = options.title ?? '';
    this.subtitle = options.subtitle ?? '';
    this.body = options.body ?? '';
    this.silent = options.silent ?? false;
    this.urgency = options.urgency ?? 'normal';
    this.actions = options.actions ?? [];
    this.timeoutType = options.timeoutType ?? 'default';
    this.closeButtonText = options.closeButtonText ?? '';
    this.id = options.id === undefined || options.id === '' ? randomUUID() : options.id;
    if (this.id.length > longestTag) throw new TypeError(`A notification's id has at most ${longestTag} characters.`);
    this.groupId = options.groupId ?? '';
    this.icon = options.icon === undefined ? '' : describeImage(options.icon);
    return guard('Notification', this);
  }

  show(): void {
    if (failure !== null && process.platform !== 'linux') {
      const error = failure;
      setImmediate(() => this.emit('failed', {}, error));
      return;
    }
    this.isClosed = false;
    this.keep();
    setImmediate(() => this.emit('show', {}));
  }
  /**
   * Keeps the object as the desktop does: without the guard around it. The app references the guard, and nothing here
   * keeps the guard alive.
   */
  keep(): void {
    if (this.entry !== null) return;
    const entry = { object: new WeakRef<Notification>(this), picture: this.picture() };
    this.entry = entry;
    shown.push(entry);
  }
  close(): void {
    if (this.isClosed || this.entry === null) return;
    this.end({});
  }
  /** A person clicks it. The desktop then closes it. */
  click(): void {
    this.emit('click', {});
    this.close();
  }
  /** A person presses one of its buttons. */
  press(actionIndex: number): void {
    this.emit('action', { actionIndex, selectionIndex: -1 }, actionIndex, -1);
    this.close();
  }
  /** It times out on the screen. On Windows it stays in the Action Center. */
  timeOut(): void {
    this.end({ reason: 'timedOut' });
  }

  private end(details: object): void {
    this.isClosed = true;
    if (this.entry !== null) this.entry.picture = this.picture();
    setImmediate(() => this.emit('close', details));
  }
  private picture(): NotificationPicture {
    const { title, subtitle, silent, icon, urgency, actions, isClosed } = this;
    return {
      title,
      subtitle,
      body: process.platform === 'linux' ? readMarkup(this.body) : this.body,
      isSilent: silent,
      icon,
      urgency,
      // Only macOS and Windows draw them.
      actions: drawsActions() ? actions.map((one) => one.text ?? '') : [],
      isClosed,
      id: drawsActions() ? this.id : '',
    };
  }
}

function deliveredBefore(): NotificationOptions[] {
  const given: NotificationOptions[] = JSON.parse(process.env['ELECTRON_STAND_IN_DELIVERED'] ?? '[]');
  return given;
}

/** The body as a Linux desktop draws it, where it is markup. */
function readMarkup(body: string): string {
  return body
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Shown so far, oldest first. */
export function notificationPictures(): NotificationPicture[] {
  return shown.map(({ picture }) => picture);
}

function objectOf(index: number): Notification | undefined {
  const entry = shown.at(index);
  if (entry === undefined) throw new Error(`There is no notification ${index}; ${shown.length} were shown.`);
  return entry.object.deref();
}

/**
 * A person clicks it. If the app no longer references its object, which a garbage collection makes certain here, the
 * object gets no event. On Windows the listener for activations is called as well.
 */
export function clickNotification(index: number): void {
  collectGarbage();
  const { picture } = shown.at(index) ?? {};
  activate({ type: 'click', arguments: `type=click&tag=${picture?.id ?? ''}` });
  objectOf(index)?.click();
}

/** A person presses one of its buttons, counted from 0. */
export function pressNotificationAction(index: number, actionIndex: number): void {
  collectGarbage();
  const { picture } = shown.at(index) ?? {};
  if (picture?.actions[actionIndex] === undefined) throw new Error(`The notification has no action ${actionIndex}.`);
  activate({ type: 'action', arguments: `type=action&action=${actionIndex}&tag=${picture.id}`, actionIndex });
  objectOf(index)?.press(actionIndex);
}

/** Windows: a notification of a former run is clicked in the Action Center. */
export function activate(details: ActivationArguments): void {
  if (process.platform !== 'win32') return;
  if (activation === null) unheard = details;
  else activation(details);
}

function drawsActions(): boolean {
  return process.platform === 'darwin' || process.platform === 'win32';
}
/** It times out on the screen. */
export function timeOutNotification(index: number): void {
  objectOf(index)?.timeOut();
}
/** From now on, showing one fails with this error. Null ends that. */
export function failNotifications(error: string | null): void {
  failure = error;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
/** The test removes notifications, as on a desktop without them. */
export function setNotificationsSupported(isSupported: boolean): void {
  areSupported = isSupported;
}

import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StandInEmitter, checkOptions, guard } from './guard.ts';
import { describeImage } from './native-image.ts';
import type { NativeImage } from './native-image.ts';
import { isReady } from './readiness.ts';
import { electronToast, readToast } from './toast-xml.ts';
import type { Toast } from './toast-xml.ts';

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
  toastXml?: string;
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
  /** Windows: what a click on it, and on each of its buttons, passes on, as `activateToast` takes it in a later run. */
  activations: { click: ActivationArguments; actions: ActivationArguments[] };
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
/** The words with which the desktop refused one, oldest first. */
const refused: string[] = [];
let areSupported = true;
let failure: string | null = null;
let activation: ((details: ActivationArguments) => void) | null = null;
/** A click that came before the app registered a listener. It is delivered when the app does. */
let unheard: ActivationArguments | null = null;
/** Windows: whether Electron registered what a click calls. It does so when notifications are first used. */
let isRegistered = false;
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
  readonly toastXml: string;
  private readonly icon: string;
  private isClosed = false;
  private entry: { picture: NotificationPicture } | null = null;

  static isSupported(): boolean {
    register();
    return areSupported;
  }

  /** Windows only. On other systems Electron has no such function. */
  static get handleActivation(): ((callback: (details: ActivationArguments) => void) => void) | undefined {
    if (process.platform !== 'win32') return undefined;
    return (callback) => {
      activation = callback;
      deliver();
    };
  }

  /** macOS only: notifications of former runs in the Notification Center (ELECTRON_STAND_IN_DELIVERED, as JSON). */
  static get getHistory(): (() => Promise<Notification[]>) | undefined {
    if (process.platform !== 'darwin') return undefined;
    return async () => deliveredBefore().map((options) => Notification.delivered(options));
  }
  /** The system still draws its buttons, but the object knows only its words. */
  private static delivered({ actions = [], ...words }: NotificationOptions): Notification {
    const former = new Notification(words);
    former.keep(actions.map((one) => one.text ?? ''));
    return former;
  }

  constructor(options: NotificationOptions = {}) {
    if (!isReady()) throw new Error('Cannot create Notification before app is ready');
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
      'toastXml',
    ]);
    register();
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
    this.toastXml = options.toastXml ?? '';
    this.icon = options.icon === undefined ? '' : describeImage(options.icon);
    return guard('Notification', this);
  }

  show(): void {
    const error = this.toast() === null ? 'XML: Invalid XML' : failure;
    if (error !== null) {
      // Linux gives no reason (libnotify_notification.cc: NotificationFailed).
      const reason = process.platform === 'linux' ? '' : error;
      refused.push(reason);
      emitFromSystem(() => this.emit('failed', {}, reason));
      return;
    }
    this.isClosed = false;
    this.keep();
    emitFromSystem(() => this.emit('show', {}));
  }
  /**
   * Keeps the object as the desktop does: without the guard around it. The app references the guard, and nothing here
   * keeps the guard alive.
   */
  keep(labels?: string[]): void {
    if (this.entry !== null) return;
    const picture = this.picture();
    if (labels !== undefined) picture.actions = labels;
    const entry = { object: new WeakRef<Notification>(this), picture };
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
    if (this.entry !== null) this.entry.picture.isClosed = true;
    setImmediate(() => this.emit('close', details));
  }
  /** What Windows reads: the app's XML, which supersedes all other properties, or Electron's. Null if it is invalid. */
  private toast(): Toast | null {
    if (process.platform === 'win32' && this.toastXml !== '') return readToast(this.toastXml);
    return electronToast(
      this.id,
      this.actions.map((one) => one.text ?? ''),
    );
  }
  private picture(): NotificationPicture {
    const { subtitle, icon, urgency, isClosed } = this;
    const toast = this.toast() ?? electronToast(this.id, []);
    const isOwnXml = process.platform === 'win32' && this.toastXml !== '';
    const [title = '', body = ''] = isOwnXml ? toast.texts : [this.title, this.body];
    return {
      title,
      subtitle,
      body: process.platform === 'linux' ? readMarkup(body) : body,
      isSilent: isOwnXml ? toast.isSilent : this.silent,
      icon,
      urgency,
      // Only macOS and Windows draw them.
      actions: drawsActions() ? toast.actions.map(({ label }) => label) : [],
      isClosed,
      id: drawsActions() ? this.id : '',
      activations: {
        click: readArguments(toast.launch),
        actions: toast.actions.map((one) => readArguments(one.arguments)),
      },
    };
  }
}

/** Linux answers before `show` returns (libnotify_notification.cc: Show), the others in a later turn. */
function emitFromSystem(emit: () => void): void {
  if (process.platform === 'linux') emit();
  else setImmediate(emit);
}

/** As Electron reads what Windows passes on (HandleToastActivation). */
function readArguments(given: string): ActivationArguments {
  const pairs = new URLSearchParams(given);
  return pairs.get('type') === 'action'
    ? { type: 'action', arguments: given, actionIndex: Number(pairs.get('action') ?? -1) }
    : { type: 'click', arguments: given };
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

/** How many the desktop showed, and with which words it refused others. */
export function notificationAnswers(): { shown: number; refused: string[] } {
  return { shown: shown.length, refused };
}

function objectOf(index: number): Notification | undefined {
  const entry = shown.at(index);
  if (entry === undefined) throw new Error(`There is no notification ${index}; ${shown.length} were shown.`);
  return entry.object.deref();
}

/**
 * A person clicks it. If the app no longer references its object, which a garbage collection makes certain here, the
 * object gets no event. The listener for activations gets none either, because on Windows Electron tells it of a click
 * of the same run only if that was on a button.
 */
export function clickNotification(index: number): void {
  collectGarbage();
  objectOf(index)?.click();
}

/** A person presses one of its buttons, counted from 0. On Windows the listener for activations is called as well. */
export function pressNotificationAction(index: number, actionIndex: number): void {
  collectGarbage();
  const { picture } = shown.at(index) ?? {};
  if (picture?.actions[actionIndex] === undefined) throw new Error(`The notification has no action ${actionIndex}.`);
  const details = picture.activations.actions[actionIndex];
  if (details !== undefined) activate(details);
  objectOf(index)?.press(actionIndex);
}

/** Windows: a notification of a former run, or one of its buttons, is clicked in the Action Center. */
export function activate(details: ActivationArguments): void {
  if (process.platform !== 'win32') return;
  unheard = details;
  deliver();
}

function register(): void {
  isRegistered = true;
  deliver();
}

function deliver(): void {
  if (!isRegistered || activation === null || unheard === null) return;
  const details = unheard;
  unheard = null;
  activation(details);
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

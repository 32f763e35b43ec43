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
}

const shown: Notification[] = [];
let areSupported = true;

/** Recorded: shown on no real desktop; the test clicks it. */
export class Notification extends StandInEmitter {
  title: string;
  subtitle: string;
  body: string;
  silent: boolean;
  urgency: string;
  actions: { type: 'button'; text?: string }[];
  timeoutType: string;
  closeButtonText: string;
  private readonly icon: string;
  private isClosed = false;

  static isSupported(): boolean {
    return areSupported;
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
    this.icon = options.icon === undefined ? '' : describeImage(options.icon);
    return guard('Notification', this);
  }

  show(): void {
    this.isClosed = false;
    if (!shown.includes(this)) shown.push(this);
    setImmediate(() => this.emit('show', {}));
  }
  close(): void {
    if (this.isClosed || !shown.includes(this)) return;
    this.isClosed = true;
    setImmediate(() => this.emit('close', {}));
  }
  /** A person clicks it: the desktop closes it then. */
  click(): void {
    this.emit('click', {});
    this.close();
  }
  picture(): NotificationPicture {
    const { title, subtitle, body, silent, icon, urgency, actions, isClosed } = this;
    return {
      title,
      subtitle,
      body,
      isSilent: silent,
      icon,
      urgency,
      actions: actions.map((one) => one.text ?? ''),
      isClosed,
    };
  }
}

/** All notifications shown so far, oldest first. */
export function shownNotifications(): readonly Notification[] {
  return shown;
}
/** The test takes notifications away, as on a desktop without them. */
export function setNotificationsSupported(isSupported: boolean): void {
  areSupported = isSupported;
}

import { StandInEmitter, checkOptions, guard, preventable } from './guard.ts';
import { reportCloseCancelled, reportClosed } from './open-windows.ts';

const open = new Set<BaseWindow>();

/** A window without a page. Here it is never shown, and only gets the events for its end and that of the session. */
export class BaseWindow extends StandInEmitter {
  private isGone = false;

  constructor(options: { show?: boolean } = {}) {
    super('BaseWindow', ['query-session-end', 'session-end', 'close', 'closed']);
    checkOptions('BaseWindow', options, ['show']);
    const self = guard('BaseWindow', this, { isDestroyed: () => this.isGone, lost: new Set(['close']) });
    open.add(self);
    return self;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }
  close(): void {
    const event = preventable({});
    this.emit('close', event);
    if (event.defaultPrevented) reportCloseCancelled();
    else this.destroy();
  }
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const one of open) if (one.isDestroyed()) open.delete(one);
    this.emit('closed', {});
    reportClosed();
  }
}

/** Those that are open: Electron counts them as windows, so the last window has not closed. */
export function openBaseWindows(): readonly BaseWindow[] {
  return [...open];
}

import { StandInEmitter, checkOptions, guard } from './guard.ts';

const open = new Set<BaseWindow>();

/** A window without a page. Here it is never shown, and only gets the event for the end of the session. */
export class BaseWindow extends StandInEmitter {
  private isGone = false;

  constructor(options: { show?: boolean } = {}) {
    super('BaseWindow', ['query-session-end', 'session-end', 'closed']);
    checkOptions('BaseWindow', options, ['show']);
    const self = guard('BaseWindow', this);
    open.add(self);
    return self;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const one of open) if (one.isDestroyed()) open.delete(one);
    this.emit('closed');
  }
}

/** Those that are open: Electron counts them as windows, so the last window has not closed. */
export function openBaseWindows(): readonly BaseWindow[] {
  return [...open];
}

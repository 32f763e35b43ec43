import { fromPage } from './clone.ts';
import { StandInEmitter, guard } from './guard.ts';
import type { MessagePortMain } from './message-port.ts';
import type { PageDocument } from './page-document.ts';
import type { Encoded } from './page/codec.ts';
import { records } from './records.ts';
import type { Frame } from './web-frame.ts';

/** The sender of a message: a document, in a frame of some contents. */
export interface Speaker {
  /** The webContents. */
  sender: object;
  frame: Frame;
  document: PageDocument;
}

type Handler = (event: object, ...args: unknown[]) => unknown;

/** What an invoke gets instead of its handler's answer: never anything, or this. */
export type BrokenAnswer = { kind: 'never' } | { kind: 'answer'; result: unknown };

const brokenAnswers = new Map<string, BrokenAnswer>();

/**
 * From now on, an invoke whose first argument is `name` gets `broken`, whatever its other arguments. Its handler is not
 * run.
 */
export function breakInvoke(name: string, broken: BrokenAnswer): void {
  brokenAnswers.set(name, broken);
}

class IpcMain extends StandInEmitter {
  private handlers = new Map<string, { handler: Handler; isOnce: boolean }>();

  constructor() {
    super('ipcMain', []);
    return guard('ipcMain', this);
  }

  handle(channel: string, handler: Handler): void {
    if (typeof handler !== 'function')
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, { handler, isOnce: false });
  }
  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, handler);
    this.handlers.set(channel, { handler, isOnce: true });
  }
  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }

  /** Channels are the app's own names, so any event is allowed. */
  protected override known(event: string): string {
    return event;
  }

  /** Runs the handler of an invoke and replies, with Electron's message if it fails. */
  async dispatchInvoke(speaker: Speaker, id: number, channel: string, args: Encoded): Promise<void> {
    const entry = this.handlers.get(channel);
    const fail = (error: unknown): void =>
      speaker.document.reply(id, { error: `Error invoking remote method '${channel}': ${String(error)}` });
    if (entry === undefined) {
      fail(new Error(`No handler registered for '${channel}'`));
      return;
    }
    if (entry.isOnce) this.handlers.delete(channel);
    try {
      const given = decodeArgs(args);
      const broken = typeof given[0] === 'string' ? brokenAnswers.get(given[0]) : undefined;
      if (broken?.kind === 'never') return;
      const result = broken === undefined ? await entry.handler(eventFrom(speaker, []), ...given) : broken.result;
      if (typeof given[0] === 'string') records.start.firstAnswers[given[0]] ??= Date.now();
      speaker.document.reply(id, { result });
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error);
      fail(error);
    }
  }

  /** Calls the listeners of a channel. */
  dispatchSend(speaker: Speaker, channel: string, args: Encoded, ports: readonly MessagePortMain[]): void {
    this.emit(channel, eventFrom(speaker, ports), ...decodeArgs(args));
  }
}

function decodeArgs(args: Encoded): unknown[] {
  const decoded = fromPage(args);
  return Array.isArray(decoded) ? decoded : [decoded];
}

function eventFrom({ sender, frame, document }: Speaker, ports: readonly MessagePortMain[]): object {
  return guard('IpcMainEvent', {
    type: 'frame',
    sender,
    /** Null if it is read after the frame is gone or has another document, as in Electron. */
    get senderFrame() {
      return frame.document === document ? frame.shown : null;
    },
    frameId: frame.routingId,
    processId: 1,
    ports,
    defaultPrevented: false,
    reply: (channel: string, ...args: unknown[]) => document.send(channel, args, []),
  });
}

export const ipcMain = new IpcMain();

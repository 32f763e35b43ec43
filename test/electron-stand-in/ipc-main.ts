import { fromPage } from './clone.ts';
import { StandInEmitter, guard } from './guard.ts';
import type { MessagePortMain } from './message-port.ts';
import type { PageDocument } from './page-document.ts';
import type { Encoded } from './page/codec.ts';

/** The side of webContents that ipcMain needs. */
export interface Sender {
  mainFrame: object;
  send(channel: string, ...args: unknown[]): void;
}

type Handler = (event: object, ...args: unknown[]) => unknown;

class IpcMain extends StandInEmitter {
  private handlers = new Map<string, { handler: Handler; isOnce: boolean }>();

  constructor() {
    super('ipcMain', []);
    return guard('ipcMain', this);
  }

  handle(channel: string, handler: Handler): void {
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

  /** Channels are the app's own names, so any event may be listened to. */
  protected override known(event: string): string {
    return event;
  }

  /** Runs the handler of an invoke and replies, in Electron's words when it fails. */
  async dispatchInvoke(sender: Sender, page: PageDocument, id: number, channel: string, args: Encoded): Promise<void> {
    const entry = this.handlers.get(channel);
    const fail = (error: unknown): void => page.reply(id, { error: `Error invoking remote method '${channel}': ${String(error)}` });
    if (entry === undefined) {
      fail(new Error(`No handler registered for '${channel}'`));
      return;
    }
    if (entry.isOnce) this.handlers.delete(channel);
    try {
      const result = await entry.handler(eventFrom(sender, []), ...decodeArgs(args));
      page.reply(id, { result });
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error);
      fail(error);
    }
  }

  /** Tells the listeners of a channel. */
  dispatchSend(sender: Sender, channel: string, args: Encoded, ports: readonly MessagePortMain[]): void {
    this.emit(channel, eventFrom(sender, ports), ...decodeArgs(args));
  }
}

function decodeArgs(args: Encoded): unknown[] {
  const decoded = fromPage(args);
  return Array.isArray(decoded) ? decoded : [decoded];
}

function eventFrom(sender: Sender, ports: readonly MessagePortMain[]): object {
  return guard('IpcMainEvent', {
    type: 'frame',
    sender,
    senderFrame: sender.mainFrame,
    frameId: 1,
    processId: 1,
    ports,
    defaultPrevented: false,
    reply: (channel: string, ...args: unknown[]) => sender.send(channel, ...args),
  });
}

export const ipcMain = new IpcMain();

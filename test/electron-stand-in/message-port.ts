import { clone } from './clone.ts';
import { StandInEmitter, guard } from './guard.ts';

/** The other end of a port: a port in main, or one in a page. */
export interface PortPeer {
  deliver(data: unknown): void;
  peerClosed(): void;
}

/** Electron's MessagePortMain. It holds messages until `start()`, as Electron does. */
export class MessagePortMain extends StandInEmitter {
  peer: PortPeer | null = null;
  /** A port that was transferred to a page can no longer be used in main. */
  isTransferred = false;
  private isStarted = false;
  private isClosed = false;
  private held: unknown[] = [];

  constructor() {
    super('MessagePortMain', ['message', 'close']);
    return guard('MessagePortMain', this);
  }

  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    if (transfer.length > 0) throw new Error('The Electron stand-in has no transfer of ports through ports.');
    if (this.isTransferred) throw new Error('This port was transferred and can no longer be used here.');
    const copy = clone(message);
    this.peer?.deliver(copy);
  }

  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    for (const data of this.held.splice(0)) this.tell(data);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const { peer } = this;
    this.peer = null;
    peer?.peerClosed();
    setImmediate(() => this.emit('close'));
  }

  deliver(data: unknown): void {
    if (this.isClosed) return;
    if (this.isStarted) this.tell(data);
    else this.held.push(data);
  }

  peerClosed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.peer = null;
    setImmediate(() => this.emit('close'));
  }

  /** Transfers this port from main to a page. Returns the end that stays, and what was sent before. */
  handOver(): { stays: PortPeer | null; held: unknown[] } {
    if (this.isTransferred || this.isClosed) throw new Error('A port can be transferred once, while it is open.');
    this.isTransferred = true;
    const stays = this.peer;
    return { stays, held: this.held.splice(0) };
  }

  private tell(data: unknown): void {
    setImmediate(() => {
      if (!this.isClosed) this.emit('message', { data, ports: [] });
    });
  }
}

/** Two ports, each of which receives what the other posts. */
export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.peer = this.port2;
    this.port2.peer = this.port1;
  }
}

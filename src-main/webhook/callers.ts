import type { Socket } from 'node:net';

/**
 * The open connections of a server. Anyone on this computer, or behind a tunnel, can open some and stay silent. So one
 * too many ends the one that has been silent for the longest time, and never one whose call is being read.
 */
export class Callers {
  readonly #max: number;
  /** Whether a call of it is being read; the one that was silent the longest first. */
  readonly #open = new Map<Socket, boolean>();

  /** `max`: how many there may be at once. */
  constructor(max: number) {
    this.#max = max;
  }

  /** A connection was opened. It is closed immediately if calls of all others are being read. */
  opened(socket: Socket): void {
    if (this.#open.size >= this.#max) this.#endOne(socket);
    if (socket.destroyed) return;
    this.#open.set(socket, false);
    socket.once('close', () => this.#open.delete(socket));
  }

  /** A call of it begins to be read, or was answered. */
  setCalling(socket: Socket, isCalling: boolean): void {
    // Last in the order: it was not silent until now.
    if (this.#open.delete(socket)) this.#open.set(socket, isCalling);
  }

  #endOne(newest: Socket): void {
    const silent = [...this.#open].find(([, isCalling]) => !isCalling)?.[0] ?? newest;
    this.#open.delete(silent);
    silent.destroy();
  }
}

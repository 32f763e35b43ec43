import { appendFileSync } from 'node:fs';
import type { Chromium } from './chromium-pipe.ts';
import { fromPage, toPage } from './clone.ts';
import { MessagePortMain } from './message-port.ts';
import type { PortPeer } from './message-port.ts';
import { deliverName } from './page/sources.ts';
import type { ToPage } from './page/words.ts';

/** A file that also gets everything that main sends to pages, for a test that searches for what must not be sent. */
const toldFile = process.env['ELECTRON_STAND_IN_TOLD'];

/** One document in a window whose preload has run: its messages, and the ports that end in it. */
export interface PageDocument {
  contextId: number;
  reply(id: number, answer: { result: unknown } | { error: string }): void;
  send(channel: string, args: readonly unknown[], ports: readonly MessagePortMain[]): void;
  /** Creates the ends in main of ports that the page transferred. */
  takePorts(ids: readonly number[]): MessagePortMain[];
  portMessage(id: number, data: Parameters<typeof fromPage>[0]): void;
  portClosed(id: number): void;
  /** The document is gone: its ports close. */
  end(): void;
}

/** Sends messages to the isolated world `contextId` of the page session. Messages of one tick are sent together. */
export function createPageDocument(chromium: Chromium, sessionId: string, contextId: number): PageDocument {
  let outbox: ToPage[] = [];
  let hasEnded = false;
  const ports = new Map<number, PortPeer>();
  let lastPort = 0;

  const flush = (): void => {
    const words = JSON.stringify(outbox);
    outbox = [];
    if (toldFile !== undefined) appendFileSync(toldFile, `${words}\n`);
    if (hasEnded) return;
    chromium
      .send(
        'Runtime.callFunctionOn',
        {
          // As text: Chromium compiles any other value as a script, which takes much longer.
          functionDeclaration: `function (words) { globalThis.${deliverName}(JSON.parse(words)); }`,
          executionContextId: contextId,
          arguments: [{ value: words }],
          silent: true,
        },
        sessionId,
      )
      .catch(() => {
        // The document is gone meanwhile. Its end has its own event.
      });
  };
  const say = (word: ToPage): void => {
    if (outbox.push(word) === 1) queueMicrotask(flush);
  };
  /** The end of a port that is in the page, as main's ports see it. */
  const pageEnd = (id: number): PortPeer => ({
    deliver: (data) => say({ type: 'port-message', port: id, data: toPage(data) }),
    peerClosed() {
      ports.delete(id);
      say({ type: 'port-close', port: id });
    },
  });

  return {
    contextId,
    reply(id, answer) {
      say(
        'error' in answer
          ? { type: 'reply', id, error: answer.error }
          : { type: 'reply', id, result: toPage(answer.result) },
      );
    },
    send(channel, args, transfer) {
      const encoded = toPage(args);
      const closed: number[] = [];
      const early: { id: number; data: unknown }[] = [];
      const ids = transfer.map((port) => {
        const { stays, held } = port.handOver();
        lastPort += 1;
        const id = lastPort;
        if (stays !== null) ports.set(id, stays);
        if (stays instanceof MessagePortMain) stays.peer = pageEnd(id);
        else closed.push(id);
        early.push(...held.map((data) => ({ id, data })));
        return id;
      });
      say({ type: 'event', channel, args: encoded, ports: ids });
      for (const { id, data } of early) say({ type: 'port-message', port: id, data: toPage(data) });
      for (const id of closed) say({ type: 'port-close', port: id });
    },
    takePorts: (ids) =>
      ids.map((id) => {
        const port = new MessagePortMain();
        port.peer = pageEnd(id);
        ports.set(id, port);
        return port;
      }),
    portMessage(id, data) {
      ports.get(id)?.deliver(fromPage(data));
    },
    portClosed(id) {
      const port = ports.get(id);
      ports.delete(id);
      port?.peerClosed();
    },
    end() {
      hasEnded = true;
      for (const port of ports.values()) port.peerClosed();
      ports.clear();
    },
  };
}

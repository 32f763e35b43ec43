import { Worker } from 'node:worker_threads';
import { failed } from '../../src-preload/failure.ts';
import { readReply, type ReadReply, type ReplyAsk } from './read-reply.ts';
import { largeReplyBytes } from './reply-body.ts';

/** A reply to read, handed to the thread. Its bytes are shared, and nobody writes them any more. */
export interface ToReplyThread {
  id: number;
  bytes: Uint8Array;
  ask: ReplyAsk;
}

export interface FromReplyThread {
  id: number;
  read: ReadReply;
}

/**
 * Reads the bytes of replies: short ones at once, large ones in a thread of their own, so that main goes on (ruling
 * 43).
 */
export interface ReplyReader {
  read(bytes: Uint8Array, ask: ReplyAsk): Promise<ReadReply>;
}

interface Waiting {
  message: ToReplyThread;
  /** How many threads ended over it. */
  ends: number;
  resolve: (read: ReadReply) => void;
}

/** What it lets go of at once, it lets go of early: it makes little that lasts. */
const youngMb = 4;
/** A reply that ended two threads would end a third. */
const mostEnds = 2;

/**
 * A reader whose one thread is started at the first large reply, and again after it ended. Takes the thread's script;
 * by default the source beside this file. The process may end while nothing is read.
 */
export function createReplyReader(threadUrl: URL = new URL('./reply-thread.ts', import.meta.url)): ReplyReader {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let nextId = 1;

  function ended(which: Worker): void {
    if (thread !== which) return;
    thread = null;
    // They are read in the order they came: it ended over the first.
    const [first] = waiting;
    if (first !== undefined) {
      const [id, blamed] = first;
      blamed.ends += 1;
      if (blamed.ends === mostEnds)
        settle(id, {
          fields: failed(unread),
          stream: failed(unread),
          salvaged: null,
          clean: null,
          hiddenSecrets: 0,
          isJson: false,
        });
    }
    for (const { message } of waiting.values()) running().postMessage(message, []);
  }

  function settle(id: number, read: ReadReply): void {
    const settled = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) thread?.unref();
    settled?.resolve(read);
  }

  function running(): Worker {
    if (thread !== null) return thread;
    const started = new Worker(threadUrl, { name: 'replies', resourceLimits: { maxYoungGenerationSizeMb: youngMb } });
    started.on('message', ({ id, read }: FromReplyThread) => settle(id, read));
    started.on('error', () => ended(started));
    started.on('exit', () => ended(started));
    thread = started;
    return started;
  }

  return {
    read(bytes, ask) {
      if (bytes.length <= largeReplyBytes) return Promise.resolve(readReply(bytes, ask));
      return new Promise((resolve) => {
        const message = { id: nextId, bytes, ask };
        nextId += 1;
        waiting.set(message.id, { message, ends: 0, resolve });
        running().ref();
        running().postMessage(message, []);
      });
    },
  };
}

const unread = 'could not be read: the thread that reads large replies ended';

/** Whoever names no other shares this one. */
export const ownReplyReader = createReplyReader();

import type { StreamMessage } from '../../src-preload/contract.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { StreamPage } from '../../src-preload/stream-digest.ts';
import { createStreamLog } from './stream-log.ts';
import type { StreamLog } from './stream-log.ts';

/** What is told while a window listens; see `openStream`. */
export type OpenPort = (
  onMessage: (message: StreamMessage) => void,
  onFailure: (message: string) => void,
) => () => void;

/** A page on its way, and how far was told when it was asked for. */
interface Asked {
  announcedSeq: number;
  answer: Promise<Result<StreamPage>>;
}

export interface StreamReading {
  /**
   * Another one once the stored chunks turned out to have other places; it is read whole before it takes the former's.
   */
  readonly log: StreamLog;
  /** Rises whenever there is something new to show; 0 before anything came. */
  readonly version: number;
  /** Why the stream cannot be read, or null. */
  readonly problem: string | null;
  subscribe(listener: () => void): () => void;
  /** Reads what is there and then what comes. Answers the function that stops it; what was read stays. */
  open(): () => void;
}

/**
 * One attempt's stream in a window, without a gap and without a double. It listens first and then reads what is stored,
 * page after page: what is on disk when a page is read is in it, and what comes later is told. What was told while it
 * read is on disk too, so it reads on until it has that. A hole in what is told is filled the same way.
 */
export function createStreamReading(parts: {
  readPage: (fromSeq: number) => Promise<Result<StreamPage>>;
  openPort: OpenPort;
}): StreamReading {
  const { readPage, openPort } = parts;
  const listeners = new Set<() => void>();
  let log = createStreamLog();
  let version = 0;
  let problem: string | null = null;

  function publish(): void {
    version += 1;
    for (const listener of listeners) listener();
  }

  function open(): () => void {
    let isOpen = true;
    let isReading = false;
    /** Of what was read before nobody knows whether it still has its places: nothing was told while it was shut. */
    let isReplaced = log.chunkCount > 0;
    /** Place behind the last chunk told. */
    let announcedSeq = 0;
    let end: { status: string | null } | null = null;

    const fail = (message: string): void => {
      problem = message;
      publish();
    };

    const ask = (fromSeq: number): Asked => ({ announcedSeq, answer: readPage(fromSeq) });

    async function read(): Promise<void> {
      if (isReading) return;
      isReading = true;
      let into = log;
      let ahead: Asked | null = null;
      for (;;) {
        if (isReplaced) {
          isReplaced = false;
          into = createStreamLog();
          ahead = null;
        }
        const asked: Asked = ahead ?? ask(into.chunkCount);
        const page = await asked.answer;
        if (!isOpen) return;
        if (isReplaced) continue;
        if (!page.ok) {
          isReading = false;
          isReplaced = into !== log;
          fail(page.failure.message);
          return;
        }
        const { isLast, nextSeq } = page.value;
        // What was told since is not in it; but what is not there after it was told will not come.
        const isAll =
          isLast && (nextSeq >= announcedSeq || (nextSeq === into.chunkCount && asked.announcedSeq === announcedSeq));
        // The next page is on its way while this one is taken.
        ahead = isAll ? null : ask(nextSeq);
        into.acceptPage(page.value);
        problem = null;
        if (isAll) {
          log = into;
          isReading = false;
          if (end !== null) log.end(end.status);
        }
        if (into === log) publish();
        if (isAll) return;
      }
    }

    const take = (message: StreamMessage): void => {
      switch (message.kind) {
        case 'chunks':
          announcedSeq = (message.chunks.at(-1)?.seq ?? -1) + 1;
          if (isReading) return;
          if (isReplaced || !log.accept(message.chunks)) void read();
          publish();
          return;
        case 'replaced':
          isReplaced = true;
          announcedSeq = 0;
          void read();
          return;
        case 'ended':
          end = { status: message.status };
          if (isReading) return;
          log.end(end.status);
          publish();
          return;
        case 'attempt':
          // What follows belongs to another reading.
          stop();
      }
    };
    const closePort = openPort(
      (message) => {
        if (isOpen) take(message);
      },
      (message) => {
        if (isOpen) fail(message);
      },
    );
    const stop = (): void => {
      isOpen = false;
      closePort();
    };
    void read();
    return stop;
  }

  return {
    get log() {
      return log;
    },
    get version() {
      return version;
    },
    get problem() {
      return problem;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open,
  };
}

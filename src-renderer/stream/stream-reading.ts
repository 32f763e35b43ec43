import type { StreamMessage } from '../../src-preload/contract.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { MediaRun } from '../../src-preload/media-run.ts';
import type { StreamPage } from '../../src-preload/stream-digest.ts';
import { StreamLog } from './stream-log.ts';

/** Opens the messages of a stream. See `openStream`. */
type OpenPort = (onMessage: (message: StreamMessage) => void, onFailure: (message: string) => void) => () => void;

/** A page on its way, and how far the messages had come when it was requested. */
interface PageRequest {
  announcedSeq: number;
  answer: Promise<Result<StreamPage>>;
}

export interface StreamReading {
  /** Replaced when the stored chunks have other indices. The new one is read completely first. */
  readonly log: StreamLog;
  /** Rises whenever there is something new to show. 0 before anything came. */
  readonly version: number;
  /** True while what is stored is read, so that more of it follows. */
  readonly isReading: boolean;
  /** Why the stream cannot be read, or null. */
  readonly problem: string | null;
  subscribe(listener: () => void): () => void;
  /**
   * Reads what is stored and then what comes, once for all who open it. Returns the function that leaves it; when all
   * have left it stops, and what was read stays.
   */
  open(): () => void;
}

interface StreamSource {
  /** `run` is what the chunks before `fromSeq` left open. */
  readPage: (fromSeq: number, run: MediaRun | null) => Promise<Result<StreamPage>>;
  openPort: OpenPort;
}

/**
 * One attempt's stream in a window, without gaps and duplicates. It first listens and then reads what is stored, page
 * by page: a page has what is on disk when it is read, and what comes later is a message. The content of messages that
 * arrive while pages are read is on disk too, so reading continues until it includes that. A gap between messages is
 * filled in the same way.
 */
export function createStreamReading(source: StreamSource): StreamReading {
  return new Reading(source);
}

class Reading implements StreamReading {
  log = new StreamLog();
  version = 0;
  isReading = false;
  problem: string | null = null;
  readonly #source: StreamSource;
  readonly #listeners = new Set<() => void>();
  readonly #users = new Set<object>();
  #opened: OpenedStream | null = null;

  constructor(source: StreamSource) {
    this.#source = source;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  open(): () => void {
    const user = {};
    this.#users.add(user);
    this.#opened ??= new OpenedStream(this, this.#source);
    return () => {
      this.#users.delete(user);
      if (this.#users.size > 0) return;
      this.#opened?.stop();
      this.#opened = null;
    };
  }

  publish(): void {
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** A stream while a window listens to it. */
class OpenedStream {
  readonly #reading: Reading;
  readonly #source: StreamSource;
  readonly #closePort: () => void;
  #isOpen = true;
  /** What was read before may have other indices now, because there were no messages while the stream was closed. */
  #isReplaced: boolean;
  /** The index after the last chunk of a message. */
  #announcedSeq = 0;
  #end: { status: string | null } | null = null;

  constructor(reading: Reading, source: StreamSource) {
    this.#reading = reading;
    this.#source = source;
    this.#isReplaced = reading.log.chunkCount > 0;
    this.#closePort = source.openPort(
      (message) => {
        if (this.#isOpen) this.#take(message);
      },
      (message) => {
        if (this.#isOpen) this.#fail(message);
      },
    );
    void this.#read();
  }

  stop(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#reading.isReading = false;
    this.#closePort();
  }

  #fail(message: string): void {
    this.#reading.problem = message;
    this.#reading.publish();
  }

  #requestPage(fromSeq: number, run: MediaRun | null): PageRequest {
    return { announcedSeq: this.#announcedSeq, answer: this.#source.readPage(fromSeq, run) };
  }

  async #read(): Promise<void> {
    const reading = this.#reading;
    if (reading.isReading) return;
    reading.isReading = true;
    let into = reading.log;
    let ahead: PageRequest | null = null;
    for (;;) {
      if (this.#isReplaced) {
        this.#isReplaced = false;
        into = new StreamLog();
        ahead = null;
      }
      const request: PageRequest = ahead ?? this.#requestPage(into.chunkCount, into.run);
      const page = await request.answer;
      if (!this.#isOpen) return;
      if (this.#isReplaced) continue;
      if (!page.ok) {
        reading.isReading = false;
        this.#isReplaced = into !== reading.log;
        this.#fail(page.failure.message);
        return;
      }
      const isAll = this.#isAll(page.value, into, request);
      // Requests the next page while this one is processed.
      ahead = isAll ? null : this.#requestPage(page.value.nextSeq, page.value.digest.run);
      into.acceptPage(page.value);
      reading.problem = null;
      if (isAll) {
        reading.log = into;
        reading.isReading = false;
        if (this.#end !== null) into.end(this.#end.status);
      }
      if (into === reading.log) reading.publish();
      if (isAll) return;
    }
  }

  /**
   * Whether this page is the last to read. It does not include what messages brought since it was requested. What is
   * missing after its message came will not come.
   */
  #isAll({ isLast, nextSeq }: StreamPage, into: StreamLog, request: PageRequest): boolean {
    const announced = this.#announcedSeq;
    return isLast && (nextSeq >= announced || (nextSeq === into.chunkCount && request.announcedSeq === announced));
  }

  #take(message: StreamMessage): void {
    const { log, isReading } = this.#reading;
    switch (message.kind) {
      case 'chunks':
        this.#announcedSeq = (message.chunks.at(-1)?.seq ?? -1) + 1;
        if (isReading) return;
        if (this.#isReplaced || !log.accept(message.chunks)) void this.#read();
        this.#reading.publish();
        return;
      case 'replaced':
        this.#isReplaced = true;
        this.#announcedSeq = 0;
        void this.#read();
        return;
      case 'ended':
        this.#end = { status: message.status };
        if (isReading) return;
        log.end(message.status);
        this.#reading.publish();
        return;
      case 'attempt':
        // The rest belongs to another reading.
        this.stop();
    }
  }
}

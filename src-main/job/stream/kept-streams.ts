import type { Job, StreamChunk } from '../../../src-preload/job.ts';
import { createSerialQueue, type SerialQueue } from '../../async/queues.ts';
import { areChunksCounted } from './counted-chunks.ts';
import { beingOrdered, beingPutBack, readLeftOut } from './left-out.ts';
import type { LeftOut } from './left-out.ts';
import { Replay } from './replay.ts';
import type { ReplyToKeep } from './replay.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { JobContext } from '../context/job-context.ts';

/** Stored chunks read at a time for their fingerprints. */
const pageSize = 2_000;
/**
 * The documents that note what was left out of the streams of live jobs, by job and attempt: it must survive a crash.
 */
const leftOutKind = 'left-out-chunks';

/** What is known of one attempt's chunks; lost at a restart, and then learned anew from what is stored. */
export interface OpenStream {
  attempt: number;
  replay: Replay;
  /** Replies of reads side by side are told apart and stored one after the other. */
  queue: SerialQueue;
  /** What is noted on disk as left out of it. */
  leftOut: readonly LeftOut[];
}

/**
 * The chunks of live jobs on their way to the disk: new ones are told from those that a reply repeats, stored, and put
 * in order when nothing more comes.
 */
export class KeptStreams {
  readonly #context: JobContext;
  readonly #subscriptions: Subscriptions;
  /** By job. */
  readonly #open = new Map<string, OpenStream>();

  constructor(context: JobContext, subscriptions: Subscriptions) {
    this.#context = context;
    this.#subscriptions = subscriptions;
  }

  /** With what a former run stored and left out. */
  async open(job: Job): Promise<OpenStream> {
    const known = this.#open.get(job.key);
    if (known?.attempt === job.attempt) return known;
    const stream = await this.#recall(job);
    this.#open.set(job.key, stream);
    return stream;
  }

  /** Commits what is new of a reply, then tells it. Answers how much that is. */
  store(job: Job, stream: OpenStream, take: (replay: Replay) => readonly ReplyToKeep[]): Promise<number> {
    return stream.queue.run(() => this.#store(job, stream, take(stream.replay)));
  }

  async #store(job: Job, stream: OpenStream, replies: readonly ReplyToKeep[]): Promise<number> {
    const leftOut = stream.replay.leftOut();
    const isPuttingBack = replies.some(({ isPutBack }) => isPutBack === true);
    // The service has forgotten all of this by now: noted before anything else, and no longer only when it is stored.
    if (isPuttingBack) await this.#noteLeftOut(job, stream, beingPutBack(stream.leftOut));
    else if (leftOut.length !== stream.leftOut.length) await this.#noteLeftOut(job, stream, leftOut);
    let count = 0;
    for (const { chunks, receivedAtMs } of replies) {
      const placed = await this.#context.durableWrites.untilDone(() =>
        this.#context.ledger.keepChunks(job.key, job.attempt, chunks, receivedAtMs),
      );
      this.#subscriptions.kept(job.key, job.attempt, placed);
      count += chunks.length;
    }
    if (isPuttingBack) await this.#noteLeftOut(job, stream, leftOut);
    return count;
  }

  /** No more replies: what is stored becomes the stream as it was, as far as they show, mended by the job's output. */
  async settle(job: Job): Promise<void> {
    await this.#settle(job, await this.open(job));
    await this.#context.durableWrites.untilDone(() => this.#mend(job));
  }

  /**
   * The job is not live any more, and is about to be forgotten: what its stream left in doubt is decided by what came.
   */
  release(job: Job): void {
    const stream = this.#open.get(job.key);
    this.#open.delete(job.key);
    // What keeps it from the disk is told where it is tried again; it fails only when the engine closes.
    if (stream?.attempt === job.attempt) this.#settle(job, stream).catch(() => undefined);
  }

  /** Settles streams whose job is over, and that a crash left with something left out. */
  async resume(): Promise<void> {
    const live = new Set([...this.#context.ledger.live().values()].map(({ job }) => leftOutId(job.key, job.attempt)));
    for (const { id } of await this.#context.history.documents(leftOutKind)) {
      if (live.has(id)) continue;
      const { key, attempt } = readLeftOutId(id);
      const found = await this.#context.history.get(key);
      const kept = found?.attempts.find(({ number }) => number === attempt);
      if (found === null || kept === undefined) {
        await this.#context.history.removeDocument(leftOutKind, id);
        continue;
      }
      const job: Job = { ...found.job, attempt, chunkCount: kept.chunkCount };
      await this.#settle(job, await this.#recall(job));
    }
  }

  async #settle(job: Job, stream: OpenStream): Promise<void> {
    if (this.#open.get(job.key) === stream) this.#open.delete(job.key);
    await this.store(job, stream, (replay) => replay.end());
    await this.#order(job, stream);
    if (stream.leftOut.length > 0) await this.#noteLeftOut(job, stream, []);
  }

  /** What was told again and stored all the same is taken out, and what was left out wrongly is put back. */
  async #order(job: Job, stream: OpenStream): Promise<void> {
    const { key, attempt } = job;
    const { replay } = stream;
    const doubt = replay.doubt();
    const places = replay.order(doubt !== null && areChunksCounted(await this.#chunksAt(job, doubt)));
    if (places === null) return;
    // A crash behind this must not put back once more what stands in the order. One that takes out more than it puts
    // back has it all twice.
    const isLonger = places.length > replay.storedCount();
    if (stream.leftOut.length > 0)
      await this.#noteLeftOut(job, stream, isLonger ? beingOrdered(stream.leftOut, places.length) : []);
    await this.#context.durableWrites.untilDone(() => this.#context.ledger.orderChunks(key, attempt, places));
    this.#subscriptions.replaced(key, attempt);
  }

  /** Replies that never arrived have left holes; the output of a completed job may tell what was in them. */
  async #mend({ key, attempt, status }: Job): Promise<void> {
    if (status !== 'COMPLETED') return;
    const mended = await this.#context.ledger.mendStream(key, attempt);
    if (mended !== null) this.#subscriptions.replaced(key, attempt);
  }

  async #noteLeftOut({ key, attempt }: Job, stream: OpenStream, leftOut: readonly LeftOut[]): Promise<void> {
    const id = leftOutId(key, attempt);
    await this.#context.durableWrites.untilDone(() =>
      leftOut.length === 0
        ? this.#context.history.removeDocument(leftOutKind, id)
        : this.#context.history.putDocument(leftOutKind, id, JSON.stringify(leftOut)),
    );
    stream.leftOut = leftOut;
  }

  async #recall(job: Job): Promise<OpenStream> {
    const { history } = this.#context;
    const leftOut =
      job.chunkCount === 0 ? [] : readLeftOut(await history.readDocument(leftOutKind, leftOutId(job.key, job.attempt)));
    const replay = new Replay(leftOut);
    if (job.chunkCount > 0) for await (const page of this.#pagesOf(job)) replay.recall(page);
    return { attempt: job.attempt, replay, queue: createSerialQueue(), leftOut };
  }

  async *#pagesOf({ key, attempt }: Job): AsyncGenerator<StreamChunk[]> {
    for (let from = 0; ; from += pageSize) {
      const page = await this.#context.history.chunks(key, attempt, from, pageSize);
      if (page.length === 0) return;
      yield page;
    }
  }

  async #chunksAt(job: Job, places: readonly number[]): Promise<StreamChunk[]> {
    const chunks: StreamChunk[] = [];
    for await (const page of this.#pagesOf(job)) chunks.push(...page);
    return places.flatMap((place) => chunks[place] ?? []);
  }
}

function leftOutId(key: string, attempt: number): string {
  return `${key} ${attempt}`;
}

function readLeftOutId(id: string): { key: string; attempt: number } {
  const [key = '', attempt] = id.split(' ');
  return { key, attempt: Number(attempt) };
}

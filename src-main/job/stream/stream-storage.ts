import type { Job } from '../../../src-preload/job.ts';
import { createSerialQueue, type SerialQueue } from '../../async/queues.ts';
import { openCollection, type Collection } from '../../history/collection.ts';
import {
  suspectedRepeats,
  readSuspectedRepeatsId,
  type SuspectedRepeat,
} from '../../history/stream/suspected-repeats.ts';
import type { NewChunk } from '../../history/records.ts';
import type { JobContext } from '../context/job-context.ts';
import { RepeatFilter, type NewOfReply, type ReplyRead } from './repeat-filter.ts';
import type { Subscriptions } from './subscriptions.ts';

/** How many stored chunks are read at a time for their fingerprints. */
const pageSize = 2_000;

/** What was done with a reply. */
export interface StoredReply {
  /** How many chunks of it were stored. */
  newCount: number;
  /** Nothing more will come, although the reply was not empty. */
  isComplete: boolean;
}

type AttemptId = Pick<Job, 'key' | 'attempt'>;

/** What is known of one attempt's chunks. It is lost at a restart, and then derived from what is on disk. */
export interface OpenStream {
  attempt: number;
  filter: RepeatFilter;
  /** Replies of simultaneous reads are stored one after the other. */
  queue: SerialQueue;
  /** How many parts of replies are noted on disk as left out. */
  notedCount: number;
}

/**
 * The chunks of live jobs on their way to the disk. It stores what is new of each reply, notes what was left out, and
 * completes the stream by the job's output when nothing more comes.
 */
export class StreamStorage {
  readonly #context: JobContext;
  readonly #subscriptions: Subscriptions;
  readonly #suspected: Collection<SuspectedRepeat[], AttemptId>;
  /** By job. */
  readonly #open = new Map<string, OpenStream>();

  constructor(context: JobContext, subscriptions: Subscriptions) {
    this.#context = context;
    this.#subscriptions = subscriptions;
    this.#suspected = openCollection(context.history, suspectedRepeats);
  }

  /** The stream of the job's attempt. Null if it is not open. */
  opened(job: AttemptId): OpenStream | null {
    const known = this.#open.get(job.key);
    return known?.attempt === job.attempt ? known : null;
  }

  /**
   * Opens the stream of the job's attempt, with what earlier runs stored and left out. What another job of the same id
   * (`jobsOfSameId`) has of it and this one does not is stored first: the service may no longer have it.
   */
  async open(job: Job, jobsOfSameId: readonly Job[] = []): Promise<OpenStream> {
    const known = this.opened(job);
    if (known !== null) return known;
    let hasChunks = job.chunkCount > 0;
    for (const other of jobsOfSameId)
      if (other.attempt === job.attempt && (await this.#copy(job, other))) hasChunks = true;
    const stream = await this.#recall(job, hasChunks);
    this.#open.set(job.key, stream);
    return stream;
  }

  /** Commits what is new of a reply, then reports it to the windows. */
  save(job: AttemptId, stream: OpenStream, reply: readonly NewChunk[], how: ReplyRead): Promise<StoredReply> {
    return stream.queue.run(async () => {
      const { filter } = stream;
      const news = filter.read(reply, how);
      const isComplete = filter.isComplete();
      await this.#store(job, stream, news, how.receivedAtMs);
      return { newCount: news.recoveredCount + news.chunks.length, isComplete };
    });
  }

  async #store(
    job: AttemptId,
    stream: OpenStream,
    { recoveredCount, chunks }: NewOfReply,
    receivedAtMs: number,
  ): Promise<void> {
    const { key, attempt } = job;
    // First, because the service may no longer have what was left out.
    if (recoveredCount > 0) await this.#storeSuspectedRepeats(job);
    else await this.#noteSuspectedRepeats(job, stream);
    stream.notedCount = stream.filter.suspectedRepeats().length;
    if (chunks.length === 0) return;
    const placed = await this.#context.durableWrites.untilDone(() =>
      this.#context.ledger.saveChunks(key, attempt, chunks, receivedAtMs),
    );
    this.#subscriptions.kept(key, attempt, placed);
  }

  /** No more replies will come. What is stored becomes the whole stream, completed by the output of a completed job. */
  async settle(job: Job): Promise<void> {
    await this.#settle(job, await this.open(job));
    await this.#context.durableWrites.untilDone(() => this.#repair(job));
  }

  /** The job is no longer live and is about to be forgotten. */
  release(job: Job): void {
    const stream = this.#open.get(job.key);
    this.#open.delete(job.key);
    // A failed write is reported where it is repeated. It fails only if the engine closes.
    if (stream?.attempt === job.attempt) this.#settle(job, stream).catch(() => undefined);
  }

  /** Stores what a crash left as left out of streams whose job is over. */
  async resume(): Promise<void> {
    const live = new Set([...this.#context.ledger.live().values()].map(({ job }) => suspectedRepeats.id(job)));
    for (const { id } of await this.#suspected.all()) {
      if (live.has(id)) continue;
      const left = readSuspectedRepeatsId(id);
      if ((await this.#context.history.get(left.key)) === null) await this.#suspected.remove(id);
      else await this.#storeSuspectedRepeats(left);
    }
  }

  async #settle(job: Job, stream: OpenStream): Promise<void> {
    if (this.#open.get(job.key) === stream) this.#open.delete(job.key);
    await stream.queue.run(() => this.#store(job, stream, stream.filter.end(), this.#context.clock.now()));
  }

  async #storeSuspectedRepeats({ key, attempt }: AttemptId): Promise<void> {
    await this.#context.durableWrites.untilDone(() => this.#context.ledger.storeSuspectedRepeats(key, attempt));
    this.#subscriptions.replaced(key, attempt);
  }

  async #noteSuspectedRepeats(job: AttemptId, stream: OpenStream): Promise<void> {
    const suspected = stream.filter.suspectedRepeats();
    if (suspected.length === stream.notedCount) return;
    await this.#context.durableWrites.untilDone(() =>
      suspected.length === 0 ? this.#suspected.remove(job) : this.#suspected.put(job, [...suspected]),
    );
  }

  /** Lost replies have left gaps. The output of a completed job may have what was in them. */
  async #repair({ key, attempt, status }: Job): Promise<void> {
    if (status !== 'COMPLETED') return;
    const repaired = await this.#context.ledger.repairStream(key, attempt);
    if (repaired !== null) this.#subscriptions.replaced(key, attempt);
  }

  /** Stores what a job of the same id has of the stream. Returns whether that was more. */
  async #copy({ key, attempt }: AttemptId, other: Job): Promise<boolean> {
    const { durableWrites, ledger } = this.#context;
    const isMore = await durableWrites.untilDone(() => ledger.copyStream(key, attempt, other.key));
    if (isMore) this.#subscriptions.replaced(key, attempt);
    return isMore;
  }

  async #recall(job: AttemptId, hasChunks: boolean): Promise<OpenStream> {
    const suspected = hasChunks ? await this.#suspected.read(job) : null;
    const filter = new RepeatFilter(suspected ?? []);
    for (let from = 0, isMore = hasChunks; isMore; from += pageSize) {
      const page = await this.#context.history.chunks(job.key, job.attempt, from, pageSize);
      filter.recall(page);
      isMore = page.length > 0;
    }
    return { attempt: job.attempt, filter, queue: createSerialQueue(), notedCount: suspected?.length ?? 0 };
  }
}

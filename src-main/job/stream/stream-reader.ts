import { failed as refused, ok, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import { isTerminalStatus, type Job } from '../../../src-preload/job.ts';
import type { NewChunk } from '../../history/records.ts';
import type { StreamGivenUpReason } from '../../../src-preload/job-reason.ts';
import type { StreamReply } from '../../service/reply.ts';
import { drainRetryMs, oldIntervalMs } from '../schedule/cadence.ts';
import { maxReadMs } from '../schedule/read-deadlines.ts';
import { streamUntilMs } from '../reducer/ending.ts';
import { absent } from '../store/ledger.ts';
import type { StreamPollingState } from '../context/polling-state.ts';
import { type JobEvent, isSettling } from '../reducer/job-event.ts';
import type { Subscriptions } from './subscriptions.ts';
import { StreamStorage, type StoredReply, type OpenStream } from './stream-storage.ts';
import type { ReplyRead } from './repeat-filter.ts';
import { StreamSchedule } from './stream-schedule.ts';
import type { JobContext } from '../context/job-context.ts';
import { serviceJobId } from '../reducer/new-job.ts';
import { KeyedQueue } from '../../async/queues.ts';
import { nowWithoutSetting } from '../../time/clock.ts';
import { requestNoteText, strangeAnswerText } from '../../messages/job.ts';

/** This many empty replies in a row that an ended job is not over are not believed; the next one is. */
const maxEmptyUnended = 5;
/** A read that a cancel waits for is given up after this time. */
const beforeEndTimeoutMs = 5_000;
/**
 * The most empty reads that count for a job that was not seen running: enough for the longest pause, too few to stop
 * reading.
 */
const maxEmptyUnstarted = 6;

/**
 * One reader per job, however many windows show it (ruling 2). A read may remove the chunks from the service, so each
 * reply is committed before it is reported. When the job is final, it is read until nothing more comes, and only then
 * is the job finished here. After a crash in between, it still has to be drained.
 */
export class StreamReader {
  readonly #context: JobContext;
  readonly #storage: StreamStorage;
  readonly schedule: StreamSchedule;
  /** What comes for several jobs of one id. */
  readonly #perId = new KeyedQueue();

  constructor(context: JobContext, subscriptions: Subscriptions) {
    this.#context = context;
    this.#storage = new StreamStorage(context, subscriptions);
    this.schedule = new StreamSchedule(context, subscriptions);
  }

  /** Reads once, commits what is new, and reports it. The caller has checked that it is due. */
  async read(job: Job, how: { timeoutMs?: number; isUnplanned?: true } = {}): Promise<void> {
    const polling = this.#context.pollingStates.of(job);
    polling.streamReads += 1;
    polling.stream.requestedAtMs = this.#context.clock.now();
    try {
      await this.#readOnce(job, polling.stream, how);
    } catch (error) {
      // The disk refused. Without a pause it would be read again immediately.
      this.#backOff(job, polling.stream);
      throw error;
    } finally {
      polling.streamReads -= 1;
    }
  }

  async #readOnce(
    job: Job,
    stream: StreamPollingState,
    { timeoutMs = maxReadMs[job.operation], ...ask }: { timeoutMs?: number; isUnplanned?: true },
  ): Promise<void> {
    const { jobId } = job;
    if (jobId === null) return;
    const open = await this.#open(job);
    const wasSettling = isSettling(job);
    const { beyondBeginning } = stream;
    const sent = await this.#context.dispatch.send({
      to: job,
      operation: 'stream',
      jobKey: job.key,
      ...ask,
      call: (api, signal) =>
        api.stream(job.endpointId, jobId, {
          signal,
          beyondBeginning,
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        }),
      describe: ({ chunks, status }) => requestNoteText.chunks(chunks.length, status),
    });
    if (sent.kind !== 'answered') return;
    stream.readAtMs = this.#context.clock.now();
    if (!sent.result.ok) {
      // The read has removed them from the service (ruling 2), even if Jobdeck is closing.
      const { salvaged } = sent;
      const receivedAtMs = this.#context.clock.now();
      const kept = await this.#store(job, open, salvaged?.chunks ?? [], { receivedAtMs, isPartial: true });
      if (sent.result.failure.isBeyondLimits === true)
        stream.beyondBeginning = kept.newCount === 0 ? sent.beginning : undefined;
      return await this.#failed(job, stream, sent.result.failure);
    }
    stream.succeededAtMs = stream.readAtMs;
    stream.failures = 0;
    stream.beyondBeginning = undefined;
    stream.notBeforeMs = 0;
    stream.retryAfterUntilMs = 0;
    await this.#save(job, stream, open, sent.result.value, wasSettling);
  }

  /** Reads what a cancel may remove, if the stream is to be collected (ruling 37). Never fails. */
  async readBeforeEnd(job: Job): Promise<void> {
    const polling = this.#context.pollingStates.of(job);
    if (!this.schedule.isToBeCollected(job) || polling.streamReads > 0 || isSettling(job)) return;
    try {
      await this.read(job, { timeoutMs: beforeEndTimeoutMs, isUnplanned: true });
    } catch (error) {
      // The user's request does not wait for a disk that refuses. The write of what was read is repeated.
      this.#context.onTrouble(error);
    }
  }

  /** Gives up the rest of an ended job's stream. Returns the job afterwards. */
  async stopWaiting(key: string): Promise<Result<Job>> {
    const job = this.#context.ledger.live().get(key)?.job;
    if (job !== undefined && isSettling(job)) await this.#finish(job, { because: 'not-waited-for', said: null });
    const after = this.#context.ledger.live().get(key)?.job ?? (await this.#context.history.get(key))?.job;
    return after === undefined ? refused(absent) : ok(after);
  }

  /** The job is no longer live and is about to be forgotten. */
  release(job: Job): void {
    this.#storage.release(job);
  }

  /** Completes streams of ended jobs for which a crash left something noted. */
  async resume(): Promise<void> {
    await this.#storage.resume();
  }

  async #save(
    job: Job,
    stream: StreamPollingState,
    open: OpenStream,
    reply: StreamReply,
    wasSettling: boolean,
  ): Promise<void> {
    const receivedAtMs = this.#context.clock.now();
    const { newCount, isComplete } = await this.#store(job, open, reply.chunks, {
      receivedAtMs,
      isAfterEnd: wasSettling,
    });
    // A job that only probably runs is not given up, because it may still be in the queue.
    stream.emptyReads =
      newCount > 0
        ? 0
        : job.startedSeenAtMs === null
          ? Math.min(stream.emptyReads + 1, maxEmptyUnstarted)
          : stream.emptyReads + 1;

    const isEmptied = reply.chunks.length === 0 || isComplete;
    const { lastReplyStatus } = stream;
    stream.lastReplyStatus = reply.status;
    const current = this.#context.ledger.live().get(job.key)?.job;
    if (current === undefined || current.attempt !== job.attempt) return;
    if (isSettling(current)) {
      // A read that left before the end was known may have missed the last chunks.
      if (!wasSettling || !isEmptied || this.#isOtherReadInProgress(job)) return;
      // The stream may be behind the status.
      const isUnended = reply.status !== null && !isTerminalStatus(reply.status);
      stream.emptyUnended = isUnended ? stream.emptyUnended + 1 : 0;
      if (!isUnended || stream.emptyUnended >= maxEmptyUnended) return await this.#finish(current, null);
      await this.#tryAgain(
        current,
        stream,
        strangeAnswerText.streamOpen(reply.status ?? ''),
        drainRetryMs(stream.emptyUnended, this.#context.random),
      );
    } else if (reply.status !== null && reply.status !== current.status) {
      // A service may write the same state in two ways, and only a change or an end is worth another request.
      if (reply.status !== lastReplyStatus || isTerminalStatus(reply.status))
        this.#context.pollingStates.of(current).isStatusReadWanted = true;
    }
  }

  /**
   * Commits what is new of a reply, then reports it to the windows. A service that answered two submissions with one id
   * has one stream for both jobs: each of them gets what the other one read, in the same order.
   */
  async #store(job: Job, open: OpenStream, reply: readonly NewChunk[], how: ReplyRead): Promise<StoredReply> {
    return await this.#perId.run(serviceJobId(job), async () => {
      const others: [Job, OpenStream][] = [];
      // Before anything is stored, because another job that is opened first gets what is stored.
      for (const other of reply.length === 0 ? [] : this.#jobsOfSameId(job))
        others.push([other, await this.#storage.open(other, this.#jobsOfSameId(other))]);
      const kept = await this.#storeOf(job, open, reply, how);
      for (const [other, its] of others)
        await this.#storeOf(other, its, reply, { ...how, isAfterEnd: isSettling(other) });
      return kept;
    });
  }

  /** No job may be storing chunks while the stream of another job with the same id is opened. */
  async #open(job: Job): Promise<OpenStream> {
    return (
      this.#storage.opened(job) ??
      (await this.#perId.run(serviceJobId(job), () => this.#storage.open(job, this.#jobsOfSameId(job))))
    );
  }

  async #storeOf(job: Job, open: OpenStream, reply: readonly NewChunk[], how: ReplyRead): Promise<StoredReply> {
    const kept = await this.#storage.save(job, open, reply, how);
    if (kept.newCount > 0) this.schedule.noteChunks(job);
    return kept;
  }

  /** The other live jobs that have the same id at the service. */
  #jobsOfSameId({ key, baseUrl, endpointId, jobId }: Job): Job[] {
    const others: Job[] = [];
    for (const { job } of this.#context.ledger.live().values())
      if (job.jobId === jobId && job.key !== key && job.phase === 'active')
        if (job.endpointId === endpointId && job.baseUrl === baseUrl) others.push(job);
    return others;
  }

  /** A read beside this one hangs. Its reply may still come, and that read decides when it ends. */
  #isOtherReadInProgress(job: Job): boolean {
    return this.#context.pollingStates.of(job).streamReads > 1;
  }

  async #failed(job: Job, stream: StreamPollingState, failure: ServiceFailure): Promise<void> {
    if (failure.kind === 'rate-limited' || failure.kind === 'cancelled') return;
    if (failure.kind === 'malformed') await this.#context.ledger.change(job.key, [{ kind: 'malformed', failure }]);
    const current = this.#context.ledger.live().get(job.key)?.job;
    // The job ended while this was in progress, and perhaps runs again: this says nothing about the new attempt.
    if (current === undefined || current.attempt !== job.attempt) return;
    // It may be about the job and not about its stream.
    if (failure.kind === 'not-found' && !isSettling(current))
      this.#context.pollingStates.of(current).isStatusReadWanted = true;
    stream.failures += 1;
    stream.hasFailed = true;
    if (failure.retryAfterMs !== undefined) stream.retryAfterUntilMs = this.#context.clock.now() + failure.retryAfterMs;
    const reason = failure.serviceSaid === undefined ? failure.message : `${failure.message} ${failure.serviceSaid}`;
    await this.#tryAgain(current, stream, reason, drainRetryMs(stream.failures, this.#context.random));
  }

  #backOff(job: Job, stream: StreamPollingState): void {
    stream.failures += 1;
    const afterMs = drainRetryMs(stream.failures, this.#context.random);
    stream.notBeforeMs = this.#context.clock.now() + (isSettling(job) ? afterMs : Math.min(afterMs, oldIntervalMs));
  }

  /** Less and less often, until the service has deleted it (ruling 36). */
  async #tryAgain(job: Job, stream: StreamPollingState, reason: string, afterMs: number): Promise<void> {
    const nowMs = this.#context.clock.now();
    const isRare = isSettling(job) || stream.beyondBeginning !== undefined;
    stream.notBeforeMs = nowMs + (isRare ? afterMs : Math.min(afterMs, oldIntervalMs));
    if (!isSettling(job)) return;
    if (this.#hasLeft(job)) {
      if (this.#isOtherReadInProgress(job)) return;
      return await this.#finish(job, { because: 'left-service', said: reason });
    }
    const nextTryMs = Math.max(this.schedule.drainDueAtMs(job, stream), nowMs);
    await this.#context.ledger.change(job.key, [{ kind: 'stream-failed', attempt: job.attempt, reason, nextTryMs }]);
  }

  /** Whether the service has certainly deleted what an ended job streamed. */
  #hasLeft(job: Job): boolean {
    const { clock, isClockDoubted } = this.#context;
    const minNowMs = nowWithoutSetting(clock, job.finishedSeenAtMs ?? clock.now());
    return !isClockDoubted() && minNowMs >= streamUntilMs(job, clock.now());
  }

  /** `givenUp`: null if the stream was read to its end. */
  async #finish(job: Job, givenUp: Omit<StreamGivenUpReason, 'kind'> | null): Promise<void> {
    const { key, attempt } = job;
    const { stream } = this.#context.pollingStates.of(job);
    await this.#open(job);
    await this.#storage.settle(job);
    // It is not given up either: the next read would only find again that nothing more comes.
    const end: JobEvent =
      givenUp === null ? { kind: 'drained', attempt } : { kind: 'stream-given-up', attempt, ...givenUp };
    const ended = await this.#context.durableWrites.untilDone(() => this.#context.ledger.change(key, [end]));
    this.schedule.noteEnd(job, stream, {
      chunkCount: ended?.chunkCount ?? job.chunkCount,
      isReadToEnd: givenUp === null,
    });
  }
}

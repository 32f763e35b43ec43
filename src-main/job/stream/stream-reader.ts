import { failed as refused, ok } from '../../../src-preload/failure.ts';
import type { Result, ServiceFailure } from '../../../src-preload/failure.ts';
import { isTerminalStatus } from '../../../src-preload/job.ts';
import type { Job, StreamChunk } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { JobRecord, StreamReply } from '../../service/reply.ts';
import {
  beforeTtlMs,
  deadlineMarginMs,
  drainRetryMs,
  lastTriesEveryMs,
  longestUnattendedMs,
  oldIntervalMs,
  readTimeoutMs,
  streamIntervalMs,
} from '../schedule/cadence.ts';
import { latestTtlEndMs, streamUntilMs } from '../reducer/ending.ts';
import { areChunksCounted } from './counted-chunks.ts';
import type { Dispatch } from '../context/dispatch.ts';
import { absent } from '../store/find-job.ts';
import { newStreamPollingState } from '../context/job-polling-state.ts';
import type { JobPollingState, JobPollingStates, StreamPollingState } from '../context/job-polling-state.ts';
import { endpointKeyOf } from '../context/endpoint-polling-state.ts';
import type { DurableWrites } from '../store/durable-writes.ts';
import type { JobEvent } from '../reducer/job-event.ts';
import type { Ledger } from '../store/ledger.ts';
import { isSettling } from '../reducer/reduced.ts';
import { beingOrdered, beingPutBack, readLeftOut } from './left-out.ts';
import type { LeftOut } from './left-out.ts';
import { createReplay } from './replay.ts';
import type { Replay, ReplyToKeep } from './replay.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A stream of a job that is over may say so often in a row that it is not, before its empty replies are believed. */
const mostEmptyUnended = 5;
/** A read that somebody waits for, before a cancel, is given up after this. */
const beforeEndTimeoutMs = 5_000;
/**
 * A service may hold a read for ten seconds until there is a chunk (field notes: Stream), which would be lost with a
 * read that is given up.
 */
const heldTimeoutMs = 12_000;
/** An endpoint whose last jobs gave no chunk is read less eagerly; see `streamIntervalMs`. */
const silentJobs = 3;
/**
 * Empty reads that count for a job that was not seen running: enough for the longest pause, too few to leave it alone.
 */
const mostEmptyUnstarted = 6;
/** Stored chunks read at a time for their fingerprints. */
const pageSize = 2_000;
/** Where it lies what was left out of the streams of live jobs, by job and attempt: a crash must not take it. */
const leftOutKind = 'left-out-chunks';

export interface StreamReader {
  /** When this live job's stream is to be read next; null: not now. */
  dueAtMs(job: Job, polling: JobPollingState, view: StreamView): number | null;
  /** The job's stream is to be collected as soon as the job is known to run. */
  isAwaited(job: Job): boolean;
  /** Reads once, commits what is new, and tells it. The caller made sure that it is due. */
  read(job: Job): Promise<void>;
  /** Settles streams whose job is over, and that a crash left with something left out. */
  takeUp(): Promise<void>;
  /**
   * Events that end a job whose final `record` just came, when nothing has to be drained: the endpoint's last jobs gave
   * no chunk, none did in this run of the app, and this one's output is not the list that a streaming handler leaves;
   * and no read of it failed or is under way.
   */
  endWithoutDrain(job: Job, record: JobRecord): JobEvent[];
  /** Reads once more what a cancel may take, where the stream is to be collected (ruling 37). Never fails. */
  readBeforeEnd(job: Job): Promise<void>;
  /** Gives up the rest of the stream of a job that is over; answers the job as it then stands. */
  stopWaiting(key: string): Promise<Result<Job>>;
  /**
   * The job is not live any more, and is about to be forgotten: what its stream left in doubt is decided by what came.
   */
  release(job: Job): void;
}

export interface StreamView {
  isWatched: boolean;
  isWindowVisible: boolean;
  /** When a job that was not seen running likely began; asked only where that matters. */
  startsAtMs: () => number | null;
}

export interface StreamReaderParts {
  ledger: Ledger;
  pollingStates: JobPollingStates;
  dispatch: Dispatch;
  subscriptions: Subscriptions;
  durableWrites: DurableWrites;
  history: History;
  now: () => number;
  random: () => number;
  onTrouble: (error: unknown) => void;
}

/**
 * One reader a job, however many panes show it (ruling 2). A read may take the chunks off the service, so each reply is
 * committed before anyone is told. When the job is final it is read until it gives nothing more, and only then is the
 * job finished here; a crash in between finds it still to be drained.
 */
export function createStreamReader(parts: StreamReaderParts): StreamReader {
  const { ledger, pollingStates, dispatch, subscriptions, durableWrites, history, now, random, onTrouble } = parts;
  const silence = new Map<string, number>();
  /** Endpoints that gave chunks in this run of the app. */
  const streaming = new Set<string>();

  const beganAtMs = now();

  /**
   * Only then does an empty stream say that the job told nothing: a reply that was lost, or came to a former run, may
   * have held all.
   */
  const isReadFromItsStart = (job: Job, { hasFailed }: StreamPollingState): boolean =>
    !hasFailed && (job.acceptedAtMs ?? job.createdAtMs) >= beganAtMs;

  const isSilent = (job: Job): boolean => (silence.get(cachedEndpointKeyOf(job)) ?? 0) >= silentJobs;

  function dueAtMs(job: Job, polling: JobPollingState, view: StreamView): number | null {
    const { stream } = polling;
    if (job.phase !== 'active') return null;
    if (isSettling(job)) return drainDueAtMs(job, stream);
    const regularMs = regularDueAtMs(job, stream, view);
    if (job.isKeptWhole === false) return regularMs;
    const lastMs = beforeTtlMs({ ttlEndsAtMs: job.ttlEndsAtMs, acceptedAtMs: job.acceptedAtMs ?? job.createdAtMs });
    // With its ttl the rest of the stream goes as well, also of a job that nobody saw begin.
    const isOver = lastMs === Infinity || now() >= latestTtlEndMs(job) || (stream.goodAtMs ?? 0) >= lastMs;
    if (isOver) return regularMs;
    const tryMs = Math.max(lastMs, (stream.readAtMs ?? 0) + lastTriesEveryMs);
    return Math.min(regularMs ?? Infinity, Math.max(tryMs, stream.askedToWaitUntilMs));
  }

  function regularDueAtMs(job: Job, stream: StreamPollingState, view: StreamView): number | null {
    const notBeforeMs = job.startedSeenAtMs === null ? likelyBegunAtMs(job, view) : 0;
    if (notBeforeMs === null) return null;
    const isAttended = view.isWatched || subscriptions.isAttended(job.key);
    const intervalMs = streamIntervalMs({
      isAttended,
      isWindowVisible: view.isWindowVisible,
      emptyReads: stream.emptyReads,
      hasChunks: job.chunkCount > 0,
      isEndpointSilent: isSilent(job),
      isKeptWhole: job.isKeptWhole !== false,
    });
    if (intervalMs === null) return null;
    // Where jobs hardly ever stream, one that is over within the first interval is not asked at all.
    const isFirstPutOff = stream.readAtMs === null && intervalMs === longestUnattendedMs;
    const fromMs = stream.readAtMs ?? (isFirstPutOff ? (job.startedSeenAtMs ?? now()) : -intervalMs);
    return Math.max(notBeforeMs, fromMs + intervalMs, stream.notBeforeMs);
  }

  /** The rest leaves the service at a known time: right before it, chance does not put off a try. */
  function drainDueAtMs(job: Job, stream: StreamPollingState): number {
    const lastMs = (job.retentionEndsAtMs ?? Infinity) - deadlineMarginMs / 2;
    const isLastTried = stream.readAtMs !== null && stream.readAtMs >= lastMs;
    const dueAtMs = isLastTried
      ? stream.notBeforeMs
      : Math.min(stream.notBeforeMs, Math.max(lastMs, (stream.readAtMs ?? 0) + lastTriesEveryMs));
    return Math.max(dueAtMs, stream.askedToWaitUntilMs);
  }

  /**
   * A job that is not known to run has nothing to tell yet. But where jobs stream, one that likely runs is asked for
   * its chunks all the same, without a look before: what came in parts survives the loss of any one reply.
   */
  function likelyBegunAtMs(job: Job, { startsAtMs }: StreamView): number | null {
    return job.isKeptWhole !== false && !isSilent(job) && streaming.has(cachedEndpointKeyOf(job)) ? startsAtMs() : null;
  }

  async function read(job: Job, how: { timeoutMs?: number; isUnplanned?: true } = {}): Promise<void> {
    const { jobId } = job;
    if (jobId === null) return;
    const { stream } = pollingStates.of(job);
    const replay = await replayOf(job, stream);
    const wasSettling = isSettling(job);
    const { timeoutMs = timeoutFor(job), ...ask } = how;
    const { beyondBeginning } = stream;
    const sent = await dispatch.send({
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
      describe: ({ chunks, status }) =>
        (chunks.length === 0 ? 'no new chunks' : `${chunks.length} ${chunks.length === 1 ? 'chunk' : 'chunks'}`) +
        (status === null ? '' : `, ${status}`),
    });
    if (sent.kind !== 'answered') return;
    stream.readAtMs = now();
    if (!sent.result.ok) {
      // The read has taken them off the service (ruling 2), also when Jobdeck closes meanwhile.
      const salvaged =
        sent.salvaged === undefined ? [] : replay.take(sent.salvaged.chunks, { receivedAtMs: now(), isPartial: true });
      const freshCount = await store(job, stream, replay, salvaged);
      if (sent.result.failure.isBeyondLimits === true)
        stream.beyondBeginning = freshCount === 0 ? sent.beginning : undefined;
      return await failed(job, stream, sent.result.failure);
    }
    stream.goodAtMs = stream.readAtMs;
    stream.failures = 0;
    stream.beyondBeginning = undefined;
    stream.notBeforeMs = 0;
    stream.askedToWaitUntilMs = 0;
    await keep(job, stream, replay, sent.result.value, wasSettling);
  }

  function timeoutFor(job: Job): number | undefined {
    const isOver = isSettling(job);
    return readTimeoutMs(
      (isOver ? job.retentionEndsAtMs : job.ttlEndsAtMs) ?? Infinity,
      isOver ? beforeEndTimeoutMs : heldTimeoutMs,
      now(),
    );
  }

  async function keep(
    job: Job,
    stream: StreamPollingState,
    replay: Replay,
    reply: StreamReply,
    wasSettling: boolean,
  ): Promise<void> {
    const freshCount = await store(
      job,
      stream,
      replay,
      replay.take(reply.chunks, { receivedAtMs: now(), isAfterEnd: wasSettling }),
    );
    // One that only likely runs is not given up: it may still stand in the queue.
    stream.emptyReads =
      freshCount > 0
        ? 0
        : job.startedSeenAtMs === null
          ? Math.min(stream.emptyReads + 1, mostEmptyUnstarted)
          : stream.emptyReads + 1;

    const isEmptied = reply.chunks.length === 0 || replay.isToldOut();
    const current = ledger.live().get(job.key)?.job;
    if (current === undefined || current.attempt !== job.attempt) return;
    if (isSettling(current)) {
      // A read that left before the end was known may have missed the last chunks.
      if (!wasSettling || !isEmptied) return;
      // The stream may be behind the status.
      const isUnended = reply.status !== null && !isTerminalStatus(reply.status);
      stream.emptyUnended = isUnended ? stream.emptyUnended + 1 : 0;
      if (!isUnended || stream.emptyUnended >= mostEmptyUnended) return await finish(current, null);
      await tryAgain(
        current,
        stream,
        `Its stream was still ${reply.status}`,
        drainRetryMs(stream.emptyUnended, random),
      );
    } else if (reply.status !== null && reply.status !== current.status) {
      pollingStates.of(current).isStatusReadWanted = true;
    }
  }

  /** Commits what is new, then tells it. Answers how much that is. */
  async function store(
    job: Job,
    stream: StreamPollingState,
    replay: Replay,
    replies: readonly ReplyToKeep[],
  ): Promise<number> {
    const leftOut = replay.leftOut();
    const isPuttingBack = replies.some(({ isPutBack }) => isPutBack === true);
    // The service has forgotten all of this by now: noted before anything else, and no longer only when it is stored.
    if (isPuttingBack) await noteLeftOut(job, stream, beingPutBack(stream.leftOut));
    else if (leftOut.length !== stream.leftOut.length) await noteLeftOut(job, stream, leftOut);
    let count = 0;
    for (const { chunks, receivedAtMs } of replies) {
      streaming.add(cachedEndpointKeyOf(job));
      const placed = await durableWrites.untilDone(() => ledger.keepChunks(job.key, job.attempt, chunks, receivedAtMs));
      subscriptions.kept(job.key, job.attempt, placed);
      count += chunks.length;
    }
    if (isPuttingBack) await noteLeftOut(job, stream, leftOut);
    return count;
  }

  async function noteLeftOut(
    { key, attempt }: Job,
    stream: StreamPollingState,
    leftOut: readonly LeftOut[],
  ): Promise<void> {
    const id = leftOutId(key, attempt);
    await durableWrites.untilDone(() =>
      leftOut.length === 0
        ? history.removeDocument(leftOutKind, id)
        : history.putDocument(leftOutKind, id, JSON.stringify(leftOut)),
    );
    stream.leftOut = leftOut;
  }

  async function failed(job: Job, stream: StreamPollingState, failure: ServiceFailure): Promise<void> {
    if (failure.kind === 'rate-limited' || failure.kind === 'cancelled') return;
    if (failure.kind === 'malformed') await ledger.change(job.key, [{ kind: 'malformed', failure }]);
    const current = ledger.live().get(job.key)?.job;
    // It ended while this was under way, and perhaps runs again: this says nothing about the new attempt.
    if (current === undefined || current.attempt !== job.attempt) return;
    // It may be about the job, not about its stream.
    if (failure.kind === 'not-found' && !isSettling(current)) pollingStates.of(current).isStatusReadWanted = true;
    stream.failures += 1;
    stream.hasFailed = true;
    if (failure.retryAfterMs !== undefined) stream.askedToWaitUntilMs = now() + failure.retryAfterMs;
    const reason = failure.serviceSaid === undefined ? failure.message : `${failure.message} ${failure.serviceSaid}`;
    await tryAgain(current, stream, reason, drainRetryMs(stream.failures, random));
  }

  /** Ever more rarely, until the service has forgotten it (ruling 36). */
  async function tryAgain(job: Job, stream: StreamPollingState, reason: string, afterMs: number): Promise<void> {
    const nowMs = now();
    const isRare = isSettling(job) || stream.beyondBeginning !== undefined;
    stream.notBeforeMs = nowMs + (isRare ? afterMs : Math.min(afterMs, oldIntervalMs));
    if (!isSettling(job)) return;
    if (nowMs >= streamUntilMs(job, nowMs))
      return await finish(job, `The rest of its stream could not be read before it left the service. ${reason}`);
    const nextTryMs = Math.max(drainDueAtMs(job, stream), nowMs);
    await ledger.change(job.key, [{ kind: 'stream-failed', attempt: job.attempt, reason, nextTryMs }]);
  }

  /** `givenUpBecause`: null where the stream was read to its end. */
  async function finish(job: Job, givenUpBecause: string | null): Promise<void> {
    const { key, attempt } = job;
    const { stream } = pollingStates.of(job);
    await settle(job, stream, await replayOf(job, stream));
    await durableWrites.untilDone(() => mend(job));
    // Not given up either: the next read would only find again that nothing more comes.
    const end: JobEvent =
      givenUpBecause === null
        ? { kind: 'drained', attempt }
        : { kind: 'stream-given-up', attempt, reason: givenUpBecause };
    const ended = await durableWrites.untilDone(() => ledger.change(key, [end]));
    const endpoint = cachedEndpointKeyOf(job);
    if ((ended?.chunkCount ?? job.chunkCount) > 0) silence.set(endpoint, 0);
    else if (givenUpBecause === null && isReadFromItsStart(job, stream))
      silence.set(endpoint, (silence.get(endpoint) ?? 0) + 1);
  }

  /** No more replies: what is stored becomes the stream as it was, as far as they tell. */
  async function settle(job: Job, stream: StreamPollingState, replay: Replay): Promise<void> {
    stream.replay = null;
    await store(job, stream, replay, replay.end());
    await order(job, stream, replay);
    if (stream.leftOut.length > 0) await noteLeftOut(job, stream, []);
  }

  /** What was told again and stored all the same is taken out, and what was left out wrongly is put back. */
  async function order(job: Job, stream: StreamPollingState, replay: Replay): Promise<void> {
    const { key, attempt } = job;
    const doubt = replay.doubt();
    const places = replay.order(doubt !== null && areChunksCounted(await chunksAt(job, doubt)));
    if (places === null) return;
    // A crash behind this must not put back once more what stands in the order. One that takes out more than it puts
    // back has it all twice.
    const isLonger = places.length > replay.storedCount();
    if (stream.leftOut.length > 0)
      await noteLeftOut(job, stream, isLonger ? beingOrdered(stream.leftOut, places.length) : []);
    await durableWrites.untilDone(() => ledger.orderChunks(key, attempt, places));
    subscriptions.replaced(key, attempt);
  }

  /** Replies that never arrived have left holes; the output of a completed job may tell what was in them. */
  async function mend({ key, attempt, status }: Job): Promise<void> {
    if (status !== 'COMPLETED') return;
    const mended = await ledger.mendStream(key, attempt);
    if (mended !== null) subscriptions.replaced(key, attempt);
  }

  /** With what a former run stored and left out. */
  async function replayOf(job: Job, stream: StreamPollingState): Promise<Replay> {
    if (stream.replay !== null) return stream.replay;
    const leftOut =
      job.chunkCount === 0 ? [] : readLeftOut(await history.readDocument(leftOutKind, leftOutId(job.key, job.attempt)));
    const replay = createReplay(leftOut);
    if (job.chunkCount > 0) for await (const page of pagesOf(job)) replay.recall(page);
    stream.leftOut = leftOut;
    stream.replay = replay;
    return replay;
  }

  async function* pagesOf({ key, attempt }: Job): AsyncGenerator<StreamChunk[]> {
    for (let from = 0; ; from += pageSize) {
      const page = await history.chunks(key, attempt, from, pageSize);
      if (page.length === 0) return;
      yield page;
    }
  }

  async function chunksAt(job: Job, places: readonly number[]): Promise<StreamChunk[]> {
    const chunks: StreamChunk[] = [];
    for await (const page of pagesOf(job)) chunks.push(...page);
    return places.flatMap((place) => chunks[place] ?? []);
  }

  return {
    dueAtMs,
    isAwaited: (job) =>
      job.phase === 'active' && job.startedSeenAtMs === null && job.isKeptWhole !== false && !isSilent(job),
    read,
    async readBeforeEnd(job) {
      const polling = pollingStates.of(job);
      const isToBeRead = job.isKeptWhole !== false && (job.startedSeenAtMs !== null || !isSilent(job));
      if (!isToBeRead || polling.isStreamBusy || isSettling(job)) return;
      polling.isStreamBusy = true;
      try {
        await read(job, { timeoutMs: beforeEndTimeoutMs, isUnplanned: true });
      } catch (error) {
        // What somebody asked for is not held up by a disk that refuses: what was read is still insisted on.
        onTrouble(error);
      } finally {
        polling.isStreamBusy = false;
      }
    },
    async stopWaiting(key) {
      const job = ledger.live().get(key)?.job;
      if (job !== undefined && isSettling(job)) await finish(job, 'The rest of its stream was not waited for');
      const after = ledger.live().get(key)?.job ?? (await history.get(key))?.job;
      return after === undefined ? refused(absent) : ok(after);
    },
    release(job) {
      const stream = pollingStates.find(job.key)?.stream;
      const replay = stream?.replay ?? null;
      // What keeps it from the disk is told where it is tried again; it fails only when the engine closes.
      if (stream?.attempt === job.attempt && replay !== null) settle(job, stream, replay).catch(() => undefined);
    },
    async takeUp() {
      const live = new Set([...ledger.live().values()].map(({ job }) => leftOutId(job.key, job.attempt)));
      for (const { id } of await history.documents(leftOutKind)) {
        if (live.has(id)) continue;
        const { key, attempt } = readLeftOutId(id);
        const found = await history.get(key);
        const kept = found?.attempts.find(({ number }) => number === attempt);
        if (found === null || kept === undefined) {
          await history.removeDocument(leftOutKind, id);
          continue;
        }
        const job: Job = { ...found.job, attempt, chunkCount: kept.chunkCount };
        const stream = newStreamPollingState(attempt);
        await settle(job, stream, await replayOf(job, stream));
      }
    },
    endWithoutDrain(job, record) {
      const { stream, isStreamBusy } = pollingStates.of(job);
      // A read under way may still bring chunks, and the job must not run again before it has: whose would they be?
      const isStreamless =
        !isStreamBusy &&
        !stream.hasFailed &&
        isSilent(job) &&
        !streaming.has(cachedEndpointKeyOf(job)) &&
        isPlainOutput(record.outputJson);
      return isStreamless && job.chunkCount === 0 ? [{ kind: 'drained', attempt: job.attempt }] : [];
    },
  };
}

function leftOutId(key: string, attempt: number): string {
  return `${key} ${attempt}`;
}

function readLeftOutId(id: string): { key: string; attempt: number } {
  const [key = '', attempt] = id.split(' ');
  return { key, attempt: Number(attempt) };
}

/** A handler that streams leaves the list of its chunks, or nothing (field notes: Stream). */
function isPlainOutput(outputJson: string | null): boolean {
  return outputJson !== null && !outputJson.trimStart().startsWith('[');
}

/** Asked of every live job at every plan: a job as committed never changes. */
const endpointKeys = new WeakMap<Job, string>();

function cachedEndpointKeyOf(job: Job): string {
  let id = endpointKeys.get(job);
  if (id === undefined) endpointKeys.set(job, (id = endpointKeyOf(job)));
  return id;
}

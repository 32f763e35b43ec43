import type { Job } from '../../../src-preload/job.ts';
import type { JobRecord } from '../../service/reply.ts';
import { maxUnattendedMs, streamIntervalMs } from '../schedule/cadence.ts';
import { beforeTtlMs, besideAfterMs, deadlineMarginMs, lastTriesEveryMs } from '../schedule/read-deadlines.ts';
import { latestTtlEndMs } from '../reducer/ending.ts';
import { type JobPollingState, type StreamPollingState, addressKeyOf } from '../context/polling-state.ts';
import { type JobEvent, isSettling } from '../reducer/job-event.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { JobContext } from '../context/job-context.ts';

/** An endpoint whose last jobs had no chunks is read less often. See `streamIntervalMs`. */
const silentJobs = 3;
/** How many of an endpoint's newest saved jobs show whether it ever streams. */
const savedJobsRead = 500;
/** If the rest expires soon, up to this many reads of it are in progress: if one hangs, others are sent. */
const maxReads = 4;

export interface StreamView {
  isOpened: boolean;
  isWindowVisible: boolean;
  /** When a job that was not seen running probably began. Called only if that matters. */
  startsAtMs: () => number | null;
}

/** When each stream is read, from what its endpoint's jobs returned so far. */
export class StreamSchedule {
  readonly #context: JobContext;
  readonly #subscriptions: Subscriptions;
  /** By endpoint: how many jobs in a row had no chunks. */
  readonly #silence = new Map<string, number>();
  /** Endpoints that returned chunks in this run of the app. */
  readonly #streaming = new Set<string>();
  /** By endpoint: whether none of its newest saved jobs had a chunk. Null while that is being read. */
  readonly #hasNeverStreamed = new Map<string, boolean | null>();
  readonly #beganAtMs: number;

  constructor(context: JobContext, subscriptions: Subscriptions) {
    this.#context = context;
    this.#subscriptions = subscriptions;
    this.#beganAtMs = context.clock.now();
  }

  /** When this active job's stream is read next. Null: not now. */
  dueAtMs(job: Job, polling: JobPollingState, view: StreamView): number | null {
    const { stream, streamReads } = polling;
    if (job.phase !== 'active') return null;
    if (streamReads > 0) return streamReads < maxReads ? this.#dueBesideAtMs(job, stream) : null;
    if (isSettling(job)) return this.drainDueAtMs(job, stream);
    const regularMs = this.#regularDueAtMs(job, stream, view);
    if (job.isKeptWhole === false) return regularMs;
    const lastMs = lastBeforeTtlMs(job);
    // The ttl deletes the rest of the stream as well, even of a job whose start was not seen.
    const isOver =
      lastMs === Infinity || this.#context.clock.now() >= latestTtlEndMs(job) || (stream.succeededAtMs ?? 0) >= lastMs;
    if (isOver) return regularMs;
    const tryMs = Math.max(lastMs, (stream.readAtMs ?? 0) + lastTriesEveryMs);
    return Math.min(regularMs ?? Infinity, Math.max(tryMs, stream.retryAfterUntilMs));
  }

  /** The job's stream must be collected as soon as it is known to run. */
  isAwaited(job: Job): boolean {
    return job.phase === 'active' && job.startedSeenAtMs === null && job.isKeptWhole !== false && !this.#isSilent(job);
  }

  /** The job's stream must be collected, as far as known: not all of its endpoint's last jobs were without chunks. */
  isToBeCollected(job: Job): boolean {
    return job.isKeptWhole !== false && (job.startedSeenAtMs !== null || !this.#isSilent(job));
  }

  /** Its endpoint returned chunks. */
  noteChunks(job: Job): void {
    this.#streaming.add(cachedAddressKeyOf(job));
  }

  /** No more of a job's stream will come. `isReadToEnd`: it was not given up. */
  noteEnd(job: Job, stream: StreamPollingState, { chunkCount, isReadToEnd }: StreamEnd): void {
    const addressKey = cachedAddressKeyOf(job);
    if (chunkCount > 0) this.#silence.set(addressKey, 0);
    else if (isReadToEnd && this.#isReadFromItsStart(job, stream)) {
      this.#silence.set(addressKey, (this.#silence.get(addressKey) ?? 0) + 1);
      this.#isKnownNeverToStream(job);
    }
  }

  /**
   * The events that end a job whose final `record` just came, if nothing has to be drained: the endpoint's last jobs
   * had no chunks, none did in this run of the app or among those saved, this one's output is not the list that a
   * streaming handler returns, and no read of it failed or is in progress.
   */
  endWithoutDrain(job: Job, record: JobRecord): JobEvent[] {
    const { stream, streamReads } = this.#context.pollingStates.of(job);
    // A read in progress may still return chunks, and the job must not run again before that, because it would not be
    // known which attempt they belong to.
    const isStreamless =
      streamReads === 0 &&
      !stream.hasFailed &&
      this.#isSilent(job) &&
      !this.#streaming.has(cachedAddressKeyOf(job)) &&
      this.#isKnownNeverToStream(job) &&
      isPlainOutput(record.outputJson);
    return isStreamless && job.chunkCount === 0 ? [{ kind: 'drained', attempt: job.attempt }] : [];
  }

  /**
   * When another read is sent beside one that hangs. Null: not now. The first is not given up: the service may hold it
   * for ten seconds until there is a chunk, which would be lost with it (field notes: Stream).
   */
  #dueBesideAtMs(job: Job, stream: StreamPollingState): number | null {
    if (job.isKeptWhole === false) return null;
    const lastMs = isSettling(job) ? lastDrainMs(job) : lastBeforeTtlMs(job);
    const leavesAtMs = isSettling(job) ? (job.retentionEndsAtMs ?? Infinity) : latestTtlEndMs(job);
    const isOver =
      lastMs === Infinity || this.#context.clock.now() >= leavesAtMs || (stream.succeededAtMs ?? 0) >= lastMs;
    if (isOver) return null;
    return Math.max(lastMs, (stream.requestedAtMs ?? 0) + besideAfterMs, stream.retryAfterUntilMs);
  }

  #regularDueAtMs(job: Job, stream: StreamPollingState, view: StreamView): number | null {
    const notBeforeMs = job.startedSeenAtMs === null ? this.#likelyBegunAtMs(job, view) : 0;
    if (notBeforeMs === null) return null;
    const isAttended = view.isOpened || this.#subscriptions.isAttended(job.key);
    const intervalMs = streamIntervalMs({
      isAttended,
      isWindowVisible: view.isWindowVisible,
      emptyReads: stream.emptyReads,
      hasChunks: job.chunkCount > 0,
      isEndpointSilent: this.#isSilent(job),
      isKeptWhole: job.isKeptWhole !== false,
    });
    if (intervalMs === null) return null;
    // If jobs hardly ever stream, one that is over within the first interval is not read at all.
    const isFirstPutOff = stream.readAtMs === null && intervalMs === maxUnattendedMs;
    const fromMs =
      stream.readAtMs ?? (isFirstPutOff ? (job.startedSeenAtMs ?? this.#context.clock.now()) : -intervalMs);
    return Math.max(notBeforeMs, fromMs + intervalMs, stream.notBeforeMs, stream.retryAfterUntilMs);
  }

  /** The rest expires on the service at a known time. Right before that, randomness does not delay a try. */
  drainDueAtMs(job: Job, stream: StreamPollingState): number {
    const lastMs = lastDrainMs(job);
    const isLastTried = stream.readAtMs !== null && stream.readAtMs >= lastMs;
    const dueAtMs = isLastTried
      ? stream.notBeforeMs
      : Math.min(stream.notBeforeMs, Math.max(lastMs, (stream.readAtMs ?? 0) + lastTriesEveryMs));
    return Math.max(dueAtMs, stream.retryAfterUntilMs);
  }

  /**
   * A job that is not known to run has nothing to read yet. But if jobs stream, one that probably runs is read without
   * a status read before: what comes in parts survives the loss of any one reply.
   */
  #likelyBegunAtMs(job: Job, { startsAtMs }: StreamView): number | null {
    return job.isKeptWhole !== false && !this.#isSilent(job) && this.#streaming.has(cachedAddressKeyOf(job))
      ? startsAtMs()
      : null;
  }

  /**
   * Only then does an empty stream show that the job had no chunks: a lost reply, or one of an earlier run, may have
   * had all of them.
   */
  #isReadFromItsStart(job: Job, { hasFailed }: StreamPollingState): boolean {
    return !hasFailed && (job.acceptedAtMs ?? job.createdAtMs) >= this.#beganAtMs;
  }

  /** Jobs of one endpoint may or may not stream. The last three say nothing about the next; its saved jobs do. */
  #isKnownNeverToStream(job: Job): boolean {
    const addressKey = cachedAddressKeyOf(job);
    const known = this.#hasNeverStreamed.get(addressKey);
    if (known === undefined) {
      this.#hasNeverStreamed.set(addressKey, null);
      this.#context.history.recentEnds(job.connectionId, job.endpointId, 0, savedJobsRead).then(
        (saved) =>
          this.#hasNeverStreamed.set(
            addressKey,
            saved.every(({ chunkCount }) => chunkCount === 0),
          ),
        (error: unknown) => {
          this.#hasNeverStreamed.delete(addressKey);
          this.#context.onTrouble(error);
        },
      );
    }
    return known === true;
  }

  #isSilent(job: Job): boolean {
    return (this.#silence.get(cachedAddressKeyOf(job)) ?? 0) >= silentJobs;
  }
}

export interface StreamEnd {
  chunkCount: number;
  isReadToEnd: boolean;
}

function lastBeforeTtlMs({ ttlEndsAtMs, acceptedAtMs, createdAtMs }: Job): number {
  return beforeTtlMs({ ttlEndsAtMs, acceptedAtMs: acceptedAtMs ?? createdAtMs });
}

function lastDrainMs({ retentionEndsAtMs }: Job): number {
  return (retentionEndsAtMs ?? Infinity) - deadlineMarginMs / 2;
}

/** A streaming handler returns the list of its chunks, or nothing (field notes: Stream). */
function isPlainOutput(outputJson: string | null): boolean {
  return outputJson !== null && !outputJson.trimStart().startsWith('[');
}

/** Every plan needs this for every live job, and a committed job never changes. */
const addressKeys = new WeakMap<Job, string>();

function cachedAddressKeyOf(job: Job): string {
  let id = addressKeys.get(job);
  if (id === undefined) addressKeys.set(job, (id = addressKeyOf(job)));
  return id;
}

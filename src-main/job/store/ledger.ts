import type { Failure } from '../../../src-preload/failure.ts';
import {
  isFinished,
  isExternal,
  isLive,
  type Attempt,
  type Job,
  type RequestRecord,
  type StreamChunk,
} from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { JobCommit, RepairedStream, NewChunk, StoredSubmission } from '../../history/records.ts';
import type { Log } from '../../log.ts';
import { createCommitQueue, type CommitQueue } from './commit-queue.ts';
import { newAttempt, adopted } from '../reducer/new-job.ts';
import { type JobEvent, type JobState, isSettling } from '../reducer/job-event.ts';
import { Outbox, type OutboxQueue } from './outbox.ts';
import { reduceAll } from '../reducer/reducer.ts';
import { KeyedQueue } from '../../async/queues.ts';
import { notAfter } from '../../time/clock.ts';
import { withOwnFields } from '../../history/own-fields.ts';
import { jobText } from '../../messages/job.ts';

/** A committed change of a job, reported when it is durable. */
export interface LedgerChange {
  before: Job | null;
  after: Job;
}

export interface LedgerParts {
  history: History;
  now: () => number;
  /** Called after each commit, with the changes in order. */
  onCommitted: (changes: LedgerChange[]) => void;
  log: Log;
}

/** There is no job with that key. */
export const absent: Failure = { kind: 'absent', message: jobText.absent };

/** The most requests of one job kept in memory before the oldest are dropped. Only while the disk refuses. */
const maxUnflushed = 1_000;
/** How many new jobs are added in one turn of the event loop. */
const createdAtOnce = 1_000;

/** The only writer of jobs: every change is reduced, committed, and only then reported. */
export class Ledger {
  readonly #parts: LedgerParts;
  readonly #states = new Map<string, JobState>();
  readonly #outbox = new Outbox();
  /** Changes of one job run one after the other, so that nothing is reduced from an old state. */
  readonly #perJob = new KeyedQueue();
  readonly #unflushed = new Map<string, Omit<RequestRecord, 'id'>[]>();
  readonly #commits: CommitQueue;
  #reported: LedgerChange[] = [];

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    this.#commits = createCommitQueue((changes) => this.#parts.history.commit(changes));
  }

  /** Live jobs by key, as last committed. Read only. */
  live(): ReadonlyMap<string, JobState> {
    return this.#states;
  }

  /** Those of them that wait to be sent, by destination. */
  outbox(): Iterable<OutboxQueue> {
    return this.#outbox.queues();
  }

  /** A job by its key: its current state while it is live, otherwise as saved. Null if there is none. */
  async find(key: string): Promise<Job | null> {
    return this.#states.get(key)?.job ?? (await this.#parts.history.job(key));
  }

  /** Resumes the live jobs of the last run. Returns them, oldest first. */
  async resume(): Promise<Job[]> {
    const nowMs = this.#parts.now();
    const jobs = (await this.#parts.history.liveJobs()).map((job) => notAhead(job, nowMs));
    for (const job of jobs) {
      // A saved attempt is read only if it says more than the job, because there may be thousands of jobs.
      const isPlain = job.attempt === 1 && !isSettling(job);
      const state = isPlain ? { job, attempt: attemptOf(job) } : await this.#load(job.key);
      if (state === null) continue;
      this.#states.set(job.key, state);
      this.#outbox.note(state.job);
    }
    return jobs;
  }

  /** Commits a new job with its submission. */
  create(state: JobState, submission: StoredSubmission): Promise<Job> {
    return this.#perJob.run(state.job.key, async () => {
      const job = await this.#commit({ job: state.job, submission, attempt: state.attempt });
      this.#put(null, { job, attempt: state.attempt });
      return job;
    });
  }

  /**
   * Adds new jobs that `journal` commits, all of them or none. The caller reports those that windows show first,
   * because ten thousand events would block every window.
   */
  async createMany(created: readonly JobState[], journal: () => Promise<void>): Promise<void> {
    await journal();
    for (let from = 0; from < created.length; from += createdAtOnce) {
      if (from > 0) await new Promise<void>((resolve) => setImmediate(resolve));
      for (const state of created.slice(from, from + createdAtOnce)) {
        this.#states.set(state.job.key, state);
        this.#outbox.note(state.job);
      }
    }
  }

  /**
   * Applies events to a job, live or not, as one commit. Returns the job afterwards, or null if there is none. Rejects
   * if the disk refuses: then nothing changed. `atMs` is when the events happened, if the disk has kept them waiting.
   */
  change(key: string, events: readonly JobEvent[], atMs = this.#parts.now()): Promise<Job | null> {
    return this.#perJob.run(key, async () => {
      const before = await this.#load(key);
      if (before === null) return null;
      const reduced = reduceAll(before, events, atMs);
      if (reduced.log !== null) this.#parts.log.info(reduced.log, { jobKey: key, jobId: before.job.jobId });
      if (!reduced.isChanged) {
        if (this.#states.has(key)) this.#states.set(key, { job: reduced.job, attempt: reduced.attempt });
        return reduced.job;
      }
      const job = await this.#commit({
        job: reduced.job,
        ...(isSameAttempt(before.attempt, reduced.attempt) ? {} : { attempt: reduced.attempt }),
        ...(reduced.bodies.length === 0 ? {} : { bodies: reduced.bodies }),
      });
      this.#put(before.job, { job, attempt: reduced.attempt });
      return job;
    });
  }

  /** Commits chunks after the stored ones and returns them with their indices. */
  saveChunks(key: string, attempt: number, chunks: readonly NewChunk[], receivedAtMs: number): Promise<StreamChunk[]> {
    return this.#perJob.run(key, async () => {
      // Everything that can fail without storing comes before it, because a repetition would store the chunks twice.
      const before = await this.#load(key);
      const placed = await this.#parts.history.appendChunks(key, attempt, [...chunks], receivedAtMs);
      const last = placed.at(-1);
      if (before === null || last === undefined) return placed;
      const { job, attempt: current } = reduceAll(
        before,
        [{ kind: 'chunks-saved', attempt, chunkCount: last.seq + 1 }],
        this.#parts.now(),
      );
      // The count is committed with the chunks. That it runs is a change of its own.
      const kept =
        job.startedSeenAtMs === before.job.startedSeenAtMs
          ? job
          : await this.#commit({ job }).catch(() => ({ ...before.job, chunkCount: job.chunkCount }));
      this.#put(before.job, { job: kept, attempt: current });
      return placed;
    });
  }

  /** Whether changes of a job wait or are in progress. What is changed beside them is reported out of order. */
  isChanging(key: string): boolean {
    return this.#perJob.has(key);
  }

  /** Runs `write`, which changes user-owned fields (own-fields.ts); later events carry them. */
  changeOwnFields(key: string, write: () => Promise<Job | null>): Promise<Job | null> {
    return this.#perJob.run(key, async () => {
      const marked = await write();
      const state = this.#states.get(key);
      if (marked === null || state === undefined) return marked;
      const job = withOwnFields(state.job, marked);
      this.#states.set(key, { ...state, job });
      return job;
    });
  }

  /**
   * Moves a job from the history into the bin, or deletes it for good, unless `whyKept` has a reason against it.
   * Returns its last state, or null if it was gone already.
   */
  remove(
    key: string,
    whyKept: (job: Job) => string,
    isForGood: boolean,
  ): Promise<{ kind: 'removed'; job: Job | null } | { kind: 'kept'; reason: string }> {
    return this.#perJob.run(key, async () => {
      const job = await this.find(key);
      const reason = job === null ? '' : whyKept(job);
      if (reason !== '') return { kind: 'kept', reason };
      // They go into the bin with the job.
      if (!isForGood && this.#unflushed.has(key))
        await this.#withUnflushed(key, (requests) => this.#parts.history.recordRequests(key, requests));
      await (isForGood ? this.#parts.history.removeJob(key) : this.#parts.history.binJob(key));
      this.#unflushed.delete(key);
      return { kind: 'removed', job };
    });
  }

  /**
   * Applies what `write` changed about a job from another history. It counts as committed. Returns null if nothing
   * changed.
   */
  mergeIn(key: string, write: () => Promise<Job | null>): Promise<Job | null> {
    return this.#perJob.run(key, async () => {
      const before = await this.find(key);
      const written = await write();
      if (written === null) return null;
      this.#states.delete(key);
      const state = await this.#load(key);
      if (state !== null) this.#put(before, state);
      return written;
    });
  }

  /**
   * The job from elsewhere gets the submission of `fromKey`, which the service answered with the same id; the latter is
   * removed. Returns both, each in its last state, or null if one does not exist or the job has a submission.
   */
  adopt(key: string, fromKey: string): Promise<{ job: Job; removed: Job } | null> {
    const inTurn = async (): Promise<{ job: Job; removed: Job } | null> => {
      const [into, from] = [await this.#load(key), await this.#load(fromKey)];
      if (into === null || from === null || !isExternal(into.job)) return null;
      const by = adopted(into, from);
      const job = await this.#parts.history.adoptSubmission(by, fromKey);
      for (const request of this.#unflushed.get(fromKey) ?? []) this.noteRequest(key, request);
      this.#unflushed.delete(fromKey);
      this.#states.delete(fromKey);
      this.#put(into.job, { job, attempt: by.attempt });
      return { job, removed: from.job };
    };
    return this.#perJob.run(fromKey, () => this.#perJob.run(key, inTurn));
  }

  /** Stores the chunks that were left out of the stream as repetitions: they turned out to be new. */
  storeSuspectedRepeats(key: string, attempt: number): Promise<void> {
    return this.#perJob.run(key, async () => {
      const before = await this.#load(key);
      const chunkCount = await this.#parts.history.storeSuspectedRepeats(key, attempt);
      this.#putChunkCount(before, attempt, chunkCount, { log: 'Chunks that looked repeated are new and were stored' });
    });
  }

  /**
   * Completes the stream of a completed job by its saved output (see history/stream/repair-chunks.ts). Null: nothing
   * was changed.
   */
  repairStream(key: string, attempt: number): Promise<RepairedStream | null> {
    return this.#perJob.run(key, async () => {
      const before = await this.#load(key);
      const repaired = await this.#parts.history.repairStream(key, attempt);
      if (repaired !== null)
        this.#putChunkCount(before, attempt, repaired.chunkCount, {
          log: 'The output filled gaps in the stream',
          repaired,
        });
      return repaired;
    });
  }

  /** Completes a stream by that of a job with the same id at the service. Returns whether anything was changed. */
  copyStream(key: string, attempt: number, fromKey: string): Promise<boolean> {
    return this.#perJob.run(key, async () => {
      const before = await this.#load(key);
      const chunkCount = await this.#parts.history.copyStream(key, attempt, fromKey);
      if (chunkCount !== null)
        this.#putChunkCount(before, attempt, chunkCount, { log: 'A job with the same id had more of the stream' });
      return chunkCount !== null;
    });
  }

  /** Remembers an exchange about a job. It is committed with the job's next change or by `flush`. */
  noteRequest(key: string, request: Omit<RequestRecord, 'id'>): void {
    const requests = this.#unflushed.get(key);
    if (requests === undefined) this.#unflushed.set(key, [request]);
    else requests.push(request);
  }

  /** Whether there are exchanges that are not committed, of live jobs whose last status read is not on disk either. */
  hasUnflushed(): boolean {
    return this.#unflushed.size > 0;
  }

  /** Writes everything that is not on disk yet. Rejects if the disk refuses. */
  async flush(): Promise<void> {
    const keys = [...this.#unflushed.keys()];
    await Promise.all(
      keys.map((key) =>
        this.#perJob.run(key, async () => {
          const state = this.#states.get(key);
          if (!this.#unflushed.has(key)) return;
          if (state !== undefined) {
            this.#put(state.job, { ...state, job: await this.#commit({ job: state.job }) });
            return;
          }
          await this.#withUnflushed(key, (requests) => this.#parts.history.recordRequests(key, requests));
        }),
      ),
    );
  }

  /** Resolves when everything requested so far is committed. */
  idle(): Promise<void> {
    return this.#perJob.idle();
  }

  #report(change: LedgerChange): void {
    this.#reported.push(change);
    // Jobs of one batch are reported in one event.
    if (this.#reported.length === 1) {
      queueMicrotask(() => {
        const changes = this.#reported;
        this.#reported = [];
        this.#parts.onCommitted(changes);
      });
    }
  }

  #put(before: Job | null, state: JobState): void {
    if (isLive(state.job)) this.#states.set(state.job.key, state);
    else this.#states.delete(state.job.key);
    this.#outbox.note(state.job);
    this.#report({ before, after: state.job });
  }

  async #load(key: string): Promise<JobState | null> {
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const stored = await this.#parts.history.get(key);
    if (stored === null) return null;
    return {
      job: notAhead(stored.job, this.#parts.now()),
      attempt: stored.attempts.at(-1) ?? newAttempt(stored.job.attempt, stored.job.createdAtMs),
    };
  }

  /** All stored chunks of an attempt were changed. */
  #putChunkCount(
    before: JobState | null,
    attempt: number,
    chunkCount: number,
    why: { log: string; repaired?: RepairedStream },
  ): void {
    if (before === null || before.job.attempt !== attempt) return;
    this.#parts.log.info(why.log, { jobKey: before.job.key, jobId: before.job.jobId, chunkCount, ...why.repaired });
    this.#put(before.job, { job: { ...before.job, chunkCount }, attempt: { ...before.attempt, chunkCount } });
  }

  #commit(change: JobCommit): Promise<Job> {
    return this.#withUnflushed(change.job.key, (requests) =>
      this.#commits.commit(requests.length === 0 ? change : { ...change, requests }),
    );
  }

  /** Writes the exchanges of a job that are not on disk yet. They are kept if the disk refuses. */
  async #withUnflushed<T>(key: string, write: (requests: Omit<RequestRecord, 'id'>[]) => Promise<T>): Promise<T> {
    const requests = this.#unflushed.get(key) ?? [];
    this.#unflushed.delete(key);
    try {
      return await write(requests);
    } catch (error) {
      this.#unflushed.set(key, [...requests, ...(this.#unflushed.get(key) ?? [])].slice(-maxUnflushed));
      throw error;
    }
  }
}

/**
 * The job with the times that its polling depends on limited to now: an earlier run may have saved them by a clock that
 * was set back since (docs/decisions/027).
 */
function notAhead(job: Job, nowMs: number): Job {
  const { acceptedAtMs, statusReadAtMs, notKnown } = job;
  if (Math.max(acceptedAtMs ?? 0, statusReadAtMs ?? 0, notKnown?.lastAtMs ?? 0) <= nowMs) return job;
  return {
    ...job,
    acceptedAtMs: acceptedAtMs === null ? null : notAfter(acceptedAtMs, nowMs),
    statusReadAtMs: statusReadAtMs === null ? null : notAfter(statusReadAtMs, nowMs),
    ...(notKnown === undefined
      ? {}
      : {
          notKnown: {
            ...notKnown,
            sinceMs: notAfter(notKnown.sinceMs, nowMs),
            lastAtMs: notAfter(notKnown.lastAtMs, nowMs),
            nextTryMs: notAfter(notKnown.nextTryMs, nowMs),
          },
        }),
  };
}

/** The attempt of an unfinished job, as far as the job shows it. */
function attemptOf(job: Job): Attempt {
  return {
    ...newAttempt(job.attempt, job.createdAtMs),
    status: job.status,
    delayTimeMs: job.delayTimeMs,
    executionTimeMs: job.executionTimeMs,
    chunkCount: job.chunkCount,
  };
}

function isSameAttempt(a: Attempt, b: Attempt): boolean {
  let key: keyof Attempt;
  for (key in b) if (a[key] !== b[key]) return false;
  return true;
}

/**
 * True if a change ended the job's current attempt, which is when to notify. The end of a job whose stream is still
 * being read is known and saved, so it is reported immediately (ruling 36).
 */
export function isEnd({ before, after }: LedgerChange): boolean {
  return hasEnded(after) && (before === null || before.attempt !== after.attempt || !hasEnded(before));
}

function hasEnded(job: Job): boolean {
  return isFinished(job) || job.pendingStream !== undefined;
}

import { isFinished, isLive } from '../../../src-preload/job.ts';
import type { Attempt, Job, RequestRecord, StreamChunk } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { JobCommit, MendedStream, NewChunk, StoredSubmission } from '../../history/records.ts';
import type { Log } from '../../log.ts';
import { createCommitQueue } from './commit-queue.ts';
import { newAttempt } from '../reducer/job-event.ts';
import type { JobEvent, JobState } from '../reducer/job-event.ts';
import { createOutbox } from './outbox.ts';
import type { OutboxQueue } from './outbox.ts';
import { isSettling } from '../reducer/reduced.ts';
import { reduceAll } from '../reducer/reducer.ts';

/** What was committed for a job: told after it is durable. */
export interface LedgerChange {
  before: Job | null;
  after: Job;
}

/** The one writer of jobs: every change is reduced, committed, and only then known to anyone. */
export interface Ledger {
  /** Live jobs by key, as last committed. Read only. */
  live(): ReadonlyMap<string, JobState>;
  /** Those of them that wait to be sent, by where they go. */
  outbox(): Iterable<OutboxQueue>;
  /** Takes up the live jobs of a former run. Answers them, oldest first. */
  resume(): Promise<Job[]>;
  /** Commits a new job with what was submitted. */
  create(state: JobState, submission: StoredSubmission): Promise<Job>;
  /**
   * Takes up new jobs that `journal` commits, all of them or none: nobody knows of any before it resolves. They are not
   * told one by one: ten thousand would stop every window. Whoever asked for them tells of them together.
   */
  createMany(states: readonly JobState[], journal: () => Promise<void>): Promise<void>;
  /**
   * Applies events to a job, live or not, as one commit. Answers the job as it then stands; null when there is none.
   * Rejects when the disk refuses: then nothing changed anywhere.
   */
  change(key: string, events: readonly JobEvent[]): Promise<Job | null>;
  /** Commits chunks behind those stored and answers them with their places. */
  keepChunks(key: string, attempt: number, chunks: readonly NewChunk[], receivedAtMs: number): Promise<StreamChunk[]>;
  /**
   * Does `write`, which changes the user's marks on a job (star, seen, tags): what is told of it from then on has them.
   */
  mark(key: string, write: () => Promise<Job | null>): Promise<Job | null>;
  /** Puts the stored chunks in this order, by their places: some may be left out, some come twice (see replay.ts). */
  orderChunks(key: string, attempt: number, places: readonly number[]): Promise<void>;
  /**
   * Mends the stream of a job that completed, by its saved output (see history/mend-chunks.ts). Null: nothing was
   * changed.
   */
  mendStream(key: string, attempt: number): Promise<MendedStream | null>;
  /** Remembers an exchange made for a job; it is committed with the job's next change or by `flush`. */
  noteRequest(key: string, request: Omit<RequestRecord, 'id'>): void;
  /** Exchanges not committed yet, of live jobs whose last look is not on disk either. */
  hasUnflushed(): boolean;
  flush(): Promise<void>;
  /** Resolves when everything asked for so far is committed. */
  idle(): Promise<void>;
}

export interface LedgerParts {
  history: History;
  now: () => number;
  /** Called after each commit, with the changes in order. */
  onCommitted: (changes: LedgerChange[]) => void;
  log: Log;
}

/** Requests of one job kept in memory at most before the oldest are dropped: only while the disk refuses. */
const mostUnflushed = 1_000;
/** Jobs of one birth taken up in one turn of the event loop. */
const createdAtOnce = 1_000;

export function createLedger({ history, now, onCommitted, log }: LedgerParts): Ledger {
  const states = new Map<string, JobState>();
  const outbox = createOutbox();
  const turns = new Map<string, Promise<unknown>>();
  const unflushed = new Map<string, Omit<RequestRecord, 'id'>[]>();
  const commits = createCommitQueue((changes) => history.commit(changes));
  let told: LedgerChange[] = [];

  /** Runs `work` when all earlier work on this job is done, so that nothing is reduced from a stale state. */
  function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
    const settled = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (turns.get(key) === settled) turns.delete(key);
      });
    turns.set(key, settled);
    return turn;
  }

  function tell(change: LedgerChange): void {
    told.push(change);
    // Jobs of one batch are told in one event.
    if (told.length === 1) {
      queueMicrotask(() => {
        const changes = told;
        told = [];
        onCommitted(changes);
      });
    }
  }

  function put(before: Job | null, state: JobState): void {
    if (isLive(state.job)) states.set(state.job.key, state);
    else states.delete(state.job.key);
    outbox.note(state.job);
    tell({ before, after: state.job });
  }

  async function load(key: string): Promise<JobState | null> {
    const known = states.get(key);
    if (known !== undefined) return known;
    const stored = await history.get(key);
    if (stored === null) return null;
    return {
      job: stored.job,
      attempt: stored.attempts.at(-1) ?? newAttempt(stored.job.attempt, stored.job.createdAtMs),
    };
  }

  /** The stored chunks of an attempt were changed as a whole. */
  function putChunkCount(
    before: JobState | null,
    attempt: number,
    chunkCount: number,
    what: string,
    figures: Partial<MendedStream>,
  ): void {
    if (before === null || before.job.attempt !== attempt) return;
    log.info(what, { jobKey: before.job.key, jobId: before.job.jobId, chunkCount, ...figures });
    put(before.job, { job: { ...before.job, chunkCount }, attempt: { ...before.attempt, chunkCount } });
  }

  async function commit(change: JobCommit): Promise<Job> {
    const { key } = change.job;
    const requests = unflushed.get(key) ?? [];
    unflushed.delete(key);
    try {
      return await commits.commit(requests.length === 0 ? change : { ...change, requests });
    } catch (error) {
      unflushed.set(key, [...requests, ...(unflushed.get(key) ?? [])].slice(-mostUnflushed));
      throw error;
    }
  }

  return {
    live: () => states,
    outbox: outbox.queues,

    async resume() {
      const jobs = await history.liveJobs();
      for (const job of jobs) {
        // A saved attempt is read only where it says more than the job: this may be thousands of jobs.
        const isPlain = job.attempt === 1 && !isSettling(job);
        const state = isPlain ? { job, attempt: attemptOf(job) } : await load(job.key);
        if (state === null) continue;
        states.set(job.key, state);
        outbox.note(state.job);
      }
      return jobs;
    },

    create: (state, submission) =>
      inTurn(state.job.key, async () => {
        const job = await commit({ job: state.job, submission, attempt: state.attempt });
        put(null, { job, attempt: state.attempt });
        return job;
      }),

    async createMany(created, journal) {
      await journal();
      for (let from = 0; from < created.length; from += createdAtOnce) {
        if (from > 0) await new Promise<void>((resolve) => setImmediate(resolve));
        for (const state of created.slice(from, from + createdAtOnce)) {
          states.set(state.job.key, state);
          outbox.note(state.job);
        }
      }
    },

    change: (key, events) =>
      inTurn(key, async () => {
        const before = await load(key);
        if (before === null) return null;
        const reduced = reduceAll(before, events, now());
        if (reduced.log !== null) log.info(reduced.log, { jobKey: key, jobId: before.job.jobId });
        if (!reduced.isChanged) {
          if (states.has(key)) states.set(key, { job: reduced.job, attempt: reduced.attempt });
          return reduced.job;
        }
        const job = await commit({
          job: reduced.job,
          ...(isSameAttempt(before.attempt, reduced.attempt) ? {} : { attempt: reduced.attempt }),
          ...(reduced.bodies.length === 0 ? {} : { bodies: reduced.bodies }),
        });
        put(before.job, { job, attempt: reduced.attempt });
        return job;
      }),

    keepChunks: (key, attempt, chunks, receivedAtMs) =>
      inTurn(key, async () => {
        // What can fail and is no storing comes before it: whoever insists would store the chunks twice.
        const before = await load(key);
        const placed = await history.appendChunks(key, attempt, [...chunks], receivedAtMs);
        const last = placed.at(-1);
        if (before === null || last === undefined) return placed;
        const { job, attempt: current } = reduceAll(
          before,
          [{ kind: 'chunks-kept', attempt, chunkCount: last.seq + 1 }],
          now(),
        );
        // The count is committed with the chunks; that it runs is news of its own.
        const kept =
          job.startedSeenAtMs === before.job.startedSeenAtMs
            ? job
            : await commit({ job }).catch(() => ({ ...before.job, chunkCount: job.chunkCount }));
        put(before.job, { job: kept, attempt: current });
        return placed;
      }),

    mark: (key, write) =>
      inTurn(key, async () => {
        const marked = await write();
        const state = states.get(key);
        if (marked === null || state === undefined) return marked;
        const { isStarred, isSeen, tags } = marked;
        const job = { ...state.job, isStarred, isSeen, tags };
        states.set(key, { ...state, job });
        return job;
      }),

    orderChunks: (key, attempt, places) =>
      inTurn(key, async () => {
        const before = await load(key);
        const chunkCount = await history.orderChunks(key, attempt, [...places]);
        putChunkCount(before, attempt, chunkCount, 'What the stream told again was taken out of it', {});
      }),

    mendStream: (key, attempt) =>
      inTurn(key, async () => {
        const before = await load(key);
        const mended = await history.mendStream(key, attempt);
        if (mended !== null)
          putChunkCount(before, attempt, mended.chunkCount, 'The stream was mended by the output', mended);
        return mended;
      }),

    noteRequest(key, request) {
      const requests = unflushed.get(key);
      if (requests === undefined) unflushed.set(key, [request]);
      else requests.push(request);
    },

    hasUnflushed: () => unflushed.size > 0,

    async flush() {
      const keys = [...unflushed.keys()];
      await Promise.all(
        keys.map((key) =>
          inTurn(key, async () => {
            const state = states.get(key);
            const requests = unflushed.get(key);
            if (requests === undefined) return;
            if (state !== undefined) {
              put(state.job, { ...state, job: await commit({ job: state.job }) });
              return;
            }
            unflushed.delete(key);
            await history.recordRequests(key, requests);
          }),
        ),
      );
    },

    async idle() {
      while (turns.size > 0) await Promise.all(turns.values());
    },
  };
}

/** The attempt of a job whose end was not seen, as far as the job tells it. */
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
 * True when a change ended the job's current attempt: the moment to notify. The end of one whose stream is still being
 * fetched is known and saved, and is told at once (ruling 36).
 */
export function isEnd({ before, after }: LedgerChange): boolean {
  return hasEnded(after) && (before === null || before.attempt !== after.attempt || !hasEnded(before));
}

function hasEnded(job: Job): boolean {
  return isFinished(job) || job.pendingStream !== undefined;
}

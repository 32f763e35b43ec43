import type { Clock } from '../../time/clock.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { RunSample } from '../../history/records.ts';
import type { HealthRecord, JobRecord } from '../../service/reply.ts';
import { minErrors } from './end-odds.ts';
import { expectedRunMs, fitRuns, type RunFit } from './run-fit.ts';
import { noStarts, startAtMs, withStart, type StartCurve } from './start-curve.ts';

/** The jobs of an endpoint are forecast together. `id` distinguishes it from the same endpoint at another address. */
export interface ForecastEndpoint {
  id: string;
  connectionId: string;
  endpointId: string;
}

export interface ForecastsParts {
  history: Pick<History, 'runSamples' | 'inputNumbers'>;
  clock: Pick<Clock, 'now'>;
  onTrouble: (error: unknown) => void;
}

/** How many runs and errors are used: enough for a clear result, few enough to follow a change. */
const maxSamples = 300;
const maxErrors = 128;
/** New samples are used after this time at the earliest. */
const learnEveryMs = 250;
/**
 * The most forecasts computed in one turn. With ten thousand jobs the others follow in the next turns, and new samples
 * are used only when all have been computed: otherwise the last jobs would never get a forecast.
 */
const maxAtOnce = 1_000;
const turnMs = 50;
const keysAtOnce = 200;
/** A larger input is not searched for numbers (see history/jobs/run-times.ts). */
const maxInputBytes = 65_536;

interface Learned {
  samples: RunSample[];
  fit: RunFit | null;
  starts: StartCurve;
  /** Newest last. */
  errors: number[];
  sorted: readonly number[];
  /** Rises whenever new samples are used. */
  version: number;
  versionAtMs: number;
  hasNews: boolean;
  /** The last turn in which a forecast was requested. */
  turnAtMs: number;
  /** Since that turn began, some forecasts had to wait for the next one. */
  isBehind: boolean;
}

interface Known {
  numbers: Record<string, number>;
  version: number;
  endsAtMs: number | null;
}

/**
 * When jobs will have ended, estimated from earlier ones. Nothing relies on it: it only decides whose status is read
 * first.
 */
export class Forecasts {
  readonly #parts: ForecastsParts;
  readonly #learnedByEndpoint = new Map<string, Learned>();
  readonly #known = new Map<string, Known>();
  #wanted: string[] = [];
  #isLoading = false;
  #turn = { atMs: -Infinity, made: 0 };

  constructor(parts: ForecastsParts) {
    this.#parts = parts;
  }

  /** When this active job ends, or null if too little is known. Fast, because most answers are cached for a moment. */
  endsAtMs(job: Job, endpoint: ForecastEndpoint): number | null {
    const nowMs = this.#parts.clock.now();
    const learned = this.#learnedOf(endpoint);
    if (nowMs - this.#turn.atMs >= turnMs) this.#turn = { atMs: nowMs, made: 0 };
    if (learned.turnAtMs !== this.#turn.atMs) {
      if (!learned.isBehind) this.#putToUse(learned, nowMs);
      learned.turnAtMs = this.#turn.atMs;
      learned.isBehind = false;
    }
    const entry = this.#knownOf(job);
    if (entry.version === learned.version) return entry.endsAtMs;
    if (entry.version !== 0 && this.#turn.made >= maxAtOnce) {
      learned.isBehind = true;
      return entry.endsAtMs;
    }
    this.#turn.made += 1;
    entry.endsAtMs = this.#forecast(job, learned, entry.numbers);
    entry.version = learned.version;
    return entry.endsAtMs;
  }

  /** When a queued job began to run, or will, from what is known of those around it. Null if nothing is. */
  startsAtMs(job: Job, endpoint: ForecastEndpoint): number | null {
    return job.acceptedAtMs === null || job.attempt > 1
      ? null
      : startAtMs(this.#learnedOf(endpoint).starts, job.acceptedAtMs);
  }

  /** By how much the last ends were later than forecast, ascending. Empty if there are too few. */
  errorsMs(endpoint: ForecastEndpoint): readonly number[] {
    return this.#learnedOf(endpoint).sorted;
  }

  /** A reply about a job. `job` is its state before the reply. */
  replied(job: Job, endpoint: ForecastEndpoint, record: JobRecord, requestedAtMs: number): void {
    const { acceptedAtMs } = job;
    if (acceptedAtMs === null || job.attempt > 1) return;
    const learned = this.#learnedOf(endpoint);
    const nowMs = this.#parts.clock.now();
    const isQueued = record.status === 'IN_QUEUE';
    const startedAtMs = isQueued
      ? Math.max(acceptedAtMs, requestedAtMs)
      : record.delayTimeMs === null
        ? null
        : within(acceptedAtMs, acceptedAtMs + record.delayTimeMs, nowMs);
    const entry = this.#known.get(job.key);
    // A start that a reply reports is better than any estimate.
    if (entry !== undefined) entry.version = 0;
    learned.hasNews = true;
    if (startedAtMs !== null)
      learned.starts = withStart(learned.starts, { acceptedAtMs, startedAtMs, isExact: !isQueued });
    if (record.status !== 'COMPLETED' && record.status !== 'FAILED') return;
    const endedAtMs = endOf(job, record, acceptedAtMs, nowMs);
    if (entry?.endsAtMs !== undefined && entry.endsAtMs !== null && endedAtMs !== null)
      learned.errors = [...learned.errors, endedAtMs - entry.endsAtMs].slice(-maxErrors);
    if (record.status === 'COMPLETED' && record.executionTimeMs !== null) {
      learned.samples = [
        ...learned.samples,
        { executionMs: record.executionTimeMs, numbers: entry?.numbers ?? {} },
      ].slice(-maxSamples);
    }
  }

  /** An endpoint's health was read. `jobs` are its live jobs. */
  healthRead(endpoint: ForecastEndpoint, { jobs: counts }: HealthRecord, jobs: Iterable<Job>): void {
    const learned = this.#learnedOf(endpoint);
    const unstarted: number[] = [];
    let own = 0;
    let newestStartedMs = -Infinity;
    for (const job of jobs) {
      if (job.phase !== 'active' || job.attempt > 1 || job.acceptedAtMs === null) continue;
      own += 1;
      if (job.startedSeenAtMs === null) unstarted.push(job.acceptedAtMs);
      else newestStartedMs = Math.max(newestStartedMs, job.acceptedAtMs);
    }
    const there = counts.inQueue + counts.inProgress;
    // Our share of a queue that others use as well.
    const queued = there === 0 ? 0 : Math.round(counts.inQueue * Math.min(1, own / there));
    unstarted.sort((a, b) => a - b);
    const nowMs = this.#parts.clock.now();
    const firstQueuedMs = queued === 0 ? nowMs : unstarted[Math.max(0, unstarted.length - queued)];
    if (firstQueuedMs === undefined || firstQueuedMs <= newestStartedMs) return;
    learned.starts = withStart(learned.starts, { acceptedAtMs: firstQueuedMs, startedAtMs: nowMs, isExact: false });
    learned.hasNews = true;
  }

  /** The job is no longer tracked. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  #learnedOf(endpoint: ForecastEndpoint): Learned {
    let learned = this.#learnedByEndpoint.get(endpoint.id);
    if (learned === undefined) {
      learned = {
        samples: [],
        fit: null,
        starts: noStarts,
        errors: [],
        sorted: [],
        version: 1,
        versionAtMs: -Infinity,
        hasNews: false,
        turnAtMs: -Infinity,
        isBehind: false,
      };
      this.#learnedByEndpoint.set(endpoint.id, learned);
      this.#recall(learned, endpoint);
    }
    return learned;
  }

  /** What was learned on earlier days comes before the samples of this run. */
  #recall(learned: Learned, { connectionId, endpointId }: ForecastEndpoint): void {
    this.#parts.history.runSamples(connectionId, endpointId).then((saved) => {
      learned.samples = [...saved.toReversed(), ...learned.samples].slice(-maxSamples);
      learned.hasNews = true;
    }, this.#parts.onTrouble);
  }

  #putToUse(learned: Learned, nowMs: number): void {
    if (!learned.hasNews || nowMs - learned.versionAtMs < learnEveryMs) return;
    learned.hasNews = false;
    learned.version += 1;
    learned.versionAtMs = nowMs;
    learned.fit = fitRuns(learned.samples);
    const own = learned.errors.toSorted((a, b) => a - b);
    const residuals = learned.fit?.residualsMs ?? [];
    learned.sorted = own.length >= minErrors ? own : residuals.length >= minErrors ? residuals : [];
  }

  #knownOf(job: Job): Known {
    let entry = this.#known.get(job.key);
    if (entry === undefined) {
      entry = { numbers: {}, version: 0, endsAtMs: null };
      this.#known.set(job.key, entry);
      if (job.inputBytes > 0 && job.inputBytes <= maxInputBytes) this.#wanted.push(job.key);
      if (this.#wanted.length === 1) queueMicrotask(() => this.#load());
    }
    return entry;
  }

  #load(): void {
    if (this.#isLoading || this.#wanted.length === 0) return;
    this.#isLoading = true;
    const keys = this.#wanted.slice(0, keysAtOnce);
    this.#wanted = this.#wanted.slice(keysAtOnce);
    this.#parts.history
      .inputNumbers(keys)
      .then((found) => {
        for (const [index, key] of keys.entries()) {
          const entry = this.#known.get(key);
          if (entry === undefined) continue;
          entry.numbers = found[index] ?? {};
          entry.version = 0;
        }
      }, this.#parts.onTrouble)
      .finally(() => {
        this.#isLoading = false;
        this.#load();
      });
  }

  #forecast(job: Job, learned: Learned, numbers: Record<string, number>): number | null {
    if (learned.fit === null) return null;
    const startMs =
      startOf(job) ??
      (job.attempt > 1
        ? job.startedSeenAtMs
        : (startAtMs(learned.starts, job.acceptedAtMs ?? job.createdAtMs) ?? job.acceptedAtMs));
    return startMs === null ? null : startMs + expectedRunMs(learned.fit, numbers);
  }
}

/** When a job is known to have begun, from what a reply said while it ran. */
function startOf(job: Job): number | null {
  const { acceptedAtMs, startedSeenAtMs, delayTimeMs, attempt, status } = job;
  if (attempt > 1 || acceptedAtMs === null || startedSeenAtMs === null || delayTimeMs === null || status === 'IN_QUEUE')
    return null;
  return within(acceptedAtMs, acceptedAtMs + delayTimeMs, startedSeenAtMs);
}

/**
 * When a job ended, by its record, but not before it was last seen unfinished and not after now. Null: not known
 * exactly enough.
 */
function endOf(job: Job, record: JobRecord, acceptedAtMs: number, nowMs: number): number | null {
  const unfinishedAtMs = job.statusReadAtMs ?? acceptedAtMs;
  if (record.delayTimeMs !== null && record.executionTimeMs !== null)
    return within(unfinishedAtMs, acceptedAtMs + record.delayTimeMs + record.executionTimeMs, nowMs);
  return nowMs - unfinishedAtMs <= 2_000 ? nowMs : null;
}

function within(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { RunSample } from '../../history/records.ts';
import type { HealthRecord, JobRecord } from '../../service/reply.ts';
import { fewestErrors } from './end-odds.ts';
import { expectedRunMs, fitRuns } from './run-fit.ts';
import type { RunFit } from './run-fit.ts';
import { noStarts, startAtMs, withStart } from './start-curve.ts';
import type { StartCurve } from './start-curve.ts';

/** Whose jobs are forecast together; `id` tells it from the same endpoint at another address. */
export interface ForecastEndpoint {
  id: string;
  connectionId: string;
  endpointId: string;
}

/**
 * When jobs will have ended, as far as those before them tell. Nothing of it is believed: it only says whom to ask
 * first.
 */
export interface Forecasts {
  /** When this active job ends; null while too little is known. Cheap: most answers are remembered for a moment. */
  endsAtMs(job: Job, endpoint: ForecastEndpoint): number | null;
  /** When a queued job began to run, or will, by what is known of those around it; null while nothing is. */
  startsAtMs(job: Job, endpoint: ForecastEndpoint): number | null;
  /** By how much the last ends were later than forecast, ascending; empty while too few are known. */
  errorsMs(endpoint: ForecastEndpoint): readonly number[];
  /** A reply told of a job that `job` was before it. */
  replied(job: Job, endpoint: ForecastEndpoint, record: JobRecord, askedAtMs: number): void;
  /** An endpoint's health was read; `jobs` are its live jobs. */
  healthRead(endpoint: ForecastEndpoint, record: HealthRecord, jobs: Iterable<Job>): void;
  /** Nothing more is asked about this job. */
  forget(key: string): void;
}

export interface ForecastsParts {
  history: Pick<History, 'runSamples' | 'inputNumbers'>;
  now: () => number;
  onTrouble: (error: unknown) => void;
}

/** Runs and errors that are learned from: enough for a clear picture, few enough to follow a change. */
const mostSamples = 300;
const mostErrors = 128;
/** What was learned is put to use this long after it came, at the earliest. */
const learnEveryMs = 250;
/** Forecasts made anew in one turn at most: with ten thousand jobs the rest follows in the next ones. */
const mostAtOnce = 1_000;
const turnMs = 50;
const keysAtOnce = 200;
/** Above this an input is not read for its numbers (see history/jobs/input-numbers.ts). */
const mostInputBytes = 65_536;

interface Learned {
  samples: RunSample[];
  fit: RunFit | null;
  starts: StartCurve;
  /** Newest last. */
  errors: number[];
  sorted: readonly number[];
  /** Rises with what is put to use. */
  version: number;
  versionAtMs: number;
  hasNews: boolean;
}

interface Known {
  numbers: Record<string, number>;
  version: number;
  endsAtMs: number | null;
}

export function createForecasts({ history, now, onTrouble }: ForecastsParts): Forecasts {
  const learnedByEndpoint = new Map<string, Learned>();
  const known = new Map<string, Known>();
  let wanted: string[] = [];
  let isLoading = false;
  let turn = { atMs: -Infinity, made: 0 };

  function learnedOf(endpoint: ForecastEndpoint): Learned {
    let learned = learnedByEndpoint.get(endpoint.id);
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
      };
      learnedByEndpoint.set(endpoint.id, learned);
      recall(learned, endpoint);
    }
    return learned;
  }

  /** What earlier days taught stands behind what this one does. */
  function recall(learned: Learned, { connectionId, endpointId }: ForecastEndpoint): void {
    history.runSamples(connectionId, endpointId).then((saved) => {
      learned.samples = [...saved.toReversed(), ...learned.samples].slice(-mostSamples);
      learned.hasNews = true;
    }, onTrouble);
  }

  function putToUse(learned: Learned, nowMs: number): void {
    if (!learned.hasNews || nowMs - learned.versionAtMs < learnEveryMs) return;
    learned.hasNews = false;
    learned.version += 1;
    learned.versionAtMs = nowMs;
    learned.fit = fitRuns(learned.samples);
    const own = learned.errors.toSorted((a, b) => a - b);
    const residuals = learned.fit?.residualsMs ?? [];
    learned.sorted = own.length >= fewestErrors ? own : residuals.length >= fewestErrors ? residuals : [];
  }

  function knownOf(job: Job): Known {
    let entry = known.get(job.key);
    if (entry === undefined) {
      entry = { numbers: {}, version: 0, endsAtMs: null };
      known.set(job.key, entry);
      if (job.inputBytes > 0 && job.inputBytes <= mostInputBytes) wanted.push(job.key);
      if (wanted.length === 1) queueMicrotask(load);
    }
    return entry;
  }

  function load(): void {
    if (isLoading || wanted.length === 0) return;
    isLoading = true;
    const keys = wanted.slice(0, keysAtOnce);
    wanted = wanted.slice(keysAtOnce);
    history
      .inputNumbers(keys)
      .then((found) => {
        for (const [index, key] of keys.entries()) {
          const entry = known.get(key);
          if (entry === undefined) continue;
          entry.numbers = found[index] ?? {};
          entry.version = 0;
        }
      }, onTrouble)
      .finally(() => {
        isLoading = false;
        load();
      });
  }

  function forecast(job: Job, learned: Learned, numbers: Record<string, number>): number | null {
    if (learned.fit === null) return null;
    const startMs =
      startOf(job) ??
      (job.attempt > 1
        ? job.startedSeenAtMs
        : (startAtMs(learned.starts, job.acceptedAtMs ?? job.createdAtMs) ?? job.acceptedAtMs));
    return startMs === null ? null : startMs + expectedRunMs(learned.fit, numbers);
  }

  return {
    endsAtMs(job, endpoint) {
      const nowMs = now();
      const learned = learnedOf(endpoint);
      putToUse(learned, nowMs);
      const entry = knownOf(job);
      if (entry.version === learned.version) return entry.endsAtMs;
      if (nowMs - turn.atMs >= turnMs) turn = { atMs: nowMs, made: 0 };
      if (entry.version !== 0 && turn.made >= mostAtOnce) return entry.endsAtMs;
      turn.made += 1;
      entry.endsAtMs = forecast(job, learned, entry.numbers);
      entry.version = learned.version;
      return entry.endsAtMs;
    },
    startsAtMs: (job, endpoint) =>
      job.acceptedAtMs === null || job.attempt > 1 ? null : startAtMs(learnedOf(endpoint).starts, job.acceptedAtMs),
    errorsMs: (endpoint) => learnedOf(endpoint).sorted,
    replied(job, endpoint, record, askedAtMs) {
      const { acceptedAtMs } = job;
      if (acceptedAtMs === null || job.attempt > 1) return;
      const learned = learnedOf(endpoint);
      const nowMs = now();
      const isQueued = record.status === 'IN_QUEUE';
      const startedAtMs = isQueued
        ? Math.max(acceptedAtMs, askedAtMs)
        : record.delayTimeMs === null
          ? null
          : within(acceptedAtMs, acceptedAtMs + record.delayTimeMs, nowMs);
      const entry = known.get(job.key);
      // A start that a reply tells is worth more than any guess.
      if (entry !== undefined) entry.version = 0;
      learned.hasNews = true;
      if (startedAtMs !== null)
        learned.starts = withStart(learned.starts, { acceptedAtMs, startedAtMs, isExact: !isQueued });
      if (record.status !== 'COMPLETED' && record.status !== 'FAILED') return;
      const endedAtMs = endOf(job, record, acceptedAtMs, nowMs);
      if (entry?.endsAtMs !== undefined && entry.endsAtMs !== null && endedAtMs !== null)
        learned.errors = [...learned.errors, endedAtMs - entry.endsAtMs].slice(-mostErrors);
      if (record.status === 'COMPLETED' && record.executionTimeMs !== null) {
        learned.samples = [
          ...learned.samples,
          { executionMs: record.executionTimeMs, numbers: entry?.numbers ?? {} },
        ].slice(-mostSamples);
      }
    },
    healthRead(endpoint, { jobs: counts }, jobs) {
      const learned = learnedOf(endpoint);
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
      // Of a queue that others fill as well, our share.
      const queued = there === 0 ? 0 : Math.round(counts.inQueue * Math.min(1, own / there));
      unstarted.sort((a, b) => a - b);
      const nowMs = now();
      const firstQueuedMs = queued === 0 ? nowMs : unstarted[Math.max(0, unstarted.length - queued)];
      if (firstQueuedMs === undefined || firstQueuedMs <= newestStartedMs) return;
      learned.starts = withStart(learned.starts, { acceptedAtMs: firstQueuedMs, startedAtMs: nowMs, isExact: false });
      learned.hasNews = true;
    },
    forget: (key) => void known.delete(key),
  };
}

/** When a job is known to have begun: by what a reply said while it ran. */
function startOf(job: Job): number | null {
  const { acceptedAtMs, startedSeenAtMs, delayTimeMs, attempt, status } = job;
  if (attempt > 1 || acceptedAtMs === null || startedSeenAtMs === null || delayTimeMs === null || status === 'IN_QUEUE')
    return null;
  return within(acceptedAtMs, acceptedAtMs + delayTimeMs, startedSeenAtMs);
}

/**
 * When a job ended: as its record says, but not before it was last seen unfinished nor after now. Null: nobody can tell
 * nearly enough.
 */
function endOf(job: Job, record: JobRecord, acceptedAtMs: number, nowMs: number): number | null {
  const unfinishedAtMs = job.lastCheckedAtMs ?? acceptedAtMs;
  if (record.delayTimeMs !== null && record.executionTimeMs !== null)
    return within(unfinishedAtMs, acceptedAtMs + record.delayTimeMs + record.executionTimeMs, nowMs);
  return nowMs - unfinishedAtMs <= 2_000 ? nowMs : null;
}

function within(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

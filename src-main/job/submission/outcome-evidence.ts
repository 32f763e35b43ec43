import type { CounterEvidence } from '../../../src-preload/job-reason.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { isExternal, type Job } from '../../../src-preload/job.ts';
import type { HealthRecord } from '../../service/reply.ts';
import type { Timer } from '../../time/clock.ts';
import type { EndpointPollingState } from '../context/polling-state.ts';
import { isRestarted, jobsCountedBy, savedBaseline, readingTakesMs, type Counters } from './saved-baseline.ts';
import type { LedgerChange } from '../store/ledger.ts';
import type { JobContext } from '../context/job-context.ts';
import type { StatusReads } from '../polling/status-reads.ts';
import { unpackSeries } from '../../history/health/points.ts';

/** An interrupted request has arrived by then, or never will. */
const readAfterMs = 3_000;
/** A reading while our submissions are in progress decides nothing. It is repeated this often. */
const maxReadings = 5;
/** Between readings further apart than this, other clients may have submitted anything. */
const farApartMs = 300_000;
/** If counters moved without us, other clients use the endpoint, for at least this long. */
const othersForMs = 600_000;
/**
 * If an endpoint had more of our jobs than this in the minutes before a crash, it is too busy to conclude anything
 * about one.
 */
const maxCompared = 1_000;

/** A reading while none of our submissions was in progress: all were counted, or none was sent. */
interface Reading extends Counters {
  atMs: number;
  /** How many jobs the endpoint counts, in any state. */
  jobs: number;
  accepted: number;
  /** Set for a reading of an earlier run: how it is less exact than one of this run. */
  earlierRun?: EarlierRun;
}

/** The limits of a comparison with a reading of an earlier run. */
export interface EarlierRun {
  /** How long before the first of the submissions it was made. */
  beforeMs: number;
  /** Other jobs that we sent were on the endpoint. One that ended without being counted hides one that arrived. */
  mayHideSome: boolean;
}

interface Watched {
  accepted: number;
  last: Reading | null;
  /** Submissions without an answer since the last reading. */
  unknown: string[];
  othersSeenAtMs: number | null;
  atRequest: { accepted: number; isAnyInProgress: boolean } | null;
}

/**
 * What an endpoint's counters show about submissions without an answer: whether it has one job more than ours. It is
 * shown to the user as evidence, never as a fact. If anything else moves the counters as well, it shows nothing.
 */
export class OutcomeEvidence {
  readonly #context: JobContext;
  readonly #statusReads: StatusReads;
  readonly #watched = new Map<string, Watched>();
  readonly #timers = new Set<Timer>();

  constructor(context: JobContext, statusReads: StatusReads) {
    this.#context = context;
    this.#statusReads = statusReads;
    context.events.on('health-requested', (endpoint) => this.healthRequested(endpoint));
    context.events.on('health-read', ({ endpoint, record }) => this.healthRead(endpoint, record));
  }

  /** A health request of this endpoint leaves. */
  healthRequested(endpoint: EndpointPollingState): void {
    this.#of(endpoint).atRequest = {
      accepted: this.#of(endpoint).accepted,
      isAnyInProgress: this.#isAnyInProgress(endpoint),
    };
  }

  /** Its counters came. */
  healthRead(endpoint: EndpointPollingState, { jobs }: HealthRecord): void {
    const entry = this.#of(endpoint);
    const { atRequest, last, unknown } = entry;
    if (
      atRequest === null ||
      atRequest.isAnyInProgress ||
      atRequest.accepted !== entry.accepted ||
      this.#isAnyInProgress(endpoint)
    )
      return;
    const nowMs = this.#context.clock.now();
    const { completed, failed, retried } = jobs;
    const reading: Reading = {
      atMs: nowMs,
      jobs: jobsCountedBy(jobs),
      completed,
      failed,
      retried,
      accepted: entry.accepted,
    };
    entry.last = reading;
    entry.unknown = [];
    if (last === null || isRestarted(last, reading)) return;
    const risen = reading.jobs - last.jobs - (reading.accepted - last.accepted);
    const areOthersThere =
      (entry.othersSeenAtMs !== null && nowMs - entry.othersSeenAtMs < othersForMs) || isFarApart(last, nowMs);
    if (risen < 0 || risen > unknown.length) entry.othersSeenAtMs = nowMs;
    const counters = counterEvidence({
      risen,
      unknown: unknown.length,
      areOthersThere,
      earlierRun: last.earlierRun ?? null,
    });
    if (counters === null) return;
    for (const key of unknown)
      this.#context.ledger
        .change(key, [{ kind: 'evidence', counters, isLikelyThere: risen === unknown.length }])
        .catch(this.#context.onTrouble);
  }

  /** What was committed: acceptances, unknown outcomes, and everything else that moves the counters. */
  committed(changes: readonly LedgerChange[]): void {
    for (const { before, after } of changes) {
      if (before?.phase === 'submitting' && after.phase === 'outcome-unknown') this.#noteUnknown(after);
      if (before?.phase === 'submitting' && after.jobId !== null && after.phase !== 'outcome-unknown')
        this.#of(this.#context.endpointStates.of(after)).accepted += 1;
      const isCounted =
        after.status === null ||
        after.status === 'IN_QUEUE' ||
        after.status === 'IN_PROGRESS' ||
        after.status === 'COMPLETED' ||
        after.status === 'FAILED';
      if (after.phase === 'gone' || after.attempt > 1 || (!isCounted && after.jobId !== null))
        this.#forgetReading(this.#context.endpointStates.of(after));
    }
  }

  /**
   * Submissions that were in progress when the last run ended, now of unknown outcome. What the endpoints reported
   * before them is in the history, and their next reading is compared with it. Nothing is concluded if that is too long
   * ago.
   */
  async resume(crashed: readonly Job[]): Promise<void> {
    for (const [endpoint, jobs] of Map.groupBy(crashed, (job) => this.#context.endpointStates.of(job)))
      await this.#compareLater(endpoint, jobs).catch(this.#context.onTrouble);
  }

  /** Cancels the readings that are still due. */
  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #of(endpoint: EndpointPollingState): Watched {
    let entry = this.#watched.get(endpoint.id);
    if (entry === undefined)
      this.#watched.set(
        endpoint.id,
        (entry = { accepted: 0, last: null, unknown: [], othersSeenAtMs: null, atRequest: null }),
      );
    return entry;
  }

  #isAnyInProgress(endpoint: EndpointPollingState): boolean {
    for (const { job } of this.#context.ledger.live().values())
      if (job.phase === 'submitting' && this.#context.endpointStates.of(job) === endpoint) return true;
    return false;
  }

  #readLater(endpoint: EndpointPollingState, readings: number): void {
    const timer = this.#context.clock.after(readAfterMs, () => {
      this.#timers.delete(timer);
      this.#statusReads
        .readHealth(endpoint)
        .then(() => {
          if (this.#of(endpoint).unknown.length > 0 && readings < maxReadings) this.#readLater(endpoint, readings + 1);
        })
        .catch(this.#context.onTrouble);
    });
    this.#timers.add(timer);
  }

  #noteUnknown(job: Job): void {
    const endpoint = this.#context.endpointStates.of(job);
    const entry = this.#of(endpoint);
    // Without an earlier reading there is nothing to compare with.
    if (entry.last === null || isFarApart(entry.last, this.#context.clock.now())) return;
    entry.unknown.push(job.key);
    if (entry.unknown.length === 1) this.#readLater(endpoint, 1);
  }

  /** One of our jobs moves the counters in an unspecified way, so earlier readings no longer apply. */
  #forgetReading(endpoint: EndpointPollingState): void {
    const entry = this.#of(endpoint);
    entry.last = null;
    entry.unknown = [];
  }

  /** Our other jobs of an endpoint that were in progress or accepted since then. Null if there are too many. */
  async #oursSince(endpoint: EndpointPollingState, sinceMs: number, crashed: readonly Job[]): Promise<Job[] | null> {
    const { connectionId, endpointId } = endpoint;
    const [made, ended] = await Promise.all([
      this.#context.history.list({ ...emptyFilter, connectionId, endpointId, sinceMs }, null, maxCompared),
      this.#context.history.recentEnds(connectionId, endpointId, sinceMs, maxCompared),
    ]);
    if (made.nextBeforeKey !== null || ended.length === maxCompared) return null;
    const live = [...this.#context.ledger.live().values()]
      .map(({ job }) => job)
      .filter((job) => this.#context.endpointStates.of(job) === endpoint);
    const jobs = new Map([...made.jobs, ...ended, ...live].map((job) => [job.key, job]));
    for (const { key } of crashed) jobs.delete(key);
    // External jobs have been in the counters for an unknown time.
    return [...jobs.values()].filter((job) => !isExternal(job));
  }

  async #compareLater(endpoint: EndpointPollingState, crashed: readonly Job[]): Promise<void> {
    const nowMs = this.#context.clock.now();
    const sentAtMs = Math.min(...crashed.map(({ createdAtMs }) => createdAtMs));
    if (nowMs - sentAtMs > farApartMs) return;
    const sinceMs = sentAtMs - othersForMs;
    const [saved] = await this.#context.history.healthSeries(endpoint.connectionId, endpoint.endpointId, sinceMs);
    const readings = saved === undefined ? [] : unpackSeries(saved).points;
    const ours = readings.length === 0 ? null : await this.#oursSince(endpoint, sinceMs - readingTakesMs, crashed);
    const baseline = ours === null ? null : savedBaseline({ readings, ours, crashed });
    if (baseline === null || nowMs - baseline.reading.atMs > farApartMs) return;
    const { reading } = baseline;
    const entry = this.#of(endpoint);
    const mayHideSome = [...this.#context.ledger.live().values()].some(
      ({ job }) => job.jobId !== null && this.#context.endpointStates.of(job) === endpoint,
    );
    entry.last = {
      ...reading,
      jobs: jobsCountedBy(reading),
      accepted: entry.accepted - baseline.accepted,
      earlierRun: { beforeMs: sentAtMs - reading.atMs, mayHideSome },
    };
    if (baseline.areOthersThere) entry.othersSeenAtMs = reading.atMs;
    entry.unknown = crashed.map(({ key }) => key);
    this.#readLater(endpoint, 1);
  }
}

/** A reading of an earlier run may be in the future of the clock, and its age is then unknown (docs/decisions/027). */
function isFarApart({ atMs }: Reading, nowMs: number): boolean {
  return nowMs < atMs || nowMs - atMs > farApartMs;
}

/**
 * What counters that rose by `risen` jobs beyond those accepted show about `unknown` submissions without an answer.
 * Null: nothing. `areOthersThere`: other clients were seen to use the endpoint. `earlierRun`: set if they are compared
 * with a reading of an earlier run.
 */
export function counterEvidence({
  risen,
  unknown,
  areOthersThere,
  earlierRun = null,
}: {
  risen: number;
  unknown: number;
  areOthersThere: boolean;
  earlierRun?: EarlierRun | null;
}): CounterEvidence | null {
  if (unknown === 0 || areOthersThere || risen < 0 || risen > unknown) return null;
  // Fewer arrived than were sent. That counts only if nothing can have left the counters unnoticed.
  if (earlierRun?.mayHideSome === true && risen < unknown) return null;
  return { more: risen, unanswered: unknown, readBeforeMs: earlierRun?.beforeMs ?? null };
}

import { hourMs } from '../../src-preload/durations.ts';
import type { Diagnosis, EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import { pointOf, type Health, type HealthPoint, type HealthSeries } from '../../src-preload/health.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { createSerialQueue, createSharedReads, type SharedReads } from '../async/queues.ts';
import { Alarm, createThrottle, type Throttle } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';
import { findingTimesMs, type DiagnosisInput } from './diagnosis/diagnose.ts';
import { min } from './diagnosis/readings.ts';
import type { MutedEndpoints } from './muted-endpoints.ts';
import { OurJobs, recentEndsMs } from './our-jobs.ts';

/** An endpoint is diagnosed by the readings of this time. */
const spanMs = hourMs;
/** An endpoint is diagnosed at most this often. */
const gapMs = 1_000;
/** Run times are learned again after this. */
const learnedForMs = 60_000;
/** How many completed jobs show what is usual. */
const minJobs = 5;
/** This many of the jobs that ended in the last hour are enough. */
const maxEnds = 500;

export interface DiagnosisUpdatesParts {
  clock: Clock;
  /** Pure: see diagnosis/diagnose.ts. */
  diagnose: (input: DiagnosisInput) => Diagnosis[];
  mutes: MutedEndpoints;
  /** Saved points of one endpoint since then, oldest first. */
  series: (connectionId: string, endpointId: string, sinceMs: number) => Promise<HealthSeries | null>;
  /** The last reading of each endpoint of a connection. */
  latest: (connectionId: string) => Promise<Health[]>;
  runTimes: (connectionId: string) => Promise<RunTimes[]>;
  /** All unfinished jobs at the service. */
  liveJobs: () => readonly Job[];
  /** An endpoint's jobs that ended since then, the last one first, at most `limit`. */
  recentEnds: (connectionId: string, endpointId: string, sinceMs: number, limit: number) => Promise<Job[]>;
  /** Called when the findings changed, or are the same by a newer reading. */
  onChange: (diagnosis: EndpointDiagnosis) => void;
  onTrouble: (error: unknown) => void;
}

/** An endpoint that was read at least once. */
interface EndpointRecord extends EndpointRef {
  /** Oldest first. */
  points: HealthPoint[];
  /** Resolves when the saved points have been read. */
  ready: Promise<void>;
  last: EndpointDiagnosis | null;
  diagnosing: Throttle;
  /** Goes off when unread results become a finding, which happens without any news. */
  expiry: Alarm;
}

/** Keeps the diagnosis of each endpoint, made from its readings and our own jobs there. */
export class DiagnosisUpdates {
  readonly #parts: DiagnosisUpdatesParts;
  readonly #endpoints = new Map<string, EndpointRecord>();
  readonly #jobs = new Map<string, OurJobs>();
  readonly #runTimes: SharedReads<RunTimes[]>;
  #areLiveJobsKnown = false;
  #isClosed = false;
  /** Endpoints are read back one at a time: two hundred answers at once would block everything else. */
  readonly #resuming = createSerialQueue();

  constructor(parts: DiagnosisUpdatesParts) {
    this.#parts = parts;
    this.#runTimes = createSharedReads({
      now: parts.clock.now,
      freshForMs: learnedForMs,
      read: (connectionId) => parts.runTimes(connectionId),
    });
  }

  /** A health reading was saved: its endpoint is diagnosed. */
  noted(health: Health): void {
    if (this.#isClosed) return;
    const endpoint = this.#endpointOf(health);
    endpoint.points.push(pointOf(health));
    endpoint.diagnosing.request();
  }

  /** Jobs that changed: their endpoints are diagnosed, if they were ever read. */
  jobsChanged(jobs: readonly Job[]): void {
    const moved = new Set<string>();
    for (const job of jobs) {
      this.#ourJobs(job).take(job);
      moved.add(keyOf(job));
    }
    for (const key of moved) this.#endpoints.get(key)?.diagnosing.request();
  }

  /**
   * The current diagnosis of each endpoint of the connection that was ever read, from the last saved reading if there
   * was none since the start. Rejects if the history cannot be read.
   */
  async of(connectionId: string): Promise<EndpointDiagnosis[]> {
    const latest = await this.#parts.latest(connectionId);
    return Promise.all(latest.map((health) => this.#diagnoseNow(this.#endpointOf(health))));
  }

  /**
   * Hides the diagnosis until then. Null shows it again. Calls `onChange` with the diagnosis, then resolves with it.
   * Rejects if that cannot be saved.
   */
  async mute(connectionId: string, endpointId: string, untilMs: number | null): Promise<EndpointDiagnosis> {
    const { mutes, latest } = this.#parts;
    await mutes.set(connectionId, endpointId, untilMs);
    const read = (await latest(connectionId)).find((health) => health.endpointId === endpointId);
    if (read !== undefined) return this.#diagnoseNow(this.#endpointOf(read), true);
    const mutedUntilMs = await mutes.untilMs(connectionId, endpointId);
    const diagnosis = { connectionId, endpointId, atMs: 0, findings: [], mutedUntilMs };
    this.#parts.onChange(diagnosis);
    return diagnosis;
  }

  /** The connection was removed. */
  forget(connectionId: string): void {
    for (const [key, endpoint] of this.#endpoints) {
      if (endpoint.connectionId !== connectionId) continue;
      stop(endpoint);
      this.#endpoints.delete(key);
      this.#jobs.delete(key);
    }
    this.#runTimes.drop(connectionId);
    this.#parts.mutes.forget(connectionId).catch(this.#parts.onTrouble);
  }

  /** Later calls still get an answer, but no timer is set. */
  close(): void {
    this.#isClosed = true;
    for (const endpoint of this.#endpoints.values()) stop(endpoint);
    this.#endpoints.clear();
  }

  #ourJobs(endpointRef: EndpointRef): OurJobs {
    const known = this.#jobs.get(keyOf(endpointRef)) ?? new OurJobs();
    this.#jobs.set(keyOf(endpointRef), known);
    return known;
  }

  #endpointOf({ connectionId, endpointId, atMs }: Health): EndpointRecord {
    const key = endpointKey({ connectionId, endpointId });
    const known = this.#endpoints.get(key);
    if (known !== undefined) return known;
    const { clock, onTrouble } = this.#parts;
    const endpoint: EndpointRecord = {
      connectionId,
      endpointId,
      points: [],
      ready: Promise.resolve(),
      last: null,
      diagnosing: createThrottle({
        clock,
        gapMs,
        run: async () => void (await this.#diagnose(endpoint).catch(onTrouble)),
      }),
      expiry: new Alarm(clock, () => endpoint.diagnosing.request()),
    };
    endpoint.ready = this.#resuming.run(() => this.#resume(endpoint, Math.min(atMs, clock.now())));
    // Read again with the next reading.
    endpoint.ready.catch(() => this.#endpoints.delete(key));
    if (!this.#isClosed) this.#endpoints.set(key, endpoint);
    return endpoint;
  }

  /** Reads the saved points and, the first time, the jobs whose results are still at the service. */
  async #resume(endpoint: EndpointRecord, readAtMs: number): Promise<void> {
    const { connectionId, endpointId } = endpoint;
    const { clock, series, recentEnds, liveJobs } = this.#parts;
    const [kept, ended] = await Promise.all([
      series(connectionId, endpointId, readAtMs - spanMs),
      recentEnds(connectionId, endpointId, readAtMs - recentEndsMs, maxEnds),
    ]);
    if (!this.#areLiveJobsKnown) {
      this.#areLiveJobsKnown = true;
      for (const job of liveJobs()) this.#ourJobs(job).take(job);
    }
    const jobs = this.#ourJobs(endpoint);
    // Oldest first, in the order they ended.
    for (const job of ended.toReversed()) jobs.takeSaved(job);
    // Points from a run whose clock was ahead cannot be used.
    const firstMs = endpoint.points[0]?.atMs ?? clock.now() + 1;
    endpoint.points = [...(kept?.points ?? []).filter(({ atMs }) => atMs < firstMs), ...endpoint.points];
  }

  #diagnoseNow(endpoint: EndpointRecord, isNews = false): Promise<EndpointDiagnosis> {
    endpoint.diagnosing.skip();
    return this.#diagnose(endpoint, isNews);
  }

  /**
   * Diagnoses by everything known now. Calls `onChange` if the diagnosis changed, if it rests on a newer reading (a
   * window says how old it is), or with `isNews`.
   */
  async #diagnose(endpoint: EndpointRecord, isNews = false): Promise<EndpointDiagnosis> {
    const { connectionId, endpointId } = endpoint;
    const { mutes, diagnose, onChange } = this.#parts;
    const [mutedUntilMs, runTimes] = await Promise.all([
      mutes.untilMs(connectionId, endpointId),
      this.#runTimes.read(connectionId),
      endpoint.ready,
    ]);
    const atMs = endpoint.points.at(-1)?.atMs ?? 0;
    const input = this.#evidence(endpoint, runTimes);
    const diagnosis: EndpointDiagnosis = { connectionId, endpointId, atMs, findings: diagnose(input), mutedUntilMs };
    const isChanged = isNews || endpoint.last === null || !isSame(diagnosis, endpoint.last);
    endpoint.last = diagnosis;
    if (this.#endpoints.get(keyOf(endpoint)) !== endpoint) return diagnosis;
    // If the service is out of reach there are no readings, and that is when results stay unread.
    endpoint.expiry.set(
      min(input.unsavedResults.flatMap((result) => findingTimesMs(result)).filter((time) => time > input.nowMs)),
    );
    if (isChanged) onChange(diagnosis);
    return diagnosis;
  }

  /**
   * An endpoint that was not read for an hour is judged as of its last reading. With the current time, every wait would
   * seem long.
   */
  #evidence(endpoint: EndpointRecord, runTimes: readonly RunTimes[]): DiagnosisInput {
    const newestMs = endpoint.points.at(-1)?.atMs ?? 0;
    const isStale = this.#parts.clock.now() - newestMs > spanMs;
    const nowMs = isStale ? newestMs : this.#parts.clock.now();
    endpoint.points = endpoint.points.filter((point) => point.atMs + point.spanMs >= nowMs - spanMs);
    const ours = this.#ourJobs(endpoint).at(nowMs);
    return {
      points: endpoint.points,
      ...ours,
      unsavedResults: isStale ? [] : ours.unsavedResults,
      execution: usual(runTimes.find(({ endpointId }) => endpointId === endpoint.endpointId)),
      nowMs,
    };
  }
}

function keyOf({ connectionId, endpointId }: EndpointRef): string {
  return endpointKey({ connectionId, endpointId });
}

function stop({ diagnosing, expiry }: EndpointRecord): void {
  diagnosing.cancel();
  expiry.cancel();
}

/** Whether the user would see no difference. */
function isSame(
  a: Pick<EndpointDiagnosis, 'atMs' | 'findings' | 'mutedUntilMs'>,
  b: Pick<EndpointDiagnosis, 'atMs' | 'findings' | 'mutedUntilMs'>,
): boolean {
  return (
    a.atMs === b.atMs &&
    a.mutedUntilMs === b.mutedUntilMs &&
    a.findings.length === b.findings.length &&
    a.findings.every(
      (finding, at) =>
        finding.kind === b.findings[at]?.kind &&
        finding.severity === b.findings[at].severity &&
        finding.headline === b.findings[at].headline,
    )
  );
}

function usual(runTimes: RunTimes | undefined): DiagnosisInput['execution'] {
  if (
    runTimes === undefined ||
    runTimes.count < minJobs ||
    runTimes.executionP50Ms === null ||
    runTimes.executionP95Ms === null
  )
    return null;
  return { p50Ms: runTimes.executionP50Ms, p95Ms: runTimes.executionP95Ms };
}

import type { Diagnosis, EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { Health, HealthPoint, HealthSeries } from '../../src-preload/health.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Clock, Timer } from './clock.ts';
import { findingTimesMs } from './diagnosis.ts';
import type { DiagnosisInput } from './diagnosis.ts';
import type { Mutes } from './mutes.ts';
import { least } from './diagnosis/least.ts';
import { createOurJobs, recentEndsMs } from './our-jobs.ts';
import type { OurJobs } from './our-jobs.ts';

/** An endpoint is judged by what was read of it in this time. */
const judgedSpanMs = 3_600_000;
/** An endpoint is judged at most this often. */
const gapMs = 1_000;
/** Run times are learned anew after this. */
const learnedForMs = 60_000;
/** So many completed jobs tell what is usual. */
const fewestJobs = 5;
/** Of an endpoint's jobs that ended in the last hour, so many are enough. */
const endsTaken = 500;

/** Keeps what is wrong with each endpoint, judged by its readings and our own jobs there. */
export interface Judge {
  /** A health was read and kept: its endpoint is judged. */
  noted(health: Health): void;
  /** Jobs as they now stand: their endpoints are judged, those that were ever read. */
  jobsChanged(jobs: readonly Job[]): void;
  /**
   * As judged now, of each endpoint of the connection that was ever read; by the last kept reading where none came
   * since the start. Rejects when the history cannot be read.
   */
  of(connectionId: string): Promise<EndpointDiagnosis[]>;
  /** Shows nothing of it until then; null takes it back. Rejects when it cannot be kept. */
  mute(connectionId: string, endpointId: string, untilMs: number | null): Promise<EndpointDiagnosis>;
  /** The connection is gone. */
  forget(connectionId: string): void;
  close(): void;
}

export interface JudgeParts {
  clock: Clock;
  /** Pure: see diagnosis.ts. */
  diagnose: (input: DiagnosisInput) => Diagnosis[];
  mutes: Mutes;
  /** Kept points of one endpoint since then, oldest first. */
  series: (connectionId: string, endpointId: string, sinceMs: number) => Promise<HealthSeries | null>;
  /** The last reading of each endpoint of a connection. */
  latest: (connectionId: string) => Promise<Health[]>;
  runTimes: (connectionId: string) => Promise<RunTimes[]>;
  /** All jobs the service may still have, as last told or newer. */
  liveJobs: () => readonly Job[];
  /** An endpoint's jobs that were seen to end since then, the last of them first, at most so many. */
  recentEnds: (connectionId: string, endpointId: string, sinceMs: number, limit: number) => Promise<Job[]>;
  /** The findings are not as they were. */
  onChange: (diagnosis: EndpointDiagnosis) => void;
  onTrouble: (error: unknown) => void;
}

type EndpointId = Pick<Health, 'connectionId' | 'endpointId'>;

/** An endpoint that was read at least once. */
interface Docket extends EndpointId {
  points: HealthPoint[];
  /** What is on disk was taken up. */
  ready: Promise<void>;
  told: EndpointDiagnosis | null;
  judgedAtMs: number;
  timer: Timer | null;
  /** Until time alone makes a finding of results that nobody reads. */
  expiry: Timer | null;
}

export function createJudge(parts: JudgeParts): Judge {
  const { clock, mutes, onChange, onTrouble } = parts;
  const dockets = new Map<string, Docket>();
  const jobsOf = new Map<string, OurJobs>();
  const learned = new Map<string, { atMs: number; runTimes: Promise<RunTimes[]> }>();
  let areLiveTaken = false;
  /** One endpoint is taken up after the other: of two hundred at once the answers would stop everything else. */
  let taking: Promise<void> = Promise.resolve();

  function ourJobs(of: EndpointId): OurJobs {
    const id = idOf(of);
    const known = jobsOf.get(id) ?? createOurJobs();
    jobsOf.set(id, known);
    return known;
  }

  /** Once: what a former run left with the service. */
  function takeLiveJobs(): void {
    if (areLiveTaken) return;
    areLiveTaken = true;
    for (const job of parts.liveJobs()) ourJobs(job).take(job);
  }

  function runTimesOf(connectionId: string): Promise<RunTimes[]> {
    const known = learned.get(connectionId);
    // Also when the clock was put back since.
    if (known !== undefined && Math.abs(clock.now() - known.atMs) < learnedForMs) return known.runTimes;
    const runTimes = parts.runTimes(connectionId);
    learned.set(connectionId, { atMs: clock.now(), runTimes });
    runTimes.catch(() => learned.delete(connectionId));
    return runTimes;
  }

  async function takeUp(docket: Docket, readAtMs: number): Promise<void> {
    const { connectionId, endpointId } = docket;
    const [series, ended] = await Promise.all([
      parts.series(connectionId, endpointId, readAtMs - judgedSpanMs),
      parts.recentEnds(connectionId, endpointId, readAtMs - recentEndsMs, endsTaken),
    ]);
    takeLiveJobs();
    const jobs = ourJobs(docket);
    // Oldest first, as they are told of.
    for (const job of ended.toReversed()) jobs.takeKept(job);
    const firstNotedMs = docket.points[0]?.atMs ?? Infinity;
    docket.points = [...(series?.points ?? []).filter(({ atMs }) => atMs < firstNotedMs), ...docket.points];
  }

  function docketOf(health: Health): Docket {
    const id = idOf(health);
    const known = dockets.get(id);
    if (known !== undefined) return known;
    const { connectionId, endpointId, atMs } = health;
    const docket: Docket = {
      connectionId,
      endpointId,
      points: [],
      ready: Promise.resolve(),
      told: null,
      judgedAtMs: -Infinity,
      timer: null,
      expiry: null,
    };
    docket.ready = taking.then(() => takeUp(docket, atMs));
    taking = docket.ready.catch(() => undefined);
    // Taken up anew with the next reading.
    docket.ready.catch(() => dockets.delete(id));
    dockets.set(id, docket);
    return docket;
  }

  /** By all that is known now; tells it when it is news. */
  async function judge(docket: Docket): Promise<EndpointDiagnosis> {
    const { connectionId, endpointId } = docket;
    docket.judgedAtMs = clock.now();
    const [mutedUntilMs, runTimes] = await Promise.all([
      mutes.untilMs(connectionId, endpointId),
      runTimesOf(connectionId),
      docket.ready,
    ]);
    const newestMs = docket.points.at(-1)?.atMs ?? 0;
    const input = evidence(docket, runTimes);
    const judged: EndpointDiagnosis = {
      connectionId,
      endpointId,
      atMs: newestMs,
      findings: parts.diagnose(input),
      mutedUntilMs,
    };
    judgeAtExpiry(docket, input);
    const isNews = !isSame(judged, docket.told ?? { findings: [], mutedUntilMs });
    docket.told = judged;
    if (isNews && dockets.get(idOf(docket)) === docket) onChange(judged);
    return judged;
  }

  /** An endpoint nobody read for an hour is judged as it stood then: today's clock would make every wait an old one. */
  function evidence(docket: Docket, runTimes: readonly RunTimes[]): DiagnosisInput {
    const newestMs = docket.points.at(-1)?.atMs ?? 0;
    const isStale = clock.now() - newestMs > judgedSpanMs;
    const nowMs = isStale ? newestMs : clock.now();
    docket.points = docket.points.filter(({ atMs, spanMs }) => atMs + spanMs >= nowMs - judgedSpanMs);
    const ours = ourJobs(docket).at(nowMs);
    return {
      points: docket.points,
      ...ours,
      unsavedResults: isStale ? [] : ours.unsavedResults,
      execution: usual(runTimes.find(({ endpointId }) => endpointId === docket.endpointId)),
      nowMs,
    };
  }

  /** Where the service is out of reach no reading comes, and just then results are not read. */
  function judgeAtExpiry(docket: Docket, { unsavedResults, nowMs }: DiagnosisInput): void {
    docket.expiry?.cancel();
    docket.expiry = null;
    const nextMs = least(unsavedResults.flatMap((result) => findingTimesMs(result)).filter((atMs) => atMs > nowMs));
    if (nextMs === Infinity || dockets.get(idOf(docket)) !== docket) return;
    docket.expiry = clock.after(nextMs - nowMs, () => {
      docket.expiry = null;
      judgeSoon(docket);
    });
  }

  function judgeSoon(docket: Docket): void {
    if (docket.timer !== null) return;
    const now = (): void => {
      docket.timer = null;
      judge(docket).catch(onTrouble);
    };
    const waitMs = docket.judgedAtMs + gapMs - clock.now();
    if (waitMs <= 0) now();
    else docket.timer = clock.after(Math.min(waitMs, gapMs), now);
  }

  return {
    noted(health) {
      const docket = docketOf(health);
      // A clock that was put back: what lies after it is forgotten, as in the history.
      if ((docket.points.at(-1)?.atMs ?? 0) >= health.atMs)
        docket.points = docket.points.filter(({ atMs }) => atMs < health.atMs);
      docket.points.push(readingOf(health));
      judgeSoon(docket);
    },
    jobsChanged(jobs) {
      const moved = new Set<string>();
      for (const job of jobs) {
        ourJobs(job).take(job);
        moved.add(idOf(job));
      }
      for (const id of moved) {
        const docket = dockets.get(id);
        if (docket !== undefined) judgeSoon(docket);
      }
    },
    async of(connectionId) {
      const latest = await parts.latest(connectionId);
      return Promise.all(latest.map((health) => judge(docketOf(health))));
    },
    async mute(connectionId, endpointId, untilMs) {
      await mutes.set(connectionId, endpointId, untilMs);
      const read = (await parts.latest(connectionId)).find((health) => health.endpointId === endpointId);
      if (read !== undefined) return judge(docketOf(read));
      return {
        connectionId,
        endpointId,
        atMs: 0,
        findings: [],
        mutedUntilMs: await mutes.untilMs(connectionId, endpointId),
      };
    },
    forget(connectionId) {
      for (const [id, docket] of dockets) {
        if (docket.connectionId !== connectionId) continue;
        docket.timer?.cancel();
        docket.expiry?.cancel();
        dockets.delete(id);
        jobsOf.delete(id);
      }
      learned.delete(connectionId);
      mutes.forget(connectionId).catch(onTrouble);
    },
    close() {
      for (const { timer, expiry } of dockets.values()) {
        timer?.cancel();
        expiry?.cancel();
      }
      dockets.clear();
    },
  };
}

/** Whether there is nothing new to tell. */
function isSame(
  a: Pick<EndpointDiagnosis, 'findings' | 'mutedUntilMs'>,
  b: Pick<EndpointDiagnosis, 'findings' | 'mutedUntilMs'>,
): boolean {
  return (
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
    runTimes.count < fewestJobs ||
    runTimes.executionP50Ms === null ||
    runTimes.executionP95Ms === null
  )
    return null;
  return { p50Ms: runTimes.executionP50Ms, p95Ms: runTimes.executionP95Ms };
}

function readingOf({ atMs, jobs, workers }: Health): HealthPoint {
  return {
    atMs,
    spanMs: 0,
    inQueue: jobs.inQueue,
    mostInQueue: jobs.inQueue,
    inProgress: jobs.inProgress,
    running: workers.running,
    idle: workers.idle,
    initializing: workers.initializing ?? null,
    ready: workers.ready ?? null,
    throttled: workers.throttled ?? null,
    unhealthy: workers.unhealthy ?? null,
    completed: jobs.completed,
    failed: jobs.failed,
    retried: jobs.retried,
  };
}

function idOf({ connectionId, endpointId }: EndpointId): string {
  return `${connectionId}\n${endpointId}`;
}

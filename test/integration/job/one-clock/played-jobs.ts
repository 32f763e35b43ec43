import { BroadcastChannel } from 'node:worker_threads';
import type { Sandbox } from '../../../../src-main/sandbox/sandbox.ts';
import type { Transition } from '../../../../src-main/sandbox/queue/job-record.ts';
import type { JointClock } from './joint-clock.ts';

/** The course of one run of a job, from the moment when a worker took it. */
export interface Run {
  durationMs: number;
  /** Streamed values, each with its time. Null: the handler streams nothing. */
  chunks: { atMs: number; value: unknown }[] | null;
  end: { command: 'return'; value?: unknown } | { command: 'fail'; message: string };
}

/** What happened to a job on the service, by its own log. */
export interface Fate {
  jobId: string;
  endpointId: string;
  submittedAtMs: number;
  status: string;
  /** Of its latest attempt. Null while it is not over. */
  endedAtMs: number | null;
  /** When its record was deleted, and why. Null while it exists. */
  removedAtMs: number | null;
  removedBy: Transition['cause'] | null;
  retries: number;
  /** The time of each. */
  retriedAtMs: number[];
  /** Its last status before it was removed. */
  lastStatus: string;
}

/** The workers' side of the test: plays the runs of jobs by their marker, and reads the service's log as it grows. */
export interface PlayedJobs {
  readonly channelName: string;
  /** Runs of a job, one for each attempt. Later attempts repeat the last one. */
  plan(marker: string, runs: readonly Run[]): void;
  /** Whether the workers have finished everything they were asked to do. */
  isAtRest(): boolean;
  /** Resolves when a worker reported something, or after a moment in which one may have changed without a report. */
  moved(): Promise<void>;
  fates(): ReadonlyMap<string, Fate>;
  /** Job ids by marker, for jobs that a worker took. */
  jobIdsOf(marker: string): ReadonlySet<string>;
  /** Null if no worker took the job. */
  markerOf(jobId: string): string | null;
  /** When the chunks of each of the job's runs left its worker, in order. */
  yields(jobId: string): readonly (readonly number[])[];
  describe(): string;
  close(): void;
}

interface LiveRun {
  runId: string;
  jobId: string;
  awaited: number;
}

let channels = 0;

export function createPlayedJobs(clock: JointClock, sandbox: Sandbox): PlayedJobs {
  const channelName = `played-jobs-${process.pid}-${(channels += 1)}`;
  const channel = new BroadcastChannel(channelName);
  const plans = new Map<string, readonly Run[]>();
  const fates = new Map<string, Fate>();
  const idsByMarker = new Map<string, Set<string>>();
  const markers = new Map<string, string>();
  const yields = new Map<string, number[][]>();
  /** By job id: jobs that a worker has. Null until the handler has reported its start. */
  const running = new Map<string, LiveRun | null>();
  let read = 0;
  let wake = (): void => undefined;

  function readLog(): void {
    const log = sandbox.transitions();
    for (; read < log.length; read += 1) {
      const move = log[read];
      if (move !== undefined) note(move);
    }
  }

  function note({ jobId, endpointId, atMs, to, from, cause }: Transition): void {
    if (from === null) {
      fates.set(jobId, {
        jobId,
        endpointId,
        submittedAtMs: atMs,
        status: to,
        endedAtMs: null,
        removedAtMs: null,
        removedBy: null,
        retries: 0,
        retriedAtMs: [],
        lastStatus: to,
      });
      return;
    }
    const fate = fates.get(jobId);
    if (fate === undefined) return;
    fate.status = to;
    if (to !== 'REMOVED') fate.lastStatus = to;
    if (to === 'IN_PROGRESS') return void running.set(jobId, null);
    running.delete(jobId);
    if (to === 'REMOVED') Object.assign(fate, { removedAtMs: atMs, removedBy: cause });
    else if (to === 'IN_QUEUE')
      Object.assign(fate, { endedAtMs: null, retries: fate.retries + 1, retriedAtMs: [...fate.retriedAtMs, atMs] });
    else fate.endedAtMs = atMs;
  }

  function began(runId: string, jobId: string, marker: string): void {
    readLog();
    const ids = idsByMarker.get(marker) ?? new Set<string>();
    idsByMarker.set(marker, ids.add(jobId));
    markers.set(jobId, marker);
    const begun = yields.get(jobId) ?? [];
    const attempt = begun.length;
    const yieldedAtMs: number[] = [];
    yields.set(jobId, [...begun, yieldedAtMs]);
    const runs = plans.get(marker);
    const run = runs?.[Math.min(attempt, runs.length - 1)];
    if (run === undefined || running.get(jobId) !== null) return;
    const live: LiveRun = { runId, jobId, awaited: 0 };
    running.set(jobId, live);
    const tell = (atMs: number, command: object, onTold: () => void = () => undefined): void => {
      clock.at(clock.now() + atMs, () => {
        readLog();
        if (running.get(jobId) !== live) return;
        live.awaited += 1;
        onTold();
        channel.postMessage({ runId, ...command });
      });
    };
    for (const chunk of run.chunks ?? [])
      tell(chunk.atMs, { command: 'chunk', value: chunk.value }, () => void yieldedAtMs.push(clock.now()));
    tell(run.durationMs, run.end);
  }

  function took(runId: string): void {
    for (const live of running.values()) if (live?.runId === runId) live.awaited -= 1;
  }

  channel.onmessage = (event: unknown) => {
    const data: unknown = typeof event === 'object' && event !== null && 'data' in event ? event.data : null;
    if (typeof data !== 'object' || data === null) return;
    wake();
    if ('took' in data) took(String(data.took));
    else if ('began' in data && 'jobId' in data && 'marker' in data)
      began(String(data.began), String(data.jobId), String(data.marker));
  };

  function waitsFor(): string[] {
    readLog();
    const waits: string[] = [];
    for (const [jobId, live] of running) {
      if (live === null) waits.push(`${jobId} to begin`);
      else if (live.awaited > 0) waits.push(`${jobId} to do what it was told`);
    }
    for (const endpointId of sandbox.endpoints) {
      const health = sandbox.health(endpointId);
      if (health === null) continue;
      const { workers, jobs } = health;
      if (workers.initializing > 0 || workers.running !== jobs.inProgress)
        waits.push(`${endpointId}: ${JSON.stringify(health)}`);
    }
    return waits;
  }

  return {
    channelName,
    plan: (marker, runs) => void plans.set(marker, runs),
    isAtRest: () => waitsFor().length === 0,
    moved: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, 1);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    fates() {
      readLog();
      return fates;
    },
    jobIdsOf: (marker) => idsByMarker.get(marker) ?? new Set(),
    yields: (jobId) => yields.get(jobId) ?? [],
    markerOf: (jobId) => markers.get(jobId) ?? null,
    describe: () => waitsFor().join('; '),
    close: () => channel.close(),
  };
}

/** The output of a run that ended well, as JSON. */
export function outputOf(run: Run | undefined): string | null {
  if (run === undefined || run.end.command === 'fail') return null;
  return JSON.stringify(run.chunks === null ? run.end.value : run.chunks.map(({ value }) => value)) ?? null;
}

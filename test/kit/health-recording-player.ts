import { BroadcastChannel } from 'node:worker_threads';
import type { Transition } from '../../src-main/sandbox/queue/job-record.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import type { Dialect } from '../../src-main/sandbox/specification.ts';
import { createQueueApi } from '../../src-main/service/queue-api.ts';
import type { QueueApi } from '../../src-main/service/reply.ts';
import { createSteppedClock } from './health-recording-clock.ts';
import { recordingStartMs } from './health-recording.ts';
import type {
  HealthRecording,
  JobCourse,
  RecordedJob,
  RecordedReading,
  RecordingScenario,
  RecordingStep,
  RecordingWorkers,
  Submissions,
} from './health-recording.ts';
import { startSandbox, TEST_API_KEY } from './sandbox.ts';

const handlerUrl = new URL('./health-recording-handler.mjs', import.meta.url).href;
/** Real time within which workers must react. */
const settleMs = 20_000;
const pauseMs = 2;

/** What the recorder knows of a worker that starts. */
type StartSeen = 'dies-later' | 'death-sent' | 'go-sent' | 'up';

interface OurJob {
  acceptedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  status: string | null;
  of: Submissions;
}

const workerDefaults: RecordingWorkers = {
  minWorkers: 0,
  maxWorkers: 3,
  coldStartS: 2,
  idleTimeoutS: 60,
  throttledWorkers: 0,
};
let recordings = 0;

/** Plays a scenario against the real sandbox on a clock of its own, and reads its health as the app does. */
export async function recordHealth(scenario: RecordingScenario, dialect: Dialect): Promise<HealthRecording> {
  const endpointId = `recorded-${(recordings += 1)}`;
  const clock = createSteppedClock(recordingStartMs);
  const now = (): number => clock.now() - recordingStartMs;
  const workers = { ...workerDefaults, ...scenario.workers };
  const channel = new BroadcastChannel(`health-recording ${endpointId}`);
  const starts = new Map<string, StartSeen>();
  /** By job id: its run, as soon as the worker has reported its start. */
  const runs = new Map<string, { runId: string | null; isEndSent: boolean }>();
  const jobs = new Map<string, OurJob | null>();
  const readings: RecordedReading[] = [];
  let nextJob: Submissions | null = null;
  let startsDieAfterS: number | null = null;
  let read = 0;
  let closedUntil = -1;
  let sandbox = await open();
  let api = apiOf(sandbox);

  function scaling(of: RecordingWorkers): {
    minWorkers: number;
    maxWorkers: number;
    coldStartMs: number;
    idleTimeoutMs: number;
    throttledWorkers: number;
  } {
    const { minWorkers, maxWorkers, throttledWorkers } = of;
    return {
      minWorkers,
      maxWorkers,
      coldStartMs: of.coldStartS * 1_000,
      idleTimeoutMs: of.idleTimeoutS * 1_000,
      throttledWorkers,
    };
  }

  function open(): Promise<Sandbox> {
    const { crashRetries = 0 } = scenario;
    const endpoint = { id: endpointId, handler: { moduleUrl: handlerUrl }, crashRetries, ...scaling(workers) };
    return startSandbox({ clock, dialect, limits: 'off', endpoints: [endpoint], scaling: scaling(workers) });
  }

  function apiOf({ baseUrl, restUrl }: Sandbox): QueueApi {
    return createQueueApi(
      { baseUrl, restUrl, authorization: 'bearer', readKey: () => Promise.resolve(TEST_API_KEY) },
      { now: clock.now },
    );
  }

  channel.onmessage = (event: unknown) => {
    const data: unknown = typeof event === 'object' && event !== null && 'data' in event ? event.data : null;
    if (typeof data !== 'object' || data === null) return;
    if ('loading' in data) loading(String(data.loading));
    if ('up' in data) starts.set(String(data.up), 'up');
    if ('began' in data && 'jobId' in data && 'runMs' in data && 'how' in data)
      began(String(data.began), String(data.jobId), Number(data.runMs), String(data.how));
  };

  function loading(workerId: string): void {
    if (startsDieAfterS === null) {
      starts.set(workerId, 'go-sent');
      channel.postMessage({ start: workerId, isWell: true });
      return;
    }
    starts.set(workerId, 'dies-later');
    clock.setTimeout(() => {
      starts.set(workerId, 'death-sent');
      channel.postMessage({ start: workerId, isWell: false });
    }, startsDieAfterS * 1_000);
  }

  function began(runId: string, jobId: string, runMs: number, how: string): void {
    readLog();
    const run = runs.get(jobId);
    if (run === undefined) return;
    run.runId = runId;
    if (how === 'hang') return;
    clock.setTimeout(() => {
      readLog();
      if (runs.get(jobId) !== run) return;
      run.isEndSent = true;
      channel.postMessage({ end: runId, how });
    }, runMs);
  }

  function readLog(): void {
    const log = sandbox.transitions();
    for (; read < log.length; read += 1) {
      const move = log[read];
      if (move !== undefined) note(move);
    }
  }

  function note({ jobId, from, to, atMs, cause }: Transition): void {
    const at = atMs - recordingStartMs;
    if (from === null)
      jobs.set(
        jobId,
        nextJob === null || nextJob.isForeign === true
          ? null
          : { acceptedAt: at, startedAt: null, endedAt: null, status: null, of: nextJob },
      );
    if (to === 'IN_PROGRESS') runs.set(jobId, { runId: null, isEndSent: false });
    else runs.delete(jobId);
    const job = jobs.get(jobId);
    if (job === undefined || job === null) return;
    if (to === 'IN_PROGRESS') job.startedAt ??= at;
    else if (to === 'IN_QUEUE') Object.assign(job, { endedAt: null, status: null });
    // The observed dialect says FAILED with the reason. The app recognizes a timeout in either form (ruling 14).
    else if (to !== 'REMOVED')
      Object.assign(job, { endedAt: at, status: cause === 'executionTimeout' ? 'TIMED_OUT' : to });
    else if (job.endedAt === null) job.endedAt = at;
  }

  /** What still has to happen before time may advance. Null if everything is at rest. */
  async function unrest(): Promise<string | null> {
    readLog();
    for (const [jobId, run] of runs) if (run.runId === null || run.isEndSent) return `job ${jobId}`;
    const health = sandbox.health(endpointId);
    if (health === null) return null;
    if (health.workers.running !== health.jobs.inProgress) return 'a worker to stop';
    return health.workers.initializing === 0 ? null : await unrestOfStarts();
  }

  async function unrestOfStarts(): Promise<string | null> {
    const reply = await fetch(`${sandbox.baseUrl}/_sandbox/endpoints/${endpointId}/workers`, {
      headers: { authorization: `Bearer ${TEST_API_KEY}` },
    });
    const sights: { workers: { id: string; state: string; startedAtMs: number }[] } = await reply.json();
    for (const { id, state, startedAtMs } of sights.workers) {
      const seen = starts.get(id);
      const isWell = seen === 'dies-later' || (seen === 'up' && clock.now() < startedAtMs + workers.coldStartS * 1_000);
      if (state === 'starting' && !isWell) return `worker ${id} (${seen ?? 'not loaded'})`;
    }
    return null;
  }

  async function settle(): Promise<void> {
    const untilMs = performance.now() + settleMs;
    for (let waits = await unrest(); waits !== null; waits = await unrest()) {
      if (performance.now() > untilMs)
        throw new Error(`${scenario.name}, ${dialect}, at ${now() / 1_000} s: nothing came of ${waits}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async function advanceTo(at: number): Promise<void> {
    const untilMs = recordingStartMs + at;
    for (let nextMs = clock.nextAtMs(); nextMs <= untilMs; nextMs = clock.nextAtMs()) {
      clock.moveTo(nextMs);
      await settle();
    }
    clock.moveTo(untilMs);
    await settle();
  }

  async function submit(of: Submissions, index: number): Promise<void> {
    nextJob = of;
    const runMs = 1_000 * (pick(of.runS, index) ?? 1);
    const how: JobCourse = pick(of.how, index) ?? 'return';
    const policy = {
      executionTimeout: (of.timeoutS ?? 600) * 1_000,
      ttl: (of.ttlS ?? 86_400) * 1_000,
      lowPriority: of.isLowPriority ?? false,
    };
    const body = JSON.stringify({ input: { runMs, how }, policy });
    const before = jobs.size;
    // Its answer waits for the job, which waits for the clock.
    if (of.operation === 'runsync') void api.runsync(endpointId, body, 1_000);
    else await api.run(endpointId, body);
    const untilMs = performance.now() + settleMs;
    while (jobs.size === before && performance.now() < untilMs) {
      readLog();
      if (jobs.size === before) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async function take(step: RecordingStep): Promise<void> {
    if ('workers' in step) {
      Object.assign(workers, step.workers);
      sandbox.setScaling(endpointId, scaling(workers));
    } else if ('startsDieAfterS' in step) {
      ({ startsDieAfterS } = step);
    } else if ('retryFailed' in step) {
      for (const [jobId, job] of jobs) if (job?.status === 'FAILED') await api.retry(endpointId, jobId);
    } else if ('purge' in step) {
      await api.purgeQueue(endpointId);
    } else if ('restartService' in step) {
      await restart();
    } else if ('closedForS' in step) {
      closedUntil = now() + step.closedForS * 1_000;
    }
  }

  async function restart(): Promise<void> {
    await sandbox.close();
    readLog();
    for (const job of jobs.values()) if (job !== null) job.endedAt ??= now();
    runs.clear();
    read = 0;
    sandbox = await open();
    api = apiOf(sandbox);
  }

  async function readHealth(): Promise<void> {
    if (now() < closedUntil) return;
    const { result } = await api.health(endpointId);
    if (!result.ok) throw new Error(`${scenario.name}: ${result.failure.message}`);
    const { jobs: counts, workers: seen } = result.value;
    const optional = [seen.initializing, seen.ready, seen.throttled, seen.unhealthy].filter(
      (count) => count !== undefined,
    );
    readings.push([
      now(),
      counts.inQueue,
      counts.inProgress,
      seen.running,
      seen.idle,
      counts.completed,
      counts.failed,
      counts.retried,
      ...optional,
    ]);
  }

  try {
    for (const { atS, run } of planOf(scenario, { submit, take, readHealth })) {
      await advanceTo(atS * 1_000);
      await run();
      await settle();
    }
  } finally {
    await sandbox.close();
    channel.close();
  }
  const kept = [...jobs.values()]
    .filter((job) => job !== null)
    .map((job): RecordedJob => {
      const { operation = 'run', timeoutS = 600, ttlS = 86_400, isUnread = false } = job.of;
      return [
        job.acceptedAt,
        job.startedAt,
        job.endedAt,
        job.status,
        timeoutS * 1_000,
        job.acceptedAt + ttlS * 1_000,
        operation,
        isUnread,
      ];
    });
  return { name: scenario.name, about: scenario.about, dialect, readings, jobs: kept };
}

function pick<T extends string | number>(from: T | readonly T[] | undefined, index: number): T | undefined {
  if (typeof from !== 'object') return from;
  return from[index % from.length];
}

interface Deeds {
  submit(of: Submissions, index: number): Promise<void>;
  take(step: RecordingStep): Promise<void>;
  readHealth(): Promise<void>;
}

/** All that happens, in order. At one moment, actions come before the reading. */
function planOf(
  { steps, everyS, lastsS }: RecordingScenario,
  { submit, take, readHealth }: Deeds,
): { atS: number; run: () => Promise<void> }[] {
  const deeds = steps.flatMap((step) => {
    if (!('submit' in step)) return [{ atS: step.atS, run: () => take(step) }];
    const { submit: of } = step;
    return Array.from({ length: of.count }, (_, index) => ({
      atS: step.atS + index * (of.everyS ?? 0),
      run: () => submit(of, index),
    }));
  });
  const reads = Array.from({ length: Math.floor(lastsS / everyS) + 1 }, (_, index) => ({
    atS: index * everyS,
    run: readHealth,
  }));
  return [...deeds.sort((a, b) => a.atS - b.atS), ...reads]
    .map((deed, order) => ({ ...deed, order }))
    .sort((a, b) => a.atS - b.atS || a.order - b.order)
    .filter(({ atS }) => atS <= lastsS);
}

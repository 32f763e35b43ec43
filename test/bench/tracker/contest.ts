import { fork } from 'node:child_process';
import { once } from 'node:events';
import { percentile } from '../../../src-main/history/jobs/run-times.ts';
import type { Stats } from '../../../src-main/sandbox/server/control-routes.ts';
import { startSandboxProcess } from '../../kit/sandbox.ts';
import type { SandboxProcess } from '../../kit/sandbox.ts';

/** A contender's task: it submits every input and must have each result on its disk as soon as it can. */
export interface Task {
  baseUrl: string;
  apiKey: string;
  endpointId: string;
  inputs: Record<string, unknown>[];
  /** The folder for its results. */
  folder: string;
  /** The share of the limits that it may use, for contenders that respect any. */
  rateShare: number;
  concurrencyShare: number;
  /** For contenders that can receive webhooks. */
  hasWebhooks: boolean;
  /** Whether one of our windows is visible. Only then starts are read too, and not only ends. */
  isWindowVisible: boolean;
  /**
   * This many are active at the same time, all of them on screen. Null: all are submitted, and none of their rows is on
   * screen.
   */
  liveOnScreen: number | null;
}

/** A contender's report when all is done. Times are epoch milliseconds. */
export interface Score {
  /** By job id, when its result was on disk. */
  savedAtMs: Record<string, number>;
  /** Jobs it gave up. */
  lost: number;
  cpuSeconds: number;
  /** The event loop's delay, if the contender measured it. */
  loopDelayP99Ms: number | null;
  /** The age of what a row on screen shows, at the 95th percentile. Null if there was no row. */
  ageP95Ms: number | null;
}

export type ToContender = { kind: 'task'; task: Task };
export type FromContender = { kind: 'submitted' } | { kind: 'score'; score: Score };

export interface Figures {
  jobs: number;
  saved: number;
  requestsPerJob: number;
  /** Requests other than submissions, per finished job. */
  readsPerJob: number;
  /** The minimum of them: each job's status once, and the endpoint's health once a second. */
  minReadsPerJob: number;
  tooMany: number;
  delayP50Ms: number;
  delayP95Ms: number;
  delayP99Ms: number;
  cpuSeconds: number;
  seconds: number;
  loopDelayP99Ms: number | null;
  ageP95Ms: number | null;
  /** The average status reads in ten seconds, as a fraction of the service's limit. */
  partOfStatusLimit: number;
  byOperation: Record<string, number>;
}

export interface Contest {
  contender: 'ours' | 'sdk-poll' | 'sdk-runsync';
  task: Omit<Task, 'baseUrl' | 'apiKey' | 'folder'>;
  folder: string;
  /** Arguments for the sandbox's command line. */
  sandboxArgs: readonly string[];
  /** Workers wait until everything is submitted. */
  isHeldUntilSubmitted?: boolean;
  workers: number;
}

/** One contender against a new sandbox, each in a separate process. */
export async function runContest(contest: Contest): Promise<Figures> {
  const held = contest.isHeldUntilSubmitted === true;
  const sandbox = await startSandboxProcess({
    args: [
      '--min-workers',
      '0',
      '--max-workers',
      String(held ? 0 : contest.workers),
      '--idle-timeout-ms',
      '60000',
      ...contest.sandboxArgs,
    ],
  });
  const child = fork(new URL(`./${contest.contender}.ts`, import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const endWithParent = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithParent);
  const beganAtMs = performance.now();
  try {
    const transitions = createTransitionReader(sandbox);
    const task: Task = {
      ...contest.task,
      baseUrl: sandbox.ready.base_url,
      apiKey: sandbox.ready.api_key,
      folder: contest.folder,
    };
    const message: ToContender = { kind: 'task', task };
    child.send(message);
    let score: Score | null = null;
    while (score === null) {
      const [message]: FromContender[] = await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => Promise.reject(new Error(`${contest.contender} ended early`))),
      ]);
      if (message?.kind === 'score') score = message.score;
      if (message?.kind === 'submitted' && held) await setWorkers(sandbox, contest.workers);
    }
    const endedAtMs = await transitions.ends();
    return figuresOf(score, endedAtMs, await readStats(sandbox, transitions.nextSeq()), {
      endpointId: task.endpointId,
      seconds: (performance.now() - beganAtMs) / 1_000,
    });
  } finally {
    process.off('exit', endWithParent);
    child.kill('SIGKILL');
    await sandbox.kill('SIGTERM');
  }
}

async function readStats({ ready }: SandboxProcess, since: number): Promise<Stats> {
  const response = await fetch(`${ready.base_url}/_sandbox/stats?since=${since}`, {
    headers: { authorization: ready.api_key },
  });
  const stats: Stats = JSON.parse(await response.text());
  return stats;
}

async function setWorkers({ ready }: SandboxProcess, maxWorkers: number): Promise<void> {
  const response = await fetch(`${ready.base_url}/_sandbox/endpoints/mock/workers`, {
    method: 'PUT',
    body: JSON.stringify({ maxWorkers }),
    headers: { authorization: ready.api_key, 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Reads when each job ended from the service's own log. */
function createTransitionReader(sandbox: SandboxProcess) {
  let seq = 1;
  return {
    nextSeq: () => seq,
    async ends(): Promise<Map<string, number>> {
      const ends = new Map<string, number>();
      for (;;) {
        const stats = await readStats(sandbox, seq);
        if (stats.firstSeq > seq) throw new Error('The sandbox forgot transitions that the figures need.');
        for (const { jobId, to, atMs } of stats.transitions)
          if (to === 'COMPLETED' || to === 'FAILED') ends.set(jobId, atMs);
        if (stats.transitions.length === 0) return ends;
        seq = stats.nextSeq;
      }
    },
  };
}

function figuresOf(
  score: Score,
  endedAtMs: Map<string, number>,
  stats: Stats,
  of: { endpointId: string; seconds: number },
): Figures {
  const delays = Object.entries(score.savedAtMs).map(
    ([id, savedAtMs]) => savedAtMs - (endedAtMs.get(id) ?? Number.NaN),
  );
  if (delays.some(Number.isNaN)) throw new Error('A result was saved of a job that the service did not end.');
  const at = (share: number): number => Math.round(percentile(delays, share) ?? Number.NaN);
  const byOperation: Record<string, number> = {};
  let requests = 0;
  let tooMany = 0;
  let submissions = 0;
  for (const { endpointId, operation, status, count } of stats.requests) {
    if (endpointId !== of.endpointId) continue;
    byOperation[operation] = (byOperation[operation] ?? 0) + count;
    requests += count;
    if (operation === 'run' || operation === 'runsync') submissions += count;
    if (status === 429) tooMany += count;
  }
  const perJob = (amount: number): number => Math.round((amount / Math.max(1, delays.length)) * 100) / 100;
  return {
    jobs: endedAtMs.size,
    saved: delays.length,
    requestsPerJob: perJob(requests),
    readsPerJob: perJob(requests - submissions),
    minReadsPerJob: perJob(delays.length + of.seconds),
    tooMany,
    delayP50Ms: at(0.5),
    delayP95Ms: at(0.95),
    delayP99Ms: at(0.99),
    cpuSeconds: Math.round(score.cpuSeconds * 100) / 100,
    seconds: Math.round(of.seconds),
    loopDelayP99Ms: score.loopDelayP99Ms,
    ageP95Ms: score.ageP95Ms,
    partOfStatusLimit: Math.round(((byOperation['status'] ?? 0) / of.seconds / 200) * 1_000) / 1_000,
    byOperation,
  };
}

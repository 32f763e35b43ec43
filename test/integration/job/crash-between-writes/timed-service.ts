import { createScriptedService, type Reply, type ScriptedService } from '../scripted-service.ts';
import type { ReceivedRequest } from '../../../kit/fault-service.ts';

/** How one run of a job goes, as its input says. */
export interface RunPlan {
  end: 'COMPLETED' | 'FAILED';
  chunks?: string[];
  output?: unknown;
  /** The record never has an output. */
  isOutputHidden?: true;
  /** The record has the output only this long after the end. */
  outputAfterMs?: number;
}

/** The input of a job: its name, and its runs. */
export interface PlannedInput {
  marker: string;
  runs: RunPlan[];
}

export interface ServiceJob {
  id: string;
  input: PlannedInput;
  attempt: number;
  beganAtMs: number;
  readChunks: number;
  cancelledAtMs: number | null;
}

export interface TimedService extends ScriptedService {
  jobs: ReadonlyMap<string, ServiceJob>;
  /** The run that a job had last. */
  planOf(job: ServiceJob): RunPlan;
  /** What was done more than once, one sentence each. */
  doubled(): string[];
  /** The next retries meet the rate limit. */
  limitRetries(count: number): void;
}

const queueMs = 2_000;
const chunkEveryMs = 2_000;
const runMs = 12_000;

/** A service whose jobs run in the test's time, and whose stream removes what it returns. */
export async function createTimedService(now: () => number, hasOneId = false): Promise<TimedService> {
  const jobs = new Map<string, ServiceJob>();
  const runs: string[] = [];
  const retries: string[] = [];
  let limited = 0;
  const isObject = (value: unknown): value is PlannedInput => typeof value === 'object' && value !== null;

  function jobOf({ path }: ReceivedRequest): ServiceJob | undefined {
    return jobs.get((path.split('?')[0] ?? '').split('/').at(-1) ?? '');
  }
  function planOf(job: ServiceJob): RunPlan {
    return job.input.runs[Math.min(job.attempt, job.input.runs.length - 1)] ?? { end: 'COMPLETED', output: 1 };
  }
  function statusOf(job: ServiceJob): string {
    if (job.cancelledAtMs !== null) return 'CANCELLED';
    const passedMs = now() - job.beganAtMs;
    return passedMs < queueMs ? 'IN_QUEUE' : passedMs < queueMs + runMs ? 'IN_PROGRESS' : planOf(job).end;
  }
  function recordOf(job: ServiceJob): object {
    const status = statusOf(job);
    const plan = planOf(job);
    if (status === 'FAILED') return { id: job.id, status, error: 'no', delayTime: 5, executionTime: 100 + job.attempt };
    if (status !== 'COMPLETED') return { id: job.id, status };
    const isOutputThere = now() - job.beganAtMs >= queueMs + runMs + (plan.outputAfterMs ?? 0);
    const output = plan.chunks ?? plan.output;
    return {
      id: job.id,
      status,
      delayTime: 5,
      executionTime: 100 + job.attempt,
      ...(isOutputThere && output !== undefined && plan.isOutputHidden !== true ? { output } : {}),
    };
  }
  const unknown: Reply = { status: 404, body: { error: 'job not found' } };

  const service = await createScriptedService({
    run: [
      ({ body }) => {
        const sent: unknown = JSON.parse(body);
        const input: unknown = typeof sent === 'object' && sent !== null && 'input' in sent ? sent.input : null;
        if (!isObject(input)) return { status: 400, body: { error: 'no input' } };
        const id = hasOneId ? 'job-1' : `job-${jobs.size + 1}`;
        runs.push(input.marker);
        if (!jobs.has(id))
          jobs.set(id, { id, input, attempt: 0, beganAtMs: now(), readChunks: 0, cancelledAtMs: null });
        return { body: { id, status: 'IN_QUEUE' } };
      },
    ],
    status: [
      (request) => {
        const job = jobOf(request);
        return job === undefined ? unknown : { body: recordOf(job) };
      },
    ],
    stream: [
      (request) => {
        const job = jobOf(request);
        if (job === undefined) return unknown;
        const passedMs = now() - job.beganAtMs - queueMs;
        const all = planOf(job).chunks ?? [];
        const there = all.slice(0, Math.max(0, Math.floor(passedMs / chunkEveryMs)));
        const fresh = (statusOf(job) === 'IN_PROGRESS' || statusOf(job) === 'IN_QUEUE' ? there : all).slice(
          job.readChunks,
        );
        job.readChunks += fresh.length;
        return { body: { status: statusOf(job), stream: fresh.map((output) => ({ output })) } };
      },
    ],
    cancel: [
      (request) => {
        const job = jobOf(request);
        if (job === undefined) return unknown;
        if (statusOf(job) === 'IN_QUEUE' || statusOf(job) === 'IN_PROGRESS') job.cancelledAtMs = now();
        return { body: { id: job.id, status: statusOf(job) } };
      },
    ],
    retry: [
      (request) => {
        const job = jobOf(request);
        if (job === undefined) return unknown;
        if (limited > 0) {
          limited -= 1;
          return { status: 429, body: { error: 'slow down' } };
        }
        if (statusOf(job) !== 'FAILED') return { status: 400, body: { error: 'Only failed jobs can be retried.' } };
        retries.push(job.input.marker);
        Object.assign(job, { attempt: job.attempt + 1, beganAtMs: now(), readChunks: 0 });
        return { body: { id: job.id, status: 'IN_QUEUE' } };
      },
    ],
    'purge-queue': [{ body: { removed: 0, status: 'completed' } }],
    health: [
      () => {
        const count = (status: string): number => [...jobs.values()].filter((job) => statusOf(job) === status).length;
        return {
          body: {
            jobs: {
              completed: count('COMPLETED'),
              failed: count('FAILED'),
              inProgress: count('IN_PROGRESS'),
              inQueue: count('IN_QUEUE'),
              retried: retries.length,
            },
            workers: { idle: 1, running: 1 },
          },
        };
      },
    ],
  });
  return {
    ...service,
    jobs,
    planOf,
    doubled: () => [
      ...twice(runs).map((marker) => `${marker} was submitted twice.`),
      ...twice(retries).map((marker) => `${marker} was retried twice.`),
    ],
    limitRetries: (count) => {
      limited = count;
    },
  };
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

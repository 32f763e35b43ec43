import { beforeEach, describe, expect, it } from 'vitest';
import type { EndpointDefinition } from '../../../../src-main/sandbox/endpoint.ts';
import {
  renderJob,
  type JobRecord,
  createTransitionLog,
  type TransitionLog,
} from '../../../../src-main/sandbox/queue/job-record.ts';
import { createQueue } from '../../../../src-main/sandbox/queue/queue.ts';
import type { Queue } from '../../../../src-main/sandbox/queue/queue.ts';
import { checkSubmission } from '../../../../src-main/sandbox/queue/validation.ts';
import type { Submission } from '../../../../src-main/sandbox/queue/validation.ts';
import type { Dialect } from '../../../../src-main/sandbox/specification.ts';
import { createVirtualClock } from '../../../kit/sandbox.ts';
import type { VirtualClock } from '../../../kit/sandbox.ts';
import { createScriptedThreads } from '../scripted-threads.ts';

const ENDPOINT: EndpointDefinition = {
  id: 'e',
  handler: { builtIn: 'echo' },
  minWorkers: 0,
  maxWorkers: 2,
  coldStartMs: 100,
  idleTimeoutMs: 5_000,
};

function submission(policy: Record<string, unknown> = {}): Submission {
  const checked = checkSubmission(JSON.stringify({ input: { n: 1 }, policy }));
  if (!checked.ok) throw new Error(checked.message);
  return checked.value;
}

describe('queue', () => {
  let clock: VirtualClock;
  let scripted: ReturnType<typeof createScriptedThreads>;
  let transitions: TransitionLog;
  let completed: string[];
  let queue: Queue;

  function open(options: { endpoint?: Partial<EndpointDefinition>; dialect?: Dialect } = {}): void {
    clock = createVirtualClock();
    scripted = createScriptedThreads();
    transitions = createTransitionLog();
    completed = [];
    queue = createQueue({
      endpoint: { ...ENDPOINT, ...options.endpoint },
      dialect: options.dialect ?? 'spec',
      clock,
      syncRetentionMs: 60_000,
      startThread: scripted.startThread,
      transitions,
      onCompleted: (record) => completed.push(record.status),
    });
  }

  /** Brings up the endpoint's n-th worker. */
  function warmUp(index = 0): void {
    scripted.at(index).events.onReady();
    clock.advance(ENDPOINT.coldStartMs);
  }

  function moves(record: JobRecord): string[] {
    return transitions
      .all()
      .filter(({ jobId }) => jobId === record.id)
      .map(({ to }) => to);
  }

  function view(record: JobRecord): unknown {
    return JSON.parse(renderJob(record, 'spec', clock.now()));
  }

  beforeEach(() => open());

  it('waits in the queue through the cold start, then runs and completes, with times in ms', () => {
    const job = queue.submit(submission(), 'run');
    clock.advance(40);
    expect(view(job)).toEqual({ id: job.id, status: 'IN_QUEUE', delayTime: 40, executionTime: 0 });
    scripted.at(0).events.onReady();
    clock.advance(60);
    expect(job.status).toBe('IN_PROGRESS');
    clock.advance(700);
    expect(view(job)).toEqual({ id: job.id, status: 'IN_PROGRESS', delayTime: 100, executionTime: 700 });
    scripted.at(0).events.onDone({ outputJson: '{"x":1}', isStreamed: false });
    clock.advance(5_000);
    expect(view(job)).toEqual({
      id: job.id,
      status: 'COMPLETED',
      output: { x: 1 },
      delayTime: 100,
      executionTime: 700,
    });
    expect(moves(job)).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']);
    expect(completed).toEqual(['COMPLETED']);
  });

  it('starts jobs in the order they came, on a worker that is reused', () => {
    open({ endpoint: { maxWorkers: 1 } });
    const jobs = [1, 2, 3].map(() => queue.submit(submission(), 'run'));
    warmUp();
    for (const _ of jobs) scripted.at(0).events.onDone({ outputJson: null, isStreamed: false });
    expect(scripted.at(0).jobIds).toEqual(jobs.map(({ id }) => id));
    expect(scripted.threads).toHaveLength(1);
    expect(queue.jobCounts()).toEqual({ completed: 3, failed: 0, inProgress: 0, inQueue: 0, retried: 0 });
  });

  it('reports what was streamed as the list of outputs', () => {
    const job = queue.submit(submission(), 'run');
    warmUp();
    scripted.at(0).events.onChunk({ outputJson: '"a"', metricsJson: '{"n":1}' });
    scripted.at(0).events.onChunk({ outputJson: '"b"', metricsJson: null });
    expect(job.stream.drain()).toBe('[{"output":"a","metrics":{"n":1}},{"output":"b"}]');
    scripted.at(0).events.onDone({ outputJson: null, isStreamed: true });
    expect(view(job)).toMatchObject({ status: 'COMPLETED', output: ['a', 'b'] });
    expect(job.stream.drain()).toBe('[]');
  });

  it('shows progress as output until the handler ends', () => {
    const job = queue.submit(submission(), 'run');
    warmUp();
    scripted.at(0).events.onProgress('{"step":1}');
    expect(view(job)).toMatchObject({ status: 'IN_PROGRESS', output: { step: 1 } });
    scripted.at(0).events.onFailed('broken');
    expect(view(job)).toEqual({ id: job.id, status: 'FAILED', error: 'broken', delayTime: 100, executionTime: 0 });
  });

  it('cancels a waiting job before it starts', () => {
    const job = queue.submit(submission(), 'run');
    expect(queue.cancel(job)).toBe(true);
    warmUp();
    expect(job.status).toBe('CANCELLED');
    expect(scripted.at(0).jobIds).toEqual([]);
  });

  it('cancels a running job immediately, ignores its later events, and reuses the worker when it yields', () => {
    const job = queue.submit(submission(), 'run');
    warmUp();
    expect(queue.cancel(job)).toBe(true);
    expect(scripted.at(0).stopCount).toBe(1);
    scripted.at(0).events.onProgress('1');
    scripted.at(0).events.onChunk({ outputJson: '1', metricsJson: null });
    scripted.at(0).events.onDone({ outputJson: '"late"', isStreamed: false });
    expect(view(job)).toEqual({ id: job.id, status: 'CANCELLED', delayTime: 100, executionTime: 0 });
    expect(job.stream.drain()).toBe('[]');
    const next = queue.submit(submission(), 'run');
    expect(scripted.at(0).jobIds).toEqual([job.id, next.id]);
    clock.advance(3_000);
    expect(scripted.at(0).isTerminated).toBe(false);
  });

  it('ends the worker of a stopped handler that does not yield within 2 s', () => {
    const job = queue.submit(submission(), 'run');
    warmUp();
    queue.cancel(job);
    clock.advance(1_999);
    expect(scripted.at(0).isTerminated).toBe(false);
    clock.advance(1);
    expect(scripted.at(0).isTerminated).toBe(true);
    expect(queue.workerCounts()).toMatchObject({ idle: 0, running: 0 });
    expect(job.status).toBe('CANCELLED');
  });

  it.each([
    ['spec', 'TIMED_OUT', null],
    ['observed', 'FAILED', 'executionTimeout exceeded'],
  ] as const)('ends a job at its executionTimeout (%s: %s) and stops its handler', (dialect, status, error) => {
    open({ dialect });
    const job = queue.submit(submission({ executionTimeout: 5_000 }), 'run');
    warmUp();
    clock.advance(4_999);
    expect(job.status).toBe('IN_PROGRESS');
    clock.advance(1);
    expect(job).toMatchObject({ status, error });
    expect(scripted.at(0).stopCount).toBe(1);
    expect(queue.jobCounts()).toMatchObject({ failed: 1, inProgress: 0 });
  });

  it('counts only execution, not waiting, for executionTimeout', () => {
    const job = queue.submit(submission({ executionTimeout: 5_000 }), 'run');
    clock.advance(60_000);
    scripted.at(0).events.onReady();
    clock.advance(4_000);
    expect(job.status).toBe('IN_PROGRESS');
  });

  it('deletes a waiting, a running and a finished job when their ttl is over', () => {
    open({ endpoint: { maxWorkers: 1 } });
    const policy = { ttl: 10_000 };
    const finished = queue.submit(submission(policy), 'run');
    const running = queue.submit(submission(policy), 'run');
    const waiting = queue.submit(submission(policy), 'run');
    warmUp();
    scripted.at(0).events.onDone({ outputJson: null, isStreamed: false });
    clock.advance(9_899);
    for (const { id } of [finished, running, waiting]) expect(queue.find(id)?.id).toBe(id);
    clock.advance(1);
    for (const { id } of [finished, running, waiting]) expect(queue.find(id)).toBeUndefined();
    expect(scripted.at(0).stopCount).toBe(1);
    expect(queue.jobCounts()).toMatchObject({ inProgress: 0, inQueue: 0 });
  });

  it('restarts the ttl at now plus the given time', () => {
    const job = queue.submit(submission({ ttl: 10_000 }), 'run');
    clock.advance(9_000);
    queue.restartTtl(job, 20_000);
    clock.advance(19_999);
    expect(queue.find(job.id)).toBe(job);
    clock.advance(1);
    expect(queue.find(job.id)).toBeUndefined();
  });

  it.each([
    ['run', 30 * 60_000],
    ['runsync', 60_000],
  ] as const)('keeps the result of %s for %d ms after its end', (source, retentionMs) => {
    const job = queue.submit(submission(), source);
    warmUp();
    clock.advance(1_000);
    scripted.at(0).events.onDone({ outputJson: null, isStreamed: false });
    clock.advance(retentionMs - 1);
    expect(queue.find(job.id)).toBe(job);
    clock.advance(1);
    expect(queue.find(job.id)).toBeUndefined();
    expect(moves(job).at(-1)).toBe('REMOVED');
  });

  it('retries a failed job with the same id, the output removed and the delay from the start', () => {
    const job = queue.submit(submission(), 'run');
    warmUp();
    scripted.at(0).events.onChunk({ outputJson: '"first"', metricsJson: null });
    scripted.at(0).events.onFailed('broken');
    clock.advance(1_500);
    expect(queue.retry(job)).toBe(true);
    expect(scripted.at(0).jobIds).toEqual([job.id, job.id]);
    expect(view(job)).toEqual({ id: job.id, status: 'IN_PROGRESS', delayTime: 0, executionTime: 0 });
    expect(job.stream.drain()).toBe('[]');
    scripted.at(0).events.onDone({ outputJson: '2', isStreamed: false });
    expect(moves(job)).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'FAILED', 'IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']);
    expect(queue.jobCounts()).toMatchObject({ completed: 1, failed: 1, retried: 1 });
    // Kept from its second end on, not from its first.
    clock.advance(30 * 60_000 - 1);
    expect(queue.find(job.id)).toBe(job);
    clock.advance(1);
    expect(queue.find(job.id)).toBeUndefined();
  });

  it('does not retry a completed, cancelled, waiting or expired job', () => {
    const job = queue.submit(submission(), 'run');
    expect(queue.retry(job)).toBe(false);
    warmUp();
    scripted.at(0).events.onDone({ outputJson: null, isStreamed: false });
    expect(queue.retry(job)).toBe(false);
    expect(queue.cancel(job)).toBe(false);
    const failed = queue.submit(submission(), 'run');
    scripted.at(0).events.onFailed('broken');
    clock.advance(30 * 60_000);
    expect(queue.retry(failed)).toBe(false);
  });

  it('purges only waiting jobs', () => {
    open({ endpoint: { maxWorkers: 1 } });
    const [running, ...waiting] = [1, 2, 3].map(() => queue.submit(submission(), 'run'));
    warmUp();
    expect(queue.purge()).toBe(2);
    for (const { id } of waiting) expect(queue.find(id)).toBeUndefined();
    expect(running?.status).toBe('IN_PROGRESS');
    expect(queue.purge()).toBe(0);
  });

  it('fails the job of a crashed worker, and starts another for the next', () => {
    const job = queue.submit(submission(), 'run');
    warmUp();
    scripted.at(0).events.onExit({ code: 7, error: new Error('out of memory') });
    expect(job.status).toBe('FAILED');
    expect(JSON.parse(job.error ?? '')).toMatchObject({
      error_type: 'WorkerCrashed',
      error_message: 'The worker exited with code 7 before the job was done: out of memory',
      worker_id: scripted.at(0).data.workerId,
    });
    const next = queue.submit(submission(), 'run');
    warmUp(1);
    expect(next.status).toBe('IN_PROGRESS');
  });

  it('leaves no timer behind when it is closed', async () => {
    queue.submit(submission(), 'run');
    queue.submit(submission(), 'run');
    warmUp();
    await queue.close();
    expect(clock.pendingTimers()).toBe(0);
    expect(scripted.threads.every(({ isTerminated }) => isTerminated)).toBe(true);
  });
});

describe('workers', () => {
  let clock: VirtualClock;
  let scripted: ReturnType<typeof createScriptedThreads>;

  function open(endpoint: Partial<EndpointDefinition>): Queue {
    clock = createVirtualClock();
    scripted = createScriptedThreads();
    return createQueue({
      endpoint: { ...ENDPOINT, ...endpoint },
      dialect: 'spec',
      clock,
      syncRetentionMs: 60_000,
      startThread: scripted.startThread,
      transitions: createTransitionLog(),
      onCompleted: () => undefined,
    });
  }

  it('grow with the depth of the queue up to the maximum', () => {
    const queue = open({ maxWorkers: 3 });
    expect(scripted.threads).toHaveLength(0);
    queue.submit(submission(), 'run');
    expect(scripted.threads).toHaveLength(1);
    for (let count = 0; count < 9; count += 1) queue.submit(submission(), 'run');
    expect(scripted.threads).toHaveLength(3);
    expect(queue.workerCounts()).toMatchObject({ initializing: 3, idle: 0, running: 0 });
  });

  it('are not started by lowPriority jobs', () => {
    const queue = open({});
    const low = queue.submit(submission({ lowPriority: true }), 'run');
    expect(scripted.threads).toHaveLength(0);
    queue.submit(submission(), 'run');
    expect(scripted.threads).toHaveLength(1);
    scripted.at(0).events.onReady();
    clock.advance(100);
    expect(low.status).toBe('IN_PROGRESS');
  });

  it('shrink to the minimum after the idle timeout', () => {
    const queue = open({ minWorkers: 1, maxWorkers: 2 });
    queue.submit(submission(), 'run');
    queue.submit(submission(), 'run');
    for (const { events } of scripted.threads) events.onReady();
    clock.advance(100);
    for (const { events } of scripted.threads) events.onDone({ outputJson: null, isStreamed: false });
    expect(queue.workerCounts()).toMatchObject({ idle: 2 });
    clock.advance(ENDPOINT.idleTimeoutMs);
    expect(queue.workerCounts()).toMatchObject({ idle: 1 });
    clock.advance(600_000);
    expect(queue.workerCounts()).toMatchObject({ idle: 1 });
  });

  it('that cannot start are retried after growing pauses, not in a loop', () => {
    const queue = open({ maxWorkers: 1 });
    queue.submit(submission(), 'run');
    scripted.at(0).events.onExit({ code: 1, error: new Error('no such module') });
    expect(queue.workerCounts()).toMatchObject({ unhealthy: 1 });
    clock.advance(999);
    expect(scripted.threads).toHaveLength(1);
    clock.advance(1);
    expect(scripted.threads).toHaveLength(2);
    scripted.at(1).events.onExit({ code: 1, error: null });
    clock.advance(1_999);
    expect(scripted.threads).toHaveLength(2);
    clock.advance(1);
    expect(scripted.threads).toHaveLength(3);
  });
});

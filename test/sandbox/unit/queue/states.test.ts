import { beforeEach, describe, expect, it } from 'vitest';
import { isTerminal, waitForJob } from '../../../../src-main/sandbox/queue/job-record.ts';
import type { JobRecord, JobStatus } from '../../../../src-main/sandbox/queue/job-record.ts';
import { openQueueScene, submissionOf } from './scene.ts';
import type { QueueScene, QueueSceneOptions } from './scene.ts';

const STATUSES: readonly JobStatus[] = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
const TERMINAL = STATUSES.filter(isTerminal);

let scene: QueueScene;

function open(options: QueueSceneOptions = {}): void {
  scene = openQueueScene(options);
}

/** A job brought into a state in no time, but for TIMED_OUT, which takes 5 s. */
function jobIn(status: JobStatus, policy: Record<string, unknown> = {}): JobRecord {
  const job = scene.queue.submit(submissionOf({ executionTimeout: 5_000, ...policy }), 'run');
  if (status === 'IN_QUEUE') return job;
  scene.warmUp();
  const { events } = scene.threadOf(job);
  if (status === 'COMPLETED') events.onDone({ outputJson: '1', isStreamed: false });
  if (status === 'FAILED') events.onFailed('broken');
  if (status === 'CANCELLED') scene.queue.cancel(job);
  if (status === 'TIMED_OUT') scene.clock.advance(5_000);
  expect(job.status).toBe(status);
  return job;
}

beforeEach(() => open());

describe('the table of states, each move with its cause', () => {
  it('(none) to IN_QUEUE', () => {
    expect(scene.movesOf(jobIn('IN_QUEUE'))).toEqual([{ from: null, to: 'IN_QUEUE', cause: 'submitted' }]);
  });

  it.each([
    ['IN_PROGRESS', 'IN_QUEUE', 'worker free'],
    ['COMPLETED', 'IN_PROGRESS', 'handler done'],
    ['FAILED', 'IN_PROGRESS', 'handler failed'],
    ['CANCELLED', 'IN_PROGRESS', 'cancel'],
    ['TIMED_OUT', 'IN_PROGRESS', 'executionTimeout'],
  ] as const)('to %s', (to, from, cause) => {
    expect(scene.movesOf(jobIn(to)).at(-1)).toEqual({ from, to, cause });
  });

  it('IN_PROGRESS to FAILED when the worker crashes', () => {
    const job = jobIn('IN_PROGRESS');
    scene.threadOf(job).events.onExit({ code: 1, error: null });
    expect(scene.movesOf(job).at(-1)).toEqual({ from: 'IN_PROGRESS', to: 'FAILED', cause: 'worker crashed' });
  });

  it('IN_PROGRESS back to IN_QUEUE when the worker crashes and the endpoint tries again, then FAILED', () => {
    const again = openQueueScene({ endpoint: { crashRetries: 1, maxWorkers: 1 } });
    const job = again.queue.submit(submissionOf(), 'run');
    again.warmUp();
    again.threadOf(job).events.onExit({ code: 1, error: null });
    expect(again.movesOf(job).at(-1)).toEqual({ from: 'IN_PROGRESS', to: 'IN_QUEUE', cause: 'worker crashed' });
    expect(again.queue.jobCounts()).toMatchObject({ inQueue: 1, inProgress: 0, failed: 0, retried: 1 });
    again.warmUp();
    expect(job.status).toBe('IN_PROGRESS');
    again.threadOf(job).events.onExit({ code: 1, error: null });
    expect(again.movesOf(job).at(-1)).toEqual({ from: 'IN_PROGRESS', to: 'FAILED', cause: 'worker crashed' });
    expect(again.queue.jobCounts()).toMatchObject({ inQueue: 0, failed: 1, retried: 1 });
  });

  it('IN_QUEUE to CANCELLED', () => {
    const job = jobIn('IN_QUEUE');
    scene.queue.cancel(job);
    expect(scene.movesOf(job).at(-1)).toEqual({ from: 'IN_QUEUE', to: 'CANCELLED', cause: 'cancel' });
  });

  it.each(['FAILED', 'TIMED_OUT'] as const)('%s to IN_QUEUE by retry: same id and input, output gone', (from) => {
    const job = jobIn(from);
    const { text } = job.submission;
    expect(JSON.parse(text)).toMatchObject({ input: { n: 1 } });
    expect(scene.queue.retry(job)).toBe(true);
    expect(scene.movesOf(job).filter(({ cause }) => cause === 'retry')).toEqual([
      { from, to: 'IN_QUEUE', cause: 'retry' },
    ]);
    expect(scene.queue.find(job.id)).toBe(job);
    expect(job).toMatchObject({ submission: { text }, outputJson: null, error: null, retries: 1 });
  });

  it('IN_QUEUE is removed by a purge, and no other state', () => {
    const others = [...TERMINAL, 'IN_PROGRESS' as const].map((status) => jobIn(status));
    const waiting = jobIn('IN_QUEUE');
    expect(scene.queue.purge()).toBe(1);
    expect(scene.movesOf(waiting).at(-1)).toEqual({ from: 'IN_QUEUE', to: 'REMOVED', cause: 'purge-queue' });
    for (const job of others) expect(scene.queue.find(job.id)).toBe(job);
  });

  it.each(STATUSES)('%s is deleted when its ttl is over', (status) => {
    const job = jobIn(status, { ttl: 10_000, executionTimeout: status === 'TIMED_OUT' ? 5_000 : 60_000 });
    const tookMs = scene.clock.now() - job.queuedAtMs;
    scene.clock.advance(9_999 - tookMs);
    expect(scene.queue.find(job.id)).toBe(job);
    scene.clock.advance(1);
    expect(scene.queue.find(job.id)).toBeUndefined();
    expect(scene.movesOf(job).at(-1)).toEqual({ from: status, to: 'REMOVED', cause: 'ttl' });
    expect(scene.queue.jobCounts()).toMatchObject({ inQueue: 0, inProgress: 0 });
  });

  it.each(TERMINAL)('%s is deleted when its retention is over', (status) => {
    const job = jobIn(status);
    scene.clock.advance(30 * 60_000 - 1);
    expect(scene.queue.find(job.id)).toBe(job);
    scene.clock.advance(1);
    expect(scene.queue.find(job.id)).toBeUndefined();
    expect(scene.movesOf(job).at(-1)).toEqual({ from: status, to: 'REMOVED', cause: 'retention' });
  });

  it.each([
    ['retry', 'IN_QUEUE'],
    ['retry', 'IN_PROGRESS'],
    ['retry', 'COMPLETED'],
    ['retry', 'CANCELLED'],
    ...TERMINAL.map((status) => ['cancel', status] as const),
  ] as const)('%s of a %s job changes nothing (ruling 15)', (operation, status) => {
    const job = jobIn(status);
    const before = { counts: scene.queue.jobCounts(), moves: scene.movesOf(job) };
    expect(scene.queue[operation](job)).toBe(false);
    expect(job.status).toBe(status);
    expect({ counts: scene.queue.jobCounts(), moves: scene.movesOf(job) }).toEqual(before);
  });

  it('neither retries nor cancels a job that is gone', () => {
    const failed = jobIn('FAILED');
    const waiting = jobIn('IN_QUEUE');
    scene.queue.purge();
    scene.clock.advance(30 * 60_000);
    expect(scene.queue.retry(failed)).toBe(false);
    expect(scene.queue.cancel(waiting)).toBe(false);
  });
});

describe('ttl', () => {
  it('ends a running job whose executionTimeout is longer (ruling 18)', () => {
    const job = jobIn('IN_PROGRESS', { ttl: 10_000, executionTimeout: 60_000 });
    scene.clock.advance(100_000);
    expect(scene.movesOf(job).map(({ to }) => to)).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'REMOVED']);
    expect(scene.threadOf(job).stopCount).toBe(1);
  });

  it('continues through a retry', () => {
    const job = jobIn('FAILED', { ttl: 10_000 });
    scene.clock.advance(6_000);
    scene.queue.retry(job);
    scene.warmUp();
    scene.clock.advance(3_999);
    expect(scene.queue.find(job.id)).toBe(job);
    scene.clock.advance(1);
    expect(scene.movesOf(job).at(-1)).toEqual({ from: 'IN_PROGRESS', to: 'REMOVED', cause: 'ttl' });
  });

  it('alone ends a waiting retried job: its retention ended with its result', () => {
    const job = jobIn('FAILED', { ttl: 3_600_000 });
    scene.clock.advance(60_000);
    scene.queue.retry(job);
    scene.clock.advance(3_600_000 - 60_000 - 1);
    expect(scene.queue.find(job.id)?.status).toBe('IN_QUEUE');
    scene.clock.advance(1);
    expect(scene.movesOf(job).at(-1)).toEqual({ from: 'IN_QUEUE', to: 'REMOVED', cause: 'ttl' });
  });

  it('restarted on a finished job keeps it until its retention is over', () => {
    const job = jobIn('COMPLETED', { ttl: 10_000 });
    scene.queue.restartTtl(job, 3_600_000);
    scene.clock.advance(30 * 60_000 - 1);
    expect(scene.queue.find(job.id)).toBe(job);
    scene.clock.advance(1);
    expect(scene.movesOf(job).at(-1)).toMatchObject({ cause: 'retention' });
  });

  it('restarted with less time than was left ends the job sooner', () => {
    const job = jobIn('IN_QUEUE');
    scene.queue.restartTtl(job, 10_000);
    scene.clock.advance(10_000);
    expect(scene.queue.find(job.id)).toBeUndefined();
  });

  it('is the cause if it ends together with the retention', () => {
    const job = jobIn('COMPLETED', { ttl: 30 * 60_000 });
    scene.clock.advance(30 * 60_000);
    expect(scene.movesOf(job).slice(-2)).toMatchObject([{ to: 'COMPLETED' }, { cause: 'ttl' }]);
  });

  it('of a job that is gone cannot be restarted, and leaves no timer', async () => {
    const job = jobIn('IN_QUEUE');
    scene.queue.purge();
    await scene.queue.close();
    scene.queue.restartTtl(job, 10_000);
    expect(scene.clock.pendingTimers()).toBe(0);
  });
});

describe('a stopped job', () => {
  it('that is retried while its worker still stops runs on another one, and ignores what the first still sends', () => {
    const job = jobIn('TIMED_OUT');
    const first = scene.threadOf(job);
    scene.queue.retry(job);
    scene.warmUp();
    expect(job.status).toBe('IN_PROGRESS');
    expect(scene.threadOf(job)).not.toBe(first);
    first.events.onChunk({ outputJson: '"late"', metricsJson: null });
    first.events.onDone({ outputJson: '"late"', isStreamed: false });
    expect(job).toMatchObject({ status: 'IN_PROGRESS', outputJson: null });
    expect(job.stream.drain()).toBe('[]');
    scene.threadOf(job).events.onDone({ outputJson: '2', isStreamed: false });
    expect(job).toMatchObject({ status: 'COMPLETED', outputJson: '2' });
  });

  it('is not cancelled a second time while its worker still stops', () => {
    const job = jobIn('CANCELLED');
    expect(scene.queue.cancel(job)).toBe(false);
    expect(scene.threadOf(job).stopCount).toBe(1);
  });
});

describe('waiting for a job', () => {
  function wait(record: JobRecord): Promise<void> {
    return waitForJob({
      record,
      clock: scene.clock,
      isSatisfied: () => isTerminal(record.status),
      waitMs: 90_000,
      signal: new AbortController().signal,
    });
  }

  it.each([
    ['cancelled', (job: JobRecord) => scene.queue.cancel(job)],
    ['purged', () => scene.queue.purge()],
    ['deleted by its ttl', () => scene.clock.advance(10_000)],
  ])('ends when it is %s, and leaves no listener', async (_name, end) => {
    const job = jobIn('IN_QUEUE', { ttl: 10_000 });
    const waits = [wait(job), wait(job)];
    expect(job.listeners?.size).toBe(2);
    end(job);
    await Promise.all(waits);
    expect(job.listeners).toBeNull();
  });
});

describe('the resources of a job', () => {
  it('one timer serves the deadlines of any number of jobs', () => {
    open({ endpoint: { maxWorkers: 1, idleTimeoutMs: 1e9 } });
    scene.queue.submit(submissionOf(), 'run');
    scene.warmUp();
    const timersForOne = scene.clock.pendingTimers();
    for (let count = 0; count < 500; count += 1) scene.queue.submit(submissionOf({ ttl: 10_000 + count }), 'run');
    expect(scene.clock.pendingTimers()).toBe(timersForOne);
  });

  it('the submission is held for as long as the job can run, and no longer', () => {
    for (const status of STATUSES) {
      const isHeld = status !== 'COMPLETED' && status !== 'CANCELLED';
      expect([status, jobIn(status).submission.text !== '']).toEqual([status, isHeld]);
    }
  });
});

it('nothing changes a job of a closed queue', async () => {
  const job = jobIn('IN_PROGRESS');
  const { events } = scene.threadOf(job);
  const closing = scene.queue.close();
  events.onChunk({ outputJson: '1', metricsJson: null });
  events.onProgress('1');
  events.onDone({ outputJson: '1', isStreamed: false });
  await closing;
  expect(job).toMatchObject({ status: 'IN_PROGRESS', outputJson: null });
  expect(scene.clock.pendingTimers()).toBe(0);
});

it('moves are numbered from 1, and can be read from a number on', () => {
  const job = jobIn('COMPLETED');
  expect(scene.transitions.all().map(({ seq, to }) => [seq, to])).toEqual([
    [1, 'IN_QUEUE'],
    [2, 'IN_PROGRESS'],
    [3, 'COMPLETED'],
  ]);
  expect(scene.transitions.since(2)).toMatchObject([{ seq: 3, jobId: job.id }]);
  expect(scene.transitions.since(3)).toEqual([]);
  expect(scene.transitions.since(99)).toEqual([]);
});

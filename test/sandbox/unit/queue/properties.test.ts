import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTerminal, type JobRecord } from '../../../../src-main/sandbox/queue/job-record.ts';
import { createQueueRun, queueCommands } from './commands.ts';
import { openQueueScene, type QueueScene } from './scene.ts';

function expectCountsOf(scene: QueueScene, jobs: readonly JobRecord[]): void {
  const moves = scene.transitions.all();
  const held = jobs.filter(({ isRemoved }) => !isRemoved);
  expect(scene.queue.jobCounts()).toEqual({
    completed: moves.filter(({ to }) => to === 'COMPLETED').length,
    failed: moves.filter(({ to }) => to === 'FAILED' || to === 'TIMED_OUT').length,
    retried: moves.filter(({ cause }) => cause === 'retry').length,
    inProgress: held.filter(({ status }) => status === 'IN_PROGRESS').length,
    inQueue: held.filter(({ status }) => status === 'IN_QUEUE').length,
  });
}

/** Each move starts where the one before ended; a terminal state is left by a retry or for good. */
function expectLegalMoves(scene: QueueScene, job: JobRecord): void {
  let at: string | null = null;
  for (const { from, to, cause } of scene.movesOf(job)) {
    expect(from).toBe(at);
    if (from === null) expect([to, cause]).toEqual(['IN_QUEUE', 'submitted']);
    else if (isTerminal(from))
      expect([
        ['IN_QUEUE', 'retry'],
        ['REMOVED', 'ttl'],
        ['REMOVED', 'retention'],
      ]).toContainEqual([to, cause]);
    if (cause === 'retry') expect(['FAILED', 'TIMED_OUT']).toContain(from);
    if (cause === 'purge-queue') expect(from).toBe('IN_QUEUE');
    at = to;
  }
  expect(at).toBe(job.isRemoved ? 'REMOVED' : job.status);
}

function expectSound(scene: QueueScene, jobs: readonly JobRecord[]): void {
  expectCountsOf(scene, jobs);
  for (const job of jobs) {
    expect(scene.queue.find(job.id)).toBe(job.isRemoved ? undefined : job);
    if (job.isRemoved) continue;
    const nowMs = scene.clock.now();
    expect(Math.min(job.ttlEndsAtMs, job.stateEndsAtMs)).toBeGreaterThan(nowMs);
    expect(job.endedAtMs !== null).toBe(isTerminal(job.status));
    if (job.status === 'IN_QUEUE')
      expect(job).toMatchObject({ outputJson: null, error: null, startedAtMs: null, workerId: null });
    if (job.status === 'FAILED' || job.status === 'TIMED_OUT' || job.status === 'IN_QUEUE')
      expect(job.submission.text).not.toBe('');
  }
}

it('whatever clients, workers and time do, and in whatever order, the records, the counts and the log agree', async () => {
  await fc.assert(
    fc.asyncProperty(
      queueCommands,
      fc.integer({ min: 0, max: 1 }),
      fc.integer({ min: 1, max: 3 }),
      async (commands, minWorkers, maxWorkers) => {
        const scene = openQueueScene({ endpoint: { minWorkers, maxWorkers } });
        const run = createQueueRun(scene);
        for (const command of commands) {
          run.apply(command);
          expectSound(scene, run.jobs);
          const runningJobs = run.jobs.filter(({ status, isRemoved }) => status === 'IN_PROGRESS' && !isRemoved);
          expect(new Set(runningJobs.map(({ workerId }) => workerId)).size).toBe(runningJobs.length);
          expect(runningJobs.length).toBeLessThanOrEqual(maxWorkers);
        }
        for (const job of run.jobs) expectLegalMoves(scene, job);
        expect(scene.transitions.all().map(({ seq }) => seq)).toEqual(
          scene.transitions.all().map((_, index) => index + 1),
        );
        await scene.queue.close();
        expect(scene.clock.pendingTimers()).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});

it('an idle queue eventually holds no job', () => {
  fc.assert(
    fc.property(queueCommands, (commands) => {
      const scene = openQueueScene();
      const run = createQueueRun(scene);
      for (const command of commands) run.apply(command);
      scene.clock.advance(3_600_000 + 1_800_000);
      expect(run.jobs.filter(({ isRemoved }) => !isRemoved)).toEqual([]);
      expect(scene.queue.jobCounts()).toMatchObject({ inQueue: 0, inProgress: 0 });
    }),
    { numRuns: 100 },
  );
});

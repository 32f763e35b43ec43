import * as fc from 'fast-check';
import type { JobRecord } from '../../../../src-main/sandbox/queue/job-record.ts';
import { submissionOf, type QueueScene } from './scene.ts';
import type { ScriptedThread } from '../scripted-threads.ts';

/** Something that a client, a worker or time does to a queue. `pick` selects from what is there. */
export type QueueCommand =
  | { kind: 'submit'; source: 'run' | 'runsync'; ttl: number; lowPriority: boolean }
  | { kind: 'cancel' | 'retry' | 'drain'; pick: number }
  | { kind: 'restart-ttl'; pick: number; ttl: number }
  | { kind: 'purge' }
  | { kind: 'advance'; byMs: number }
  | { kind: 'warm-up' }
  | { kind: 'thread'; pick: number; event: 'chunk' | 'progress' | 'done' | 'streamed' | 'failed' | 'stopped' | 'exit' };

const pick = fc.nat(1_000);
const ttl = fc.constantFrom(10_000, 20_000, 60_000, 3_600_000);
const pass = fc.constantFrom(1, 500, 2_000, 5_000, 10_000, 60_000, 1_800_000);
const event = fc.constantFrom('chunk', 'chunk', 'progress', 'done', 'streamed', 'failed', 'stopped', 'exit');

export const queueCommands: fc.Arbitrary<QueueCommand[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('submit'),
        source: fc.constantFrom('run', 'runsync'),
        ttl,
        lowPriority: fc.boolean(),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('cancel', 'retry', 'drain', 'retry'), pick }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart-ttl'), pick, ttl }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge') }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('advance'), byMs: pass }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('warm-up') }) },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('thread'), pick, event }) },
  ),
  { maxLength: 80, size: 'max' },
);

/** Applies commands to a scene and remembers every job ever submitted. */
export function createQueueRun(scene: QueueScene): { jobs: JobRecord[]; apply(command: QueueCommand): void } {
  const jobs: JobRecord[] = [];
  // How many runs of a thread have ended. A thread has a job while it was given more than that.
  const endedRuns = new Map<ScriptedThread, number>();
  const stopsAtLastEnd = new Map<ScriptedThread, number>();
  const dead = new Set<ScriptedThread>();

  function sendEvent(thread: ScriptedThread, name: Extract<QueueCommand, { kind: 'thread' }>['event']): void {
    if (dead.has(thread) || thread.isTerminated) return;
    if (name === 'exit') {
      dead.add(thread);
      return thread.events.onExit({ code: 1, error: null });
    }
    const ended = endedRuns.get(thread) ?? 0;
    if (ended === thread.jobIds.length) return;
    if (name === 'chunk')
      return thread.events.onChunk({ outputJson: `"${thread.jobIds.length}"`, metricsJson: '{"m":1}' });
    if (name === 'progress') return thread.events.onProgress('"half"');
    if (name === 'stopped' && thread.stopCount === (stopsAtLastEnd.get(thread) ?? 0)) return;
    endedRuns.set(thread, ended + 1);
    stopsAtLastEnd.set(thread, thread.stopCount);
    if (name === 'done') thread.events.onDone({ outputJson: '"all"', isStreamed: false });
    if (name === 'streamed') thread.events.onDone({ outputJson: null, isStreamed: true });
    if (name === 'failed') thread.events.onFailed('broken \u0000 \ud800');
    if (name === 'stopped') thread.events.onStopped();
  }

  function apply(command: QueueCommand): void {
    const { queue, clock } = scene;
    switch (command.kind) {
      case 'submit': {
        const { ttl: ttlMs, lowPriority, source } = command;
        return void jobs.push(
          queue.submit(submissionOf({ ttl: ttlMs, executionTimeout: 15_000, lowPriority }), source),
        );
      }
      case 'purge':
        return void queue.purge();
      case 'advance':
        return clock.advance(command.byMs);
      case 'warm-up':
        return scene.warmUp();
      case 'thread': {
        const thread = scene.threads[command.pick % scene.threads.length];
        return thread === undefined ? undefined : sendEvent(thread, command.event);
      }
      default: {
        const job = jobs[command.pick % jobs.length];
        if (job === undefined) return;
        if (command.kind === 'cancel') queue.cancel(job);
        if (command.kind === 'retry') queue.retry(job);
        if (command.kind === 'drain' && !job.isRemoved) job.stream.drain();
        if (command.kind === 'restart-ttl') queue.restartTtl(job, command.ttl);
      }
    }
  }

  return { jobs, apply };
}

import { emptyFilter } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { createVirtualClock, type VirtualClock } from '../../../kit/clock.ts';
import { startEngine, to, type TestEngine } from '../../../kit/engine.ts';
import { createTimedService, type RunPlan, type TimedService } from './timed-service.ts';
import { createWriteDoor, type CrashPoint, type WriteDoor } from './write-door.ts';

export interface Stage {
  engine: TestEngine;
  service: TimedService;
  pass(seconds: number): Promise<void>;
  submit(marker: string, ...runs: RunPlan[]): Promise<Job>;
}

/** What a user does before the crash. */
export interface Play {
  /** The service answers every submission with the same id. */
  hasOneId?: true;
  act(stage: Stage): Promise<void>;
}

export interface CrashedPlay {
  /** Whether the play reached that point. */
  wasCrashed: boolean;
  /** What is not as it must be when the next start has read everything. */
  complaints: string[];
}

/**
 * Plays until the crash. The next start crashes as well, some writes later, and the one after that has 45 minutes.
 */
export async function playCrashed({ hasOneId, act }: Play, point: CrashPoint): Promise<CrashedPlay> {
  let clock = createVirtualClock(1_700_000_000_000);
  let engine: Pick<TestEngine, 'settle'> | null = null;
  const service = await createTimedService(() => clock.now(), hasOneId);

  /** Null: it crashed while it started. */
  async function start(door: WriteDoor, dataDir?: string): Promise<{ engine: TestEngine; clock: VirtualClock } | null> {
    const its = createVirtualClock(clock.now() + 3_000, async () => engine?.settle());
    clock = its;
    engine = null;
    const { wrapHistory, wrapApi } = door;
    const known = dataDir === undefined ? {} : { dataDir };
    try {
      const started = await startEngine({ connections: to(service), clock, wrapHistory, wrapApi, ...known });
      engine = started;
      return { engine: started, clock: its };
    } catch (error) {
      if (!door.isCrashed()) throw error;
      await door.close();
      return null;
    }
  }

  const door = createWriteDoor(point);
  const first = await start(door);
  if (first === null) throw new Error('A first start writes nothing.');
  const acted = act({
    engine: first.engine,
    service,
    pass: (seconds) => passUnless(first.clock, seconds, door.isCrashed),
    submit: (marker, ...runs) => first.engine.submit({ input: { marker, runs } }),
  }).catch((error: unknown) => {
    if (!door.isCrashed()) throw error;
  });
  await Promise.race([acted, door.crashed]);
  const wasCrashed = door.isCrashed();
  await first.engine.crash();
  await acted;
  const { dataDir } = first.engine;

  const secondDoor = createWriteDoor({ writes: point.writes % 5, isNextBegun: true });
  const second = await start(secondDoor, dataDir);
  if (second !== null) {
    await passUnless(second.clock, 10, secondDoor.isCrashed);
    await second.engine.crash();
  }

  const last = await start(createWriteDoor({ writes: Infinity, isNextBegun: true }), dataDir);
  if (last === null) throw new Error('Nothing crashes here.');
  await last.clock.advance(45 * 60_000);
  const complaints = await complaintsOf(last.engine, service, door.writes.includes('putDocument'));
  await last.engine.close();
  await service.close();
  return { wasCrashed, complaints };
}

async function passUnless(clock: VirtualClock, seconds: number, isOver: () => boolean): Promise<void> {
  for (let second = 0; second < seconds && !isOver(); second += 1) await clock.advance(1_000);
}

async function complaintsOf(engine: TestEngine, service: TimedService, isRetryAsked: boolean): Promise<string[]> {
  const { jobs } = await engine.history.list(emptyFilter, null, 100);
  const pausedBatches = await engine.history.pausedBatches();
  const complaints = service.doubled();
  if (service.jobs.size > jobs.length) complaints.push('The service has a job that is not in the history.');
  for (const job of jobs) {
    const complaint = await complaintOf({ engine, service, jobs, pausedBatches, isRetryAsked }, job);
    if (complaint !== null) complaints.push(`${complaint}: ${JSON.stringify(job)}`);
  }
  return complaints;
}

interface Found {
  engine: TestEngine;
  service: TimedService;
  jobs: readonly Job[];
  pausedBatches: readonly string[];
  isRetryAsked: boolean;
}

async function complaintOf(
  { engine, service, jobs, pausedBatches, isRetryAsked }: Found,
  job: Job,
): Promise<string | null> {
  const { phase, status, attempt, reason, key } = job;
  // The service may have it, and Jobdeck says that it does not know.
  if (phase === 'outcome-unknown') return null;
  // Its batch was being withdrawn. It is shown as paused, and the user decides again.
  if (phase === 'waiting' && pausedBatches.includes(job.batchId ?? '')) return null;
  if (phase !== 'finished') return 'is not over';
  if (reason?.kind === 'withdrawn') return job.jobId === null ? null : 'was withdrawn and sent';
  const there = service.jobs.get(job.jobId ?? '');
  if (there === undefined) return 'the service never had it';
  if (attempt !== there.attempt + 1) return 'has another attempt than the service';
  if (there.cancelledAtMs !== null) return status === 'CANCELLED' ? null : 'is not cancelled';
  const plan = service.planOf(there);
  if (status !== plan.end) return 'ended otherwise';
  if (status === 'FAILED' && isRetryAsked && reason?.kind !== 'not-retried') return 'says nothing of its retry';
  const chunks = await textsOf(engine, job);
  if (plan.isOutputHidden === true) {
    // What was read and was not on disk when Jobdeck crashed is lost. What one job has, the others with its id have.
    const twins = jobs.filter(({ jobId }) => jobId === job.jobId);
    const theirs = await Promise.all(twins.map((twin) => textsOf(engine, twin)));
    return theirs.every((texts) => texts === chunks) ? null : `has the chunks ${chunks}`;
  }
  const output = JSON.stringify(await engine.output(key, attempt));
  if (output !== JSON.stringify(plan.chunks ?? plan.output)) return `has the output ${output}`;
  return chunks === (plan.chunks ?? []).join() ? null : `has the chunks ${chunks}`;
}

async function textsOf(engine: TestEngine, { key, attempt }: Job): Promise<string> {
  return (await engine.chunks(key, attempt)).map(({ outputJson }) => JSON.parse(outputJson)).join();
}

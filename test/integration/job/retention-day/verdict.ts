import type { Job } from '../../../../src-preload/job.ts';
import { outputOf } from '../one-clock/played-jobs.ts';
import type { Fate } from '../one-clock/played-jobs.ts';
import type { JobPlan, Scene } from '../one-clock/scene.ts';
import { minuteMs } from './day-plan.ts';
import type { LivedDay, Spell } from './live-day.ts';

export interface DayFigures {
  jobs: number;
  saved: number;
  expired: number;
  /** Of these: results that could not be read for a whole minute. */
  outOfReach: number;
  /** Of these: jobs that their ttl ended first. */
  endedByTtl: number;
  outcomeUnknown: number;
  withdrawn: number;
  requests: Record<string, number>;
}

export interface DayVerdict {
  figures: DayFigures;
  /** One sentence each. Empty: every promise was kept that day. */
  complaints: string[];
}

/** The longest uninterrupted time between these two moments in which the app could reach the service. */
export function longestReachMs(spells: readonly Spell[], fromMs: number, untilMs: number): number {
  return spells.reduce(
    (longest, spell) => Math.max(longest, Math.min(spell.untilMs, untilMs) - Math.max(spell.fromMs, fromMs)),
    0,
  );
}

/** Compares what the history has of every job with the service's own log. */
export async function judgeDay(plans: readonly JobPlan[], { scene, jobs, spells }: LivedDay): Promise<DayVerdict> {
  const complaints: string[] = [];
  const figures: DayFigures = {
    jobs: jobs.size,
    saved: 0,
    expired: 0,
    outOfReach: 0,
    endedByTtl: 0,
    outcomeUnknown: 0,
    withdrawn: 0,
    requests: {},
  };
  for (const { operation, count, status } of scene.sandbox.requests()) {
    figures.requests[operation] = (figures.requests[operation] ?? 0) + count;
    if (status === 429) complaints.push(`${operation} was answered 429 ${count} times`);
  }
  for (const plan of plans) {
    const job = jobs.get(plan.marker);
    if (job === undefined) continue;
    if (job.phase === 'outcome-unknown') figures.outcomeUnknown += 1;
    const complaint = await judgeJob(plan, job, scene, spells, figures);
    if (complaint !== null)
      complaints.push(
        `${plan.marker} (${job.operation} on ${job.endpointId}, ${job.phase} ${job.status ?? ''}): ${complaint}`,
      );
  }
  return { figures, complaints };
}

async function judgeJob(
  plan: JobPlan,
  job: Job,
  scene: Scene,
  spells: readonly Spell[],
  figures: DayFigures,
): Promise<string | null> {
  const ids = scene.played.jobIdsOf(plan.marker);
  if (ids.size > 1) return `was submitted ${ids.size} times`;
  if (job.phase === 'outcome-unknown')
    return job.operation === 'runsync' ? null : 'its answer was never kept from the app';
  if (job.phase === 'finished' && job.jobId === null) {
    figures.withdrawn += 1;
    return ids.size === 0 ? null : 'was withdrawn and ran';
  }
  const fate = job.jobId === null ? undefined : scene.played.fates().get(job.jobId);
  if (fate === undefined) return 'the service never had it';
  if (ids.size === 1 && !ids.has(fate.jobId)) return 'has the id of another job';
  if (job.phase === 'finished') return await judgeSaved(plan, job, fate, scene, figures);
  if (job.phase !== 'gone' || job.goneReason !== 'expired')
    return `is neither saved nor expired: ${job.goneReason ?? job.reason?.kind ?? ''}`;
  figures.expired += 1;
  if (fate.removedAtMs === null) return 'is called expired, and is on the service';
  if (fate.endedAtMs === null) {
    figures.endedByTtl += 1;
    return fate.removedBy === 'ttl' ? null : `was removed by ${fate.removedBy}`;
  }
  figures.outOfReach += 1;
  const reachMs = longestReachMs(spells, fate.endedAtMs, fate.removedAtMs);
  return reachMs >= minuteMs
    ? `LOST: ${fate.lastStatus} after ${fate.endedAtMs - fate.submittedAtMs} ms, removed by ${fate.removedBy} ${fate.removedAtMs - fate.endedAtMs} ms later, ${reachMs} ms in reach`
    : null;
}

async function judgeSaved(
  plan: JobPlan,
  job: Job,
  fate: Fate,
  scene: Scene,
  figures: DayFigures,
): Promise<string | null> {
  figures.saved += 1;
  if (!job.isResultSaved) return 'is finished and not saved';
  if (job.status !== fate.lastStatus) return `the service had it ${fate.lastStatus}`;
  if (job.attempt !== fate.retries + 1) return `has ${job.attempt} attempts, and was retried ${fate.retries} times`;
  const { history } = scene.running();
  const run = plan.runs[Math.min(job.attempt, plan.runs.length) - 1];
  const output = await bodyOf(scene, job, 'output');
  if (job.status === 'COMPLETED') {
    const expected = outputOf(run);
    if (output !== expected) return `its output is ${output}, and was ${expected}`;
    const chunks = (await history.chunks(job.key, job.attempt, 0, 1_000)).map(({ outputJson }) => outputJson);
    if (run?.chunks != null && chunks.join() !== run.chunks.map(({ value }) => JSON.stringify(value)).join())
      return `its chunks are ${chunks.join()}`;
    return null;
  }
  if (job.status === 'FAILED' && run?.end.command === 'fail') {
    const error = (await history.get(job.key))?.attempts.at(-1)?.errorText ?? '';
    return error.includes(run.end.message) ? null : `its error is ${error}`;
  }
  return null;
}

async function bodyOf(scene: Scene, job: Job, part: 'output'): Promise<string | null> {
  return (await scene.running().history.body(job.key, part, job.attempt, null))?.text ?? null;
}

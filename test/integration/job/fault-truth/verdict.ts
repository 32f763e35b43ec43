import type { Job } from '../../../../src-preload/job.ts';
import { outputOf } from '../one-clock/played-jobs.ts';
import type { Fate, Run } from '../one-clock/played-jobs.ts';
import type { JobPlan } from '../one-clock/scene.ts';
import type { BaggedJob } from './bag.ts';
import type { PlayedBag } from './play-bag.ts';
import { judgeStreams } from './stream-verdict.ts';
import type { StreamFigures } from './stream-verdict.ts';

export interface BagFigures extends StreamFigures {
  finished: number;
  outcomeUnknown: number;
  /** Of these: jobs that the service has nevertheless. */
  unknownButTaken: number;
  refused: number;
  /** Jobs that their ttl ended, or whose result could never be read for a whole minute. */
  expired: number;
  /** Jobs whose status exceeded what is ever read. */
  tooLarge: number;
  withdrawn: number;
  tookMs: number;
  requests: number;
}

export interface BagVerdict {
  figures: BagFigures;
  /** One sentence each. Empty: the history is true for every job and has everything that could be read. */
  complaints: string[];
}

const minuteMs = 60_000;

export async function judgeBag(bag: readonly BaggedJob[], played: PlayedBag): Promise<BagVerdict> {
  const { scene, log, jobs, tookMs } = played;
  const figures: BagFigures = {
    finished: 0,
    outcomeUnknown: 0,
    unknownButTaken: 0,
    refused: 0,
    expired: 0,
    tooLarge: 0,
    withdrawn: 0,
    streams: 0,
    exactStreams: 0,
    holedStreams: 0,
    lostOnTheWay: 0,
    doubledStreams: 0,
    streamsOnlyInOutput: 0,
    tookMs,
    requests: scene.sandbox.requests().reduce((sum, { count }) => sum + count, 0),
  };
  const complaints: string[] = [];
  for (const { plan } of bag) {
    const job = jobs.get(plan.marker);
    const complaint = job === undefined ? 'is not in the history' : await judgeJob(plan, job, played, figures);
    if (complaint !== null)
      complaints.push(
        `${plan.marker} (${plan.draft.operation} on ${plan.draft.endpointId}, ${job?.phase} ${job?.status ?? ''}): ${complaint}`,
      );
  }
  complaints.push(...doubledSubmissions(bag, played), ...disorder(played));
  if (log.overLimit() > 0) complaints.push(`${log.overLimit()} requests were over the limit`);
  return { figures, complaints };
}

async function judgeJob(plan: JobPlan, job: Job, played: PlayedBag, figures: BagFigures): Promise<string | null> {
  const { scene, log } = played;
  const ids = scene.played.jobIdsOf(plan.marker);
  if (job.phase === 'outcome-unknown') {
    figures.outcomeUnknown += 1;
    figures.unknownButTaken += ids.size;
    const { endpointId, operation } = job;
    const isLost = scene
      .sends(plan.marker)
      .some(({ leftAtMs, answeredAtMs }) =>
        log.couldLoseAnswer({ endpointId, operation, fromMs: leftAtMs, untilMs: answeredAtMs }),
      );
    return isLost ? null : 'nothing lost its answer';
  }
  if (job.phase === 'refused') {
    figures.refused += 1;
    return ids.size === 0 ? null : 'is called refused, and ran';
  }
  if (job.phase === 'finished' && job.jobId === null) {
    figures.withdrawn += 1;
    return ids.size === 0 ? null : 'was withdrawn and ran';
  }
  const fate = job.jobId === null ? undefined : scene.played.fates().get(job.jobId);
  if (fate === undefined) return 'the service never had it';
  if (ids.size === 1 && !ids.has(fate.jobId)) return 'has the id of another job';
  return (
    (await judgeEnd(plan, job, fate, played, figures)) ??
    (await judgeStreams(job, fate, plan.runs, { scene, log }, figures))
  );
}

async function judgeEnd(
  plan: JobPlan,
  job: Job,
  fate: Fate,
  { scene, log }: PlayedBag,
  figures: BagFigures,
): Promise<string | null> {
  if (job.phase === 'finished') {
    figures.finished += 1;
    return await judgeResult(job, fate, plan, scene);
  }
  if (job.phase === 'gone' && job.goneReason === 'too-large') {
    figures.tooLarge += 1;
    return log.wasBeyondReading(fate.jobId) ? null : 'is called too large, and no answer was';
  }
  const isEndpointDenied =
    job.goneReason === 'unknown-endpoint' && log.wasEndpointDenied(job.endpointId, job.finishedSeenAtMs ?? 0);
  if (job.phase !== 'gone' || (job.goneReason !== 'expired' && !isEndpointDenied))
    return `is ${job.goneReason ?? job.reason?.kind ?? 'nothing known'}, and on the service ${fate.status}`;
  figures.expired += 1;
  const { removedAtMs, endedAtMs } = fate;
  if (removedAtMs === null) return `is called expired, and is on the service, ${fate.lastStatus}`;
  const goneAtMs = job.finishedSeenAtMs;
  const isItsWord =
    goneAtMs !== null && log.wasSaidGone({ jobId: fate.jobId, endpointId: job.endpointId, untilMs: goneAtMs + 1 });
  if (goneAtMs !== null && goneAtMs < removedAtMs && !isItsWord)
    return `is called expired since ${removedAtMs - goneAtMs} ms before the service let go of it`;
  const reachMs = endedAtMs === null ? 0 : log.reachMs('status', endedAtMs, removedAtMs);
  if (
    endedAtMs !== null &&
    log.wasStatusInVain({ jobId: fate.jobId, endpointId: job.endpointId, fromMs: endedAtMs, untilMs: removedAtMs })
  )
    return null;
  return reachMs < minuteMs ? null : `LOST: ${fate.lastStatus}, ${reachMs} ms in reach, removed by ${fate.removedBy}`;
}

async function judgeResult(job: Job, fate: Fate, plan: JobPlan, scene: PlayedBag['scene']): Promise<string | null> {
  if (!job.isResultSaved) return 'is finished and not saved';
  if (job.isCancelling) return 'is finished and still being cancelled';
  if (job.status !== fate.lastStatus) return `the service has it ${fate.lastStatus}`;
  if (job.attempt !== fate.retries + 1) return `has ${job.attempt} attempts, and was retried ${fate.retries} times`;
  const stored = await scene.running().history.get(job.key);
  const output = (await scene.running().history.body(job.key, 'output', job.attempt, null))?.text ?? null;
  const error = stored?.attempts.at(-1)?.errorText ?? null;
  const own = await scene.ask('GET', `/v2/${job.endpointId}/status/${fate.jobId}`);
  if (typeof own !== 'object' || own === null) return 'the service answers no record';
  const ownOutput = 'output' in own ? JSON.stringify(own.output) : null;
  const ownError = 'error' in own ? String(own.error) : null;
  // A runsync result may have expired by now.
  if (fate.removedAtMs === null && output !== ownOutput)
    return `its output is ${output}, and on the service ${ownOutput}`;
  if (fate.removedAtMs === null && error !== ownError) return `its error is ${error}, and on the service ${ownError}`;
  if (job.status === 'COMPLETED' && output !== outputOf(runOf(plan, job)))
    return `its output is ${output}, and was ${outputOf(runOf(plan, job))}`;
  return null;
}

function runOf(plan: JobPlan, job: Job): Run | undefined {
  return plan.runs[Math.min(job.attempt, plan.runs.length) - 1];
}

/** Every job that the service accepted is one that was submitted, and none was accepted twice. */
function doubledSubmissions(bag: readonly BaggedJob[], { scene, jobs }: PlayedBag): string[] {
  const complaints: string[] = [];
  for (const { plan } of bag) {
    const ids = scene.played.jobIdsOf(plan.marker);
    if (ids.size > 1) complaints.push(`${plan.marker} was taken ${ids.size} times`);
  }
  // A job that lost its answer and that its ttl ended in the queue cannot be identified, by the app or by a worker.
  let untold = bag.filter(({ plan: { draft, marker } }) => {
    const isUnknown = jobs.get(marker)?.phase === 'outcome-unknown' && scene.played.jobIdsOf(marker).size === 0;
    return isUnknown && draft.policy?.ttl !== undefined;
  }).length;
  const ours = new Set([...jobs.values()].map(({ jobId }) => jobId));
  for (const { jobId, removedBy, lastStatus } of scene.played.fates().values()) {
    // Otherwise one that no worker ever had was cancelled in the queue, which only happens to jobs that we know.
    if (scene.played.markerOf(jobId) !== null || ours.has(jobId)) continue;
    if (removedBy === 'ttl' && untold > 0) untold -= 1;
    else complaints.push(`the service has a job ${jobId} of nobody (${lastStatus})`);
  }
  return complaints;
}

/**
 * The outbox keeps its order: on each lane the service accepts the jobs in the order in which they were submitted. The
 * next may overtake one that was already in progress (answered 429, or later). The service's times are whole
 * milliseconds.
 */
function disorder({ scene, jobs }: PlayedBag): string[] {
  const jobOf = new Map([...jobs.values()].flatMap((job) => (job.jobId === null ? [] : [[job.jobId, job] as const])));
  const taken = [...scene.played.fates().values()].flatMap(({ jobId, submittedAtMs }) => {
    const job = jobOf.get(jobId);
    return job === undefined ? [] : [{ job, submittedAtMs }];
  });
  return taken.flatMap(({ job, submittedAtMs }, index) => {
    // A submission that was given up while it was in progress can still arrive at any time.
    const overtaken = taken
      .slice(index + 1)
      .filter(
        ({ job: later }) =>
          later.phase !== 'outcome-unknown' &&
          later.endpointId === job.endpointId &&
          later.operation === job.operation &&
          later.key < job.key,
      );
    return overtaken
      .filter(
        ({ job: older }) =>
          !scene
            .sends(older.title)
            .some(
              ({ leftAtMs, answeredAtMs }) => Math.floor(leftAtMs) <= submittedAtMs && submittedAtMs <= answeredAtMs,
            ),
      )
      .map(({ job: older }) => `${older.title} was taken after ${job.title}, and was not under way then`);
  });
}

import type { Job } from '../../../../src-preload/job.ts';
import { outputOf } from '../one-clock/played-jobs.ts';
import type { Fate, Run } from '../one-clock/played-jobs.ts';
import type { JobPlan } from '../one-clock/scene.ts';
import type { BaggedJob } from './bag.ts';
import type { PlayedBag } from './play-bag.ts';

export interface BagFigures {
  finished: number;
  outcomeUnknown: number;
  /** Of these: jobs that the service has all the same. */
  unknownButTaken: number;
  expired: number;
  withdrawn: number;
  streams: number;
  /** Streams kept chunk for chunk as they were sent. */
  exactStreams: number;
  /** Streams of which chunks are missing: the attempt did not complete, so that no output tells of them. */
  holedStreams: number;
  /** Streams that hold chunks twice in a row (ruling 2). */
  doubledStreams: number;
  /** Streams of fewer than three different chunks, of an attempt that did not complete: kept as a server that drains would have meant them. */
  untellableStreams: number;
  /** Streams that hold a repetition of their start. */
  repeatedStreams: number;
  /** Completed streams of which no chunk came; the output has them. */
  emptyStreams: number;
  tookMs: number;
  requests: number;
}

/** What may be otherwise under the faults at hand. */
export interface Leeway {
  /** A submission's answer can be lost (ruling 9). */
  mayBeUnknown: boolean;
  /** Each chunk can come twice in a row (ruling 2: both kept, unless the output of a completed attempt proves it wrong). */
  mayDouble: boolean;
  /** A server that drains can repeat a stream from its start all the same. */
  mayRepeat: boolean;
  /** Stream replies can be lost on a server that drains. */
  mayLoseChunks: boolean;
  /** Reads of a stream can fail so often that it counts as none. */
  mayMissStream: boolean;
}

export interface BagVerdict {
  figures: BagFigures;
  complaints: string[];
}

export async function judgeBag(bag: readonly BaggedJob[], played: PlayedBag, leeway: Leeway): Promise<BagVerdict> {
  const { scene, jobs, tookMs } = played;
  const figures: BagFigures = {
    finished: 0, outcomeUnknown: 0, unknownButTaken: 0, expired: 0, withdrawn: 0, streams: 0, exactStreams: 0, holedStreams: 0, doubledStreams: 0, untellableStreams: 0, repeatedStreams: 0, emptyStreams: 0, tookMs,
    requests: scene.sandbox.requests().reduce((sum, { count }) => sum + count, 0),
  };
  const complaints: string[] = [];
  for (const { plan } of bag) {
    const job = jobs.get(plan.marker);
    const complaint = job === undefined ? 'is not in the history' : await judgeJob(plan, job, played, leeway, figures);
    if (complaint !== null) complaints.push(`${plan.marker} (${plan.draft.operation} on ${plan.draft.endpointId}, ${job?.phase} ${job?.status ?? ''}): ${complaint}`);
  }
  complaints.push(...doubledSubmissions(bag, played), ...disorder(played));
  return { figures, complaints };
}

async function judgeJob(plan: JobPlan, job: Job, { scene }: PlayedBag, leeway: Leeway, figures: BagFigures): Promise<string | null> {
  const ids = scene.played.jobIdsOf(plan.marker);
  if (job.phase === 'outcome-unknown') {
    figures.outcomeUnknown += 1;
    figures.unknownButTaken += ids.size;
    return leeway.mayBeUnknown ? null : 'nothing could lose its answer';
  }
  if (job.phase === 'finished' && job.jobId === null) {
    figures.withdrawn += 1;
    return ids.size === 0 ? null : 'was withdrawn and ran';
  }
  const fate = job.jobId === null ? undefined : scene.played.fates().get(job.jobId);
  if (fate === undefined) return 'the service never had it';
  if (ids.size === 1 && !ids.has(fate.jobId)) return 'has the id of another job';
  if (job.phase === 'gone' && job.goneReason === 'expired') {
    figures.expired += 1;
    return fate.removedAtMs === null ? 'is called expired, and is on the service' : null;
  }
  if (job.phase !== 'finished') return `is ${job.goneReason ?? job.note ?? 'nothing known'}`;
  figures.finished += 1;
  return (await judgeResult(job, fate, plan, scene)) ?? (await judgeChunks(job, plan, scene, leeway, figures));
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
  // A runsync result may have left the service by now.
  if (fate.removedAtMs === null && output !== ownOutput) return `its output is ${output}, and on the service ${ownOutput}`;
  if (fate.removedAtMs === null && error !== ownError) return `its error is ${error}, and on the service ${ownError}`;
  if (job.status === 'COMPLETED' && output !== outputOf(runOf(plan, job))) return `its output is ${output}, and was ${outputOf(runOf(plan, job))}`;
  return null;
}

async function judgeChunks(job: Job, plan: JobPlan, scene: PlayedBag['scene'], leeway: Leeway, figures: BagFigures): Promise<string | null> {
  for (let attempt = 1; attempt <= job.attempt; attempt += 1) {
    const run = plan.runs[Math.min(attempt, plan.runs.length) - 1];
    if (run === undefined || run.chunks === null) continue;
    figures.streams += 1;
    const kept = (await scene.running().history.chunks(job.key, attempt, 0, 10_000)).map(({ outputJson }) => outputJson);
    const sent = run.chunks.map(({ value }) => JSON.stringify(value));
    const told = (job.jobId === null ? [] : scene.told(job.jobId)).flat().filter((chunk) => sent.includes(chunk));
    const isCompleted = attempt === job.attempt && job.status === 'COMPLETED';
    const complaint = judgeStream({ kept, sent, told, isCompleted, isCancelled: attempt === job.attempt && job.status === 'CANCELLED' }, leeway, figures);
    if (complaint !== null) return `attempt ${attempt}: ${complaint}: ${kept.map(indexIn).join(' ')} of ${sent.length}`;
  }
  return null;
}

interface KeptStream {
  kept: readonly string[];
  sent: readonly string[];
  /** What good replies told of it, as often as they did. */
  told: readonly string[];
  /** The output of a completed attempt lists all chunks: the stream is mended by it. */
  isCompleted: boolean;
  /** A cancelled run had not sent all of them. */
  isCancelled: boolean;
}

function judgeStream({ kept, sent, told, isCompleted, isCancelled }: KeptStream, leeway: Leeway, figures: BagFigures): string | null {
  const once = kept.filter((chunk, index) => chunk !== kept[index - 1]);
  const isWhole = isCancelled ? once.every((chunk, index) => chunk === sent[index]) : once.join() === sent.join();
  if (isWhole && once.length === kept.length) {
    figures.exactStreams += 1;
    return null;
  }
  if (!isCompleted && isUntellable(kept, told)) {
    figures.untellableStreams += 1;
    return null;
  }
  if (isWhole) {
    figures.doubledStreams += 1;
    return leeway.mayDouble && !isCompleted ? null : 'chunks are doubled';
  }
  if (isCompleted && kept.length === 0) {
    figures.emptyStreams += 1;
    return leeway.mayLoseChunks || leeway.mayMissStream ? null : 'no chunk came';
  }
  if (isCompleted && !leeway.mayRepeat) return 'is not the list of its output';
  if (isSubsequence(once, sent)) {
    figures.holedStreams += 1;
    return leeway.mayLoseChunks || (leeway.mayMissStream && kept.length === 0) ? null : 'chunks are missing';
  }
  figures.repeatedStreams += 1;
  if (!leeway.mayRepeat) return 'chunks are out of order or repeated';
  const isAllThere = leeway.mayLoseChunks || isCancelled || isSubsequence(sent, kept);
  return isAllThere && kept.every((chunk) => sent.includes(chunk)) ? null : 'chunks are missing or of another job';
}

/**
 * The chunks count themselves, so that three different ones tell which were told again. Where fewer came, a server that
 * drains could have meant every one, and every one has to be there: docs/decisions/017-what-a-repeated-stream-can-tell.md.
 */
function isUntellable(kept: readonly string[], told: readonly string[]): boolean {
  const different = new Set(told).size;
  return different < 3 && told.length > different && kept.join() === told.join();
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let from = 0;
  return part.every((chunk) => {
    const at = whole.indexOf(chunk, from);
    from = at + 1;
    return at !== -1;
  });
}

function runOf(plan: JobPlan, job: Job): Run | undefined {
  return plan.runs[Math.min(job.attempt, plan.runs.length) - 1];
}

function indexIn(chunk: string): string {
  return /"index":(\d+)/.exec(chunk)?.[1] ?? chunk;
}

/** Every job that the service took is one that was submitted, and none was taken twice. */
function doubledSubmissions(bag: readonly BaggedJob[], { scene, jobs }: PlayedBag): string[] {
  const complaints: string[] = [];
  for (const { plan } of bag) {
    const ids = scene.played.jobIdsOf(plan.marker);
    if (ids.size > 1) complaints.push(`${plan.marker} was taken ${ids.size} times`);
  }
  const ours = new Set([...jobs.values()].map(({ jobId }) => jobId));
  for (const fate of scene.played.fates().values()) {
    // One that no worker ever had was cancelled in the queue, which only happens to jobs that we know.
    if (scene.played.markerOf(fate.jobId) === null && !ours.has(fate.jobId)) complaints.push(`the service has a job ${fate.jobId} of nobody (${fate.lastStatus})`);
  }
  return complaints;
}

/**
 * The outbox keeps its order: on each lane the service takes the jobs in the order in which they were submitted. One that
 * was under way already may be overtaken by the next (it was answered 429, or later). The service tells whole milliseconds.
 */
function disorder({ scene, jobs }: PlayedBag): string[] {
  const jobOf = new Map([...jobs.values()].flatMap((job) => (job.jobId === null ? [] : [[job.jobId, job] as const])));
  const taken = [...scene.played.fates().values()].flatMap(({ jobId, submittedAtMs }) => {
    const job = jobOf.get(jobId);
    return job === undefined ? [] : [{ job, submittedAtMs }];
  });
  return taken.flatMap(({ job, submittedAtMs }, index) => {
    // One that was given up on while it was on its way can still arrive, at any time.
    const overtaken = taken.slice(index + 1).filter(({ job: later }) => later.phase !== 'outcome-unknown' && later.endpointId === job.endpointId && later.operation === job.operation && later.key < job.key);
    return overtaken
      .filter(({ job: older }) => !scene.sends(older.title).some(({ leftAtMs, answeredAtMs }) => Math.floor(leftAtMs) <= submittedAtMs && submittedAtMs <= answeredAtMs))
      .map(({ job: older }) => `${older.title} was taken after ${job.title}, and was not under way then`);
  });
}

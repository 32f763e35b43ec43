import { isSameEndpoint } from '../../../src-preload/endpoint-key.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { mayOutputCome, type Job } from '../../../src-preload/job.ts';
import { notAfter, nowWithoutSetting } from '../../time/clock.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from './check-now.ts';
import { createEndpointOutputs } from './endpoint-outputs.ts';
import { PlannedReads, waitAskedForMs, type EndedJobReads, type PlannedRead } from './ended-job-reads.ts';

/** How long after its end was seen such a job is read again. */
const readsAfterMs = [5_000, 30_000, 120_000, 600_000, 1_500_000] as const;
/** A read without an answer is repeated after this time. */
const repeatAfterMs = 30_000;
/**
 * Only reads this long after the end count as reads without an output: jobs that end together are read together, and
 * their outputs may all be some seconds late.
 */
const countsAfterMs = 120_000;
/** How many of the newest completed jobs are checked at a start, and when outputs turn out to come late. */
const maxResumed = 500;

/**
 * Jobs that completed without output. A service may report the end before it has the output (ruling 30), so their
 * status is read a few times more while the service may have it. An output in the reply is saved.
 */
export class LateOutputs implements EndedJobReads {
  readonly #context: JobContext;
  /** Reads the status once. */
  readonly #readStatusAgain: ReadStatusAgain;
  readonly #planned: PlannedReads<PlannedRead>;
  readonly #outputs = createEndpointOutputs();

  constructor(context: JobContext, readStatusAgain: ReadStatusAgain) {
    this.#context = context;
    this.#readStatusAgain = readStatusAgain;
    this.#planned = new PlannedReads<PlannedRead>(context, (read) => this.#readDue(read));
  }

  /** Plans the reads of jobs that ended in earlier runs. */
  start(): Promise<void> {
    return this.#resume();
  }

  /** What was committed: jobs to read, and jobs whose output came. */
  note(changes: Parameters<EndedJobReads['note']>[0]): void {
    let isChanged = false;
    for (const change of changes) {
      const { after } = change;
      // Immediately, because this one may have been found by its last read.
      if (after.phase === 'finished' && after.outputBytes > 0 && this.#outputs.noteOutput(change))
        this.#resume(after).catch(this.#context.onTrouble);
      if (this.#isAwaited(after)) this.#add(after);
      else if (!this.#planned.drop(after.key)) continue;
      isChanged = true;
    }
    if (isChanged) this.#planned.arm();
  }

  /** Reads what became due while polling was paused. */
  resume(): void {
    this.#planned.arm();
  }

  /** These jobs were deleted, so they are no longer read. */
  removed(keys: readonly string[]): void {
    this.#planned.removed(keys);
  }

  /** A webhook call named this job, so it is read soon. */
  hinted(jobId: string): void {
    this.#planned.hinted(jobId);
  }

  /** Begins no further read. */
  close(): void {
    this.#planned.close();
  }

  /** Now, for what has certainly expired. */
  #nowFor({ finishedSeenAtMs }: Job): number {
    return nowWithoutSetting(this.#context.clock, finishedSeenAtMs ?? Infinity);
  }

  #isAwaited(job: Job): boolean {
    return mayOutputCome(job, this.#nowFor(job)) && job.unreadReply === undefined;
  }

  /** How many jobs of its endpoint are planned before this one; all, if it is not planned. */
  #countBefore(job: Job): number {
    let count = 0;
    for (const { job: other } of this.#planned.all()) {
      if (other.key === job.key) break;
      if (isSameEndpoint(other, job)) count += 1;
    }
    return count;
  }

  /** Whether as many jobs of its endpoint are planned before this one as may be. */
  #isFull(job: Job): boolean {
    return this.#countBefore(job) >= this.#outputs.maxAtOnce(job);
  }

  #add(job: Job): void {
    if (this.#planned.get(job.key) !== undefined || this.#isFull(job)) return;
    this.#planNext({ job, fromMs: 0, atMs: 0 });
  }

  /** Until the next read, or not at all if the service has deleted the job by then. What passed is not caught up on. */
  #planNext(read: PlannedRead): void {
    const { job } = read;
    const passedMs = this.#nowFor(job) - endedAtMs(job);
    const afterMs = readsAfterMs.find((eachMs) => eachMs > passedMs) ?? Infinity;
    read.atMs = this.#context.clock.now() + afterMs - passedMs;
    if (mayOutputCome(job, endedAtMs(job) + afterMs)) this.#planned.plan(read);
    else this.#planned.drop(job.key);
  }

  #readDue(read: PlannedRead): void {
    read.atMs = this.#context.clock.now() + repeatAfterMs;
    if (!this.#isAwaited(read.job) || this.#isFull(read.job)) this.#planned.drop(read.job.key);
    else this.#readOne(read).catch(this.#context.onTrouble);
  }

  async #readOne(read: PlannedRead): Promise<void> {
    const { clock } = this.#context;
    read.fromMs = clock.now();
    const repeatAtMs = read.atMs;
    const isCounted = this.#nowFor(read.job) - endedAtMs(read.job) >= countsAfterMs;
    const reply = await this.#readStatusAgain(read.job);
    // Its output came and was committed, it was deleted, or the app is closing.
    if (this.#planned.get(read.job.key) !== read) return;
    if (reply.ok && isCounted) this.#outputs.noteWithout(read.job);
    // A webhook call came meanwhile, perhaps about what this reply was too early for.
    const isHinted = read.atMs < repeatAtMs;
    // One answer that the service does not know it is not the end (ruling 34).
    if (!isHinted && (reply.ok || reply.failure.kind === 'not-found')) this.#planNext(read);
    if (!reply.ok) read.atMs = Math.max(read.atMs, clock.now() + waitAskedForMs(reply.failure));
    this.#planned.arm();
  }

  /** Plans the reads of those that ended before: of the jobs beside `late`, whose output came late, one now. */
  async #resume(late?: Job): Promise<void> {
    const { history, clock, isClockDoubted } = this.#context;
    const listed = await history.list({ ...emptyFilter, statuses: ['completed'] }, null, maxResumed);
    // By a clock that is years behind, every saved job would have ended just now.
    const jobs = isClockDoubted() ? listed.jobs : listed.jobs.map((job) => endedByNow(job, clock.now()));
    for (const job of jobs) if (job.outputBytes > 0) this.#outputs.noteEarlier(job);
    for (const job of jobs) {
      if (!this.#isAwaited(job)) continue;
      const isBeside = late !== undefined && isSameEndpoint(job, late);
      if (isBeside && !this.#isFull(job)) this.#planned.plan({ job, fromMs: 0, atMs: clock.now() });
      else this.#add(job);
    }
    this.#planned.arm();
  }
}

/** The clock may have been set back since the job ended. By its saved time it would be read far too late. */
function endedByNow(job: Job, nowMs: number): Job {
  const { finishedSeenAtMs } = job;
  return finishedSeenAtMs === null ? job : { ...job, finishedSeenAtMs: notAfter(finishedSeenAtMs, nowMs) };
}

function endedAtMs({ finishedSeenAtMs, createdAtMs }: Job): number {
  return finishedSeenAtMs ?? createdAtMs;
}

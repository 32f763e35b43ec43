import { isLive, type Job } from '../../../src-preload/job.ts';
import type { UnknownJob, WebhookCall } from '../../../src-preload/webhook.ts';
import { createThrottle, type Throttle } from '../../time/timers.ts';
import type { JobContext } from '../context/job-context.ts';

/** Anyone on this machine who knows the path can call, so further unknown jobs are not kept. */
const maxUnknown = 100;
/** How many calls about jobs that are not known yet are remembered, and for how long. For the same reason. */
const maxEarly = 1_000;
const earlyForMs = 600_000;
/** Calls are repeated, by mistake or on purpose: a job is read no more often than this because of them. */
const readEveryMs = 1_000;

/**
 * What webhook calls mean (ruling 25): whose status is read now, which job a submission became, and that there are
 * unknown jobs.
 *
 * If the outcome of a submission is unknown, the id is noted on exactly that job: it arrived. That alone does not track
 * it; the user decides. The first id that a submission's path names is kept; the input is never compared.
 */
export class WebhookCalls {
  readonly #context: JobContext;
  readonly #onUnknownJobs: (unknownJobs: UnknownJob[]) => void;
  /** Calls that named a job before the reply to its submission came: when, by job id, oldest first. */
  readonly #earlyCalls = new Map<string, number>();
  /** Ids that were named for submissions whose request is still in progress, by job key. */
  readonly #earlyIds = new Map<string, string>();
  /** Unknown jobs: when they were named, by id, newest last. */
  readonly #unknown = new Map<string, number>();
  /** The reads of live jobs that were called about, by job key. */
  readonly #reads = new Map<string, Throttle>();

  constructor(context: JobContext, onUnknownJobs: (unknownJobs: UnknownJob[]) => void) {
    this.#context = context;
    this.#onUnknownJobs = onUnknownJobs;
  }

  /**
   * A call came. One on a submission's own path names that submission's job; one on the general path names a job by its
   * id alone.
   */
  note({ jobId, jobKey }: WebhookCall): Promise<void> {
    return jobKey === null ? this.#noteGeneral(jobId) : this.#noteOwn(jobId, jobKey);
  }

  /** A change of a job is on disk, so earlier calls about it can be used now. */
  committed(before: Job | null, after: Job): void {
    if (!isLive(after)) this.#forget(after.key);
    if (after.jobId !== null && before?.jobId !== after.jobId && this.#unknown.delete(after.jobId)) this.#showUnknown();
    if (
      before?.jobId === null &&
      after.phase === 'active' &&
      after.jobId !== null &&
      this.#earlyCalls.delete(after.jobId)
    )
      this.#readSoon(after);
    if (before?.phase !== 'submitting' || after.phase === 'submitting') return;
    const jobId = this.#earlyIds.get(after.key);
    this.#earlyIds.delete(after.key);
    if (jobId !== undefined && after.jobId === null) this.#nameJobOf(after, jobId).catch(this.#context.onTrouble);
  }

  /** Plans no more reads. */
  close(): void {
    for (const reads of this.#reads.values()) reads.cancel();
  }

  async #noteGeneral(jobId: string): Promise<void> {
    if (!this.#hint(jobId) && !(await this.#context.history.knowsJobId(jobId))) this.#noteUnknown(jobId);
  }

  async #noteOwn(jobId: string, jobKey: string): Promise<void> {
    const job = await this.#context.ledger.find(jobKey);
    // Its record is in another history.
    if (job === null) return await this.#noteGeneral(jobId);
    if (job.jobId !== null) {
      if (job.jobId === jobId) this.#hint(jobId);
      else
        this.#context.log.warn("A webhook call on a submission's own path named another job", {
          jobKey,
          jobId: job.jobId,
          named: jobId,
        });
      return;
    }
    if (job.phase === 'submitting') {
      if (!this.#earlyIds.has(jobKey)) this.#earlyIds.set(jobKey, jobId);
      // Its reply probably has that id.
      this.#hint(this.#earlyIds.get(jobKey) ?? jobId);
    } else await this.#nameJobOf(job, jobId);
  }

  /**
   * Only the receiver of the submission knows its path. One that counted as not accepted (it waited, was refused, or
   * was withdrawn after a try) was accepted: it must not be sent again, and its result can be fetched.
   */
  async #nameJobOf({ key, phase }: Job, jobId: string): Promise<void> {
    const calledBack = { kind: 'outcome-unknown', why: { kind: 'called-back' }, rawReply: null } as const;
    await this.#context.ledger.change(key, [
      ...(phase === 'outcome-unknown' ? [] : [calledBack]),
      { kind: 'id-mentioned', jobId },
    ]);
  }

  /** Reads the status of the job now. If it is not tracked, the call is remembered. Returns whether it is tracked. */
  #hint(jobId: string): boolean {
    let isFollowed = false;
    for (const { job } of this.#context.ledger.live().values()) {
      if (job.jobId !== jobId) continue;
      isFollowed = true;
      this.#readSoon(job);
    }
    if (!isFollowed) this.#remember(jobId);
    return isFollowed;
  }

  #readSoon({ key }: Job): void {
    let reads = this.#reads.get(key);
    if (reads === undefined) {
      const run = (): void => this.#readNow(key);
      reads = createThrottle({ clock: this.#context.clock, gapMs: readEveryMs, run });
      this.#reads.set(key, reads);
    }
    reads.request();
  }

  #readNow(key: string): void {
    const live = this.#context.ledger.live().get(key);
    if (live === undefined) return;
    const polling = this.#context.pollingStates.of(live.job);
    polling.hasWebhookHint = true;
    polling.isStatusReadWanted = true;
    this.#context.events.emit('plan-outdated', null);
  }

  #forget(key: string): void {
    this.#reads.get(key)?.cancel();
    this.#reads.delete(key);
  }

  #remember(jobId: string): void {
    const nowMs = this.#context.clock.now();
    this.#earlyCalls.delete(jobId);
    this.#earlyCalls.set(jobId, nowMs);
    for (const [id, atMs] of this.#earlyCalls) {
      if (this.#earlyCalls.size <= maxEarly && nowMs - atMs < earlyForMs) break;
      this.#earlyCalls.delete(id);
    }
  }

  #noteUnknown(jobId: string): void {
    this.#unknown.delete(jobId);
    this.#unknown.set(jobId, this.#context.clock.now());
    for (const id of this.#unknown.keys()) {
      if (this.#unknown.size <= maxUnknown) break;
      this.#unknown.delete(id);
    }
    this.#showUnknown();
  }

  #showUnknown(): void {
    this.#onUnknownJobs([...this.#unknown].map(([jobId, atMs]) => ({ jobId, atMs })).toReversed());
  }
}

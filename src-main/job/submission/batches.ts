import { InFlight, WorkInProgress } from '../../async/queues.ts';
import {
  batchStateOf,
  failedRows,
  isBatchLive,
  type Batch,
  type BatchList,
  type BatchSubmission,
} from '../../../src-preload/batch.ts';
import type { BatchRequest } from '../../../src-preload/batch-schema.ts';
import { failed, ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { BatchRow } from '../../history/records.ts';
import type { LedgerChange } from '../store/ledger.ts';
import type { JobContext } from '../context/job-context.ts';
import { BatchLimitWatch } from './batch-limits.ts';
import { inParts } from '../../async/turns.ts';
import { saveNewBatch } from './new-batch.ts';
import { againName, batchText } from '../../messages/job.ts';
import { draftOfStored } from './stored-draft.ts';

export interface BatchesParts {
  /**
   * The newest rows of a batch that is on disk. Called in the same tick as the history's counts, so that windows get
   * rows and counts together.
   */
  onSaved: (rows: Job[]) => void;
  /** Called once, when no row will change any further. */
  onEnded: (batch: Batch) => void;
  /** Its failures stopped it. The rest waits for the user. */
  onStopped: (batch: Batch) => void;
}

/** Inputs submitted together. Each row is a job of its own and goes out through the outbox, in row order. */
export class Batches {
  readonly #context: JobContext;
  readonly #parts: BatchesParts;
  readonly #paused = new Set<string>();
  readonly #limits = new BatchLimitWatch();
  /** Nothing of these will be sent, not even a row that returns from a try. */
  readonly #withdrawn = new Set<string>();
  readonly #inProgress = new WorkInProgress();
  /** Batches whose failed rows are being submitted again. A second click must not submit them twice. */
  readonly #submittingFailed = new InFlight();
  /** Batches that are not over. */
  readonly #live = new Set<string>();
  #isClosed = false;

  constructor(context: JobContext, parts: BatchesParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Resumes what earlier runs left paused. */
  async start(): Promise<void> {
    for (const id of await this.#context.history.pausedBatches()) this.#paused.add(id);
    for (const batch of await this.#context.history.limitedBatches()) {
      this.#limits.note(batch);
      // Jobdeck ended between the last failure and the stop.
      if (batch.failuresLeft === 0 && !batch.isPaused) await this.#stop(batch.id);
    }
    const { batches } = await this.#context.history.batches(null);
    this.#noteEnds(batches);
  }

  /**
   * Checks every row, then saves all of them or none. Resolves when they are on disk; nothing is sent before.
   * `originKeys`: the job that each row is submitted again from; none if they are new.
   */
  submit(request: BatchRequest, originKeys: readonly string[] = []): Promise<Result<BatchSubmission>> {
    return this.#inProgress.follow(this.#submit(request, originKeys));
  }

  /** The batches of a connection, or of all connections with null. */
  async list(connectionId: string | null): Promise<Result<BatchList>> {
    return ok(await this.#context.history.batches(connectionId));
  }

  /**
   * Pauses the unsent rows, or releases them. Kept over restarts. `isUndo`: releases them as if they had not been
   * paused, so the failures of the batch are not counted from zero again.
   */
  setPaused(id: string, isPaused: boolean, isUndo = false): Promise<Result<Batch>> {
    return this.#inProgress.follow(this.#setPaused(id, isPaused, isUndo));
  }

  /** Gives a batch another name. */
  async rename(id: string, name: string): Promise<Result<Batch>> {
    const batch = await this.#inProgress.follow(this.#context.history.renameBatch(id, name));
    return batch === null ? failed(absent) : ok(batch);
  }

  /** Cancels the unsent rows. */
  withdraw(id: string): Promise<Result<Batch>> {
    return this.#inProgress.follow(this.#withdraw(id));
  }

  /**
   * Submits the inputs of the failed or refused rows as a new batch, except those that were submitted again before:
   * another window may have done that a moment ago.
   */
  submitFailed(id: string): Promise<Result<BatchSubmission>> {
    const submitted = this.#submittingFailed.run(id, () => this.#submitFailed(id));
    if (submitted === null) return Promise.resolve(failed({ kind: 'refused', message: batchText.beingSubmitted }));
    return this.#inProgress.follow(submitted);
  }

  /** Whether rows of the batch stay unsent: it is paused or was withdrawn. */
  isPaused(id: string): boolean {
    return this.#paused.has(id) || this.#withdrawn.has(id);
  }

  /** How many rows of a batch may be at the service. Null: all. */
  maxLive(id: string): number | null {
    return this.#limits.maxLive(id);
  }

  /** Whether any batch limits how many of its rows are at the service. */
  get limitsLiveRows(): boolean {
    return this.#limits.limitsLiveRows;
  }

  /** Jobs changed: their batch may have failed too often, or they come back from a try after it was withdrawn. */
  noteChanges(changes: readonly LedgerChange[]): void {
    for (const { before, after } of changes) {
      if (after.batchId === null) continue;
      if (this.#limits.stopsWith(before, after))
        this.#inProgress.follow(this.#stop(after.batchId)).catch(this.#context.onTrouble);
      const isBack = before?.phase === 'submitting' && after.phase === 'waiting' && this.#withdrawn.has(after.batchId);
      if (isBack) this.#context.ledger.change(after.key, [{ kind: 'withdrawn' }]).catch(this.#context.onTrouble);
    }
  }

  /** Batches changed on disk, and windows know it. Reports those that ended. */
  noteBatches(batches: readonly Batch[]): void {
    if (this.#isClosed) return;
    for (const batch of this.#noteEnds(batches)) this.#parts.onEnded(batch);
  }

  /** From now on nothing new is saved or reported. */
  close(): void {
    this.#isClosed = true;
  }

  /** Resolves when nothing is in progress. */
  idle(): Promise<void> {
    return this.#inProgress.idle();
  }

  /**
   * Notes the changed batches. Returns those that ended since they were last noted. A batch that is active again (a
   * retried row) ends again.
   */
  #noteEnds(batches: readonly Batch[]): Batch[] {
    return batches.filter((batch) => {
      if (isBatchLive(batch)) {
        this.#live.add(batch.id);
        return false;
      }
      // Rows of a removed connection have not ended: their state is unknown.
      return this.#live.delete(batch.id) && batch.counts['orphaned'] === 0;
    });
  }

  async #submit(request: BatchRequest, originKeys: readonly string[]): Promise<Result<BatchSubmission>> {
    const saved = await saveNewBatch(this.#context, request, {
      limits: this.#limits,
      onSaved: this.#parts.onSaved,
      isClosed: () => this.#isClosed,
      originKeys,
    });
    if (!saved.ok) return saved;
    if (saved.value.kind === 'refused') return ok(saved.value);
    this.#context.events.emit('plan-outdated', null);
    const [batch] = await this.#context.history.batchesById([saved.value.id]);
    return batch === undefined ? failed(absent) : ok({ kind: 'accepted', batch });
  }

  async #setPaused(id: string, isPaused: boolean, isUndo = false): Promise<Result<Batch>> {
    const wasPaused = this.#paused.has(id);
    // Immediately, because a row may be about to leave.
    if (isPaused) this.#paused.add(id);
    try {
      const batch = await this.#context.history.setBatchPaused(id, isPaused, isUndo);
      if (batch === null) {
        this.#paused.delete(id);
        return failed(absent);
      }
      if (!isPaused) {
        this.#limits.note(batch);
        this.#paused.delete(id);
      }
      this.#context.events.emit('plan-outdated', null);
      return ok(batch);
    } catch (error) {
      if (!wasPaused) this.#paused.delete(id);
      throw error;
    }
  }

  /** Pauses the rest after too many failures. */
  async #stop(id: string): Promise<void> {
    // Immediately, and in this run even if the disk refuses.
    this.#paused.add(id);
    const paused = await this.#setPaused(id, true);
    if (!paused.ok || this.#isClosed) return;
    this.#context.log.info('A batch stopped after failures', { batchId: id, failed: failedRows(paused.value) });
    this.#parts.onStopped(paused.value);
  }

  async #withdraw(id: string): Promise<Result<Batch>> {
    const [batch] = await this.#context.history.batchesById([id]);
    if (batch === undefined) return failed(absent);
    try {
      // On disk first: if Jobdeck ends half-way, the rest is not sent at the next start.
      const paused = await this.#setPaused(id, true);
      if (!paused.ok) return paused;
      this.#withdrawn.add(id);
      const keys = [...this.#context.ledger.outbox()]
        .filter(({ batchId }) => batchId === id)
        .flatMap((queue) => queue.keys);
      await inParts(
        keys,
        async (slice) =>
          void (await Promise.all(slice.map((key) => this.#context.ledger.change(key, [{ kind: 'withdrawn' }])))),
      );
      return await this.#setPaused(id, false);
    } catch (error) {
      this.#withdrawn.delete(id);
      throw error;
    }
  }

  async #submitFailed(id: string): Promise<Result<BatchSubmission>> {
    const [batch] = await this.#context.history.batchesById([id]);
    if (batch === undefined) return failed(absent);
    if (failedRows(batch) === 0) return failed({ kind: 'refused', message: batchText.noFailedRow });
    const inputs: string[] = [];
    const originKeys: string[] = [];
    let afterKey: string | null = null;
    for (;;) {
      const page: BatchRow[] = await this.#context.history.batchRows(id, afterKey, 500);
      const last = page.at(-1);
      if (last === undefined) break;
      for (const { job, inputText, isSentAgain } of page) {
        const state = batchStateOf(job);
        if ((state !== 'failed' && state !== 'refused') || isSentAgain) continue;
        originKeys.push(job.key);
        inputs.push(inputText);
      }
      afterKey = last.job.key;
    }
    // All rows of a batch were sent with the same policy, webhook and profile, so the first has them all.
    const [firstKey] = originKeys;
    if (firstKey === undefined) return failed({ kind: 'refused', message: batchText.submittedBefore });
    const stored = await this.#context.history.get(firstKey);
    if (stored === null) return failed(absent);
    const draft = draftOfStored(stored.job, stored.submission);
    return await this.#submit({ name: againName(batch.name), inputs, limits: batch.limits, draft }, originKeys);
  }
}

const absent: Failure = { kind: 'absent', message: batchText.absent };

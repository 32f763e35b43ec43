import type { HealthReadOptions } from '../service/health-reads.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import type { Batch } from '../../src-preload/batch.ts';
import type { ConnectionState } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import type { JobDeletion } from '../../src-preload/job-deletion.ts';
import type { Job, SubmissionDraft } from '../../src-preload/job.ts';
import type { UnknownJob, WebhookCall } from '../../src-preload/webhook.ts';
import { errorText } from '../async/error-text.ts';
import { nothingSentText } from '../messages/job.ts';
import { Actions } from './commands/actions.ts';
import { deleteJobs, type DeletionParts } from './commands/deletion.ts';
import { OwnFields } from './commands/own-fields.ts';
import { QueuePurge } from './commands/queue-purge.ts';
import { createJobContext, type JobContext, type JobContextParts } from './context/job-context.ts';
import { Forecasts } from './forecast/forecasts.ts';
import { createCommitted } from './on-committed.ts';
import { checkKeyWhenRefused } from './polling/check-key.ts';
import { createCheckNow, createReadStatusAgain } from './polling/check-now.ts';
import { allEndedJobReads, type EndedJobReads } from './polling/ended-job-reads.ts';
import { createGoneJobs } from './polling/gone-jobs.ts';
import { createHealthInTurn, type HealthInTurn } from './polling/health-in-turn.ts';
import { LateOutputs } from './polling/late-outputs.ts';
import { isToWait, StatusReads } from './polling/status-reads.ts';
import { Retries } from './retry/retry.ts';
import { createUnresolvedCounts, type UnresolvedCounts } from './store/unresolved-counts.ts';
import { createOrphans, type Orphans } from './store/orphans.ts';
import { StreamReader } from './stream/stream-reader.ts';
import { Subscriptions, statusAtEnd, type StreamListener } from './stream/subscriptions.ts';
import { Batches } from './submission/batches.ts';
import { ConfirmSubmission } from './submission/confirm-submission.ts';
import { ExternalJobs, type ExternalJobIds } from './submission/external-jobs.ts';
import { OneJobPerId } from './submission/one-job-per-id.ts';
import { OutcomeEvidence } from './submission/outcome-evidence.ts';
import { Submit } from './submission/submit.ts';
import { endUnanswered } from './submission/submission-request.ts';
import { Tracker } from './tracker/tracker.ts';
import { WebhookCalls } from './webhook-calls/webhook-calls.ts';

export interface JobsParts extends JobContextParts {
  /** Jobs whose change is on disk, but for the rows of a new batch: these first change after `onBatchSaved`. */
  onJobsChanged: (jobs: Job[]) => void;
  /** Keys of jobs that are no longer in the history. */
  onJobsRemoved: (keys: string[]) => void;
  /** The newest rows of a new batch, in the tick in which the history counts them. */
  onBatchSaved: (rows: Job[]) => void;
  /** Once, when the last row of a batch has ended. */
  onBatchEnded: (batch: Batch) => void;
  onBatchStopped: (batch: Batch) => void;
  /** Jobs that webhooks named and that are not in the history, newest first. */
  onUnknownJobs: (unknownJobs: UnknownJob[]) => void;
  /** Called once for each attempt, when nothing more will come and everything is on disk. */
  onJobEnded: (job: Job) => void;
  onTrackerState: (state: TrackerState) => void;
  /** What requests to a connection showed. */
  reportConnectionState: (connectionId: string, state: ConnectionState) => void;
  onHealth: (health: Health) => void;
}

/** Jobs from the intent to the saved result. Every answer and every event is about what is already on disk. */
export class Jobs {
  readonly #context: JobContext;
  readonly #unresolvedCounts: UnresolvedCounts;
  readonly #orphans: Orphans;
  readonly #subscriptions: Subscriptions;
  readonly #streams: StreamReader;
  readonly #statusReads: StatusReads;
  readonly #healthInTurn: HealthInTurn;
  readonly #outcomeEvidence: OutcomeEvidence;
  readonly #batches: Batches;
  readonly #submit: Submit;
  readonly #endedJobReads: EndedJobReads;
  readonly #actions: Actions;
  readonly #retries: Retries;
  readonly #tracker: Tracker;
  readonly #webhookCalls: WebhookCalls;
  readonly #confirmSubmission: ConfirmSubmission;
  readonly #externalJobs: ExternalJobs;
  readonly #checkNow: (key: string) => Promise<Result<null>>;
  readonly #onJobsRemoved: (keys: string[]) => void;
  #liveAtStart: Promise<Job[]> | null = null;
  #isClosed = false;

  /** Purging an endpoint's queue. */
  readonly purge: QueuePurge;
  /** Changes of the user's own fields. */
  readonly ownFields: OwnFields;

  /** Creates the parts from the bottom up. Each may use the earlier ones directly, and the others through events. */
  constructor(parts: JobsParts) {
    const context = createJobContext(parts);
    this.#context = context;
    this.#onJobsRemoved = parts.onJobsRemoved;
    this.#unresolvedCounts = createUnresolvedCounts(context.history);
    this.#orphans = createOrphans(context);
    this.#subscriptions = new Subscriptions({
      statusAtEnd: (key, attempt) => statusAtEnd(context, key, attempt),
      onAttention: () => context.events.emit('plan-outdated', null),
      onTrouble: context.onTrouble,
    });
    this.#streams = new StreamReader(context, this.#subscriptions);
    const streams = this.#streams;
    const forecasts = new Forecasts(context);
    this.#statusReads = new StatusReads(context, { forecasts, streams, onHealth: parts.onHealth });
    const statusReads = this.#statusReads;
    this.#healthInTurn = createHealthInTurn(context.clock, (connectionId, endpointId, how) =>
      this.readHealth(connectionId, endpointId, how),
    );
    checkKeyWhenRefused(context, statusReads);
    this.#outcomeEvidence = new OutcomeEvidence(context, statusReads);
    this.#batches = new Batches(context, {
      onSaved: parts.onBatchSaved,
      onEnded: parts.onBatchEnded,
      onStopped: parts.onBatchStopped,
    });
    const readStatusAgain = createReadStatusAgain(context, statusReads);
    const oneJobPerId = new OneJobPerId(context, readStatusAgain);
    this.#submit = new Submit(context, {
      streams,
      batches: this.#batches,
      oneJobPerId,
      onRemoved: (job) => this.#noteRemoved([job.key], [job]),
    });

    this.#checkNow = createCheckNow(context, readStatusAgain);
    this.#endedJobReads = allEndedJobReads([
      createGoneJobs(context, readStatusAgain),
      new LateOutputs(context, readStatusAgain),
    ]);
    this.#confirmSubmission = new ConfirmSubmission(context, oneJobPerId, (job) => statusReads.readStatus(job));
    this.#externalJobs = new ExternalJobs(context, oneJobPerId, this.#confirmSubmission);
    this.#actions = new Actions(context, statusReads, streams);
    this.purge = new QueuePurge(context);
    this.ownFields = new OwnFields(context);
    this.#retries = new Retries(context, statusReads);

    this.#webhookCalls = new WebhookCalls(context, parts.onUnknownJobs);

    this.#tracker = new Tracker(context, {
      statusReads,
      forecasts,
      streams,
      submit: this.#submit,
      actions: this.#actions,
      batches: this.#batches,
      orphans: this.#orphans,
      unresolvedCounts: this.#unresolvedCounts,
      onState: parts.onTrackerState,
    });
    context.events.on('connection-state', ({ connectionId, state }) => {
      parts.reportConnectionState(connectionId, state);
      this.#tracker.wake();
      this.#retries.wake();
    });
    context.events.on(
      'committed',
      createCommitted(context, {
        unresolvedCounts: this.#unresolvedCounts,
        streams,
        forecasts,
        batches: this.#batches,
        outcomeEvidence: this.#outcomeEvidence,
        webhookCalls: this.#webhookCalls,
        subscriptions: this.#subscriptions,
        endedJobReads: this.#endedJobReads,
        onJobsChanged: parts.onJobsChanged,
        onJobEnded: parts.onJobEnded,
      }),
    );
  }

  /**
   * Reads the live jobs of the last run for `liveJobs`. Nothing is done about them before `start`. Later calls read
   * nothing.
   */
  async loadLiveJobs(): Promise<void> {
    await (this.#liveAtStart ??= this.#readLiveAtStart());
  }

  async #readLiveAtStart(): Promise<Job[]> {
    await this.#unresolvedCounts.start();
    await this.#batches.start();
    return await this.#context.ledger.resume();
  }

  /**
   * Continues the work of the last run, beginning with results that expire next. Call it once, and before it only
   * `loadLiveJobs`, which it otherwise does itself.
   */
  async start(): Promise<void> {
    const jobs = await (this.#liveAtStart ??= this.#readLiveAtStart());
    await this.#outcomeEvidence.resume(await endUnanswered(this.#context, jobs));
    await this.#retries.start();
    this.#tracker.wake();
    await this.#streams.resume();
    await this.#endedJobReads.start();
  }

  /** Journals the intent and sends it once. Resolves when the intent is on disk (ruling 9). */
  submit(draft: SubmissionDraft): Promise<Result<Job>> {
    return this.#answering(() => this.#submit.submit(draft));
  }

  /** Many inputs at once. */
  readonly batches: Pick<
    Batches,
    'submit' | 'list' | 'rename' | 'setPaused' | 'withdraw' | 'submitFailed' | 'noteBatches'
  > = {
    submit: (request, originKeys) => this.#answering(() => this.#batches.submit(request, originKeys)),
    list: (connectionId) => this.#answering(() => this.#batches.list(connectionId)),
    setPaused: (id, isPaused, isUndo) => this.#answering(() => this.#batches.setPaused(id, isPaused, isUndo)),
    withdraw: (id) => this.#answering(() => this.#batches.withdraw(id)),
    rename: (id, name) => this.#answering(() => this.#batches.rename(id, name)),
    submitFailed: (id) => this.#answering(() => this.#batches.submitFailed(id)),
    noteBatches: (batches) => this.#batches.noteBatches(batches),
  };

  /** Cancels a job, or withdraws a waiting retry of it. */
  cancel(key: string): Promise<Result<Job>> {
    return this.#answering(async () => {
      const withdrawn = await this.#retries.withdraw(key);
      return withdrawn === null ? await this.#actions.cancel(key) : ok(withdrawn);
    });
  }

  /** Withdraws a waiting retry or an unsent job. Nothing that left, or may have left, is changed. */
  withdraw(key: string): Promise<Result<{ job: Job; isWithdrawn: boolean }>> {
    return this.#answering(async () => {
      const job = await this.#retries.withdraw(key);
      return job === null ? await this.#actions.withdraw(key) : ok({ job, isWithdrawn: true });
    });
  }

  /**
   * Retries a job (spec: Queue operations, retry). Resolves when the service has answered, or when the retry waits to
   * be sent (`retryRequestedAtMs`); `cancel` withdraws a waiting one.
   */
  retry(key: string): Promise<Result<Job>> {
    return this.#answering(() => this.#retries.retry(key));
  }

  /** Submits the saved input again as a new job, on the connection as it is now. */
  resubmit(key: string): Promise<Result<Job>> {
    return this.#answering(async () => {
      const draft = await this.#submit.draftOf(key);
      return draft.ok ? await this.#submit.submit(draft.value) : draft;
    });
  }

  /** Tracks jobs that were submitted elsewhere, by their ids. Returns them as they are known here. */
  followExternal(jobs: ExternalJobIds): Promise<Result<Job[]>> {
    return this.#answering(() => this.#externalJobs.follow(jobs));
  }

  /** The saved submission, for the composer. */
  draftOf(key: string): Promise<Result<SubmissionDraft>> {
    return this.#answering(() => this.#submit.draftOf(key));
  }

  /** Requests another ttl for an active job, in milliseconds (ruling 19). */
  extendTtl(key: string, ttlMs: number): Promise<Result<Job>> {
    return this.#answering(() => this.#actions.extendTtl(key, ttlMs));
  }

  /** Moves ended jobs from the history into the bin, or deletes them for good. */
  delete(keys: readonly string[], isForGood: boolean): Promise<Result<JobDeletion>> {
    const parts: DeletionParts = {
      isRetrying: (key) => this.#retries.isInProgress(key),
      onRemoved: (removedKeys, jobs) => this.#noteRemoved(removedKeys, jobs),
    };
    return this.#answering(async () => ok(await deleteJobs(this.#context, parts, keys, isForGood)));
  }

  /** These are no longer in the history. `jobs`: their last states, as far as known. */
  #noteRemoved(keys: string[], jobs: readonly Job[]): void {
    this.#unresolvedCounts.removed(jobs);
    this.#endedJobReads.removed(keys);
    this.#onJobsRemoved(keys);
  }

  /** Merges a live job with its state in another history, as one of its serialised changes. Null: nothing changed. */
  mergeIn(key: string, write: () => Promise<Job | null>): Promise<Job | null> {
    return this.#context.ledger.mergeIn(key, write);
  }

  /** Counts the saved jobs again, after many were added without the engine. */
  async recount(): Promise<void> {
    await this.#unresolvedCounts.start();
    this.#tracker.wake();
  }

  /** Reads the job's status now, whatever it is waiting for. Refused while paused. */
  checkNow(key: string): Promise<Result<null>> {
    return this.#answering(() => this.#checkNow(key));
  }

  /** Gives up the rest of an ended job's stream that could not be read (ruling 36). */
  stopWaiting(key: string): Promise<Result<Job>> {
    return this.#answering(() => this.#streams.stopWaiting(key));
  }

  /** Reports the stream of an attempt from now on. Returns the function that ends that. */
  subscribe(key: string, attempt: number, listener: StreamListener): () => void {
    return this.#subscriptions.subscribe(key, attempt, listener);
  }

  /** Stops everything except requests for a single job. Submissions wait in the outbox. */
  pause(): TrackerState {
    this.#tracker.pause();
    return this.#tracker.state();
  }

  /** Ends the pause. Returns the tracker's new state. */
  resume(): TrackerState {
    this.#tracker.resume();
    this.#retries.wake();
    this.#endedJobReads.resume();
    return this.#tracker.state();
  }

  /** Tries immediately everything that waits for a next try. */
  tryNow(): TrackerState {
    this.#tracker.tryNow();
    this.#retries.tryNow();
    return this.#tracker.state();
  }

  /** The computer slept or was locked: what waits is checked, except for what a service asked us to wait with. */
  wokeUp(): void {
    this.#tracker.wokeUp();
    this.#retries.wake();
  }

  /** Whether requests that no user made may be sent to a connection. */
  wayTo(connectionId: string): { kind: 'open' | 'closed' } | { kind: 'probe'; fromMs: number } {
    const access = this.#context.reachability.access(connectionId);
    if (access.kind === 'open' || access.kind === 'closed') return { kind: access.kind };
    return access.isProbing ? { kind: 'closed' } : { kind: 'probe', fromMs: access.probeAtMs };
  }

  /** What the tracker does now: pause, active jobs, budgets. */
  trackerState(): TrackerState {
    return this.#tracker.state();
  }

  /**
   * Jobs in the phases waiting, submitting and active, as on disk, oldest first. From memory: tens of thousands take
   * milliseconds.
   */
  liveJobs(): Job[] {
    // A retried job comes after younger ones in the ledger.
    return [...this.#context.ledger.live().values()].map(({ job }) => job).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** The jobs that windows show, open or as rows, which are read often. Replaces the former ones. */
  setOnView(openedKeys: readonly string[], rowKeys: readonly string[]): void {
    this.#tracker.setOnView(openedKeys, rowKeys);
  }

  /** Whether any window is visible. While none is, jobs are read less often. */
  setWindowVisible(isVisible: boolean): void {
    this.#tracker.setWindowVisible(isVisible);
  }

  /** Whether the machine runs on battery. Jobs are read less often then. */
  setOnBattery(isOnBattery: boolean): void {
    this.#tracker.setOnBattery(isOnBattery);
  }

  /** The key, the address or the authorization form changed, or a test passed. Its jobs are tracked again. */
  connectionChanged(connectionId: string): void {
    this.#context.reachability.reset(connectionId);
  }

  /**
   * The connection was removed, and `whyNotFollowed` says so by now. Its jobs stay as orphaned and are no longer
   * tracked.
   */
  connectionRemoved(connectionId: string): void {
    this.#context.reachability.forget(connectionId);
    this.#tracker.wake();
  }

  /** The connection exists, perhaps again. Its orphaned jobs are tracked from now on. */
  async connectionPresent(connectionId: string): Promise<void> {
    this.#retries.wake();
    if (this.#unresolvedCounts.orphans() === 0) return;
    for (const job of await this.#orphans.resume(connectionId))
      this.#context.pollingStates.of(job).isStatusReadWanted = true;
    this.#tracker.wake();
  }

  /**
   * Reads an endpoint's health now, within the limit of one per second (ruling 20). Also calls `onHealth`.
   * `isAutomatic`: no user asked for it, and nothing is sent while the service asks for a pause (ruling 10).
   */
  readHealth(
    connectionId: string,
    endpointId: string,
    { isAutomatic = false }: HealthReadOptions = {},
  ): Promise<Result<Health>> {
    return this.#answering(async () => {
      const baseUrl = await this.#context.baseUrlOf(connectionId);
      if (!baseUrl.ok) return baseUrl;
      const endpoint = this.#context.endpointStates.of({ connectionId, baseUrl: baseUrl.value, endpointId });
      if (isAutomatic && isToWait(endpoint, this.#context.clock.now()))
        return failed({ kind: 'refused', message: nothingSentText.healthLater });
      return await this.#statusReads.readHealth(endpoint, { isUnplanned: true });
    });
  }

  /** As `readHealth`. If the endpoint was read less than a second ago, it waits for the end of that second. */
  readHealthInTurn(connectionId: string, endpointId: string, options?: HealthReadOptions): Promise<Result<Health>> {
    return this.#healthInTurn.read(connectionId, endpointId, options);
  }

  /**
   * A webhook call named this job. Its status is read now, or the id is noted on the submission whose own path was
   * called. Nothing else in the call is trusted (ruling 25).
   */
  noteWebhookCall(call: WebhookCall): void {
    this.#endedJobReads.hinted(call.jobId);
    this.#webhookCalls.note(call).catch(this.#context.onTrouble);
  }

  /** Tracks the job that a submission of unknown outcome probably became. */
  confirmSubmission(key: string): Promise<Result<Job>> {
    return this.#answering(() => this.#confirmSubmission.confirm(key));
  }

  /** Stops. What is in progress is aborted, and found in the journal at the next start. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { dispatch, durableWrites, ledger, onTrouble } = this.#context;
    this.#tracker.close();
    this.#submit.close();
    this.#batches.close();
    dispatch.close();
    durableWrites.close();
    this.#retries.close();
    this.#endedJobReads.close();
    this.#webhookCalls.close();
    this.#outcomeEvidence.close();
    this.#healthInTurn.close();
    this.#subscriptions.close();
    await Promise.all([this.#tracker.idle(), this.#submit.idle(), this.#batches.idle()]);
    await ledger.flush().catch(onTrouble);
    await ledger.idle();
    this.#context.close();
  }

  /** A disk that refuses is returned as a failure. */
  async #answering<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await work();
    } catch (error) {
      this.#context.onTrouble(error);
      return failed({ kind: 'storage', message: errorText(error) });
    } finally {
      this.#tracker.wake();
    }
  }
}

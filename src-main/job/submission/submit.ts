import { WorkInProgress } from '../../async/queues.ts';
import type { EndpointRef } from '../../../src-preload/endpoint-key.ts';
import { failed, ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import { isTerminalStatus, missingInputReason, type Job, type SubmissionDraft } from '../../../src-preload/job.ts';
import type { HeldBackReason } from '../../../src-preload/job-reason.ts';
import { errorText } from '../../async/error-text.ts';
import type { StoredSubmission } from '../../history/records.ts';
import type { Release } from '../../service/rate-governor.ts';
import type { JobRecord, Reply } from '../../service/reply.ts';
import { bodyBytes } from '../../service/submission-body.ts';
import type { OneJobPerId } from './one-job-per-id.ts';
import type { Sent } from '../context/dispatch.ts';
import { absent } from '../store/ledger.ts';
import { newJob } from '../reducer/new-job.ts';
import { titleFromInput } from '../../../src-preload/job-title.ts';
import { type JobEvent, type JobState, isSettling } from '../reducer/job-event.ts';
import { isRowTitle } from './row-titles.ts';
import { draftOfStored } from './stored-draft.ts';
import { submissionOutcome, mayPass, payloadOf, type RequestPayload } from './submission-request.ts';
import type { JobContext } from '../context/job-context.ts';
import type { StreamReader } from '../stream/stream-reader.ts';
import type { Batches } from './batches.ts';
import { jobText } from '../../messages/job.ts';

export interface SubmitParts {
  streams: StreamReader;
  batches: Batches;
  oneJobPerId: OneJobPerId;
  /** A submission was removed, because its job is tracked already. */
  onRemoved: (job: Job) => void;
}

/**
 * The intent journal (ruling 9): a job is on disk as `submitting` before its request leaves, and leaves that phase in
 * the commit that stores the id. What was certainly not accepted waits in the outbox, in order, over restarts; what may
 * have been accepted is never sent again automatically.
 */
export class Submit {
  readonly #context: JobContext;
  readonly #parts: SubmitParts;
  readonly #inProgress = new WorkInProgress();
  #isClosing = false;

  constructor(context: JobContext, parts: SubmitParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Checks, journals, and sends once. Resolves when the intent is on disk; the ledger reports the rest. */
  async submit(draft: SubmissionDraft): Promise<Result<Job>> {
    const baseUrl = await this.#context.baseUrlOf(draft.connectionId);
    if (!baseUrl.ok) return baseUrl;
    const submission: StoredSubmission = {
      inputText: draft.inputText,
      policy: draft.policy ?? {},
      webhook: draft.webhook?.trim() || null,
      waitMs: draft.operation === 'runsync' ? (draft.waitMs ?? null) : null,
      s3ProfileId: draft.s3ProfileId ?? null,
    };
    const key = this.#context.newKey();
    const body = await payloadOf({ key, operation: draft.operation }, submission, this.#context);
    if (!body.ok) return body;

    const { place, reason } = this.#placeFor(draft);
    const created = newJob(
      {
        key,
        connectionId: draft.connectionId,
        baseUrl: baseUrl.value,
        endpointId: draft.endpointId,
        operation: draft.operation,
        title: draft.title?.trim() || this.#titleOf(draft, draft.inputText),
        tags: draft.tags ?? [],
        policy: submission.policy,
        inputBytes: bodyBytes(draft.inputText),
        phase: reason === null ? 'submitting' : 'waiting',
        reason,
        ...(draft.isKeptWhole === false ? { isKeptWhole: false } : {}),
        ...(draft.originKey === undefined ? {} : { originKey: draft.originKey }),
      },
      this.#context.clock.now(),
    );
    if (this.#isClosing) {
      place?.();
      return failed({ kind: 'refused', message: jobText.closing });
    }
    try {
      // The engine does not close until this is over: what is journalled is then also begun, or held back.
      return ok(
        await this.#inProgress.follow(
          this.#begin(created, submission, place === null ? null : { payload: body.value, place }),
        ),
      );
    } catch (error) {
      place?.();
      this.#context.events.emit('plan-outdated', null);
      return failed({ kind: 'storage', message: jobText.couldNotSave(errorText(error)) });
    }
  }

  #titleOf({ connectionId, endpointId }: EndpointRef, inputText: string): string {
    return titleFromInput(inputText, endpointId, this.#context.titleRuleOf?.(connectionId, endpointId));
  }

  #isTitleMade(job: Job, inputText: string): boolean {
    return job.title === this.#titleOf(job, inputText) || isRowTitle(job.title, inputText);
  }

  /** From now on nothing new is journalled. What is journalled is brought to a state that the next start can resume. */
  close(): void {
    this.#isClosing = true;
  }

  /**
   * Sends a job of the outbox once, when the tracker says so. Its place in the budget is taken before it is prepared:
   * otherwise the next plan would count the place again, and more jobs would be marked as leaving than may leave.
   */
  async sendWaiting(job: Job): Promise<void> {
    const place = this.#context.governor.reserve(job, this.#context.clock.now());
    if (place === null) return;
    try {
      let ready: Ready | null;
      try {
        ready = await this.#makeReady(job);
      } catch (error) {
        return await this.#holdBack(job, error);
      }
      if (ready !== null) await this.#send(ready, place);
    } finally {
      place();
    }
  }

  /** The saved submission of a job, ready to be sent again. */
  async draftOf(key: string): Promise<Result<SubmissionDraft>> {
    const stored = await this.#context.history.get(key);
    if (stored === null) return failed(absent);
    const { job, submission } = stored;
    if (submission.inputText === '')
      return failed({
        kind: 'refused',
        message: jobText.notResubmitted(missingInputReason(job) ?? jobText.inputMissing),
      });
    return ok({
      ...draftOfStored(job, submission),
      inputText: submission.inputText,
      originKey: job.key,
      // A title that was made from the input is made again from the later input.
      ...(this.#isTitleMade(job, submission.inputText) ? {} : { title: job.title }),
    });
  }

  /** Resolves when no submission is in progress. */
  idle(): Promise<void> {
    return this.#inProgress.idle();
  }

  /** Journals the intent and begins to send it, if it can be sent. */
  async #begin(
    created: JobState,
    submission: StoredSubmission,
    ready: { payload: RequestPayload; place: Release } | null,
  ): Promise<Job> {
    const job = await this.#context.ledger.create(created, submission);
    if (ready !== null)
      this.#run(job, () => this.#send({ job, payload: ready.payload, waitMs: submission.waitMs }, ready.place));
    return job;
  }

  /** The place of the request if it may leave now, otherwise the reason for the outbox. */
  #placeFor(
    draft: Pick<SubmissionDraft, 'connectionId' | 'endpointId' | 'operation'>,
  ): { place: Release; reason: null } | { place: null; reason: HeldBackReason } {
    const reason = this.#whyHeldBack(draft);
    if (reason !== null) return { place: null, reason };
    const place = this.#context.governor.reserve(draft, this.#context.clock.now());
    return place === null ? { place: null, reason: { kind: 'budget-used-up' } } : { place, reason: null };
  }

  /** Null if the budget alone decides whether the request may leave now, otherwise the reason for the outbox. */
  #whyHeldBack(draft: Pick<SubmissionDraft, 'connectionId' | 'endpointId' | 'operation'>): HeldBackReason | null {
    if (this.#context.pausing.isPaused) return { kind: 'paused' };
    const { connectionId, endpointId, operation } = draft;
    const access = this.#context.reachability.access(connectionId);
    if (access.kind === 'offline') return { kind: 'offline' };
    if (access.kind === 'closed') return { kind: 'no-key' };
    if (access.kind === 'refused') return { kind: 'key-refused' };
    if (this.#context.reachability.closure({ connectionId, endpointId, operation }) !== null)
      return { kind: 'submissions-refused' };
    for (const queue of this.#context.ledger.outbox()) {
      // Rows of batches let it go first.
      if (
        queue.batchId === null &&
        queue.connectionId === connectionId &&
        queue.endpointId === endpointId &&
        queue.operation === operation
      )
        return { kind: 'earlier-first' };
    }
    return null;
  }

  #run(job: Job, work: () => Promise<void>): void {
    const polling = this.#context.pollingStates.of(job);
    polling.isBusy = true;
    void this.#inProgress.follow(
      work()
        .catch(this.#context.onTrouble)
        .finally(() => {
          polling.isBusy = false;
          this.#context.events.emit('plan-outdated', null);
        }),
    );
  }

  /** Prepares a job of the outbox so that its request may leave. Null: not now, or never. */
  async #makeReady(job: Job): Promise<Ready | null> {
    const stored = await this.#context.history.get(job.key);
    if (stored === null) return null;
    // Nothing was sent yet, so it goes where its connection points now.
    const baseUrl = await this.#context.baseUrlOf(job.connectionId);
    if (!baseUrl.ok) {
      await this.#holdBack(job, baseUrl.failure.message);
      return null;
    }
    const body = await payloadOf(job, stored.submission, this.#context);
    if (!body.ok) {
      if (mayPass(body.failure)) await this.#holdBack(job, body.failure.message);
      else await this.#context.ledger.change(job.key, [{ kind: 'refused', failure: asServiceFailure(body.failure) }]);
      return null;
    }
    // Its batch was paused, or its failures stopped it, while this was prepared.
    if (job.batchId !== null && this.#parts.batches.isPaused(job.batchId)) return null;
    const sending = await this.#context.ledger.change(job.key, [{ kind: 'sending', baseUrl: baseUrl.value }]);
    // Withdrawn in the meantime.
    return sending?.phase === 'submitting'
      ? { job: sending, payload: body.value, waitMs: stored.submission.waitMs }
      : null;
  }

  /** Nothing was sent: it waits in the outbox with the reason, and is tried again after growing pauses. */
  async #holdBack(job: Job, why: unknown): Promise<void> {
    if (why instanceof Error)
      this.#context.log.error('A submission was held back by an error', { jobKey: job.key, error: why });
    this.#context.pollingStates.backOff(this.#context.pollingStates.of(job), undefined);
    await this.#context.durableWrites.untilDone(() =>
      this.#context.ledger.change(job.key, [{ kind: 'held-back', reason: { kind: 'not-sent', said: errorText(why) } }]),
    );
  }

  /**
   * Sends the request, in the place that was taken for it. The job is on disk as `submitting`, and leaves that phase
   * whatever the end; that write is repeated until it is durable.
   */
  async #send(ready: Ready, place: Release): Promise<void> {
    const { job } = ready;
    let mayHaveLeft = false;
    let sent: Sent<JobRecord>;
    try {
      place();
      sent = await this.#dispatched(ready, () => {
        mayHaveLeft = true;
      });
    } catch (error) {
      if (!mayHaveLeft) return await this.#holdBack(job, error);
      this.#context.log.error('A submission was broken off by an error', { jobKey: job.key, error });
      return await this.#saveEnd(job, {
        kind: 'outcome-unknown',
        why: { kind: 'error', said: errorText(error) },
        rawReply: null,
      });
    }
    if (sent.kind === 'blocked') return await this.#holdBack(job, sent.failure.message);
    if (sent.kind !== 'answered') {
      const reason = { kind: sent.kind === 'closing' ? 'closing' : 'budget-used-up' } as const;
      return await this.#saveEnd(job, { kind: 'held-back', reason });
    }
    const saved = this.#context.governor.holdWhileSaving(job);
    try {
      await this.#saveAnswer(job, sent);
    } finally {
      saved();
    }
  }

  #dispatched({ job, payload: { body, secrets }, waitMs }: Ready, onLeaving: () => void): Promise<Sent<JobRecord>> {
    return this.#context.dispatch.send({
      to: job,
      operation: job.operation,
      jobKey: job.key,
      call(api, signal) {
        onLeaving();
        return job.operation === 'run'
          ? api.run(job.endpointId, body, { signal, secrets })
          : api.runsync(job.endpointId, body, waitMs, { signal, secrets });
      },
      describe: ({ status }) => status,
    });
  }

  /** Saves how a submission without an accepting answer ended, again and again until it is durable. */
  async #saveEnd(job: Job, end: JobEvent): Promise<void> {
    const atMs = this.#context.clock.now();
    await this.#context.durableWrites.untilDone(() => this.#context.ledger.change(job.key, [end], atMs));
  }

  /** Saves what the service answered to a submission. */
  async #saveAnswer(job: Job, { result, exchange }: Reply<JobRecord>): Promise<void> {
    const polling = this.#context.pollingStates.of(job);
    // Closing: the journal says `submitting`, and the next start reads it as unknown.
    const isCalledOff = !result.ok && result.failure.kind === 'cancelled';
    if (isCalledOff && result.failure.mayHaveArrived) return;
    const outcome: JobEvent = isCalledOff
      ? { kind: 'held-back', reason: { kind: 'closing' } }
      : submissionOutcome(result);
    // 429 holds the whole lane already. Anything else delays only this job.
    if (outcome.kind === 'held-back' && !result.ok && result.failure.kind !== 'rate-limited')
      this.#context.pollingStates.backOff(polling, result.failure.retryAfterMs);
    else polling.failures = 0;
    if (outcome.kind !== 'accepted') return await this.#saveEnd(job, outcome);
    const after = await this.#accept(job, outcome, exchange.atMs);
    if (after !== null) this.#context.events.emit('accepted', { job: after, requestedAtMs: exchange.atMs });
    if (after === null || !isSettling(after)) return;
    const end = this.#parts.streams.schedule.endWithoutDrain(after, outcome.record);
    if (end.length > 0) await this.#context.ledger.change(job.key, end);
  }

  /**
   * The service accepted it. If the user tracked the job by its id while its submission was still without an answer,
   * the tracked one gets the submission: there is one job and one reader of its stream (ruling 42). An id that is
   * tracked meanwhile waits until this is on disk. Returns the job, or null if it became part of the tracked one.
   */
  async #accept(job: Job, accepted: JobEvent & { kind: 'accepted' }, requestedAtMs: number): Promise<Job | null> {
    const { clock, ledger, durableWrites, pollingStates } = this.#context;
    const { oneJobPerId, onRemoved } = this.#parts;
    const { record } = accepted;
    const atMs = clock.now();
    const serviceJob = { ...job, jobId: record.id };
    return await oneJobPerId.inTurn(serviceJob, async () => {
      const key = oneJobPerId.followedAs(serviceJob);
      const adopted = key === null ? null : await durableWrites.untilDone(() => ledger.adopt(key, job.key));
      if (adopted === null) return await durableWrites.untilDone(() => ledger.change(job.key, [accepted], atMs));
      onRemoved(adopted.removed);
      pollingStates.forget(job.key);
      // The answer to runsync may be the only one with the result.
      if (isTerminalStatus(record.status) || adopted.job.phase === 'gone')
        await durableWrites.untilDone(() =>
          ledger.change(
            adopted.job.key,
            [{ kind: 'status', record, attempt: adopted.job.attempt, requestedAtMs }],
            atMs,
          ),
        );
      return null;
    });
  }
}

/** A job whose request may leave now: it is on disk as `submitting`. */
interface Ready {
  job: Job;
  payload: RequestPayload;
  waitMs: number | null;
}

function asServiceFailure(failure: Failure): { kind: 'invalid'; message: string; mayHaveArrived: false } {
  return { kind: 'invalid', message: failure.message, mayHaveArrived: false };
}

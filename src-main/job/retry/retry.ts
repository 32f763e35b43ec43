import type { JobReason } from '../../../src-preload/job-reason.ts';
import { z } from 'zod';
import { failed, ok, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { allowedActions } from '../../../src-preload/job-actions.ts';
import { openCollection, type Collection, type DocumentKind } from '../../history/collection.ts';
import { backoffMs } from '../../../src-preload/backoff.ts';
import type { JobRecord } from '../../service/reply.ts';
import { nowWithoutSetting, type Timer } from '../../time/clock.ts';
import { absent } from '../store/ledger.ts';
import type { StatusReads } from '../polling/status-reads.ts';
import { retryStateOf } from '../reducer/record.ts';
import { isSettling } from '../reducer/job-event.ts';
import { lateArrivalMs, noEvidence, weighRead, type RetryRead, type RetryVerdict } from './retry-evidence.ts';
import { RetryQueue, type RetrySent } from './retry-queue.ts';
import type { JobContext } from '../context/job-context.ts';
import { retryText } from '../../messages/job.ts';

/** How often the job's status is read before the caller is answered that the outcome is not known: about 15 seconds. */
const retryReads = 6;
/** If a job's state could not be read before its retry leaves, it is read again after this time. */
const readAgainMs = 5_000;
/** How long after an accepted retry the service may still return the record of the run before it. */
const outdatedForMs = 5_000;
type RetryIntent = Pick<Job, 'key' | 'attempt'>;
/** The documents of intents, one for each retried attempt. */
const intentKind: DocumentKind<RetryIntent, RetryIntent> = {
  kind: 'retry-intent',
  schema: z.object({ key: z.string(), attempt: z.number() }),
  id: ({ key, attempt }) => `${key} ${attempt}`,
};

/** A read that showed nothing, and how long the service asks to wait (ruling 10). `over`: there will be no other. */
type NoRead = { kind: 'nothing'; retryAfterMs: number } | { kind: 'over' };

/** What the job's own state shows about a retry, if it is known. */
type Finding = RetryVerdict | { kind: 'unknown'; retryAfterMs?: number };

/**
 * Retries that the user requested (spec: Queue operations, retry).
 *
 * A retry is journalled before its request leaves, like a submission. If no answer was recorded, the job is read until
 * its own state shows whether the retry was accepted. It is never repeated automatically (ruling 9). A retry that was
 * certainly not accepted waits, marked on the job, until it can be sent; the mark is removed before the journal lets it
 * out.
 */
export class Retries {
  readonly #context: JobContext;
  readonly #statusReads: StatusReads;
  readonly #intents: Collection<RetryIntent, RetryIntent>;
  readonly #pauses = new Map<Timer, () => void>();
  /** Keys of jobs whose retry is on its way, or whose outcome is being determined. */
  readonly #inProgress = new Set<string>();
  /** First tries that are on their way, by key; what could not be sent is held then, unless it was withdrawn. */
  readonly #firstTries = new Map<string, { isWanted: boolean; sent: Promise<RetrySent> }>();
  /** Keys of jobs whose retry got no answer. They are read until they show whether it was accepted. */
  readonly #settling = new Set<string>();
  #isClosed = false;
  readonly #queue: RetryQueue;

  constructor(context: JobContext, statusReads: StatusReads) {
    this.#context = context;
    this.#statusReads = statusReads;
    this.#intents = openCollection(context.history, intentKind);
    this.#queue = new RetryQueue(context, (job, isWanted) => this.#sendHeld(job, isWanted));
  }

  /**
   * Opens a new attempt; the old one stays (ruling 12). Resolves when the service has answered. If the service is out
   * of reach or the rate limit is used up, or others of the endpoint wait already, it returns the job, whose retry then
   * waits.
   */
  async retry(key: string): Promise<Result<Job>> {
    const job = await this.#context.ledger.find(key);
    if (job === null) return failed(absent);
    const nowMs = nowWithoutSetting(this.#context.clock, job.finishedSeenAtMs ?? Infinity);
    const { isAllowed, reason } = allowedActions(job, nowMs).retry;
    if (!isAllowed || job.jobId === null) return failed({ kind: 'refused', message: reason || retryText.noId });
    if (isSettling(job))
      return failed({
        kind: 'refused',
        message: job.pendingStream === undefined ? retryText.outputLeft : retryText.streamLeft,
      });
    if (this.#inProgress.has(key) || this.#firstTries.has(key))
      return failed({ kind: 'refused', message: retryText.inProgress });
    // If the job's connection is gone or points elsewhere, the part with the key refuses it with a better reason.
    if (
      this.#context.whyNotFollowed(job) === null &&
      (this.#queue.holdsMore(job) ||
        ['offline', 'refused'].includes(this.#context.reachability.access(job.connectionId).kind))
    )
      return await this.#hold(job, 0);
    const first = { isWanted: true, sent: this.#send(job) };
    this.#firstTries.set(key, first);
    try {
      const sent = await first.sent;
      if (sent.kind === 'over') return sent.answer;
      if (!first.isWanted) return await this.#over(job, ok((await this.#context.ledger.find(key)) ?? job));
      return await this.#hold(job, sent.notBeforeMs, async () => {
        await this.#over(job, null);
      });
    } finally {
      this.#firstTries.delete(key);
    }
  }

  /**
   * Withdraws a retry that waits or is being tried; see RetryQueue. Null if the job has none, or if it left meanwhile.
   */
  async withdraw(key: string): Promise<Job | null> {
    const first = this.#firstTries.get(key);
    // Before anything is waited for: a try that fails meanwhile must not be held.
    if (first !== undefined) first.isWanted = false;
    const waiting = await this.#queue.withdraw(key);
    if (waiting !== null || first === undefined) return waiting;
    const sent = await first.sent.catch(() => null);
    return sent?.kind === 'held' ? await this.#context.ledger.find(key) : null;
  }

  /** A retry of this job is on its way, or its outcome is being determined. */
  isInProgress(key: string): boolean {
    return this.#inProgress.has(key) || this.#settling.has(key);
  }

  /** A change may allow one to be sent. */
  wake(): void {
    this.#queue.wake();
  }

  /** Drops every wait and tries immediately. */
  tryNow(): void {
    this.#queue.tryNow();
  }

  /**
   * Determines the outcome of retries that an earlier run sent without recording an answer, and resumes those that
   * waited.
   */
  async start(): Promise<void> {
    const mayHaveLeft = new Set<string>();
    for (const { id, value: intent } of await this.#intents.all()) {
      const job = intent === null ? null : await this.#context.ledger.find(intent.key);
      if (job !== null) mayHaveLeft.add(job.key);
      const isOpen = job !== null && job.phase === 'finished' && job.attempt === intent?.attempt;
      if (isOpen) this.#readUntilSettled(job, endedWhileSending);
      else await this.#intents.remove(id);
    }
    await this.#queue.start(mayHaveLeft);
  }

  /** Stops reading and sending. What is open is resumed at the next start. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    for (const [timer, resolve] of this.#pauses) {
      timer.cancel();
      resolve();
    }
    this.#pauses.clear();
  }

  /** Sends a waiting retry, if it is still wanted at the last moment. */
  async #sendHeld(job: Job, isWanted: () => boolean): Promise<RetrySent> {
    // A retry without an answer turned out to be accepted meanwhile.
    if ((await this.#context.ledger.find(job.key))?.retryRequestedAtMs === undefined)
      return { kind: 'over', answer: ok(job) };
    const finding = await this.#standingNow(job);
    if (finding.kind === 'retried') {
      await this.#openedBy(job, finding.record);
      return { kind: 'over', answer: ok(job) };
    }
    if (finding.kind === 'unknown' || !isWanted())
      return { kind: 'held', notBeforeMs: this.#context.clock.now() + readAgainMs, isForAll: false };
    const sent = await this.#send(job);
    if (sent.kind === 'over') return sent;
    // Without the mark nothing of it would be left.
    await this.#context.durableWrites.untilDone(() =>
      this.#context.ledger.change(job.key, [{ kind: 'retry-requested' }]),
    );
    return await this.#over(job, sent);
  }

  /** `beforeSent`: what must be done before it can leave again. */
  async #hold(job: Job, notBeforeMs: number, beforeSent?: () => Promise<void>): Promise<Result<Job>> {
    const held = await this.#queue.hold(job, notBeforeMs, beforeSent);
    return held === null ? failed(absent) : ok(held);
  }

  /** Another client may have retried it while it waited. Then that attempt is tracked, and it is not retried again. */
  async #standingNow(job: Job): Promise<Finding> {
    const sent = await this.#statusReads.readStatus(job);
    if (sent.kind !== 'answered') return { kind: 'unknown' };
    // The answer to the retry says best that it is gone.
    if (!sent.result.ok) return { kind: sent.result.failure.kind === 'not-found' ? 'as-before' : 'unknown' };
    const record = sent.result.value;
    const kind = retryStateOf(job, record);
    return kind === 'retried' ? { kind, record } : { kind: kind === 'strange' ? 'unknown' : kind };
  }

  /**
   * Sends the request with its intent journalled. If the result is `held`, the intent stays until the job is marked
   * again.
   */
  async #send(job: Job): Promise<RetrySent> {
    this.#inProgress.add(job.key);
    try {
      return await this.#sendOnce(job);
    } finally {
      this.#inProgress.delete(job.key);
    }
  }

  async #sendOnce(job: Job): Promise<RetrySent> {
    await this.#intents.put(job, { key: job.key, attempt: job.attempt });
    await this.#context.ledger.change(job.key, [{ kind: 'retry-dropped', reason: null }]);
    const sent = await this.#context.dispatch.send({
      to: job,
      operation: 'retry',
      jobKey: job.key,
      isUnplanned: true,
      call: (api, signal) => api.retry(job.endpointId, job.jobId ?? '', { signal }),
      describe: ({ status }) => status,
    });
    if (sent.kind === 'no-room')
      return {
        kind: 'held',
        notBeforeMs: sent.nextAtMs ?? this.#context.clock.now() + backoffMs(0, this.#context.random),
        isForAll: true,
      };
    if (sent.kind === 'closing') return { kind: 'held', notBeforeMs: 0, isForAll: true };
    if (sent.kind === 'blocked') return { kind: 'over', answer: await this.#over(job, failed(sent.failure)) };
    if (sent.result.ok) {
      const opened = await this.#openedBy(job, sent.result.value);
      if (opened.ok) this.#context.events.emit('accepted', { job: opened.value, requestedAtMs: sent.exchange.atMs });
      return { kind: 'over', answer: await this.#over(job, opened) };
    }
    const { failure } = sent.result;
    // Cancelled while in progress, because Jobdeck is closing. The next start finds the intent.
    if (failure.kind === 'cancelled' && failure.mayHaveArrived) return { kind: 'over', answer: failed(failure) };
    if (isHeld(failure))
      return {
        kind: 'held',
        notBeforeMs:
          this.#context.clock.now() + Math.max(failure.retryAfterMs ?? 0, backoffMs(0, this.#context.random)),
        isForAll: true,
      };
    return {
      kind: 'over',
      answer: mayBeAccepted(failure) ? await this.#findOut(job, failure) : await this.#over(job, failed(failure)),
    };
  }

  /** Ends the intent. If the disk refuses, the next start finds that it is over. */
  async #over<T>(job: Job, answer: T): Promise<T> {
    await this.#intents.remove(job).catch(this.#context.onTrouble);
    return answer;
  }

  async #findOut(job: Job, failure: ServiceFailure): Promise<Result<Job>> {
    const found = await this.#wasAccepted(job, { maxReads: retryReads });
    if (found.kind === 'retried') return await this.#over(job, await this.#openedBy(job, found.record));
    if (found.kind === 'as-before' && failure.kind === 'invalid') return await this.#over(job, failed(failure));
    // The caller no longer waits, but the question is still open.
    if (!this.#isClosed) this.#readUntilSettled(job, null, 'retryAfterMs' in found ? found.retryAfterMs : 0);
    return failed(failure);
  }

  /**
   * `reasonIfNot`: what the job shows if it was not accepted. Null if the caller was informed. The first read is
   * `afterMs` from now.
   */
  #readUntilSettled(job: Job, reasonIfNot: JobReason | null, afterMs = 0): void {
    this.#settling.add(job.key);
    this.#settle(job, reasonIfNot, afterMs)
      .catch(this.#context.onTrouble)
      .finally(() => this.#settling.delete(job.key));
  }

  async #settle(job: Job, reasonIfNot: JobReason | null, afterMs: number): Promise<void> {
    const surelyAtMs = this.#context.clock.now() + lateArrivalMs;
    const found = await this.#wasAccepted(job, { maxReads: Infinity, surelyAtMs, afterMs });
    if (found.kind === 'unknown') return;
    if (found.kind === 'retried') await this.#openedBy(job, found.record);
    this.#context.log.info(
      found.kind === 'retried'
        ? 'The service accepted a retry that got no answer'
        : 'A retry of which no answer came was rejected',
      { jobKey: job.key, jobId: job.jobId },
    );
    // The intent belongs to a later try of the user, which ends it.
    if (this.#inProgress.has(job.key)) return;
    const isRequestedAgain = (await this.#context.ledger.find(job.key))?.retryRequestedAtMs !== undefined;
    if (found.kind === 'as-before' && reasonIfNot !== null && !isRequestedAgain)
      await this.#context.ledger.change(job.key, [{ kind: 'retry-dropped', reason: reasonIfNot }]);
    await this.#over(job, null);
  }

  /**
   * If no answer shows whether a retry was accepted, the job's own state does, when it can be read. An unchanged state
   * counts from `surelyAtMs` on. The first read is `afterMs` from now, and no read is sooner than the service asks
   * (ruling 10). If the reads are limited, a user is waiting: then a service that asks for a wait ends them.
   */
  async #wasAccepted(
    job: Job,
    { maxReads, surelyAtMs = 0, afterMs = 0 }: { maxReads: number; surelyAtMs?: number; afterMs?: number },
  ): Promise<Finding> {
    let evidence = noEvidence;
    let waitMs = afterMs;
    for (let afterRead = 0; afterRead < maxReads; afterRead += 1) {
      if (waitMs > 0) await this.#pause(waitMs);
      waitMs = backoffMs(afterRead + 1, this.#context.random);
      // A later try of the user has determined it meanwhile.
      const hasWaited = afterRead > 0 || afterMs > 0;
      if (hasWaited && (await this.#context.ledger.find(job.key))?.attempt !== job.attempt)
        return { kind: 'as-before' };
      if (this.#isClosed) return { kind: 'unknown' };
      if (this.#context.pausing.isPaused) continue;
      const read = await this.#readOnce(job);
      if (read.kind === 'over') return { kind: 'unknown' };
      if (read.kind === 'nothing') {
        const { retryAfterMs } = read;
        if (retryAfterMs > 0 && maxReads !== Infinity) return { kind: 'unknown', retryAfterMs };
        waitMs = Math.max(waitMs, retryAfterMs);
        continue;
      }
      const weighed = weighRead(evidence, read, { job, nowMs: this.#context.clock.now(), surelyAtMs });
      if (weighed.verdict !== null) return weighed.verdict;
      evidence = weighed.evidence;
    }
    return { kind: 'unknown' };
  }

  /** Reads the job's status once. */
  async #readOnce(job: Job): Promise<RetryRead | NoRead> {
    const sent = await this.#statusReads.readStatus(job);
    if (sent.kind === 'closing') return { kind: 'over' };
    // It is refused at the moment, and read again as long as there is a connection for it.
    if (sent.kind === 'blocked' && this.#context.whyNotFollowed(job) !== null) return { kind: 'over' };
    if (sent.kind !== 'answered') return { kind: 'nothing', retryAfterMs: 0 };
    if (sent.result.ok) return { kind: 'record', record: sent.result.value };
    const { kind, isJson, retryAfterMs = 0 } = sent.result.failure;
    return kind === 'not-found' && isJson === true ? { kind: 'not-found' } : { kind: 'nothing', retryAfterMs };
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      const timer = this.#context.clock.after(delayMs, () => {
        this.#pauses.delete(timer);
        resolve();
      });
      this.#pauses.set(timer, resolve);
    });
  }

  /** Repeated until it is on disk: the new attempt runs, and would not be tracked. */
  async #openedBy(job: Job, record: JobRecord): Promise<Result<Job>> {
    const atMs = this.#context.clock.now();
    const after = await this.#context.durableWrites.untilDone(() =>
      this.#context.ledger.change(job.key, [{ kind: 'retry-accepted', ofAttempt: job.attempt, record }], atMs),
    );
    if (after === null) return failed(absent);
    const polling = this.#context.pollingStates.of(after);
    polling.isStatusReadWanted = true;
    polling.formerRun = { job, untilMs: atMs + outdatedForMs };
    return ok(after);
  }
}

/** Certainly not accepted, because it could not be sent. As with a submission, it is tried again (rulings 9, 10). */
function isHeld({ kind, mayHaveArrived }: ServiceFailure): boolean {
  return (
    kind === 'rate-limited' || (!mayHaveArrived && (kind === 'network' || kind === 'timeout' || kind === 'cancelled'))
  );
}

/**
 * Whether the service may have accepted it: there was no answer, an error of the service or an unreadable reply, or a
 * 400, which an earlier try that was accepted would cause.
 */
function mayBeAccepted({ kind, httpStatus, mayHaveArrived }: ServiceFailure): boolean {
  return (
    mayHaveArrived && (httpStatus === undefined || kind === 'server' || kind === 'malformed' || kind === 'invalid')
  );
}

const endedWhileSending: JobReason = { kind: 'not-retried', said: retryText.closedWhileSending };

import type { JobReason } from '../../../src-preload/job-reason.ts';
import { z } from 'zod';
import { failed, ok, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import { allowedActions, isTerminalStatus, type Job } from '../../../src-preload/job.ts';
import { openCollection, type Collection, type DocumentKind } from '../../history/collection.ts';
import { backoffMs } from '../../service/rate-governor.ts';
import type { JobRecord } from '../../service/reply.ts';
import type { Timer } from '../../time/clock.ts';
import { absent } from '../store/ledger.ts';
import type { StatusReads } from '../polling/status-reads.ts';
import { isSettling } from '../reducer/job-event.ts';
import { RetryQueue, type RetrySent } from './retry-queue.ts';
import type { JobContext } from '../context/job-context.ts';

/** How often the job's status is read before the caller learns that nothing is known: some 15 seconds. */
const retryReads = 6;
/** A job whose state could not be read before its retry leaves is read again after this time. */
const readAgainMs = 5_000;
/**
 * A retry that was given up on can still be on its way: its job is read for so long before it counts as not taken.
 */
const lateArrivalMs = 60_000;
type RetryIntent = Pick<Job, 'key' | 'attempt'>;
/** Where intents lie, one for each attempt that was retried. */
const intentKind: DocumentKind<RetryIntent, RetryIntent> = {
  kind: 'retry-intent',
  schema: z.object({ key: z.string(), attempt: z.number() }),
  id: ({ key, attempt }) => `${key} ${attempt}`,
};

/** What the job's own state says about a retry: the service took it, it did not, or that cannot be known yet. */
type Finding = { kind: 'retried'; record: JobRecord } | { kind: 'as-before' } | { kind: 'unknown' };

/**
 * Retries that the user asked for (spec: Queue operations, retry).
 *
 * A retry is journalled before its one request leaves, like a submission: should no answer be written down, the job is
 * read until its own state tells whether the retry was taken. It is never sent again automatically (ruling 9). One that
 * was certainly not taken waits, marked on the job, until it can be sent; the mark is off before the journal lets it
 * out.
 */
export class Retries {
  readonly #context: JobContext;
  readonly #statusReads: StatusReads;
  readonly #intents: Collection<RetryIntent, RetryIntent>;
  readonly #pauses = new Map<Timer, () => void>();
  /** Keys of jobs whose retry is on its way, or just being found out about. */
  readonly #underWay = new Set<string>();
  /** Keys of jobs whose retry got no answer: they are read until they show whether it was taken. */
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
   * A new attempt; the old one stays (ruling 12). Answers when the service did, or, where the service is out of reach
   * or the rate limit used up, the job whose retry waits to be sent.
   */
  async retry(key: string): Promise<Result<Job>> {
    const job = await this.#context.ledger.find(key);
    if (job === null) return failed(absent);
    const { isAllowed, reason } = allowedActions(job, this.#context.clock.now()).retry;
    if (!isAllowed || job.jobId === null)
      return failed({ kind: 'refused', message: reason || 'Without an id from the service it cannot be retried' });
    if (isSettling(job))
      return failed({ kind: 'refused', message: job.pendingStream === undefined ? stillRead : stillFetched });
    if (this.#underWay.has(key)) return failed({ kind: 'refused', message: 'A retry is already being sent' });
    // A job whose connection is gone or points elsewhere is refused by the part that holds the key, which gives the
    // better reason.
    if (
      this.#context.whyNotFollowed(job) === null &&
      ['offline', 'refused'].includes(this.#context.reachability.gateway(job.connectionId).kind)
    )
      return await this.#hold(job, 0);
    const sent = await this.#send(job);
    if (sent.kind === 'over') return sent.answer;
    return await this.#hold(job, sent.notBeforeMs, async () => {
      await this.#over(job, null);
    });
  }

  /** Takes back a retry that waits to be sent; see RetryQueue. Null where the job has none. */
  withdraw(key: string): Promise<Job | null> {
    return this.#queue.withdraw(key);
  }

  /** A retry of this job is on its way, or is just being found out about. */
  isUnderWay(key: string): boolean {
    return this.#underWay.has(key) || this.#settling.has(key);
  }

  /** Something changed that may let one out. */
  wake(): void {
    this.#queue.wake();
  }

  /** Forgets every wait and tries at once. */
  tryNow(): void {
    this.#queue.tryNow();
  }

  /**
   * Finds out what became of retries that a former run sent without recording an answer, and resumes those that
   * waited.
   */
  async start(): Promise<void> {
    const mayHaveLeft = new Set<string>();
    for (const { id, value: intent } of await this.#intents.all()) {
      const job = intent === null ? null : await this.#context.ledger.find(intent.key);
      if (job !== null) mayHaveLeft.add(job.key);
      const isOpen = job !== null && job.phase === 'finished' && job.attempt === intent?.attempt;
      if (isOpen) this.#keepAsking(job, endedWhileSending);
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

  /** Sends one that waited, if it is still to be sent at the last moment. */
  async #sendHeld(job: Job, isWanted: () => boolean): Promise<RetrySent> {
    // One of which no answer came was found to be taken meanwhile.
    if ((await this.#context.ledger.find(job.key))?.retryAskedAtMs === undefined)
      return { kind: 'over', answer: ok(job) };
    const finding = await this.#standingNow(job);
    if (finding.kind === 'retried') {
      await this.#openedBy(job, finding.record);
      return { kind: 'over', answer: ok(job) };
    }
    if (finding.kind === 'unknown' || !isWanted())
      return { kind: 'held', notBeforeMs: this.#context.clock.now() + readAgainMs };
    const sent = await this.#send(job);
    if (sent.kind === 'over') return sent;
    await this.#context.ledger.change(job.key, [{ kind: 'retry-asked' }]);
    return await this.#over(job, sent);
  }

  /** `beforeSent`: what has to be done before it can leave again. */
  async #hold(job: Job, notBeforeMs: number, beforeSent?: () => Promise<void>): Promise<Result<Job>> {
    const held = await this.#queue.hold(job, notBeforeMs, beforeSent);
    return held === null ? failed(absent) : ok(held);
  }

  /** Someone else may have retried it while it waited: then it is followed, and not retried again. */
  async #standingNow(job: Job): Promise<Finding> {
    const sent = await this.#statusReads.readStatus(job);
    if (sent.kind !== 'answered') return { kind: 'unknown' };
    // That it is gone is said best by the answer to the retry.
    if (!sent.result.ok) return { kind: sent.result.failure.kind === 'not-found' ? 'as-before' : 'unknown' };
    const record = sent.result.value;
    const kind = standingOf(job, record);
    return kind === 'retried' ? { kind, record } : { kind: kind === 'strange' ? 'unknown' : kind };
  }

  /** The one request, with its intent journalled. Where it is `held` the intent stays until the job is marked again. */
  async #send(job: Job): Promise<RetrySent> {
    this.#underWay.add(job.key);
    try {
      return await this.#sendOnce(job);
    } finally {
      this.#underWay.delete(job.key);
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
      };
    if (sent.kind === 'closing') return { kind: 'held', notBeforeMs: 0 };
    if (sent.kind === 'blocked') return { kind: 'over', answer: await this.#over(job, failed(sent.failure)) };
    if (sent.result.ok)
      return { kind: 'over', answer: await this.#over(job, await this.#openedBy(job, sent.result.value)) };
    const { failure } = sent.result;
    // Cancelled while it was in progress, because Jobdeck closes: the next start finds the intent.
    if (failure.kind === 'cancelled' && failure.mayHaveArrived) return { kind: 'over', answer: failed(failure) };
    if (isHeld(failure))
      return {
        kind: 'held',
        notBeforeMs:
          this.#context.clock.now() + Math.max(failure.retryAfterMs ?? 0, backoffMs(0, this.#context.random)),
      };
    return {
      kind: 'over',
      answer: mayBeTaken(failure) ? await this.#findOut(job, failure) : await this.#over(job, failed(failure)),
    };
  }

  /** The intent has its end. One that stays for want of a disk is found to be over at the next start. */
  async #over<T>(job: Job, answer: T): Promise<T> {
    await this.#intents.remove(job).catch(this.#context.onTrouble);
    return answer;
  }

  async #findOut(job: Job, failure: ServiceFailure): Promise<Result<Job>> {
    const found = await this.#wasTaken(job, retryReads);
    if (found.kind === 'retried') return await this.#over(job, await this.#openedBy(job, found.record));
    if (found.kind === 'as-before' && failure.kind === 'invalid') return await this.#over(job, failed(failure));
    // The caller waits no longer; the question stays open.
    if (!this.#isClosed) this.#keepAsking(job, null);
    return failed(failure);
  }

  /** `reasonIfNot`: what the job shows if it was not taken; null where the caller was informed. */
  #keepAsking(job: Job, reasonIfNot: JobReason | null): void {
    this.#settling.add(job.key);
    this.#settle(job, reasonIfNot)
      .catch(this.#context.onTrouble)
      .finally(() => this.#settling.delete(job.key));
  }

  async #settle(job: Job, reasonIfNot: JobReason | null): Promise<void> {
    const found = await this.#wasTaken(job, Infinity, this.#context.clock.now() + lateArrivalMs);
    if (found.kind === 'unknown') return;
    if (found.kind === 'retried') await this.#openedBy(job, found.record);
    this.#context.log.info(
      found.kind === 'retried'
        ? 'The service accepted a retry that got no answer'
        : 'A retry of which no answer came was rejected',
      { jobKey: job.key, jobId: job.jobId },
    );
    // The intent is of a later try of the user's, which ends it.
    if (this.#underWay.has(job.key)) return;
    const isAskedAgain = (await this.#context.ledger.find(job.key))?.retryAskedAtMs !== undefined;
    if (found.kind === 'as-before' && reasonIfNot !== null && !isAskedAgain)
      await this.#context.ledger.change(job.key, [{ kind: 'retry-dropped', reason: reasonIfNot }]);
    await this.#over(job, null);
  }

  /**
   * No answer tells whether a retry was taken: the job's own state does, as soon as it can be read. That it stands as
   * before counts from `surelyAtMs` on.
   */
  async #wasTaken(job: Job, mostReads: number, surelyAtMs = 0): Promise<Finding> {
    let strangeReads = 0;
    let notFoundTimes = 0;
    let notFoundSinceMs = 0;
    for (let afterRead = 0; afterRead < mostReads; afterRead += 1) {
      if (afterRead > 0) await this.#pause(backoffMs(afterRead, this.#context.random));
      // A later try of the user's found it out meanwhile.
      if (afterRead > 0 && (await this.#context.ledger.find(job.key))?.attempt !== job.attempt)
        return { kind: 'as-before' };
      if (this.#isClosed) return { kind: 'unknown' };
      if (this.#context.pausing.isPaused) continue;
      const sent = await this.#statusReads.readStatus(job);
      if (sent.kind === 'closing') return { kind: 'unknown' };
      // Refused at the moment; it is asked again as long as there is somebody to ask as.
      if (sent.kind === 'blocked' && this.#context.whyNotFollowed(job) !== null) return { kind: 'unknown' };
      if (sent.kind !== 'answered') continue;
      if (!sent.result.ok) {
        const { kind, isJson } = sent.result.failure;
        if (kind !== 'not-found' || isJson !== true) continue;
        if (notFoundTimes === 0) notFoundSinceMs = this.#context.clock.now();
        notFoundTimes += 1;
        // As with any job, it has to say so more than once (ruling 34).
        if (notFoundTimes >= 3 && this.#context.clock.now() - notFoundSinceMs >= lateArrivalMs)
          return { kind: 'as-before' };
        continue;
      }
      const record = sent.result.value;
      const standing = standingOf(job, record);
      if (standing === 'as-before' && this.#context.clock.now() >= surelyAtMs) return { kind: 'as-before' };
      if (standing === 'retried') return { kind: 'retried', record };
      strangeReads = standing === 'strange' ? strangeReads + 1 : 0;
      // A service with words of its own for what is in progress (ruling 8).
      if (strangeReads >= retryReads) return { kind: 'retried', record };
    }
    return { kind: 'unknown' };
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

  async #openedBy(job: Job, record: JobRecord): Promise<Result<Job>> {
    const after = await this.#context.ledger.change(job.key, [
      { kind: 'retry-accepted', ofAttempt: job.attempt, record },
    ]);
    if (after === null) return failed(absent);
    this.#context.pollingStates.of(after).isStatusReadWanted = true;
    return ok(after);
  }
}

/** Certainly not taken, for want of a way or of room: as with a submission it is tried again (rulings 9, 10). */
function isHeld({ kind, mayHaveArrived }: ServiceFailure): boolean {
  return (
    kind === 'rate-limited' || (!mayHaveArrived && (kind === 'network' || kind === 'timeout' || kind === 'cancelled'))
  );
}

/** Refused as well: perhaps because an earlier try was taken, of which no answer came. */
function mayBeTaken({ kind, httpStatus, mayHaveArrived }: ServiceFailure): boolean {
  return (
    mayHaveArrived && (httpStatus === undefined || kind === 'server' || kind === 'malformed' || kind === 'invalid')
  );
}

/**
 * What a record says about a finished job that was perhaps retried. `strange`: nothing, its status is a word that the
 * specification does not have.
 */
function standingOf(job: Job, record: JobRecord): 'as-before' | 'retried' | 'strange' {
  if (record.status === 'IN_QUEUE' || record.status === 'IN_PROGRESS') return 'retried';
  // A status we do not know, but the run time equals the saved run's.
  const isSavedRun =
    record.executionTimeMs !== null && record.executionTimeMs > 0 && record.executionTimeMs === job.executionTimeMs;
  if (!isTerminalStatus(record.status)) return isSavedRun ? 'as-before' : 'strange';
  // It may be over again already; two runs hardly take the same times.
  const isOtherRun =
    record.status !== job.status ||
    differs(record.delayTimeMs, job.delayTimeMs) ||
    differs(record.executionTimeMs, job.executionTimeMs);
  return isOtherRun ? 'retried' : 'as-before';
}

function differs(ms: number | null, savedMs: number | null): boolean {
  return ms !== null && savedMs !== null && ms !== savedMs;
}

const stillRead = 'The rest of its output is still being fetched; try again in a moment';
const stillFetched =
  'The rest of its stream is still being fetched, and a retry would delete it on the service. ' +
  'Stop waiting for ' +
  'it first.';
const endedWhileSending: JobReason = {
  kind: 'not-retried',
  said: 'Jobdeck closed while sending the retry, and nothing shows that the service accepted it.',
};

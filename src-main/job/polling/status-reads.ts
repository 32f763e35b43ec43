import { failed, ok, type Failure, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import type { Health } from '../../../src-preload/health.ts';
import { isTerminalStatus, type Job } from '../../../src-preload/job.ts';
import type { HealthRecord, JobRecord } from '../../service/reply.ts';
import { deadlineMarginMs, maxReadMs, readByMs, readTimeoutMs, retryByMs } from '../schedule/read-deadlines.ts';
import type { JobDeadlines } from '../schedule/read-deadlines.ts';
import type { DispatchRequest, Sent } from '../context/dispatch.ts';
import type { JobPollingState, EndpointPollingState } from '../context/polling-state.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import { endSeen, healthRequested, healthFailed, healthRead } from '../schedule/counted-ends.ts';
import { isLongOver } from '../reducer/ending.ts';
import { retryStateOf } from '../reducer/record.ts';
import type { JobEvent } from '../reducer/job-event.ts';
import type { JobContext } from '../context/job-context.ts';
import type { StreamReader } from '../stream/stream-reader.ts';
import { nothingSentText, requestNoteText } from '../../messages/job.ts';

/** The possible difference between our clock and the service's times: the duration of a request, and some more. */
const clockDoubtMs = 250;
/** If an endpoint's health answered this recently, the endpoint exists. */
const knownForMs = 10_000;
/** A purge without an answer may still arrive for this long. */
const purgeDoubtMs = 10_000;
/** How often a job is read whose replies are too large. More often if its result expires after a minute. */
const beyondLimitsEveryMs = { run: 60_000, runsync: 10_000 } as const;
/** A read of a result that expires soon is not awaited longer than this before the next one. */
const hurriedTimeoutMs = 5_000;
/** When a 404 is checked again if the endpoint's health could not be read. */
const undecidedMs = 5_000;
/** This many failed reads in a row take about an hour. */
const longFailures = 200;
/** When a job is read again of which the service still returned the record of the run before a retry. */
const outdatedAgainMs = 1_000;

export interface StatusReadsParts {
  forecasts: Forecasts;
  streams: StreamReader;
  /** A health was read. */
  onHealth: (health: Health) => void;
}

/** The reads that show the state of a job. */
export class StatusReads {
  readonly #context: JobContext;
  readonly #parts: StatusReadsParts;

  constructor(context: JobContext, parts: StatusReadsParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Reads an active job's status once and applies the answer. */
  async read(job: Job): Promise<void> {
    const polling = this.#context.pollingStates.of(job);
    // A read requested from now on is about what comes after this one.
    const wasWanted = polling.isStatusReadWanted;
    polling.isStatusReadWanted = false;
    const sent = await this.#requestStatus(job, undefined, {});
    const isAnswered = sent.kind === 'answered' && sent.result.ok;
    if (!isAnswered && wasWanted) polling.isStatusReadWanted = true;
    if (sent.kind !== 'answered') return;
    const { result, exchange } = sent;
    const endpoint = this.#context.endpointStates.of(job);
    if (result.ok || result.failure.httpStatus !== undefined) endpoint.answeredAtMs = this.#context.clock.now();
    if (!result.ok) return await this.#failedRead(job, result.failure, exchange.atMs);
    if (isOfFormerRun(polling, result.value, exchange.atMs)) {
      polling.isStatusReadWanted = true;
      polling.notBeforeMs = this.#context.clock.now() + outdatedAgainMs;
      return;
    }
    polling.notBeforeMs = 0;
    if (isSpared(polling, result.value.status, exchange.atMs)) polling.wasPurgedHere = false;
    const events: JobEvent[] = [
      { kind: 'status', record: result.value, attempt: job.attempt, requestedAtMs: exchange.atMs },
    ];
    this.#parts.forecasts.replied(job, endpoint, result.value, exchange.atMs);
    const isEnd = isTerminalStatus(result.value.status);
    if (isEnd) {
      endpoint.countedEnds = endSeen(
        endpoint.countedEnds,
        result.value.status,
        lastUnfinishedAtMs(job, result.value, this.#context.clock.now()),
        polling.hasWebhookHint,
      );
      polling.cancelAtMs = null;
      events.push(...this.#parts.streams.schedule.endWithoutDrain(job, result.value));
    }
    try {
      if (isEnd) await this.#saveEnd(job, result.value, events);
      else await this.#context.ledger.change(job.key, events);
    } catch (error) {
      this.#backOff(job, {});
      throw error;
    }
    polling.failures = 0;
  }

  /** Holds the end of a job until it is saved: the service deletes a result while a disk may refuse for longer. */
  async #saveEnd(job: Job, { raw, outputJson }: JobRecord, events: readonly JobEvent[]): Promise<void> {
    const polling = this.#context.pollingStates.of(job);
    const atMs = this.#context.clock.now();
    polling.isEndUnsaved = true;
    // Its request is over, and no longer counts among those of its endpoint.
    polling.isBusy = false;
    try {
      await this.#context.durableWrites.holdUntilDone(raw.length + (outputJson?.length ?? 0), () =>
        this.#context.ledger.change(job.key, events, atMs),
      );
    } finally {
      polling.isEndUnsaved = false;
    }
  }

  /** Reads an endpoint's health once, for the ends that it counts and for the windows. */
  async readHealth(
    endpoint: EndpointPollingState,
    how: Pick<DispatchRequest<never>, 'isUnplanned'> = {},
  ): Promise<Result<Health>> {
    endpoint.isHealthBusy = true;
    endpoint.countedEnds = healthRequested(endpoint.countedEnds);
    this.#context.events.emit('health-requested', endpoint);
    try {
      const sent = await this.#context.dispatch.send({
        to: endpoint,
        operation: 'health',
        jobKey: null,
        ...how,
        call: (api, signal) => api.health(endpoint.endpointId, { signal }),
        describe: () => '',
      });
      if (sent.kind === 'no-room') return failed(waitForRoom);
      if (sent.kind !== 'answered') return failed(sent.failure);
      if (!sent.result.ok) {
        const { failure } = sent.result;
        if (this.#isHealthsOwn(endpoint, failure))
          endpoint.countedEnds = healthFailed(endpoint.countedEnds, this.#context.clock.now(), failure.retryAfterMs);
        return failed(failure);
      }
      const atMs = this.#context.clock.now();
      endpoint.countedEnds = healthRead(endpoint.countedEnds, sent.result.value, atMs);
      endpoint.knownAtMs = atMs;
      this.#parts.forecasts.healthRead(endpoint, sent.result.value, this.#jobsOf(endpoint));
      this.#context.events.emit('health-read', { endpoint, record: sent.result.value });
      const health = healthOf(endpoint, sent.result.value, atMs);
      this.#parts.onHealth(health);
      return ok(health);
    } finally {
      endpoint.isHealthBusy = false;
    }
  }

  /** A status request of a user. Its answer is not applied. */
  readStatus(job: Job, ttlMs?: number): Promise<Sent<JobRecord>> {
    return this.#requestStatus(job, ttlMs, { isUnplanned: true });
  }

  async #requestStatus(
    job: Job,
    ttlMs: number | undefined,
    how: Pick<DispatchRequest<never>, 'isUnplanned'>,
  ): Promise<Sent<JobRecord>> {
    const leavesAtMs = readByMs(deadlinesOf(job)) + deadlineMarginMs;
    const hurriedMs = readTimeoutMs(leavesAtMs, hurriedTimeoutMs, this.#context.clock.now());
    const maxMs = maxReadMs[job.operation];
    const timeoutMs = maxMs === undefined ? hurriedMs : Math.min(hurriedMs ?? maxMs, maxMs);
    return await this.#context.dispatch.send({
      to: job,
      operation: 'status',
      jobKey: job.key,
      ...how,
      call: (api, signal) =>
        api.status(job.endpointId, job.jobId ?? '', {
          signal,
          isAfterBeyondLimits: job.unreadReply !== undefined,
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          ...(ttlMs === undefined ? {} : { ttlMs }),
        }),
      describe: describeRecord,
    });
  }

  async #failedRead(job: Job, failure: ServiceFailure, requestedAtMs: number): Promise<void> {
    if (isMissing(failure)) return await this.#notFound(job, failure, requestedAtMs);
    switch (failure.kind) {
      // The connection is closed, or the whole lane is held, so there is nothing to learn about this job.
      case 'unauthorized':
      case 'rate-limited':
      case 'cancelled':
        return;
      case 'invalid':
      case 'server':
        if (this.#isLongOver(job)) return await this.#notFound(job, failure, requestedAtMs);
        this.#backOff(job, failure);
        return;
      case 'malformed':
        this.#backOff(job, failure);
        if (failure.isBeyondLimits === true) return await this.#beyondLimits(job, failure);
        if (this.#isLongOver(job)) return await this.#notFound(job, failure, requestedAtMs);
        await this.#context.ledger.change(job.key, [{ kind: 'malformed', failure }]);
        return;
      case 'not-found':
      case 'too-large':
      case 'timeout':
      case 'network':
        this.#backOff(job, failure);
    }
  }

  /**
   * Whether the job's ttl ended long ago, and for about an hour no read was answered with its record. Some services
   * have other ways than a 404 of saying that they do not know a job.
   */
  #isLongOver(job: Job): boolean {
    const { isClockDoubted, setAheadMs } = this.trustInClock(job);
    const { failures } = this.#context.pollingStates.of(job);
    return !isClockDoubted && failures >= longFailures && isLongOver(job, this.#context.clock.now() - setAheadMs);
  }

  /** Read again, but rarely: the next reply may be another one, which is noticed before it is downloaded. */
  async #beyondLimits(job: Job, failure: ServiceFailure): Promise<void> {
    await this.#context.ledger.change(job.key, [
      { kind: 'beyond-limits', attempt: job.attempt, failure, ...this.trustInClock(job) },
    ]);
    this.#context.pollingStates.of(job).notBeforeMs = Math.max(
      this.#context.clock.now(),
      Math.min(this.#context.clock.now() + beyondLimitsEveryMs[job.operation], this.#lastTryMs(job)),
    );
  }

  /** How far the clock shows that a job's time is over. */
  trustInClock({ acceptedAtMs, createdAtMs }: Job): { isClockDoubted: boolean; setAheadMs: number } {
    const { clock, isClockDoubted } = this.#context;
    return { isClockDoubted: isClockDoubted(), setAheadMs: clock.setAheadMs?.(acceptedAtMs ?? createdAtMs) ?? 0 };
  }

  /** A wait that the service requested is kept. A random wait is not kept if the result might expire. */
  #backOff(job: Job, { retryAfterMs }: Pick<ServiceFailure, 'retryAfterMs'>): void {
    const polling = this.#context.pollingStates.of(job);
    this.#context.pollingStates.backOff(polling, retryAfterMs);
    if (retryAfterMs === undefined) polling.notBeforeMs = Math.min(polling.notBeforeMs, this.#lastTryMs(job));
  }

  /** When a status read must be repeated at the latest, because the result may expire. */
  #lastTryMs(job: Job): number {
    return retryByMs(deadlinesOf(job), this.#context.clock.now());
  }

  /** Rulings 11 and 34: the endpoint's health at the same time decides what a 404 can mean. */
  async #notFound(job: Job, failure: ServiceFailure, requestedAtMs: number): Promise<void> {
    const polling = this.#context.pollingStates.of(job);
    const isJson = failure.isJson === true && isMissing(failure);
    if (!isJson) this.#backOff(job, failure);
    const isEndpointKnown = isJson ? await this.#isKnown(this.#context.endpointStates.of(job)) : null;
    const { wasPurgedHere } = polling;
    // After the health was read, whose date may have settled a doubt.
    const trust = this.trustInClock(job);
    const after = await this.#context.ledger.change(job.key, [
      { kind: 'not-found', attempt: job.attempt, requestedAtMs, isJson, isEndpointKnown, wasPurgedHere, ...trust },
    ]);
    if (after?.notKnown === undefined || !isJson) return;
    polling.isStatusReadWanted = true;
    const nowMs = this.#context.clock.now();
    const isDecidedSoon = isEndpointKnown === null && !isToWait(this.#context.endpointStates.of(job), nowMs);
    const againAtMs = isDecidedSoon ? nowMs + undecidedMs : after.notKnown.nextTryMs;
    polling.notBeforeMs = Math.min(againAtMs, this.#lastTryMs(job));
  }

  /**
   * Null: it could not be determined now. Only an answer of the service itself proves that the endpoint exists, not a
   * page (ruling 34).
   */
  async #isKnown(endpoint: EndpointPollingState): Promise<boolean | null> {
    if (endpoint.knownAtMs !== null && this.#context.clock.now() - endpoint.knownAtMs < knownForMs) return true;
    if (endpoint.isHealthBusy || isToWait(endpoint, this.#context.clock.now())) return null;
    const read = await this.readHealth(endpoint);
    if (read.ok) return true;
    const { failure } = read;
    if (!('isJson' in failure) || !failure.isJson) return null;
    return failure.kind === 'not-found' ? false : failure.kind === 'malformed' ? true : null;
  }

  /** Whether only the health failed. If it got no answer, that is known only if status reads were answered since. */
  #isHealthsOwn(endpoint: EndpointPollingState, failure: ServiceFailure): boolean {
    if (failure.httpStatus !== undefined) return failure.kind !== 'rate-limited';
    if (failure.kind !== 'network' && failure.kind !== 'timeout') return false;
    const lostBeforeMs = endpoint.healthLostAtMs ?? -Infinity;
    endpoint.healthLostAtMs = this.#context.clock.now();
    return endpoint.answeredAtMs !== null && endpoint.answeredAtMs > lostBeforeMs;
  }

  *#jobsOf(endpoint: EndpointPollingState): Iterable<Job> {
    for (const { job } of this.#context.ledger.live().values())
      if (this.#context.endpointStates.of(job) === endpoint) yield job;
  }
}

/** Whether the service answered that it does not know the job (ruling 34). */
function isMissing({ httpStatus }: ServiceFailure): boolean {
  return httpStatus === 404 || httpStatus === 410;
}

/** Whether the service asked for a pause before the endpoint's health is read again (ruling 10). */
export function isToWait({ countedEnds }: EndpointPollingState, nowMs: number): boolean {
  return nowMs < countedEnds.notBeforeMs;
}

function deadlinesOf({ operation, ttlEndsAtMs, acceptedAtMs, createdAtMs, statusReadAtMs }: Job): JobDeadlines {
  return { operation, ttlEndsAtMs, acceptedAtMs: acceptedAtMs ?? createdAtMs, statusReadAtMs };
}

/**
 * Whether the purge did not remove the job: a worker took it, or it is still there long after the purge was answered.
 */
function isSpared({ purgeAnsweredAtMs }: JobPollingState, status: string, requestedAtMs: number): boolean {
  if (status === '') return false;
  return status !== 'IN_QUEUE' || (purgeAnsweredAtMs !== null && requestedAtMs > purgeAnsweredAtMs + purgeDoubtMs);
}

/**
 * Whether a record that was requested soon after a retry is that of the run before: a service, or a proxy, may return
 * it for some seconds. It would end the new run here, and the result of that would never be read.
 */
function isOfFormerRun({ formerRun }: JobPollingState, record: JobRecord, requestedAtMs: number): boolean {
  if (formerRun === null || requestedAtMs >= formerRun.untilMs) return false;
  return retryStateOf(formerRun.job, record) === 'as-before';
}

const waitForRoom: Failure = { kind: 'refused', message: nothingSentText.healthOncePerSecond };

function healthOf(endpoint: EndpointPollingState, record: HealthRecord, atMs: number): Health {
  return {
    endpointId: endpoint.endpointId,
    connectionId: endpoint.connectionId,
    atMs,
    jobs: record.jobs,
    workers: record.workers,
    extra: record.extra,
  };
}

/**
 * When an ended job was last known to be unfinished: at the last status read, or by the times in its record if they are
 * plausible.
 */
function lastUnfinishedAtMs(job: Job, record: JobRecord, nowMs: number): number {
  const statusReadAtMs = job.statusReadAtMs ?? job.createdAtMs;
  if (job.attempt > 1 || job.acceptedAtMs === null || record.delayTimeMs === null || record.executionTimeMs === null)
    return statusReadAtMs;
  const endedAtMs = job.acceptedAtMs + record.delayTimeMs + record.executionTimeMs;
  // Times in another unit or from another origin (ruling 3) are hardly ever plausible.
  const isPlausible = endedAtMs >= statusReadAtMs - clockDoubtMs && endedAtMs <= nowMs + clockDoubtMs;
  return isPlausible ? Math.max(statusReadAtMs, endedAtMs - clockDoubtMs) : statusReadAtMs;
}

function describeRecord(record: JobRecord): string {
  return record.executionTimeMs === null
    ? record.status
    : requestNoteText.executed(record.status, record.executionTimeMs);
}

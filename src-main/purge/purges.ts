import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import { failed, ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import type { Job } from '../../src-preload/job.ts';
import {
  maxPurgeNames,
  namesEndpoint,
  type Purge,
  type PurgeAllowance,
  type PurgeLog,
  type PurgeOutcome,
  type PurgePreview,
} from '../../src-preload/purge.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { InFlight } from '../async/queues.ts';
import type { Documents } from '../history/collection.ts';
import type { History } from '../history/history.ts';
import { orStorageFailure, storageFailure } from '../history/storage-failure.ts';
import type { Clock } from '../time/clock.ts';
import { createThrottle, type Throttle } from '../time/timers.ts';
import { purgeAllowance } from './purge-allowance.ts';
import { createPurgeRecords, type PurgeRecord, type PurgeRecords } from './purge-records.ts';
import { purgeText } from '../messages/purge.ts';

export interface PurgesParts {
  history: Documents & Pick<History, 'purgedAmong' | 'sentAgainAmong' | 'latestHealth'>;
  /** What purging needs from the job engine. */
  queue: {
    purgeable: (connectionId: string, endpointId: string) => { queued: Job[]; unsent: number; sending: number };
    send: (
      connectionId: string,
      endpointId: string,
    ) => Promise<
      { kind: 'removed'; removed: number } | { kind: 'unknown'; reason: string } | { kind: 'refused'; failure: Failure }
    >;
    room: (connectionId: string, endpointId: string) => { used: number; lockedUntilMs: number | null };
    note: (connectionId: string, endpointId: string, acceptedUntilMs: number) => void;
  };
  /** Waits if it was just read for another purpose (ruling 20). */
  readHealth: (connectionId: string, endpointId: string) => Promise<Result<Health>>;
  /** The endpoint with the connection's label. Fails with `absent` without a connection. */
  endpointOf: (connectionId: string, endpointId: string) => Promise<Result<{ id: string; label: string }>>;
  clock: Clock;
  newId: () => string;
  onChanged: (purge: Purge) => void;
  log: Log;
}

/** The user's decision: the endpoint, the entered name, and how many waiting jobs were shown. */
type PurgeOrder = EndpointRef & { typed: string; expected: number | null };

/** How many purges are kept and shown per endpoint. */
const maxKept = 10;
/** If Jobdeck did not see the end of a purge, it ended no later than this after it was sent. */
const maxAnswerMs = 60_000;
/** Ten thousand purged jobs answer one by one, and showing a purge reads all of them in the thread that also saves. */
const changedGapMs = 1_000;

/** Purges of endpoints' queues: the preview, the one request, and what happened to our jobs. */
export class Purges {
  readonly #parts: PurgesParts;
  readonly #records: PurgeRecords;
  readonly #inProgress = new InFlight();
  /** By job key: the purge whose result depends on the job. */
  readonly #purgeOfJob = new Map<string, string>();
  /** Purges whose latest state was not sent to windows yet. */
  readonly #changed = new Set<string>();
  readonly #changes: Throttle;

  constructor(parts: PurgesParts) {
    this.#parts = parts;
    this.#records = createPurgeRecords(parts.history, parts.log);
    this.#changes = createThrottle({ clock: parts.clock, gapMs: changedGapMs, run: () => this.#showChanged() });
  }

  /** Reads the purges of earlier runs. Call it before jobs are tracked. */
  load(): Promise<void> {
    return this.#records.load();
  }

  /** Marks jobs of earlier purges whose status is still to be read. Call it when jobs are tracked. */
  async resume(): Promise<void> {
    const { queue, clock } = this.#parts;
    for (const record of this.#records.all()) {
      const { id, connectionId, endpointId, outcome } = record;
      if (outcome.kind === 'removed' && outcome.removed === 0) continue;
      if (outcome.kind === 'under-way') {
        const outcome = { kind: 'unknown', atMs: clock.now(), reason: purgeText.closedMeanwhile } as const;
        await this.#records.changeAnyway(id, (known) => ({ ...known, outcome }));
      }
      await this.#noteUnnoted(record);
      const waiting = this.#waitingKeys(record).filter((key) => record.keys.includes(key));
      if (waiting.length === 0) continue;
      for (const key of waiting) this.#purgeOfJob.set(key, id);
      queue.note(connectionId, endpointId, endOf(record, maxAnswerMs));
    }
  }

  /** Jobdeck ended after jobs were submitted again, and before that was noted. They must not run twice. */
  async #noteUnnoted({ id, keys, again, startedAtMs }: PurgeRecord): Promise<void> {
    const noted = new Set(again);
    const unnoted = keys.filter((key) => !noted.has(key));
    try {
      await this.noteSubmittedAgain(id, await this.#parts.history.sentAgainAmong(unnoted, startedAtMs));
    } catch (error) {
      this.#parts.log.warn('which jobs of a purge were submitted again could not be read', { purgeId: id, error });
    }
  }

  /** What a purge would remove now, by a health that is read for it or by the last one. */
  preview({ isFresh, ...endpointRef }: EndpointRef & { isFresh: boolean }): Promise<Result<PurgePreview>> {
    return this.#answering(async () => {
      const endpoint = await this.#parts.endpointOf(endpointRef.connectionId, endpointRef.endpointId);
      if (!endpoint.ok) return endpoint;
      const read = await this.#healthNow(endpointRef, isFresh);
      // A health from before the last purge no longer describes the queue.
      const [last] = this.#records.of(endpointRef);
      const isBefore = read.health !== null && last !== undefined && read.health.atMs <= endOf(last, 0);
      const health = isBefore ? { ...read, health: null } : read;
      const { queued, unsent, sending } = this.#parts.queue.purgeable(endpointRef.connectionId, endpointRef.endpointId);
      const jobs = queued.slice(0, maxPurgeNames).map(({ key, title }) => ({ key, title }));
      const allowance = this.#allowanceOf(endpointRef);
      return ok({ ...endpointRef, ...health, jobs, tracked: queued.length, unsent, sending, allowance });
    });
  }

  /** Journals the intent, sends the one request, and saves its outcome. A refusal is an outcome too. */
  send(order: PurgeOrder): Promise<Result<Purge>> {
    return this.#answering(async () => {
      const refusal = await this.#refusalOf(order);
      if (refusal !== null) return failed(refusal);
      return this.#inProgress.run(endpointKey(order), () => this.#sendNow(order)) ?? failed(alreadyInProgress);
    });
  }

  /** The saved purges of an endpoint, newest first. */
  log(endpointRef: EndpointRef): Promise<Result<PurgeLog>> {
    return this.#answering(async () => {
      const records = this.#records.of(endpointRef).slice(0, maxKept);
      const purges = await Promise.all(records.map((record) => this.#shown(record)));
      return ok({ purges, allowance: this.#allowanceOf(endpointRef) });
    });
  }

  /** The endpoint of a saved purge, or null. */
  endpointOfPurge(id: string): EndpointRef | null {
    return this.#records.find(id);
  }

  /** Our purged jobs whose inputs were not submitted again. */
  toSubmitAgain(id: string): Promise<Result<string[]>> {
    return this.#answering(async () => {
      const record = this.#records.find(id);
      if (record === null) return failed({ kind: 'absent', message: purgeText.notSaved });
      const again = this.#submittedAgain(record);
      const { first } = await this.#parts.history.purgedAmong(record.keys, record.keys.length);
      return ok(first.map(({ key }) => key).filter((key) => !again.has(key)));
    });
  }

  /** Saves which purged jobs were submitted again, so that none is offered twice. */
  async noteSubmittedAgain(id: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#records.changeAnyway(id, (record) => ({ ...record, again: [...new Set([...record.again, ...keys])] }));
    const endpoint = this.endpointOfPurge(id);
    if (endpoint !== null) for (const record of this.#records.of(endpoint)) this.#noteChanged(record.id);
  }

  /** A job that waits through several purges is one of each. Submitted again for one of them, it is so for all. */
  #submittedAgain(endpoint: EndpointRef): ReadonlySet<string> {
    return new Set(this.#records.of(endpoint).flatMap(({ again }) => again));
  }

  /** The user has read what a purge came to; over restarts too. */
  dismiss(id: string): Promise<Result<null>> {
    return this.#answering(async () => {
      await this.#records.change(id, (record) => ({ ...record, isDismissed: true }));
      this.#noteChanged(id);
      return ok(null);
    });
  }

  /** Jobs changed: their purges are sent to windows again. */
  noteJobs(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const { key, phase, startedSeenAtMs } = job;
      if (job.goneReason === 'purged') this.#countIn(job);
      const id = this.#purgeOfJob.get(key);
      if (id === undefined || (phase === 'active' && startedSeenAtMs === null)) continue;
      this.#purgeOfJob.delete(key);
      this.#noteChanged(id);
    }
  }

  /** A job whose submission was in progress when the queue was purged. It is one of that purge's jobs. */
  #countIn({ key, connectionId, endpointId, createdAtMs }: Job): void {
    const records = this.#records.of({ connectionId, endpointId });
    const record = records.find((each) => createdAtMs <= endOf(each, maxAnswerMs));
    if (record === undefined || records.some(({ keys }) => keys.includes(key))) return;
    void this.#records.changeAnyway(record.id, (known) => ({ ...known, keys: [...known.keys, key] }));
    this.#noteChanged(record.id);
  }

  /** The connection was removed: its purges are deleted. */
  connectionRemoved(connectionId: string): void {
    for (const record of this.#records.all()) if (record.connectionId === connectionId) void this.#forget(record);
  }

  #answering<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return orStorageFailure(this.#parts.log, null, work);
  }

  /** Why this purge is not sent, or null. */
  async #refusalOf({ connectionId, endpointId, typed }: PurgeOrder): Promise<Failure | null> {
    const endpoint = await this.#parts.endpointOf(connectionId, endpointId);
    if (!endpoint.ok) return endpoint.failure;
    if (!namesEndpoint(typed, endpoint.value)) return { kind: 'refused', field: 'typed', message: purgeText.wrongName };
    if (this.#inProgress.has(endpointKey({ connectionId, endpointId }))) return alreadyInProgress;
    const { lockedUntilMs } = this.#allowanceOf({ connectionId, endpointId });
    if (lockedUntilMs === null) return null;
    const leftS = Math.ceil((lockedUntilMs - this.#parts.clock.now()) / 1_000);
    return { kind: 'refused', message: purgeText.locked(leftS) };
  }

  async #sendNow({ connectionId, endpointId, expected }: PurgeOrder): Promise<Result<Purge>> {
    const { queue, clock, newId } = this.#parts;
    const begun: PurgeRecord = {
      id: newId(),
      connectionId,
      endpointId,
      startedAtMs: clock.now(),
      expected,
      outcome: { kind: 'under-way' },
      keys: this.#waitingKeys({ connectionId, endpointId }),
      again: [],
    };
    try {
      // If Jobdeck ends before the answer, the next start knows that it was sent.
      await this.#records.add(begun);
    } catch (error) {
      return failed(storageFailure(this.#parts.log, purgeText.couldNotSave, error));
    }
    for (const key of begun.keys) this.#purgeOfJob.set(key, begun.id);
    const answer = await queue
      .send(connectionId, endpointId)
      .catch((error: unknown) => ({ kind: 'unknown' as const, reason: errorText(error) }));
    const atMs = clock.now();
    if (answer.kind === 'refused') {
      await this.#forget(begun);
      return ok(await this.#shown(begun, { kind: 'refused', atMs, failure: answer.failure }));
    }
    return ok(await this.#keepOutcome(begun, { ...answer, atMs }));
  }

  async #keepOutcome(begun: PurgeRecord, outcome: PurgeRecord['outcome']): Promise<Purge> {
    const meanwhile = this.#waitingKeys(begun);
    const end = (record: PurgeRecord): PurgeRecord => ({
      ...record,
      keys: [...new Set([...record.keys, ...meanwhile])],
      outcome,
    });
    // It is gone if its connection was removed in the meantime.
    if (this.#records.find(begun.id) !== null) {
      for (const key of meanwhile) this.#purgeOfJob.set(key, begun.id);
      await this.#records.changeAnyway(begun.id, end);
      for (const old of this.#records.of(begun).slice(maxKept)) await this.#forget(old);
    }
    const shown = await this.#shown(this.#records.find(begun.id) ?? end(begun));
    this.#parts.onChanged(shown);
    return shown;
  }

  async #forget(record: PurgeRecord): Promise<void> {
    for (const key of record.keys) if (this.#purgeOfJob.get(key) === record.id) this.#purgeOfJob.delete(key);
    await this.#records.remove(record);
  }

  /** Our jobs in the endpoint's queue, as far as known. */
  #waitingKeys({ connectionId, endpointId }: EndpointRef): string[] {
    return this.#parts.queue.purgeable(connectionId, endpointId).queued.map(({ key }) => key);
  }

  #allowanceOf(endpointRef: EndpointRef): PurgeAllowance {
    const starts = this.#records.of(endpointRef).map(({ startedAtMs }) => startedAtMs);
    return purgeAllowance(
      this.#parts.queue.room(endpointRef.connectionId, endpointRef.endpointId),
      starts,
      this.#parts.clock.now(),
    );
  }

  /** A purge as windows see it. */
  async #shown(record: PurgeRecord, outcome: PurgeOutcome = record.outcome): Promise<Purge> {
    const purged = await this.#parts.history.purgedAmong(record.keys, maxPurgeNames);
    const waiting = new Set(this.#waitingKeys(record));
    const again = this.#submittedAgain(record);
    const { keys, again: _own, ...shown } = record;
    return {
      ...shown,
      outcome,
      tracked: keys.length,
      purged: purged.count,
      purgedJobs: purged.first,
      undecided: keys.filter((key) => waiting.has(key)).length,
      submittedAgain: keys.filter((key) => again.has(key)).length,
      isDismissed: record.isDismissed === true,
    };
  }

  #noteChanged(id: string): void {
    this.#changed.add(id);
    this.#changes.request();
  }

  async #showChanged(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed.clear();
    for (const id of ids) {
      const record = this.#records.find(id);
      if (record === null) continue;
      try {
        this.#parts.onChanged(await this.#shown(record));
      } catch (error) {
        this.#parts.log.warn('what became of purged jobs could not be read', { error });
      }
    }
  }

  async #healthNow(endpointRef: EndpointRef, isFresh: boolean): Promise<Pick<PurgePreview, 'health' | 'problem'>> {
    const read = isFresh ? await this.#parts.readHealth(endpointRef.connectionId, endpointRef.endpointId) : null;
    if (read?.ok === true) return { health: { atMs: read.value.atMs, jobs: read.value.jobs }, problem: null };
    const latest = await this.#parts.history.latestHealth(endpointRef.connectionId);
    const known = latest.find(({ endpointId }) => endpointId === endpointRef.endpointId);
    return {
      health: known === undefined ? null : { atMs: known.atMs, jobs: known.jobs },
      problem: read === null ? null : read.failure,
    };
  }
}

/** When a purge ended. For one in progress: `longestMs` after it was sent. */
function endOf({ outcome, startedAtMs }: PurgeRecord, longestMs: number): number {
  return outcome.kind === 'under-way' ? startedAtMs + longestMs : outcome.atMs;
}

const alreadyInProgress: Failure = { kind: 'refused', message: purgeText.inProgress };

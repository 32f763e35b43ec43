import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import type { Job } from '../../src-preload/job.ts';
import { mostPurgeNames, namesEndpoint } from '../../src-preload/purge.ts';
import type { Purge, PurgeAllowance, PurgeLog, PurgeOutcome, PurgePreview } from '../../src-preload/purge.ts';
import { errorText } from '../async/error-text.ts';
import { openCollection } from '../history/collection.ts';
import type { Documents } from '../history/collection.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import { purgeAllowance } from './allowance.ts';
import { purgeKind } from './purge-record.ts';
import type { PurgeRecord } from './purge-record.ts';
import { createTellings } from './tellings.ts';

interface Endpoint {
  connectionId: string;
  endpointId: string;
}

/** Purges of endpoints' queues: what one would take, the one request, and what became of our jobs. */
export interface Purges {
  /** Reads what a former run left. Before jobs are followed. */
  load(): Promise<void>;
  /** Jobs of former purges that are still to be looked at are marked again. Once jobs are followed. */
  resume(): Promise<void>;
  /** What a purge would take now, by a health read for it or the last one. */
  preview(of: Endpoint & { isFresh: boolean }): Promise<Result<PurgePreview>>;
  /** Journals the intent, sends the one request, keeps its outcome. An answer that refuses it is the outcome too. */
  send(order: Endpoint & { typed: string; expected: number | null }): Promise<Result<Purge>>;
  log(of: Endpoint): Promise<Result<PurgeLog>>;
  /** Purged jobs of ours whose inputs were not submitted again yet. */
  toSubmitAgain(id: string): Promise<Result<string[]>>;
  noteSubmittedAgain(id: string, keys: readonly string[]): Promise<void>;
  /** Jobs changed: purges they belonged to are told anew. */
  noteJobs(jobs: readonly Job[]): void;
  /** The connection is gone: its purges are forgotten. */
  connectionRemoved(connectionId: string): void;
}

export interface PurgesParts {
  history: Documents & Pick<History, 'purgedAmong' | 'latestHealth'>;
  /** The part of purging that jobs know of. */
  queue: {
    standing: (connectionId: string, endpointId: string) => { queued: Job[]; unsent: number; sending: number };
    send: (
      connectionId: string,
      endpointId: string,
    ) => Promise<
      { kind: 'removed'; removed: number } | { kind: 'unknown'; reason: string } | { kind: 'refused'; failure: Failure }
    >;
    room: (connectionId: string, endpointId: string) => { used: number; lockedUntilMs: number | null };
    note: (connectionId: string, endpointId: string, acceptedUntilMs: number) => void;
  };
  readHealth: (connectionId: string, endpointId: string) => Promise<Result<Health>>;
  /** The endpoint as its connection names it; `absent` without a connection. */
  endpointOf: (connectionId: string, endpointId: string) => Promise<Result<{ id: string; label: string }>>;
  now: () => number;
  pause: (ms: number) => Promise<void>;
  newId: () => string;
  onChanged: (purge: Purge) => void;
  log: Log;
}

/** Kept of each endpoint, and told of. */
const mostKept = 10;
/** A purge that Jobdeck did not see the end of was answered no later than this after it was sent. */
const longestAnswerMs = 60_000;
/** Ruling 20: health at most one a second an endpoint. */
const healthGapMs = 1_000;

export function createPurges({
  history,
  queue,
  readHealth,
  endpointOf,
  now,
  pause,
  newId,
  onChanged,
  log,
}: PurgesParts): Purges {
  const documents = openCollection(history, purgeKind);
  const records = new Map<string, PurgeRecord>();
  const underWay = new Set<string>();
  /** By job: the purge that waits to hear what became of it. */
  const open = new Map<string, string>();
  const tellings = createTellings({
    pause,
    tell: async (id) => {
      const record = records.get(id);
      if (record !== undefined) onChanged(await sightOf(record));
    },
    onTrouble: (error) => log.warn('what became of purged jobs could not be read', { error }),
  });

  const nameOf = ({ connectionId, endpointId }: Endpoint): string => `${connectionId}/${endpointId}`;

  /** Newest first. */
  function recordsOf(of: Endpoint): PurgeRecord[] {
    return [...records.values()]
      .filter((record) => nameOf(record) === nameOf(of))
      .sort((a, b) => b.startedAtMs - a.startedAtMs);
  }

  function allowanceOf(of: Endpoint): PurgeAllowance {
    return purgeAllowance(
      queue.room(of.connectionId, of.endpointId),
      recordsOf(of).map(({ startedAtMs }) => startedAtMs),
      now(),
    );
  }

  async function keep(record: PurgeRecord): Promise<void> {
    await documents.put(record.id, record);
    records.set(record.id, record);
  }

  /** What happened counts whether or not the disk takes it: it is remembered, and said in the log. */
  async function keepOutcome(record: PurgeRecord): Promise<void> {
    records.set(record.id, record);
    await keep(record).catch((error: unknown) =>
      log.error('the outcome of a purge could not be kept', { purgeId: record.id, error }),
    );
  }

  async function forget({ id, keys }: PurgeRecord): Promise<void> {
    records.delete(id);
    for (const key of keys) if (open.get(key) === id) open.delete(key);
    await documents
      .remove(id)
      .catch((error: unknown) => log.error('a purge could not be forgotten', { purgeId: id, error }));
  }

  async function sightOf(record: PurgeRecord, outcome: PurgeOutcome = record.outcome): Promise<Purge> {
    const purged = await history.purgedAmong(record.keys, mostPurgeNames);
    const waiting = new Set(queue.standing(record.connectionId, record.endpointId).queued.map(({ key }) => key));
    const { id, connectionId, endpointId, startedAtMs, expected, keys, again } = record;
    return {
      id,
      connectionId,
      endpointId,
      startedAtMs,
      expected,
      outcome,
      tracked: keys.length,
      purged: purged.count,
      purgedJobs: purged.first,
      undecided: keys.filter((key) => waiting.has(key)).length,
      submittedAgain: again.length,
    };
  }

  async function guarded<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await work();
    } catch (error) {
      return failed({ kind: 'storage', message: errorText(error) });
    }
  }

  async function healthNow({
    connectionId,
    endpointId,
    isFresh,
  }: Endpoint & { isFresh: boolean }): Promise<Pick<PurgePreview, 'health' | 'problem'>> {
    const read = isFresh ? await readPatiently(connectionId, endpointId) : null;
    if (read?.ok === true) return { health: { atMs: read.value.atMs, jobs: read.value.jobs }, problem: null };
    const known = (await history.latestHealth(connectionId)).find((each) => each.endpointId === endpointId);
    return {
      health: known === undefined ? null : { atMs: known.atMs, jobs: known.jobs },
      problem: read === null ? null : read.failure,
    };
  }

  /** A health that was just read for another purpose keeps the next one waiting for a second (ruling 20). */
  async function readPatiently(connectionId: string, endpointId: string): Promise<Result<Health>> {
    const first = await readHealth(connectionId, endpointId);
    if (first.ok || first.failure.kind !== 'refused') return first;
    await pause(healthGapMs);
    return await readHealth(connectionId, endpointId);
  }

  async function send({
    connectionId,
    endpointId,
    typed,
    expected,
  }: Endpoint & { typed: string; expected: number | null }): Promise<Result<Purge>> {
    const of = { connectionId, endpointId };
    const endpoint = await endpointOf(connectionId, endpointId);
    if (!endpoint.ok) return endpoint;
    if (!namesEndpoint(typed, endpoint.value))
      return failed({
        kind: 'refused',
        field: 'typed',
        message: 'What was typed is neither the name nor the id of this endpoint. Nothing was sent.',
      });
    if (underWay.has(nameOf(of)))
      return failed({ kind: 'refused', message: 'A purge of this queue is under way. Nothing more was sent.' });
    const { lockedUntilMs } = allowanceOf(of);
    if (lockedUntilMs !== null)
      return failed({
        kind: 'refused',
        message: `Purging is locked for another ${Math.ceil((lockedUntilMs - now()) / 1_000)} s. Nothing was sent.`,
      });

    underWay.add(nameOf(of));
    try {
      const begun: PurgeRecord = {
        id: newId(),
        connectionId,
        endpointId,
        startedAtMs: now(),
        expected,
        outcome: { kind: 'under-way' },
        keys: queue.standing(connectionId, endpointId).queued.map(({ key }) => key),
        again: [],
      };
      try {
        // Should Jobdeck end before the answer, the next start knows that it was sent.
        await keep(begun);
      } catch (error) {
        return failed({
          kind: 'storage',
          message: 'Nothing was sent, because the purge could not be written down first.',
          detail: errorText(error),
        });
      }
      for (const key of begun.keys) open.set(key, begun.id);
      const answer = await queue.send(connectionId, endpointId).catch((error: unknown) => ({
        kind: 'unknown' as const,
        reason: errorText(error),
      }));
      const atMs = now();
      if (answer.kind === 'refused') {
        await forget(begun);
        return ok(await sightOf(begun, { kind: 'refused', atMs, failure: answer.failure }));
      }
      const meanwhile = queue.standing(connectionId, endpointId).queued.map(({ key }) => key);
      const ended: PurgeRecord = {
        ...begun,
        keys: [...new Set([...begun.keys, ...meanwhile])],
        outcome:
          answer.kind === 'removed'
            ? { kind: 'removed', atMs, removed: answer.removed }
            : { kind: 'unknown', atMs, reason: answer.reason },
      };
      // Not there any more: its connection was removed meanwhile.
      if (records.has(begun.id)) {
        for (const key of meanwhile) open.set(key, ended.id);
        await keepOutcome(ended);
        for (const old of recordsOf(of).slice(mostKept)) await forget(old);
      }
      const sight = await sightOf(ended);
      onChanged(sight);
      return ok(sight);
    } finally {
      underWay.delete(nameOf(of));
    }
  }

  return {
    async load() {
      for (const { id, value: record } of await documents.all()) {
        if (record === null) log.warn('A kept purge cannot be read', { purgeId: id });
        else records.set(id, record);
      }
    },
    async resume() {
      for (const record of records.values()) {
        if (record.outcome.kind === 'under-way') {
          await keepOutcome({
            ...record,
            outcome: { kind: 'unknown', atMs: now(), reason: 'Jobdeck ended before the service answered' },
          });
        } else if (record.outcome.kind === 'removed' && record.outcome.removed === 0) continue;
        const keys = new Set(record.keys);
        const waiting = queue
          .standing(record.connectionId, record.endpointId)
          .queued.filter(({ key }) => keys.has(key));
        if (waiting.length === 0) continue;
        for (const { key } of waiting) open.set(key, record.id);
        queue.note(
          record.connectionId,
          record.endpointId,
          record.outcome.kind === 'under-way' ? record.startedAtMs + longestAnswerMs : record.outcome.atMs,
        );
      }
    },
    preview: ({ isFresh, ...of }) =>
      guarded(async () => {
        const endpoint = await endpointOf(of.connectionId, of.endpointId);
        if (!endpoint.ok) return endpoint;
        const read = await healthNow({ ...of, isFresh });
        // A health from before the last purge tells of a queue that is gone.
        const [last] = recordsOf(of);
        const isBefore =
          read.health !== null &&
          last !== undefined &&
          read.health.atMs <= (last.outcome.kind === 'under-way' ? last.startedAtMs : last.outcome.atMs);
        const health = isBefore ? { ...read, health: null } : read;
        const { queued, unsent, sending } = queue.standing(of.connectionId, of.endpointId);
        const jobs = queued.slice(0, mostPurgeNames).map(({ key, title }) => ({ key, title }));
        return ok({ ...of, ...health, jobs, tracked: queued.length, unsent, sending, allowance: allowanceOf(of) });
      }),
    send: (order) => guarded(() => send(order)),
    log: (of) =>
      guarded(async () =>
        ok({
          purges: await Promise.all(
            recordsOf(of)
              .slice(0, mostKept)
              .map((record) => sightOf(record)),
          ),
          allowance: allowanceOf(of),
        }),
      ),
    toSubmitAgain: (id) =>
      guarded(async () => {
        const record = records.get(id);
        if (record === undefined) return failed({ kind: 'absent', message: 'This purge is not kept any more.' });
        const again = new Set(record.again);
        const { first } = await history.purgedAmong(record.keys, record.keys.length);
        return ok(first.map(({ key }) => key).filter((key) => !again.has(key)));
      }),
    async noteSubmittedAgain(id, keys) {
      const record = records.get(id);
      if (record === undefined || keys.length === 0) return;
      await keepOutcome({ ...record, again: [...new Set([...record.again, ...keys])] });
      tellings.soon(id);
    },
    noteJobs(jobs) {
      for (const { key, phase, startedSeenAtMs } of jobs) {
        const id = open.get(key);
        if (id === undefined || (phase === 'active' && startedSeenAtMs === null)) continue;
        open.delete(key);
        tellings.soon(id);
      }
    },
    connectionRemoved(connectionId) {
      for (const record of records.values()) if (record.connectionId === connectionId) void forget(record);
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Purge } from '../../../src-preload/purge.ts';
import type { History } from '../../../src-main/history/history.ts';
import type { PurgeAnswer } from '../../../src-main/job/commands/queue-purge.ts';
import { createLog } from '../../../src-main/log.ts';
import { Purges } from '../../../src-main/purge/purges.ts';
import type { PurgesParts } from '../../../src-main/purge/purges.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { openTestHistory } from '../../kit/threads.ts';

const at = { connectionId: 'c1', endpointId: 'e' };
const order = { ...at, typed: 'e', expected: 3 };

/** A secret that an error of the disk quotes. */
const hidden = 'sesame-8c1f2a9d';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Scene {
  history: History;
  clock: VirtualClock;
  purges: Purges;
  told: Purge[];
  /** Calls of the history, by name. */
  calls: Map<keyof History, number>;
  /** The calls that the disk refuses. */
  refused: Set<keyof History>;
  /** The jobs that wait at the service. */
  waiting: Map<string, Job>;
  /** The new state of these jobs is on disk, and reported as one commit each. */
  purged(keys: readonly string[]): Promise<void>;
  /** A later start over the same history. */
  restart(): Promise<Purges>;
}

/** Purges over a real database that can refuse; the service is a number of jobs that wait. */
async function openScene(
  count: number,
  send: () => Promise<PurgeAnswer> = async () => ({ kind: 'removed', removed: count }),
): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-purges-'));
  let settle = async (): Promise<void> => {};
  const clock = createVirtualClock(1_700_000_000_000, () => settle());
  const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: clock.now });
  // Answers come in order: what was asked for before is there, and what it led to as well.
  settle = async () => {
    for (let turn = 0; turn < 4; turn += 1) await history.readDocument('none', 'none');
  };
  endings.push(async () => {
    await history.close();
    await rm(folder, { recursive: true, force: true });
  });
  const waiting = new Map(
    Array.from({ length: count }, (_, number) =>
      aJob({
        ...at,
        key: `k${String(number).padStart(5, '0')}`,
        title: `job ${number}`,
        phase: 'active',
        status: 'IN_QUEUE',
      }),
    ).map((job) => [job.key, job]),
  );
  for (const job of waiting.values()) await history.commit([{ job }]);

  const calls: Scene['calls'] = new Map();
  const refused: Scene['refused'] = new Set();
  const told: Purge[] = [];
  const asked = async <T>(name: keyof History, work: () => Promise<T>): Promise<T> => {
    calls.set(name, (calls.get(name) ?? 0) + 1);
    if (refused.has(name)) throw new Error(`The disk is full. ${hidden}`);
    return await work();
  };
  const log = createLog({ write: () => {}, now: clock.now });
  log.hide(hidden);
  const parts: PurgesParts = {
    history: {
      documents: (kind) => asked('documents', () => history.documents(kind)),
      readDocument: history.readDocument,
      putDocument: (kind, id, json) => asked('putDocument', () => history.putDocument(kind, id, json)),
      removeDocument: (kind, id) => asked('removeDocument', () => history.removeDocument(kind, id)),
      purgedAmong: (keys, max) => asked('purgedAmong', () => history.purgedAmong(keys, max)),
      sentAgainAmong: (keys, sinceMs) => asked('sentAgainAmong', () => history.sentAgainAmong(keys, sinceMs)),
      latestHealth: (connectionId) => asked('latestHealth', () => history.latestHealth(connectionId)),
    },
    queue: {
      purgeable: () => ({ queued: [...waiting.values()], unsent: 0, sending: 0 }),
      send,
      room: () => ({ used: 0, lockedUntilMs: null }),
      note: () => {},
    },
    readHealth: async () => failed({ kind: 'refused', message: 'Not now.' }),
    endpointOf: async () => ok({ id: 'e', label: '' }),
    clock,
    newId: () => `purge-${calls.size}`,
    onChanged: (purge) => told.push(purge),
    log,
  };
  const start = async (): Promise<Purges> => {
    const purges = new Purges(parts);
    await purges.load();
    await purges.resume();
    return purges;
  };
  const purges = await start();
  return {
    history,
    clock,
    purges,
    told,
    calls,
    refused,
    waiting,
    async purged(keys) {
      for (const key of keys) {
        const job = waiting.get(key);
        if (job === undefined) throw new Error(`${key} does not wait.`);
        waiting.delete(key);
        const gone: Job = { ...job, phase: 'gone', goneReason: 'purged' };
        await history.commit([{ job: gone }]);
        purges.noteJobs([gone]);
      }
    },
    restart: start,
  };
}

describe('a saved purge', () => {
  it('is reported at most every second while purged jobs answer one by one, and finally in its last state', async () => {
    const scene = await openScene(200);
    await scene.purges.send(order);
    const [before, toldBefore] = [scene.calls.get('purgedAmong') ?? 0, scene.told.length];
    await scene.purged([...scene.waiting.keys()]);
    await scene.clock.advance(0);
    expect((scene.calls.get('purgedAmong') ?? 0) - before).toBe(1);
    await scene.clock.advance(2_000);
    expect(scene.told.length - toldBefore).toBe(2);
    expect(scene.told.at(-1)).toMatchObject({ purged: 200, undecided: 0, purgedJobs: { length: 200 } });
    expect(scene.clock.pending()).toBe(0);
  });

  it('names the jobs by their keys, and returns those not submitted again yet', async () => {
    const scene = await openScene(3);
    const purge = await scene.purges.send(order);
    await scene.purged(['k00002', 'k00000']);
    expect(await scene.purges.log(at)).toMatchObject({
      ok: true,
      value: {
        purges: [{ purged: 2, purgedJobs: [{ key: 'k00000', title: 'job 0' }, { key: 'k00002' }], undecided: 1 }],
      },
    });
    const id = purge.ok ? purge.value.id : '';
    await scene.purges.noteSubmittedAgain(id, ['k00000']);
    expect(await scene.purges.toSubmitAgain(id)).toEqual(ok(['k00002']));
  });

  it('never offers a job twice, even if the disk refused to save that it was submitted again', async () => {
    const scene = await openScene(2);
    const purge = await scene.purges.send(order);
    await scene.purged(['k00000', 'k00001']);
    const id = purge.ok ? purge.value.id : '';
    const { startedAtMs } = purge.ok ? purge.value : { startedAtMs: 0 };
    await scene.history.commit([{ job: aJob({ ...at, key: 'z', originKey: 'k00000', createdAtMs: startedAtMs + 1 }) }]);
    scene.refused.add('putDocument');
    await scene.purges.noteSubmittedAgain(id, ['k00000']);
    expect(await scene.purges.toSubmitAgain(id)).toEqual(ok(['k00001']));
    // Not saved, so the next start looks for what was submitted again.
    expect(await (await scene.restart()).toSubmitAgain(id)).toEqual(ok(['k00001']));
    scene.refused.clear();
    expect(await (await scene.restart()).toSubmitAgain(id)).toEqual(ok(['k00001']));
  });

  it('does not exist if the disk refuses the intent: nothing is sent', async () => {
    let sent = 0;
    const scene = await openScene(3, async () => ({ kind: 'removed', removed: (sent += 1) }));
    scene.refused.add('putDocument');
    const answer = await scene.purges.send(order);
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'storage', detail: expect.stringContaining('full') } });
    expect(JSON.stringify(answer)).not.toContain(hidden);
    expect(sent).toBe(0);
  });

  it('shows the service’s answer even if the disk refuses to save it', async () => {
    const scene: Scene = await openScene(3, async () => {
      scene.refused.add('putDocument');
      return { kind: 'removed', removed: 3 };
    });
    expect(await scene.purges.send(order)).toMatchObject({
      ok: true,
      value: { outcome: { kind: 'removed', removed: 3 } },
    });
    expect(await scene.purges.log(at)).toMatchObject({ value: { purges: [{ outcome: { kind: 'removed' } }] } });
    // A later start knows that it was sent, and not how it ended; the disk still refuses, and that stops no start.
    const next = await scene.restart();
    expect(await next.log(at)).toMatchObject({ value: { purges: [{ outcome: { kind: 'unknown' } }] } });
  });

  it('shows a refusal even if the intent cannot be removed from disk', async () => {
    const scene: Scene = await openScene(3, async () => {
      scene.refused.add('removeDocument');
      return { kind: 'refused', failure: { kind: 'rate-limited', message: 'Too many.', mayHaveArrived: true } };
    });
    expect(await scene.purges.send(order)).toMatchObject({
      ok: true,
      value: { outcome: { kind: 'refused', failure: { kind: 'rate-limited' } } },
    });
    expect(await scene.purges.log(at)).toMatchObject({ value: { purges: [] } });
  });

  it('that failed on the way is unknown, not in progress forever', async () => {
    const scene = await openScene(3, () => Promise.reject(new Error('The connections could not be read.')));
    expect(await scene.purges.send(order)).toMatchObject({
      ok: true,
      value: { outcome: { kind: 'unknown', reason: 'The connections could not be read.' } },
    });
  });

  it('is deleted with its connection', async () => {
    const scene = await openScene(3);
    await scene.purges.send(order);
    scene.purges.connectionRemoved('another');
    expect(await scene.history.documents('purge')).toHaveLength(1);
    scene.purges.connectionRemoved('c1');
    await scene.clock.advance(0);
    expect(await scene.history.documents('purge')).toEqual([]);
    expect(await scene.purges.log(at)).toMatchObject({ value: { purges: [] } });
  });
});

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src-main/sandbox/faults/faults.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import type { Job } from '../../../src-preload/job.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';
import { createScriptedService } from '../job/scripted-service.ts';
import { closeApps, openApp, removeAppFolders } from '../engine/app-scene.ts';
import type { App } from '../engine/app-scene.ts';

const sandboxes: Sandbox[] = [];
afterEach(async () => {
  await closeApps();
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
});
afterAll(removeAppFolders);

/** Nothing runs there: whatever is sent waits. */
const still = {
  id: 'still',
  handler: { builtIn: 'mock' },
  minWorkers: 0,
  maxWorkers: 0,
  coldStartMs: 0,
  idleTimeoutMs: 1_000,
} as const;
/** One job at a time. */
const single = { ...still, id: 'single', maxWorkers: 1 } as const;

interface Scene {
  sandbox: Sandbox;
  app: App;
  connection: Connection;
  at: { connectionId: string; endpointId: string };
}

async function aScene(dialect: Dialect = 'spec'): Promise<Scene> {
  const sandbox = await startSandbox({ dialect, endpoints: [still, single] });
  sandboxes.push(sandbox);
  const app = await openApp({ isSandboxAllowed: false });
  const connection = await app.connect({ ...sandbox, endpoints: ['still', 'single'] });
  return { sandbox, app, connection, at: { connectionId: connection.id, endpointId: 'still' } };
}

async function waiting({ app, connection }: Scene, endpointId: string, titles: readonly string[]): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const title of titles) {
    const { key } = await app.submit({
      connectionId: connection.id,
      endpointId,
      title,
      input: { mock_delay: 600_000 },
    });
    jobs.push(await app.untilJob(key, ({ phase }) => phase === 'active'));
  }
  return jobs;
}

async function fromElsewhere({ sandbox }: Scene, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const reply = await fetch(`${sandbox.baseUrl}/v2/still/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: '{"input":{}}',
    });
    expect(reply.ok).toBe(true);
  }
}

const purgesTaken = (sandbox: Sandbox): number =>
  sandbox
    .requests()
    .filter(({ operation }) => operation === 'purge-queue')
    .reduce((sum, { count }) => sum + count, 0);

describe.each<Dialect>(['spec', 'observed'])('purging a queue (%s)', (dialect) => {
  it('previews the jobs, sends one request, and marks our jobs as purged', async () => {
    const scene = await aScene(dialect);
    const { app, at, sandbox } = scene;
    const jobs = await waiting(scene, 'still', ['first', 'second']);
    await fromElsewhere(scene, 3);

    const preview = await app.answer('purge:preview', { ...at, isFresh: true });
    expect(preview).toMatchObject({
      tracked: 2,
      jobs: [{ title: 'first' }, { title: 'second' }],
      unsent: 0,
      sending: 0,
      problem: null,
      health: { jobs: { inQueue: 5 } },
      allowance: { used: 0, of: 2, lockedUntilMs: null },
    });

    const purge = await app.answer('purge:send', { ...at, typed: 'still', expected: 5 });
    expect(purge).toMatchObject({ outcome: { kind: 'removed', removed: 5 }, tracked: 2, expected: 5 });
    // The health from before shows a queue that is gone; a new one does not.
    expect((await app.answer('purge:preview', { ...at, isFresh: false })).health?.jobs.inQueue ?? 0).toBe(0);
    expect((await app.answer('purge:preview', { ...at, isFresh: true })).health).toMatchObject({
      jobs: { inQueue: 0 },
    });
    for (const { key } of jobs)
      expect(await app.untilJob(key, ({ phase }) => phase === 'gone')).toMatchObject({ goneReason: 'purged' });
    await app.untilEvent('purge:changed', (told) => told.id === purge.id && told.purged === 2 && told.undecided === 0);
    expect(purgesTaken(sandbox)).toBe(1);

    const log = await app.answer('purge:log', at);
    expect(log).toMatchObject({
      purges: [{ id: purge.id, purged: 2, purgedJobs: [{ title: 'first' }, { title: 'second' }] }],
      allowance: { used: 1, of: 2 },
    });
    expect(log.allowance.lockedUntilMs).not.toBeNull();
  });

  it('leaves running jobs', async () => {
    const scene = await aScene(dialect);
    const { app, connection } = scene;
    const [running] = await waiting(scene, 'single', ['runs']);
    if (running === undefined) throw new Error('Nothing was sent.');
    await app.untilJob(running.key, ({ startedSeenAtMs }) => startedSeenAtMs !== null);
    const [queued] = await waiting(scene, 'single', ['waits']);
    const purge = await app.answer('purge:send', {
      connectionId: connection.id,
      endpointId: 'single',
      typed: 'single',
      expected: 1,
    });
    expect(purge.outcome).toMatchObject({ kind: 'removed', removed: 1 });
    expect(await app.untilJob(queued?.key ?? '', ({ phase }) => phase === 'gone')).toMatchObject({
      goneReason: 'purged',
    });
    await app.answer('job:checkNow', { key: running.key });
    expect((await app.answer('job:get', { key: running.key })).job).toMatchObject({
      phase: 'active',
      status: 'IN_PROGRESS',
    });
  });
});

describe('a purge', () => {
  it('is refused for another name, and while locked, and nothing is sent', async () => {
    const scene = await aScene();
    const { app, at, sandbox } = scene;
    await waiting(scene, 'still', ['one']);
    expect(await app.call('purge:send', { ...at, typed: 'stil', expected: 1 })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'typed' },
    });
    expect(purgesTaken(sandbox)).toBe(0);
    await app.answer('purge:send', { ...at, typed: 'still', expected: 1 });
    expect(await app.call('purge:send', { ...at, typed: 'still', expected: 0 })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringMatching(/locked/) },
    });
    expect(purgesTaken(sandbox)).toBe(1);
  });

  it.each<Dialect>(['spec', 'observed'])(
    'whose answer is lost is unknown, is never repeated, and our jobs show it (%s)',
    async (dialect) => {
      const scene = await aScene(dialect);
      const { app, at, sandbox } = scene;
      const [job] = await waiting(scene, 'still', ['lost']);
      sandbox.setFault({ kind: 'drop-after-accept', operation: 'purge-queue', times: 1 });
      const purge = await app.answer('purge:send', { ...at, typed: 'still', expected: 1 });
      expect(purge.outcome.kind).toBe('unknown');
      expect(await app.untilJob(job?.key ?? '', ({ phase }) => phase === 'gone')).toMatchObject({
        goneReason: 'purged',
      });
      await app.untilEvent('purge:changed', (told) => told.id === purge.id && told.purged === 1);
      await app.answer('tracker:tryNow', undefined);
      expect(purgesTaken(sandbox)).toBe(1);
    },
  );

  it.each<[string, FaultRule, string]>([
    ['429', { kind: 'status', status: 429, operation: 'purge-queue', times: 1, retryAfterS: 3 }, 'rate-limited'],
    ['404', { kind: 'status', status: 404, operation: 'purge-queue', times: 1 }, 'not-found'],
    ['401', { kind: 'status', status: 401, operation: 'purge-queue', times: 1 }, 'unauthorized'],
  ])('answered %s did nothing: the jobs still wait, and it is not saved', async (_status, fault, kind) => {
    const scene = await aScene();
    const { app, at, sandbox } = scene;
    const [job] = await waiting(scene, 'still', ['stays']);
    sandbox.setFault(fault);
    expect((await app.answer('purge:send', { ...at, typed: 'still', expected: 1 })).outcome).toMatchObject({
      kind: 'refused',
      failure: { kind, message: expect.stringMatching(/./) },
    });
    const log = await app.answer('purge:log', at);
    expect(log.purges).toEqual([]);
    if (kind === 'rate-limited') expect(log.allowance.lockedUntilMs).not.toBeNull();
    expect((await app.answer('job:get', { key: job?.key ?? '' })).job).toMatchObject({
      phase: 'active',
      goneReason: null,
    });
    expect(purgesTaken(sandbox)).toBe(1);
  });

  it.each<FaultRule['kind']>(['html', 'invalid-json'])('answered by %s is unknown', async (kind) => {
    const scene = await aScene();
    const { app, at, sandbox } = scene;
    await waiting(scene, 'still', ['perhaps']);
    sandbox.setFault({ kind, operation: 'purge-queue', times: 1 });
    expect((await app.answer('purge:send', { ...at, typed: 'still', expected: 1 })).outcome).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/./),
    });
  });

  it('in progress when Jobdeck closed is unknown at the next start, and its jobs are found purged', async () => {
    const scene = await aScene();
    const { app, at, sandbox, connection } = scene;
    const [job] = await waiting(scene, 'still', ['before the crash']);
    await app.answer('tracker:pause', undefined);
    // As the journal stands when a crash comes between sending and the answer.
    const begun = {
      id: 'p1',
      ...at,
      startedAtMs: Date.now() * 2,
      expected: 1,
      outcome: { kind: 'under-way' },
      keys: [job?.key],
      again: [],
    };
    await app.engine.history.putDocument('purge', 'p1', JSON.stringify(begun));
    await app.close();
    const reply = await fetch(`${sandbox.baseUrl}/v2/still/purge-queue`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}` },
    });
    expect(await reply.json()).toMatchObject({ removed: 1 });

    const next = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
    await next.replaceKey(connection.id, TEST_API_KEY);
    expect(await next.untilJob(job?.key ?? '', ({ phase }) => phase === 'gone')).toMatchObject({
      goneReason: 'purged',
    });
    expect((await next.answer('purge:log', at)).purges).toMatchObject([
      { id: 'p1', outcome: { kind: 'unknown', reason: expect.stringMatching(/closed before/) }, tracked: 1, purged: 1 },
    ]);
    expect(purgesTaken(sandbox)).toBe(1);
  });

  it('offers a job again whose submission was in progress while the queue was purged', async () => {
    const accepted = Promise.withResolvers<void>();
    const service = await createScriptedService({
      run: [() => ({ kind: 'held', until: accepted.promise, body: { id: 'job-1', status: 'IN_QUEUE' } })],
      status: [{ status: 404, body: { error: 'job not found' } }],
      health: [{ body: { jobs: { inQueue: 0 }, workers: { idle: 1, running: 0 } } }],
      'purge-queue': [{ body: { removed: 1, status: 'completed' } }],
    });
    try {
      const app = await openApp({ isSandboxAllowed: false });
      const connection = await app.connect({ baseUrl: service.url, apiKey: TEST_API_KEY, endpoints: ['still'] });
      const at = { connectionId: connection.id, endpointId: 'still' };
      const { key } = await app.submit({ ...at, title: 'just sent' });
      await service.received(0);
      const purge = await app.answer('purge:send', { ...at, typed: 'still', expected: 1 });
      accepted.resolve();
      await app.untilJob(key, ({ goneReason }) => goneReason === 'purged');
      await app.untilEvent('purge:changed', ({ id, purged }) => id === purge.id && purged === 1);
      expect((await app.answer('purge:log', at)).purges).toMatchObject([
        { id: purge.id, tracked: 1, purged: 1, purgedJobs: [{ title: 'just sent' }] },
      ]);
    } finally {
      await closeApps();
      await service.close();
    }
  });

  it('does not touch unsent rows, and says so', async () => {
    const scene = await aScene();
    const { app, at, connection } = scene;
    await app.answer('tracker:pause', undefined);
    await app.answer('batch:submit', {
      name: 'Later',
      inputs: ['{}', '{}', '{}'],
      draft: { connectionId: connection.id, endpointId: 'still', operation: 'run' },
    });
    expect(await app.answer('purge:preview', { ...at, isFresh: false })).toMatchObject({ tracked: 0, unsent: 3 });
    expect((await app.answer('purge:send', { ...at, typed: 'still', expected: null })).outcome).toMatchObject({
      kind: 'removed',
      removed: 0,
    });
    await app.answer('tracker:resume', undefined);
    await app.untilEvent('job:changed', ({ batches }) => batches.some(({ counts }) => counts.active === 3));
  });

  it('offers a job again once, even if it is one of two purges, because the first left it waiting', async () => {
    const scene = await aScene();
    const { app, at, sandbox } = scene;
    const jobs = await waiting(scene, 'still', ['a', 'b']);
    const keys = jobs.map(({ key }) => key);
    const outcome = { kind: 'unknown', atMs: 1, reason: 'No answer.' };
    const first = { id: 'p1', ...at, startedAtMs: 1, expected: 2, outcome, keys, again: [] };
    await app.engine.history.putDocument('purge', 'p1', JSON.stringify(first));
    await app.close();
    const next = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
    await next.replaceKey(at.connectionId, TEST_API_KEY);
    const { id } = await next.answer('purge:send', { ...at, typed: 'still', expected: 2 });
    for (const key of keys) await next.untilJob(key, ({ phase }) => phase === 'gone');
    const submissions = (): number => sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;
    const answers = await Promise.all([
      next.call('purge:submitAgain', { id, as: 'jobs' }),
      next.call('purge:submitAgain', { id: 'p1', as: 'jobs' }),
    ]);
    expect(answers).toMatchObject([
      { ok: true, value: { submitted: 2 } },
      { ok: false, failure: { kind: 'refused' } },
    ]);
    expect(await next.call('purge:submitAgain', { id: 'p1', as: 'batch' })).toMatchObject({ ok: false });
    expect((await next.answer('purge:log', at)).purges).toMatchObject([{ submittedAgain: 2 }, { submittedAgain: 2 }]);
    await next.untilSeen(() => submissions() === 4);
  });

  it.each(['jobs', 'batch'] as const)('offers none again that was submitted as %s before a crash', async (as) => {
    const scene = await aScene();
    const { app, at, connection } = scene;
    const jobs = await waiting(scene, 'still', ['a', 'b']);
    const { id } = await app.answer('purge:send', { ...at, typed: 'still', expected: 2 });
    for (const { key } of jobs) await app.untilJob(key, ({ phase }) => phase === 'gone');
    const before = await app.engine.history.readDocument('purge', id);
    expect(await app.answer('purge:submitAgain', { id, as })).toEqual({ submitted: 2, failure: null });
    await app.close();
    // As it stands when a crash comes before that is noted.
    const db = new DatabaseSync(join(app.dataDir, 'history.db'));
    db.prepare("UPDATE documents SET json = ? WHERE kind = 'purge' AND id = ?").run(before, id);
    db.close();

    const next = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
    await next.replaceKey(connection.id, TEST_API_KEY);
    expect((await next.answer('purge:log', at)).purges).toMatchObject([{ id, purged: 2, submittedAgain: 2 }]);
    expect(await next.call('purge:submitAgain', { id, as })).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });

  it.each(['jobs', 'batch'] as const)('offers its jobs for submission again as %s, once', async (as) => {
    const scene = await aScene();
    const { app, at, sandbox } = scene;
    const jobs = await waiting(scene, 'still', ['a', 'b']);
    const { id } = await app.answer('purge:send', { ...at, typed: 'still', expected: 2 });
    for (const { key } of jobs) await app.untilJob(key, ({ phase }) => phase === 'gone');
    const before = sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;
    expect(await app.answer('purge:submitAgain', { id, as })).toEqual({ submitted: 2, failure: null });
    await app.untilSeen(() => sandbox.transitions().filter(({ cause }) => cause === 'submitted').length === before + 2);
    expect((await app.answer('purge:log', at)).purges).toMatchObject([{ submittedAgain: 2 }]);
    expect(await app.call('purge:submitAgain', { id, as })).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });
});

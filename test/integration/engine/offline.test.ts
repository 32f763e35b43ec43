import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_ENDPOINTS } from '../../../src-main/sandbox/endpoint.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Job } from '../../../src-preload/job.ts';
import { openPacedEndpoint } from '../../kit/paced-endpoint.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, listed, openApp, removeAppFolders, type App } from './app-scene.ts';
import { createSealing } from './sealing.ts';

let service: Sandbox;
const paced = openPacedEndpoint();
beforeEach(async () => {
  paced.hold();
  service = await startSandbox({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] });
});
afterEach(async () => {
  await closeApps();
  await service.close();
});
afterAll(async () => {
  paced.close();
  await removeAppFolders();
});

/** Ids of the jobs the service took, in the order it took them. */
const taken = (): string[] =>
  service
    .transitions()
    .filter(({ from }) => from === null)
    .map(({ jobId }) => jobId);

/** A job whose connection was removed while it ran. */
async function orphanedJob(app: App, connectionId: string): Promise<Job> {
  const job = await app.submit({ connectionId, endpointId: 'paced', input: { paced_return: 'kept' } });
  await app.untilJob(job.key, ({ status }) => status === 'IN_PROGRESS');
  await app.answer('connection:remove', { connectionId });
  return app.untilJob(job.key, ({ phase }) => phase === 'orphaned');
}

describe('a connection that is removed', () => {
  it('leaves its jobs, which say why they are not tracked and do not block quitting', async () => {
    const app = await openApp();
    const connection = await app.connect(service);
    const job = await app.submit({ connectionId: connection.id, input: { mock_delay: 600_000 } });
    await app.untilJob(job.key, ({ status }) => status === 'IN_PROGRESS');
    await app.untilEvent('tracker:changed', ({ tracked }) => tracked === 1);
    await app.answer('connection:remove', { connectionId: connection.id });
    expect(await app.untilJob(job.key, ({ reason }) => reason !== null)).toMatchObject({
      phase: 'orphaned',
      status: 'IN_PROGRESS',
      reason: { kind: 'connection-removed', wasSent: true },
    });
    await app.untilEvent('tracker:changed', ({ tracked, orphans }) => tracked === 0 && orphans === 1);
    expect(app.engine.trackerState()).toMatchObject({ tracked: 0, orphans: 1, nextStatusReadAtMs: null });
    expect((await app.answer('job:counts', undefined)).all).toMatchObject({ all: 1, active: 0 });
    expect((await listed(app, { view: 'active' })).jobs).toEqual([]);
    expect((await listed(app, { statuses: ['orphaned'] })).jobs.map(({ key }) => key)).toEqual([job.key]);
    await app.close();
    const again = await openApp({ dataDir: app.dataDir });
    expect(again.engine.trackerState()).toMatchObject({ tracked: 0, orphans: 1 });
    expect((await again.answer('job:get', { key: job.key })).job).toMatchObject({
      phase: 'orphaned',
      reason: { kind: 'connection-removed', wasSent: true },
    });
    expect(again.told['job:changed']).toEqual([]);
  });

  it('and added again at the same address gets its jobs back and tracks them', async () => {
    const app = await openApp();
    const connection = await app.connect(service);
    const job = await orphanedJob(app, connection.id);
    const again = await app.connect(service);
    paced.end();
    expect(again.id).toBe(connection.id);
    expect(await app.untilJob(job.key, ({ phase }) => phase === 'finished')).toMatchObject({
      status: 'COMPLETED',
      isResultSaved: true,
    });
    expect(app.engine.trackerState()).toMatchObject({ orphans: 0 });
  });

  it('and added again tracks a job that was in the bin meanwhile as soon as it is restored', async () => {
    const app = await openApp();
    const connection = await app.connect(service);
    const job = await orphanedJob(app, connection.id);
    await app.answer('job:delete', { keys: [job.key] });
    await app.connect(service);
    await app.answer('bin:restore', { keys: [job.key] });
    paced.end();
    expect(await app.untilJob(job.key, ({ phase }) => phase === 'finished')).toMatchObject({
      status: 'COMPLETED',
      isResultSaved: true,
    });
    await app.untilEvent('tracker:changed', ({ orphans }) => orphans === 0);
  });

  it('is reported on its jobs even without other requests: its key was refused', async () => {
    const app = await openApp();
    const connection = await app.connect({ ...service, apiKey: 'another-key' });
    await app.untilEnd((await app.submit({ connectionId: connection.id })).key);
    await app.untilConnection(connection.id, ({ state }) => state.kind === 'key-refused');
    const job = await app.submit({ connectionId: connection.id });
    expect(job).toMatchObject({ phase: 'waiting', reason: { kind: 'key-refused' } });
    await app.answer('connection:remove', { connectionId: connection.id });
    await app.untilJob(job.key, ({ reason }) => reason?.kind === 'connection-removed');
    expect(app.engine.trackerState()).toMatchObject({ waitingToSend: 0, orphans: 1, tracked: 0 });
  });
});

describe('while the service is not reachable', () => {
  it('submissions wait in the outbox, and each is sent once when it is back', async () => {
    const app = await openApp();
    const connection = await app.connect(service);
    const running = await app.submit({ connectionId: connection.id, input: { mock_delay: 600_000 } });
    await app.untilJob(running.key, ({ phase }) => phase === 'active');
    await service.goOffline();

    const jobs: Job[] = [];
    for (const number of [1, 2, 3])
      jobs.push(await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { number } }));
    const offline = await app.untilConnection(connection.id, ({ state }) => state.kind === 'offline');
    expect(offline.state).toMatchObject({
      kind: 'offline',
      message: expect.stringContaining('Could not connect to 127.0.0.1'),
      sinceMs: expect.any(Number),
    });
    for (const { key } of jobs)
      expect(await app.untilJob(key, ({ phase }) => phase === 'waiting')).toMatchObject({
        jobId: null,
        reason: { kind: expect.stringMatching(/^(offline|not-sent|earlier-first)$/) },
      });
    await app.untilEvent('tracker:changed', ({ waitingToSend }) => waitingToSend === 3);
    // Saved data stays available.
    expect((await listed(app, { statuses: ['waiting'] })).jobs.map(({ key }) => key)).toEqual(
      jobs.map(({ key }) => key).toReversed(),
    );
    // A withdrawn one never leaves.
    const unwanted = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { number: 4 } });
    expect(await app.answer('job:cancel', { key: unwanted.key })).toMatchObject({
      phase: 'finished',
      status: 'CANCELLED',
      reason: { kind: 'withdrawn' },
    });

    await service.goOnline();
    const ends = await Promise.all(jobs.map(({ key }) => app.untilEnd(key)));
    expect(ends.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    // They leave in order over connections of their own, so that the service may take them in another.
    expect(taken().slice(1).toSorted()).toEqual(ends.map(({ jobId }) => jobId ?? '').toSorted());
    expect((await app.untilConnection(connection.id, ({ state }) => state.kind === 'ready')).state).toEqual({
      kind: 'ready',
    });
    expect((await app.answer('job:get', { key: running.key })).job.phase).toBe('active');
  });

  it('a restart keeps waiting submissions, and sends them once', async () => {
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect(service);
    await service.goOffline();
    const jobs: Job[] = [];
    for (const number of [1, 2, 3])
      jobs.push(
        await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { number }, tags: [`n${number}`] }),
      );
    await Promise.all(jobs.map(({ key }) => app.untilJob(key, ({ phase }) => phase === 'waiting')));
    await app.close();

    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    // The first of them may be tried by now.
    expect((await again.engine.history.liveJobs()).map(({ key, tags }) => ({ key, tags }))).toEqual(
      jobs.map(({ key, tags }) => ({ key, tags })),
    );
    await again.untilConnection(connection.id, ({ state }) => state.kind === 'offline');
    // Each was tried, and is back in the outbox.
    const phases = (key: string): string[] =>
      again.told['job:changed']
        .flatMap((told) => told.jobs)
        .filter((job) => job.key === key)
        .map(({ phase }) => phase);
    await again.untilSeen(() =>
      jobs.every(({ key }) => phases(key).includes('submitting') && phases(key).at(-1) === 'waiting'),
    );
    expect(again.engine.trackerState()).toMatchObject({ waitingToSend: 3, tracked: 0, outcomeUnknown: 0 });
    await service.goOnline();
    const ends = await Promise.all(jobs.map(({ key }) => again.untilEnd(key)));
    expect(taken().toSorted()).toEqual(ends.map(({ jobId }) => jobId ?? '').toSorted());
    const bodies = await Promise.all(
      jobs.map(({ key }) => again.answer('job:body', { key, part: 'output', attempt: null, isWhole: true })),
    );
    expect(bodies.map(({ text }) => text)).toEqual(['{"number":1}', '{"number":2}', '{"number":3}']);
  });

  it('a lost reply leaves the outcome unknown, even over a restart, and the submission is never sent again automatically', async () => {
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect(service);
    service.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
    const job = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { paid: true } });
    const unknown = await app.untilJob(job.key, ({ phase }) => phase === 'outcome-unknown');
    expect(unknown).toMatchObject({ jobId: null, reason: { kind: 'unanswered', why: { kind: 'no-answer' } } });
    await app.close();
    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    expect(again.engine.trackerState()).toMatchObject({ outcomeUnknown: 1, tracked: 0, waitingToSend: 0 });
    await again.answer('tracker:tryNow', undefined);
    const other = await again.submit({ connectionId: connection.id, endpointId: 'echo', input: {} });
    await again.untilEnd(other.key);
    expect(taken()).toHaveLength(2);
    const resent = await again.answer('job:resubmit', { key: job.key });
    expect(await again.untilEnd(resent.key)).toMatchObject({ status: 'COMPLETED' });
    expect(taken()).toHaveLength(3);
    expect((await again.answer('job:get', { key: job.key })).job.phase).toBe('outcome-unknown');
  });
});

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { allowedActions } from '../../../src-preload/job-actions.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine, TestEngineOptions } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';

let engine: TestEngine;
let sandbox: Sandbox;
let clock: VirtualClock;

beforeEach(async () => {
  sandbox = await startSandbox();
  clock = createVirtualClock(1_700_000_000_000, () => engine.settle());
  await start();
});
afterEach(async () => {
  await engine.close();
  await sandbox.close();
});
afterAll(removeEngineFolders);

async function start(options: Partial<TestEngineOptions> = {}): Promise<void> {
  engine = await startEngine({ connections: to(sandbox), clock, ...options });
}

/** Requests for a retry that came to the service. */
const retries = (): number =>
  sandbox
    .requests()
    .filter(({ operation }) => operation === 'retry')
    .reduce((sum, { count }) => sum + count, 0);

async function kept(key: string): Promise<Job> {
  const stored = await engine.history.get(key);
  if (stored === null) throw new Error('The job is not in the history.');
  return stored.job;
}

/** Lets time pass until the job is so; ten minutes at most. */
async function passUntil(key: string, check: (job: Job) => boolean): Promise<Job> {
  for (let second = 0; second < 600; second += 1) {
    const job = await kept(key);
    if (check(job)) return job;
    await clock.advance(1_000);
  }
  return await kept(key);
}

const isEnded = ({ phase }: Job): boolean => phase === 'finished';
const isRetried = ({ phase, attempt }: Job): boolean => phase === 'finished' && attempt === 2;

/** A job that failed, and fails again whenever it is retried. */
async function failedJob(): Promise<Job> {
  const { key } = await engine.submit({ endpointId: 'mock', input: { mock_error: 'out of memory' } });
  const job = await passUntil(key, isEnded);
  expect(job).toMatchObject({ phase: 'finished', status: 'FAILED', reason: { kind: 'failed', said: 'out of memory' } });
  return job;
}

/** Asks for the retry of a failed job while the service is not reachable. */
async function retriedOffline(): Promise<Job> {
  const job = await failedJob();
  await sandbox.goOffline();
  // A connection that was kept open is known to be closed by then: a retry sent on it would have an unknown outcome.
  await fetch(sandbox.baseUrl).catch(() => undefined);
  const answer = await engine.jobs.retry(job.key);
  expect(answer).toMatchObject({
    ok: true,
    value: {
      phase: 'finished',
      status: 'FAILED',
      attempt: 1,
      reason: { kind: 'failed', said: 'out of memory' },
      retryRequestedAtMs: clock.now(),
    },
  });
  return await kept(job.key);
}

describe('a retry while the service is not reachable', () => {
  it('waits on its job, can be withdrawn, and is sent once when the service is back', async () => {
    const job = await retriedOffline();
    const { cancel, retry } = allowedActions(job, clock.now());
    expect([cancel.isAllowed, retry.isAllowed]).toEqual([true, false]);
    expect(await engine.jobs.retry(job.key)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    await clock.advance(120_000);
    expect(retries()).toBe(0);
    await sandbox.goOnline();
    const after = await passUntil(job.key, isRetried);
    expect(after).toMatchObject({ phase: 'finished', status: 'FAILED', attempt: 2 });
    expect(after.retryRequestedAtMs).toBeUndefined();
    expect(retries()).toBe(1);
    expect(await engine.history.documents('retry-intent')).toEqual([]);
  });

  it.each(['close', 'crash'] as const)('survives a %s and is sent by the next start, once', async (how) => {
    const job = await retriedOffline();
    await engine[how]();
    await start({ dataDir: engine.dataDir });
    expect((await kept(job.key)).retryRequestedAtMs).toBe(job.retryRequestedAtMs);
    await sandbox.goOnline();
    expect(await passUntil(job.key, isRetried)).toMatchObject({ attempt: 2 });
    expect(retries()).toBe(1);
  });

  it('can be withdrawn, even over a restart, and then nothing is sent', async () => {
    const job = await retriedOffline();
    await engine.close();
    await start({ dataDir: engine.dataDir });
    const withdrawn = await engine.jobs.cancel(job.key);
    expect(withdrawn).toMatchObject({
      ok: true,
      value: { phase: 'finished', status: 'FAILED', reason: { kind: 'failed', said: 'out of memory' } },
    });
    await sandbox.goOnline();
    await clock.advance(90_000);
    const after = await kept(job.key);
    expect(after).toMatchObject({ status: 'FAILED', attempt: 1 });
    expect(after.retryRequestedAtMs).toBeUndefined();
    expect(retries()).toBe(0);
  });

  it('is withdrawn by an undo, and one that already left continues', async () => {
    const waiting = await retriedOffline();
    const unsent = await engine.submit({ endpointId: 'mock', input: {} });
    expect(await engine.jobs.withdraw(waiting.key)).toMatchObject({
      ok: true,
      value: { isWithdrawn: true, job: { phase: 'finished', status: 'FAILED', attempt: 1 } },
    });
    // One that was never sent is withdrawn, too.
    expect(await engine.jobs.withdraw(unsent.key)).toMatchObject({
      ok: true,
      value: { isWithdrawn: true, job: { phase: 'finished', reason: { kind: 'withdrawn' } } },
    });
    await sandbox.goOnline();
    await clock.advance(90_000);
    expect(retries()).toBe(0);

    const slow = await engine.submit({ endpointId: 'mock', input: { mock_delay: 200 } });
    await passUntil(slow.key, ({ phase }) => phase === 'active');
    expect(await engine.jobs.withdraw(slow.key)).toMatchObject({
      ok: true,
      value: { isWithdrawn: false, job: { phase: 'active', isCancelling: false } },
    });
    expect(await passUntil(slow.key, isEnded)).toMatchObject({ status: 'COMPLETED' });
    const again = await failedJob();
    await engine.jobs.retry(again.key);
    expect(await engine.jobs.withdraw(again.key)).toMatchObject({ ok: true, value: { isWithdrawn: false } });
    expect(await passUntil(again.key, isRetried)).toMatchObject({ attempt: 2 });
    expect(sandbox.requests().filter(({ operation }) => operation === 'cancel')).toEqual([]);
  });

  it('can be withdrawn as soon as its job shows that it waits, and is then never sent', async () => {
    await engine.close();
    const isHeld = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await start({
      dataDir: engine.dataDir,
      // The disk is slow to note that the first try ended.
      wrapHistory: (history) => ({
        ...history,
        async removeDocument(...args) {
          isHeld.resolve();
          await goOn.promise;
          await history.removeDocument(...args);
        },
      }),
    });
    const { key } = await failedJob();
    await sandbox.goOffline();
    await fetch(sandbox.baseUrl).catch(() => undefined);
    const asked = engine.jobs.retry(key);
    await isHeld.promise;
    expect(engine.changes.at(-1)).toMatchObject({ key, retryRequestedAtMs: clock.now() });
    const withdrawn = await engine.jobs.withdraw(key);
    expect(withdrawn).toMatchObject({ ok: true, value: { isWithdrawn: true, job: { status: 'FAILED', attempt: 1 } } });
    goOn.resolve();
    expect((await asked).ok).toBe(true);
    await sandbox.goOnline();
    await clock.advance(120_000);
    expect((await kept(key)).retryRequestedAtMs).toBeUndefined();
    expect([retries(), clock.pending()]).toEqual([0, 0]);
  });

  it('is given up and reported if the result expires first', async () => {
    const job = await retriedOffline();
    await clock.advance(31 * 60_000);
    const after = await kept(job.key);
    expect(after.retryRequestedAtMs).toBeUndefined();
    expect(after.reason).toEqual({ kind: 'retry-too-late' });
    await sandbox.goOnline();
    await clock.advance(60_000);
    expect(retries()).toBe(0);
    expect(clock.pending()).toBe(0);
  });

  it('waits until a paused Jobdeck resumes', async () => {
    const job = await retriedOffline();
    engine.jobs.pause();
    await sandbox.goOnline();
    await clock.advance(120_000);
    expect(retries()).toBe(0);
    engine.jobs.resume();
    expect(await passUntil(job.key, isRetried)).toMatchObject({ attempt: 2 });
  });

  it('shows the service’s answer if it is finally refused', async () => {
    const job = await retriedOffline();
    sandbox.setFault({ kind: 'status', status: 404, operation: 'retry', times: 1 });
    await sandbox.goOnline();
    const after = await passUntil(job.key, ({ retryRequestedAtMs }) => retryRequestedAtMs === undefined);
    expect(after).toMatchObject({ status: 'FAILED', attempt: 1, reason: { kind: 'not-retried' } });
    expect(retries()).toBe(1);
  });
});

it('a retry from the queue whose answer was lost in a crash is checked, never sent again', async () => {
  const job = await retriedOffline();
  await engine.close();
  await sandbox.goOnline();
  await start({
    dataDir: engine.dataDir,
    // The service receives it, and its answer never comes.
    wrapApi: (api) => ({
      ...api,
      retry: async (...args) => await api.retry(...args).then(() => new Promise<never>(() => undefined)),
    }),
  });
  await turnsUntil(() => retries() === 1);
  await engine.crash();
  await start({ dataDir: engine.dataDir });
  expect(await passUntil(job.key, isRetried)).toMatchObject({ attempt: 2 });
  expect(retries()).toBe(1);
});

it('a retry that was noted as waiting right before a crash, but not yet as not accepted, is not sent', async () => {
  await engine.close();
  const isHeld = Promise.withResolvers<void>();
  await start({
    dataDir: engine.dataDir,
    wrapHistory: (history) => ({
      ...history,
      async removeDocument() {
        isHeld.resolve();
        return await new Promise<never>(() => undefined);
      },
    }),
  });
  const { key } = await failedJob();
  await sandbox.goOffline();
  await fetch(sandbox.baseUrl).catch(() => undefined);
  void engine.jobs.retry(key);
  await isHeld.promise;
  await engine.crash();
  await sandbox.goOnline();
  await start({ dataDir: engine.dataDir });
  await clock.advance(120_000);
  expect(await kept(key)).toMatchObject({ status: 'FAILED', attempt: 1, reason: { kind: 'not-retried' } });
  expect((await kept(key)).retryRequestedAtMs).toBeUndefined();
  expect(retries()).toBe(0);
});

it('more retries than the rate limit allows are sent one after the other, and none is refused', async () => {
  const keys: string[] = [];
  for (let n = 0; n < 60; n += 1)
    keys.push((await engine.submit({ endpointId: 'mock', input: { mock_error: 'no' } })).key);
  for (let second = 0; second < 600 && engine.ended.length < keys.length; second += 1) await clock.advance(1_000);
  expect(engine.ended).toHaveLength(60);
  const answers = await Promise.all(keys.map((key) => engine.jobs.retry(key)));
  expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  expect(retries()).toBeLessThan(60);
  for (const key of keys) expect(await passUntil(key, isRetried)).toMatchObject({ attempt: 2 });
  expect(retries()).toBe(60);
});

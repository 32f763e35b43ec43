import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { removeEngineFolders, startEngine, startStillEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { createFastClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Reply, Script, ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

const record = (status: string, more: object = {}): Reply => ({ body: { id: 'job-1', status, ...more } });
const failure = record('FAILED', { error: 'no', delayTime: 10, executionTime: 200 });
const unreadable: Reply = { status: 502, body: 'not now' };
const over: Reply[] = [failure];

/** A failed job whose retry is answered by `retry`, with what its status says from then on. */
async function retried(script: Script): Promise<{ job: Job; answer: Result<Job> }> {
  service = await createScriptedService({ status: over, stream: [{ body: [] }] }, { closesConnections: true });
  ({ engine, clock } = await startStillEngine({ connections: to(service) }));
  const { key } = await engine.submit({});
  await clock.advance(5_000);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'FAILED' });
  service.script(script);
  const answered = engine.jobs.retry(key);
  for (let passedMs = 0; passedMs < 60_000; passedMs += 1_000) await clock.advance(1_000);
  const answer = await answered;
  const stored = await engine.history.get(key);
  if (stored === null) throw new Error('The job is not in the history.');
  return { job: stored.job, answer };
}

describe('a retry whose answer is lost', () => {
  it('is found accepted even if its first reads fail too', async () => {
    const { job, answer } = await retried({
      retry: [unreadable],
      status: [unreadable, unreadable, record('IN_PROGRESS'), record('COMPLETED', { output: 'second' })],
    });
    expect(answer).toMatchObject({ ok: true, value: { attempt: 2 } });
    expect(job).toMatchObject({ phase: 'finished', status: 'COMPLETED', attempt: 2 });
    expect(await engine.output(job.key, 2)).toBe('second');
    expect(service.count('retry')).toBe(1);
  });

  it('is found already over by the times of another run', async () => {
    const { job, answer } = await retried({
      retry: [unreadable],
      status: [record('FAILED', { error: 'no again', delayTime: 3, executionTime: 90 })],
    });
    expect(answer.ok).toBe(true);
    expect(job).toMatchObject({
      phase: 'finished',
      status: 'FAILED',
      attempt: 2,
      executionTimeMs: 90,
      reason: { kind: 'failed', said: 'no again' },
    });
  });

  it('was not accepted if the job is unchanged', async () => {
    const { job, answer } = await retried({ retry: [unreadable], status: over });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'server' } });
    expect(job).toMatchObject({ phase: 'finished', status: 'FAILED', attempt: 1 });
  });

  it('is tracked even if the service accepted it only after a status read that found the job unchanged', async () => {
    const { job, answer } = await retried({
      retry: [unreadable],
      status: [failure, failure, record('IN_PROGRESS'), record('COMPLETED', { output: 'late' })],
    });
    expect(answer.ok).toBe(false);
    expect(job).toMatchObject({ phase: 'finished', status: 'COMPLETED', attempt: 2 });
    expect(await engine.output(job.key, 2)).toBe('late');
    expect(service.count('retry')).toBe(1);
  });

  it('with its connection is not sent again, as long as the service shows that the job is unchanged', async () => {
    const { job, answer } = await retried({ retry: [() => ({ kind: 'reset' })], status: over });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'network', mayHaveArrived: true } });
    await clock.advance(10 * 60_000);
    expect((await engine.history.get(job.key))?.job.retryRequestedAtMs).toBeUndefined();
    expect(service.count('retry')).toBe(1);
  });

  it('does not count as accepted by one unknown status after failed reads', async () => {
    const { job } = await retried({
      retry: [unreadable],
      status: [unreadable, unreadable, unreadable, unreadable, unreadable, record('ERROR'), failure],
    });
    expect(job).toMatchObject({ phase: 'finished', status: 'FAILED', attempt: 1 });
  });

  it('counts as accepted only by a status that the specification names', async () => {
    const { job } = await retried({
      retry: [unreadable],
      status: [record('ERROR', { delayTime: 10, executionTime: 200 }), failure],
    });
    expect(job).toMatchObject({ status: 'FAILED', attempt: 1 });
  });

  it('and could not be checked is tracked after the next try, which the service refuses', async () => {
    const { job, answer } = await retried({ retry: [unreadable], status: [unreadable] });
    expect(answer.ok).toBe(false);
    expect(job).toMatchObject({ phase: 'finished', attempt: 1 });
    service.script({
      retry: [{ status: 400, body: { error: 'Only a FAILED or TIMED_OUT job can be retried.' } }],
      status: [record('IN_PROGRESS'), record('COMPLETED', { output: 'late' })],
    });
    expect(await engine.jobs.retry(job.key)).toMatchObject({ ok: true, value: { attempt: 2 } });
    await clock.advance(30_000);
    expect(await engine.output(job.key, 2)).toBe('late');
  });
});

it('two simultaneous requests send one retry', async () => {
  await retried({ retry: [record('IN_QUEUE')], status: over });
  const { key } = await engine.submit({});
  await clock.advance(5_000);
  const before = service.count('retry');
  const answers = Promise.all([engine.jobs.retry(key), engine.jobs.retry(key)]);
  await clock.advance(5_000);
  expect((await answers).filter(({ ok }) => ok)).toHaveLength(1);
  expect(service.count('retry') - before).toBe(1);
});

it.each([
  ['still runs', [record('IN_PROGRESS'), record('COMPLETED', { output: 'theirs' })], 'COMPLETED'],
  ['is over', [record('COMPLETED', { output: 'theirs', delayTime: 1, executionTime: 2 })], 'COMPLETED'],
  ['failed again', [record('FAILED', { error: 'no again', delayTime: 3, executionTime: 90 })], 'FAILED'],
])(
  'a job that another client retried while our retry waited, and that %s, is tracked and not retried again',
  async (_, status, ends) => {
    const { job, answer } = await retried({ retry: [{ status: 429, body: {} }, record('IN_QUEUE')], status });
    expect(answer).toMatchObject({ ok: true, value: { attempt: 1 } });
    expect(job).toMatchObject({ phase: 'finished', status: ends, attempt: 2 });
    expect(job.retryRequestedAtMs).toBeUndefined();
    expect(service.count('retry')).toBe(1);
  },
);

it('a waiting retry withdrawn while its job is read again is not sent', async () => {
  service = await createScriptedService({
    status: over,
    stream: [{ body: [] }],
    retry: [{ status: 429, body: {} }, record('IN_QUEUE')],
  });
  const gate = Promise.withResolvers<void>();
  let statusReads = 0;
  let isGated = false;
  ({ engine, clock } = await startStillEngine({
    connections: to(service),
    random: () => 0,
    wrapApi: (api) => ({
      ...api,
      async status(...args) {
        statusReads += 1;
        if (isGated) await gate.promise;
        return await api.status(...args);
      },
    }),
  }));
  const { key } = await engine.submit({});
  await clock.advance(5_000);
  isGated = true;
  const before = statusReads;
  await engine.jobs.retry(key);
  await turnsUntil(() => statusReads > before);
  const taken = engine.jobs.cancel(key);
  gate.resolve();
  expect(await taken).toMatchObject({ ok: true, value: { phase: 'finished', status: 'FAILED', attempt: 1 } });
  await clock.advance(60_000);
  expect(service.count('retry')).toBe(1);
  expect((await engine.history.get(key))?.job.retryRequestedAtMs).toBeUndefined();
});

it.each(['withdraw', 'cancel'] as const)(
  'a retry that is undone during its first try (%s) is not sent again after the service refused that for now',
  async (undo) => {
    service = await createScriptedService({ status: over, stream: [{ body: [] }], retry: [{ status: 429, body: {} }] });
    const gate = Promise.withResolvers<void>();
    ({ engine, clock } = await startStillEngine({
      connections: to(service),
      wrapApi: (api) => ({ ...api, retry: (...args) => api.retry(...args).finally(() => gate.promise) }),
    }));
    const { key } = await engine.submit({});
    await clock.advance(5_000);
    const asked = engine.jobs.retry(key);
    await turnsUntil(() => service.count('retry') === 1);
    const undone = engine.jobs[undo](key);
    // A second request would journal an intent that the end of the first one removes.
    expect(await engine.jobs.retry(key)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    gate.resolve();
    const asBefore = { phase: 'finished', status: 'FAILED', attempt: 1 };
    expect(await undone).toMatchObject({
      ok: true,
      value: undo === 'cancel' ? asBefore : { job: asBefore, isWithdrawn: true },
    });
    expect(await asked).toMatchObject({ ok: true, value: asBefore });
    expect((await engine.history.get(key))?.job.retryRequestedAtMs).toBeUndefined();
    for (let passedMs = 0; passedMs < 60_000; passedMs += 1_000) await clock.advance(1_000);
    expect(service.count('retry')).toBe(1);
    expect(await engine.history.documents('retry-intent')).toEqual([]);
  },
);

it('a waiting retry is journalled when it leaves, even though the attempt before it was just returned', async () => {
  service = await createScriptedService({
    status: over,
    stream: [{ body: [] }],
    retry: [{ status: 429, body: {} }, record('IN_QUEUE')],
  });
  let calls = 0;
  ({ engine, clock } = await startStillEngine({
    connections: to(service),
    random: () => 0,
    wrapApi: (api) => ({
      ...api,
      retry: async (...args) =>
        await api.retry(...args).then((reply) => ((calls += 1) === 1 ? reply : new Promise<never>(() => undefined))),
    }),
  }));
  const { key } = await engine.submit({});
  await clock.advance(5_000);
  await engine.jobs.retry(key);
  await turnsUntil(() => service.count('retry') === 2);
  expect(await engine.history.documents('retry-intent')).toHaveLength(1);
  await engine.crash();
});

describe('the record of the run before an accepted retry', () => {
  const retry = [record('IN_QUEUE')];

  it('does not end the new run while the service may still return it', async () => {
    const { job } = await retried({
      retry,
      status: [failure, failure, record('IN_PROGRESS'), record('COMPLETED', { output: 'second' })],
    });
    expect(job).toMatchObject({ phase: 'finished', status: 'COMPLETED', attempt: 2 });
    expect(await engine.output(job.key, 2)).toBe('second');
  });

  it('is that of the new run if it stays: two runs may take the same time', async () => {
    const { job } = await retried({ retry, status: over });
    expect(job).toMatchObject({ phase: 'finished', status: 'FAILED', attempt: 2, executionTimeMs: 200 });
    expect(service.count('status')).toBeLessThan(12);
  });
});

it('a retry that is refused is shown as refused (ruling 15)', async () => {
  const { job, answer } = await retried({
    retry: [{ status: 400, body: { error: 'Its result expired.' } }],
    status: over,
  });
  expect(answer).toMatchObject({ ok: false, failure: { kind: 'invalid', serviceSaid: 'Its result expired.' } });
  expect(job).toMatchObject({ phase: 'finished', attempt: 1 });
});

describe('a crash between a retry and its answer', () => {
  /** The engine dies while the retry it sent is in progress; the next one finds `status`. */
  async function startedAnew(status: Reply[]): Promise<string> {
    service = await createScriptedService({ status: over, stream: [{ body: [] }], retry: [record('IN_QUEUE')] });
    // Twenty times as fast: that a retry was rejected is known only after a minute.
    const fast = createFastClock(20);
    const first = await startEngine({
      clock: fast,
      connections: to(service),
      // The service receives it, and its answer never comes.
      wrapApi: (api) => ({
        ...api,
        retry: async (...args) => await api.retry(...args).then(() => new Promise<never>(() => undefined)),
      }),
    });
    const { key } = await first.submit({});
    await first.untilEnd(key);
    void first.jobs.retry(key);
    await turnsUntil(() => service.count('retry') === 1);
    await first.crash();
    service.script({ status });
    engine = await startEngine({ clock: fast, connections: to(service), dataDir: first.dataDir });
    return key;
  }

  it('is resolved at the next start: the new attempt is recognised, and nothing is sent twice', async () => {
    const key = await startedAnew([unreadable, record('IN_PROGRESS'), record('COMPLETED', { output: 'second' })]);
    expect(await engine.until(key, ({ phase, attempt }) => phase === 'finished' && attempt === 2)).toMatchObject({
      status: 'COMPLETED',
    });
    expect(await engine.output(key, 2)).toBe('second');
    expect(service.count('retry')).toBe(1);
    expect(await engine.history.documents('retry-intent')).toEqual([]);
  });

  it('leaves the job unchanged if the retry was rejected', async () => {
    const key = await startedAnew([failure]);
    // The caller never got an answer: the job shows it.
    const job = await engine.until(key, ({ reason }) => reason?.kind === 'not-retried');
    expect(job).toMatchObject({ phase: 'finished', status: 'FAILED', attempt: 1 });
    await engine.jobs.close();
    expect(await engine.history.documents('retry-intent')).toEqual([]);
  });

  it('does not withdraw the retry that the user requested since, and that waits', async () => {
    service = await createScriptedService({ status: over, stream: [{ body: [] }], retry: [record('IN_QUEUE')] });
    const never = new Promise<never>(() => undefined);
    const first = await startStillEngine({
      connections: to(service),
      wrapApi: (api) => ({ ...api, retry: async (...args) => await api.retry(...args).then(() => never) }),
    });
    const { key } = await first.engine.submit({});
    await first.clock.advance(5_000);
    void first.engine.jobs.retry(key);
    await turnsUntil(() => service.count('retry') === 1);
    await first.engine.crash();
    service.script({ retry: [{ status: 429, body: {} }] });
    ({ engine, clock } = await startStillEngine({ connections: to(service), dataDir: first.engine.dataDir }));
    await clock.advance(1_000);
    expect(await engine.jobs.retry(key)).toMatchObject({ ok: true, value: { retryRequestedAtMs: clock.now() } });
    for (let passedMs = 0; passedMs < 120_000; passedMs += 1_000) await clock.advance(1_000);
    const job = (await engine.history.get(key))?.job;
    expect(job?.reason).toEqual({ kind: 'failed', said: 'no' });
    expect(job?.retryRequestedAtMs).toBeDefined();
  });

  it('is polled until the service can tell', async () => {
    const key = await startedAnew([
      ...Array.from({ length: 3 }, () => unreadable),
      record('COMPLETED', { output: 'late', delayTime: 1, executionTime: 2 }),
    ]);
    await engine.until(key, ({ phase, attempt }) => phase === 'finished' && attempt === 2);
    expect(await engine.output(key, 2)).toBe('late');
  });
});

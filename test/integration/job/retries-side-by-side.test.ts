import { afterAll, afterEach, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { removeEngineFolders, startEngine, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { Fault, ReceivedRequest } from '../../kit/fault-service.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { TEST_API_KEY } from '../../kit/sandbox.ts';
import { createScriptedService } from './scripted-service.ts';
import type { ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
const services: ScriptedService[] = [];

afterEach(async () => {
  await engine.close();
  await Promise.all(services.splice(0).map((service) => service.close()));
});
afterAll(removeEngineFolders);

const idOf = (request: ReceivedRequest): string => request.path.split('/').at(-1) ?? '';
const slow: Fault = { kind: 'reply', status: 429, body: { error: 'slow' }, headers: { 'retry-after': '1' } };
const failedJob = (request: ReceivedRequest): { body: unknown } => ({
  body: { id: idOf(request), status: 'FAILED', error: 'no' },
});
const takenRetry = (request: ReceivedRequest): { body: unknown } => ({
  body: { id: idOf(request), status: 'IN_QUEUE' },
});

/** A service whose jobs fail, and that has no room for the first retry. */
async function failing(): Promise<ScriptedService> {
  let jobs = 0;
  const service = await createScriptedService({
    run: [() => ({ body: { id: `job-${(jobs += 1)}`, status: 'FAILED', error: 'no' } })],
    stream: [{ body: [] }],
    status: [failedJob],
    retry: [() => slow, takenRetry],
  });
  services.push(service);
  return service;
}

/** A failed job whose retry waits. */
async function waitingRetry(connectionId: string, endpointId = 'echo'): Promise<Job> {
  const { key } = await engine.submit({ connectionId, endpointId });
  await engine.untilEnd(key);
  const held = await engine.jobs.retry(key);
  if (!held.ok) throw new Error(held.failure.message);
  expect(held.value.retryRequestedAtMs).toEqual(expect.any(Number));
  return held.value;
}

async function start(connections: Record<string, ScriptedService>, random?: () => number): Promise<void> {
  engine = await startEngine({
    ...(random === undefined ? {} : { random }),
    connections: Object.fromEntries(
      Object.entries(connections).map(([id, { url }]) => [id, { baseUrl: url, apiKey: TEST_API_KEY }]),
    ),
  });
}

it('a service that does not answer holds up no retry of another one', async () => {
  const [hanging, other] = [await failing(), await failing()];
  await start({ hanging, other });
  hanging.script({ status: [() => ({ kind: 'hang' })] });
  await waitingRetry('hanging');
  const free = await waitingRetry('other');
  await engine.eventually(() => engine.changes.some(({ key, attempt }) => key === free.key && attempt === 2));
  // It was asked first, and has still not answered.
  expect(hanging.count('status')).toBe(1);
  expect(hanging.count('retry')).toBe(1);
});

it('an endpoint that does not answer holds up no retry of another endpoint', async () => {
  const service = await failing();
  await start({ main: service });
  service.script({
    status: [(request) => (request.path.includes('/first/') ? { kind: 'hang' } : failedJob(request))],
    retry: [() => slow, () => slow, takenRetry],
  });
  await waitingRetry('main', 'first');
  const second = await waitingRetry('main', 'second');
  await engine.eventually(() => engine.changes.some(({ key, attempt }) => key === second.key && attempt === 2));
  expect(service.requests.filter(({ path }) => path.includes('/first/status/'))).toHaveLength(1);
});

it('retries of one endpoint leave in the order of their requests, one after the other', async () => {
  const service = await failing();
  await start({ main: service });
  service.script({
    retry: [() => ({ kind: 'reply', status: 429, body: {}, headers: { 'retry-after': '3' } }), takenRetry],
  });
  const jobs: Job[] = [];
  for (let job = 0; job < 4; job += 1) jobs.push(await waitingRetry('main'));
  await engine.eventually(() =>
    jobs.every(({ key }) => engine.changes.some((job) => job.key === key && job.attempt === 2)),
  );
  const taken = service.requests
    .filter(({ path }) => path.includes('/retry/'))
    .map(idOf)
    .slice(1);
  expect(taken).toEqual(jobs.map(({ jobId }) => jobId));
});

it('a retry blocked by the rate limit again is not overtaken by a later one that would fit', async () => {
  const service = await failing();
  // The wait after a 429 is over at once.
  await start({ main: service }, () => 0);
  const full: Fault = { kind: 'reply', status: 429, body: {} };
  service.script({
    retry: [() => ({ kind: 'reply', status: 429, body: {}, headers: { 'retry-after': '3' } }), () => full, takenRetry],
  });
  const jobs: Job[] = [];
  for (let job = 0; job < 3; job += 1) jobs.push(await waitingRetry('main'));
  await engine.eventually(() =>
    jobs.every(({ key }) => engine.changes.some((job) => job.key === key && job.attempt === 2)),
  );
  const asked = service.requests.filter(({ path }) => path.includes('/retry/')).map(idOf);
  expect(asked).toEqual(['job-1', 'job-1', 'job-1', 'job-2', 'job-3']);
});

it.each([4, 5, 6, 7, 8, 9, 10])(
  'a retry does not overtake an earlier one if both are due from reading %d of the clock on',
  async (dueReading) => {
    const service = await failing();
    const clock = createVirtualClock(1_700_000_000_000, async () => engine.settle());
    let readings = -Infinity;
    const now = (): number => clock.now() + ((readings += 1) >= dueReading ? 1 : 0);
    engine = await startEngine({ connections: to(service), clock: { ...clock, now } });
    service.script({
      retry: [() => ({ kind: 'reply', status: 429, body: {}, headers: { 'retry-after': '60' } }), takenRetry],
    });
    const waiting = async (): Promise<Job> => {
      const { key } = await engine.submit({ endpointId: 'echo' });
      await clock.advance(10_000);
      const held = await engine.jobs.retry(key);
      if (!held.ok) throw new Error(held.failure.message);
      return held.value;
    };
    const first = await waiting();
    const second = await waiting();
    clock.jump((first.retryRequestedAtMs ?? 0) + 60_000 - 1 - clock.now());
    readings = 0;
    // Something changed: what waits is considered.
    engine.jobs.resume();
    await engine.settle();
    await clock.advance(60_000);
    const sent = service.requests.filter(({ path }) => path.includes('/retry/')).map(idOf);
    expect(sent).toEqual([first.jobId, first.jobId, second.jobId]);
  },
);

it('a retry requested while Jobdeck is paused does not wait behind one that the pause holds', async () => {
  const service = await failing();
  const still = await startStillEngine({ connections: to(service) });
  engine = still.engine;
  const failed = async (): Promise<string> => {
    const { key } = await engine.submit({ endpointId: 'echo' });
    await still.clock.advance(10_000);
    return key;
  };
  const [first, second] = [await failed(), await failed()];
  expect(await engine.jobs.retry(first)).toMatchObject({ ok: true, value: { retryRequestedAtMs: still.clock.now() } });
  engine.jobs.pause();
  await still.clock.advance(10_000);
  expect(await engine.jobs.retry(second)).toMatchObject({ ok: true, value: { attempt: 2 } });
  expect(service.requests.filter(({ path }) => path.includes('/retry/')).map(idOf)).toEqual(['job-1', 'job-2']);
});

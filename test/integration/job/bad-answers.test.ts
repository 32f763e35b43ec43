import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { Fault, ReceivedRequest } from '../../kit/fault-service.ts';
import { error, passing } from './ordinary-answers.ts';
import type { Answer } from './ordinary-answers.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Script, ScriptedService } from './scripted-service.ts';

const secondMs = 1_000;
const minuteMs = 60_000;

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
/** When the service began to run `job-1`. */
let startMs: number;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

async function start(script: Script): Promise<void> {
  service = await createScriptedService({ health: [calm], stream: [{ body: [] }], ...script });
  ({ engine, clock } = await startStillEngine({ connections: to(service) }));
  startMs = clock.now();
}

const calm = {
  body: { jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 }, workers: { idle: 0, running: 1 } },
};
const running = { body: { id: 'job-1', status: 'IN_PROGRESS' } };
const completedAs = (request: ReceivedRequest) => ({
  body: { id: request.path.split('/').at(-1), status: 'COMPLETED', output: 'kept' },
});
const completed = { body: { id: 'job-1', status: 'COMPLETED', output: 'kept' } };
const chunk = (index: number) => ({ output: { text: `chunk ${index}` } });

/** What is answered depends on how long the service runs. */
const at = (answers: readonly (readonly [number, Answer])[]) => (): Answer => {
  const sinceMs = clock.now() - startMs;
  return answers.findLast(([fromMs]) => sinceMs >= fromMs)?.[1] ?? error(500);
};
const jobNow = async (key: string): Promise<Job | undefined> => (await engine.history.get(key))?.job;
const chunkTexts = async (key: string): Promise<string[]> =>
  (await engine.chunks(key)).map(({ outputJson }) => outputJson);

describe.each(passing)('%s to status', (_, bad) => {
  it.each([
    ['once', 0],
    ['for five minutes', 5 * minuteMs],
  ])('%s loses nothing', async (_name, forMs) => {
    let badUntilMs = 0;
    const answer = (): Answer => {
      // The first status read of a job that has just ended, and all requests from then on.
      if (badUntilMs === 0) badUntilMs = clock.now() + Math.max(1, forMs);
      return clock.now() < badUntilMs ? bad : completed;
    };
    await start({ status: [running, answer] });
    const { key } = await engine.submit({});
    // One that was called gone meanwhile is asked about again.
    await clock.advance(12 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(key)).toBe('kept');
    expect(engine.connectionState('main')).toEqual({ kind: 'ready' });
  });
});

it('404s in JSON do not make a job gone while the health of its endpoint is a page (ruling 34)', async () => {
  const page: Fault = { kind: 'reply', body: '<html><title>App</title></html>', contentType: 'text/html' };
  await start({
    status: [
      at([
        [0, running],
        [2 * secondMs, { status: 404, body: { message: 'no route matched' } }],
        [10 * minuteMs, completed],
      ]),
    ],
    health: [() => page],
  });
  const { key } = await engine.submit({});
  await clock.advance(9 * minuteMs);
  expect(await jobNow(key)).toMatchObject({ phase: 'active', notKnown: { times: 0 } });
  await clock.advance(3 * minuteMs);
  expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
  expect(engine.changes.filter(({ phase }) => phase === 'gone')).toEqual([]);
});

describe('a refusal (ruling 35)', () => {
  it('of one status read closes that operation of that endpoint, and is tried again after 30 s', async () => {
    const statusReads = (request: ReceivedRequest): Answer =>
      !request.path.includes('/echo/')
        ? completedAs(request)
        : at([
            [0, running],
            [2 * secondMs, error(401)],
            [20 * secondMs, completed],
          ])();
    await start({
      run: [(request) => ({ body: { id: request.path.includes('/echo/') ? 'job-1' : 'job-2', status: 'IN_QUEUE' } })],
      status: [statusReads],
    });
    const { key } = await engine.submit({});
    const other = await engine.submit({ endpointId: 'other' });
    await clock.advance(5 * secondMs);
    expect(engine.jobs.trackerState().closures).toMatchObject([
      { endpointId: 'echo', operation: 'status', httpStatus: 401 },
    ]);
    expect(engine.connectionState('main')).toEqual({ kind: 'ready' });
    expect(await jobNow(other.key)).toMatchObject({ phase: 'finished' });
    await clock.advance(30 * secondMs);
    expect(engine.jobs.trackerState().closures).toEqual([]);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
  });

  it('of another endpoint’s health does not affect the jobs of this one', async () => {
    await start({
      status: [running, running, completed],
      health: [(request) => (request.path.includes('/other/') ? error(403) : calm)],
    });
    const { key } = await engine.submit({});
    await engine.jobs.readHealth('main', 'other');
    await clock.advance(10 * secondMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
    expect(engine.connectionState('main')).toEqual({ kind: 'ready' });
  });

  it('of a cancel alone is reported, and the job is tracked to its end', async () => {
    await start({ status: [running, running, completed], cancel: [error(403)] });
    const { key } = await engine.submit({});
    await clock.advance(2 * secondMs);
    expect(await engine.jobs.cancel(key)).toMatchObject({ ok: false, failure: { httpStatus: 403 } });
    // Refused at the moment: nothing is sent a second time.
    expect(await engine.jobs.cancel(key)).toMatchObject({ ok: false });
    expect(service.count('cancel')).toBe(1);
    await clock.advance(10 * secondMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED', isCancelling: false });
  });

  it('of everything for twenty minutes is retried ever more rarely, even over a restart, and loses nothing', async () => {
    const refused = at([
      [0, running],
      [5 * secondMs, error(401)],
      [20 * minuteMs, completed],
    ]);
    const health = at([
      [0, calm],
      [5 * secondMs, error(401)],
      [20 * minuteMs, calm],
    ]);
    const stream = at([
      [0, { body: [] }],
      [5 * secondMs, error(401)],
      [20 * minuteMs, { body: [] }],
    ]);
    await start({ status: [refused], health: [health], stream: [stream] });
    const { key } = await engine.submit({});
    await clock.advance(10 * minuteMs);
    expect(engine.connectionState('main')).toMatchObject({ kind: 'key-refused', httpStatus: 401 });
    expect(service.requests.filter(({ path }) => !path.endsWith('/run')).length).toBeLessThan(30);
    await engine.close();
    ({ engine, clock } = await restarted());
    await clock.advance(16 * minuteMs);
    expect(engine.connectionState('main')).toEqual({ kind: 'ready' });
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED', isResultSaved: true });
  });

  it('is retried in time before a result expires', async () => {
    // It ended right after the last look, and its result leaves a minute later.
    await start({
      runsync: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
      status: [running, () => (clock.now() - startMs < 50 * secondMs ? error(403) : completed)],
    });
    const { key } = await engine.submit({ operation: 'runsync' });
    await clock.advance(60 * secondMs);
    expect(await jobNow(key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  });
});

async function restarted(): ReturnType<typeof startStillEngine> {
  const sinceMs = clock.now();
  const again = await startStillEngine({ connections: to(service), dataDir: engine.dataDir });
  again.clock.jump(Math.max(0, sinceMs - again.clock.now()));
  return again;
}

describe('a job that the service does not know (ruling 34)', () => {
  it('is marked and stays active, is gone after three 404s over a minute, and is active again after a check', async () => {
    await start({ status: [running, error(404)] });
    const { key } = await engine.submit({});
    await clock.advance(10 * secondMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'active', notKnown: { times: 1 } });
    await clock.advance(2 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'gone', goneReason: 'expired' });
    expect(await engine.jobs.checkNow(key)).toMatchObject({
      ok: false,
      failure: { kind: 'not-found', message: expect.stringContaining('still does not know') },
    });
    service.script({ status: [completed] });
    expect(await engine.jobs.checkNow(key)).toEqual({ ok: true, value: null });
    await clock.advance(10 * secondMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED', goneReason: null });
    expect(await engine.output(key)).toBe('kept');
  });

  it.each<[string, Answer]>([
    ['400', { status: 400, body: { error: 'There is no such job.' } }],
    ['500', error(500)],
    ['another object', { body: { error: 'There is no such job.' } }],
  ])('is gone a day after its ttl even if the service answers with %s, and not before', async (_, answer) => {
    await start({ status: [running, () => answer] });
    const { key } = await engine.submit({ policy: { ttl: 60 * minuteMs } });
    await clock.advance(90 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'active' });
    clock.jump(24 * 60 * minuteMs);
    await clock.advance(5 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'gone', goneReason: 'expired' });
    const asked = service.count('status');
    await clock.advance(60 * minuteMs);
    expect(service.count('status')).toBe(asked);
    // The service was wrong about it.
    service.script({ status: [completed] });
    expect(await engine.jobs.checkNow(key)).toEqual({ ok: true, value: null });
    await clock.advance(10 * secondMs);
    expect(await engine.output(key)).toBe('kept');
  });

  it('outlasts an outage of some minutes long after its ttl', async () => {
    await start({ status: [running, error(500)] });
    const { key } = await engine.submit({ policy: { ttl: 60 * minuteMs } });
    await clock.advance(10 * secondMs);
    clock.jump(48 * 60 * minuteMs);
    await clock.advance(20 * minuteMs);
    service.script({ status: [completed] });
    await clock.advance(minuteMs);
    expect(await engine.output(key)).toBe('kept');
  });

  it('is read immediately when a webhook call names it, and not at every further call', async () => {
    await start({ status: [running, error(404)] });
    const { key } = await engine.submit({});
    await clock.advance(150 * secondMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'gone' });
    const askedBefore = service.count('status');
    service.script({ status: [completed] });
    for (let call = 0; call < 20; call += 1) engine.jobs.noteWebhookCall({ jobId: 'job-1', jobKey: null });
    await clock.advance(12 * secondMs);
    expect(service.count('status')).toBe(askedBefore + 1);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED', goneReason: null });
  });

  it('is tracked again by its id', async () => {
    await start({ status: [running, error(404)] });
    const { key } = await engine.submit({});
    await clock.advance(3 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'gone' });
    service.script({ status: [completed] });
    expect(
      await engine.jobs.followExternal({ connectionId: 'main', endpointId: 'echo', jobIds: ['job-1'] }),
    ).toMatchObject({
      ok: true,
      value: [{ key }],
    });
    await clock.advance(10 * secondMs);
    expect(await engine.output(key)).toBe('kept');
  });
});

describe('an unattended stream (ruling 37)', () => {
  it('that begins late is read at least once a minute, and right before the ttl deletes the rest', async () => {
    const ttlMs = 20 * minuteMs;
    let sent = 0;
    const stream = (): Answer => {
      const made = Math.max(0, Math.floor((clock.now() - startMs - 10 * minuteMs) / (10 * secondMs)));
      const fresh = Array.from({ length: made - sent }, (_, index) => chunk(sent + index + 1));
      sent = made;
      return { body: fresh };
    };
    await start({
      status: [
        at([
          [0, running],
          [ttlMs, error(404)],
        ]),
      ],
      stream: [stream],
    });
    const { key } = await engine.submit({ policy: { ttl: ttlMs } });
    await clock.advance(15 * minuteMs);
    // Five minutes of chunks, less those of the last minute.
    expect((await chunkTexts(key)).length).toBeGreaterThanOrEqual(24);
    await clock.advance(7 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'gone', goneReason: 'expired' });
    // The last one read, some ten seconds before the end, and what was made since cannot be had.
    expect((await chunkTexts(key)).length).toBeGreaterThanOrEqual(58);
  });

  it('keeps the complete chunks of a reply that broke off: no other reply contains them', async () => {
    let reads = 0;
    const stream = (): Answer => {
      reads += 1;
      if (reads === 2) return { kind: 'truncated', body: '[{"output":"one"},{"output":"two"},{"output":"thr' };
      return { body: [] };
    };
    await start({
      status: [
        at([
          [0, running],
          [5 * minuteMs, { body: { id: 'job-1', status: 'FAILED', error: 'It failed.' } }],
        ]),
      ],
      stream: [stream],
    });
    const { key } = await engine.submit({});
    await clock.advance(10 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'FAILED' });
    expect(await chunkTexts(key)).toEqual(['"one"', '"two"']);
  });

  it('is read before a cancel deletes the rest', async () => {
    let isCancelled = false;
    await start({
      status: [() => (isCancelled ? { body: { id: 'job-1', status: 'CANCELLED' } } : running)],
      stream: [() => ({ body: isCancelled || clock.now() - startMs < 30 * secondMs ? [] : [chunk(1), chunk(2)] })],
      cancel: [
        () => {
          isCancelled = true;
          return { body: { id: 'job-1', status: 'CANCELLED' } };
        },
      ],
    });
    const { key } = await engine.submit({});
    await clock.advance(30 * secondMs);
    const asked = service.count('stream');
    expect(await engine.jobs.cancel(key)).toMatchObject({ ok: true });
    expect(service.count('stream')).toBeGreaterThan(asked);
    await clock.advance(10 * secondMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'CANCELLED', chunkCount: 2 });
  });
});

describe('a stream that is never available', () => {
  it('is given up when the service has deleted it, and the job says so instead of "no output"', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'COMPLETED' } }], stream: [error(503)] });
    const { key } = await engine.submit({});
    await clock.advance(20 * minuteMs);
    expect(await jobNow(key)).toMatchObject({
      phase: 'active',
      status: 'COMPLETED',
      pendingStream: { reason: expect.stringContaining('503') },
    });
    const asked = service.count('stream');
    await clock.advance(5 * minuteMs);
    expect(service.count('stream') - asked).toBeGreaterThanOrEqual(5);
    expect(service.count('stream') - asked).toBeLessThan(12);
    await clock.advance(10 * minuteMs);
    const end = await jobNow(key);
    expect(end).toMatchObject({
      phase: 'finished',
      status: 'COMPLETED',
      isWithoutOutput: false,
      reason: { kind: 'stream-given-up', because: 'left-service' },
    });
    expect(end).not.toHaveProperty('pendingStream');
  });

  it('is not waited for when the user stops waiting', async () => {
    await start({ status: [completed], stream: [error(404)] });
    const { key } = await engine.submit({});
    await clock.advance(minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'active', pendingStream: { failures: expect.any(Number) } });
    expect(await engine.jobs.stopWaiting(key)).toMatchObject({
      ok: true,
      value: { phase: 'finished', status: 'COMPLETED', isResultSaved: true },
    });
    const asked = service.count('stream');
    await clock.advance(10 * minuteMs);
    expect(service.count('stream')).toBe(asked);
  });
});

it('a cancel answered COMPLETED still lets the output be read (ruling 38)', async () => {
  await start({ status: [running, running, completed], cancel: [{ body: { id: 'job-1', status: 'COMPLETED' } }] });
  const { key } = await engine.submit({});
  await clock.advance(2 * secondMs);
  await engine.jobs.cancel(key);
  await clock.advance(10 * secondMs);
  expect(await jobNow(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
  expect(await engine.output(key)).toBe('kept');
});

it('a cancel that never gets an answer is repeated ever more rarely, up to every 30 seconds (ruling 10)', async () => {
  await start({ status: [running], cancel: [() => ({ kind: 'reset' })] });
  const { key } = await engine.submit({});
  await clock.advance(2 * secondMs);
  await engine.jobs.cancel(key);
  await clock.advance(10 * minuteMs);
  const tries = service.count('cancel');
  expect(tries).toBeGreaterThan(20);
  expect(tries).toBeLessThan(60);
});

describe('Retry-After of an hour (ruling 10)', () => {
  const askedToWait = (status: number): Fault => ({
    kind: 'reply',
    status,
    body: { error: 'Later.' },
    headers: { 'retry-after': '3600' },
  });

  it.each(['status', 'stream'] as const)('to %s is respected, and then the operation is retried', async (operation) => {
    const ended = { body: { id: 'job-1', status: 'COMPLETED' } };
    const first = (): Answer => askedToWait(503);
    await start(
      operation === 'status'
        ? { status: [running, first, completed] }
        : { status: [ended], stream: [first, { body: [] }] },
    );
    await engine.submit({});
    await clock.advance(10 * secondMs);
    const asked = service.count(operation);
    await clock.advance(59 * minuteMs);
    expect(service.count(operation)).toBe(asked);
    await clock.advance(2 * minuteMs);
    expect(service.count(operation)).toBeGreaterThan(asked);
  });

  it.each(['status', 'stream', 'cancel'] as const)('to %s outlasts a sleep', async (operation) => {
    const answer = [() => askedToWait(503)];
    await start({ status: [running], stream: [{ body: [] }], [operation]: answer });
    const { key } = await engine.submit({});
    await clock.advance(10 * secondMs);
    if (operation === 'cancel') await engine.jobs.cancel(key);
    const asked = service.count(operation);
    expect(asked).toBeGreaterThan(0);
    clock.jump(10 * minuteMs);
    engine.jobs.wokeUp();
    await clock.advance(10 * secondMs);
    expect(service.count(operation)).toBe(asked);
  });

  it('to the stream of a running job is respected', async () => {
    await start({
      status: [running],
      stream: [{ body: [chunk(1)] }, () => askedToWait(503), { body: [chunk(2)] }, { body: [] }],
    });
    const { key } = await engine.submit({});
    await clock.advance(30 * secondMs);
    expect(service.count('stream')).toBe(2);
    await clock.advance(59 * minuteMs);
    expect(service.count('stream')).toBe(2);
    await clock.advance(2 * minuteMs);
    expect(await chunkTexts(key)).toHaveLength(2);
  });

  it('to health is respected, and meanwhile jobs are read one by one', async () => {
    let taken = 0;
    await start({
      run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
      status: [({ path }) => ({ body: { id: path.split('/').at(-1), status: 'IN_PROGRESS' } })],
      health: [calm, () => askedToWait(503), calm],
    });
    for (let job = 0; job < 5; job += 1) await engine.submit({});
    await clock.advance(30 * secondMs);
    expect(service.count('health')).toBe(2);
    const statusReads = service.count('status');
    await clock.advance(59 * minuteMs);
    expect(service.count('health')).toBe(2);
    expect(service.count('status')).toBeGreaterThan(statusReads + 5 * 59);
    const automatic = await engine.jobs.readHealth('main', 'echo', { isAutomatic: true });
    expect(automatic).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    await clock.advance(2 * minuteMs);
    expect(service.count('health')).toBeGreaterThan(2);
  });

  it('to health leaves it open whether the service knows a job, and "Try now" ends the pause', async () => {
    await start({ status: [running, error(404)], health: [() => askedToWait(503), calm] });
    const { key } = await engine.submit({});
    await clock.advance(10 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'active', notKnown: { times: 0 } });
    expect(service.count('health')).toBe(1);
    expect(service.count('status')).toBeLessThan(30);
    engine.jobs.tryNow();
    await clock.advance(2 * minuteMs);
    expect(await jobNow(key)).toMatchObject({ phase: 'gone' });
  });

  it('to health does not keep the user from reading it', async () => {
    await start({ health: [() => askedToWait(503), calm] });
    const first = await engine.jobs.readHealth('main', 'echo');
    expect(first).toMatchObject({ ok: false, failure: { kind: 'server' } });
    await clock.advance(2 * secondMs);
    expect(await engine.jobs.readHealth('main', 'echo')).toMatchObject({ ok: true });
  });

  it('to cancel is respected', async () => {
    await start({
      status: [running],
      cancel: [() => askedToWait(503), { body: { id: 'job-1', status: 'CANCELLED' } }],
    });
    const { key } = await engine.submit({});
    await clock.advance(2 * secondMs);
    await engine.jobs.cancel(key);
    await clock.advance(59 * minuteMs);
    expect(service.count('cancel')).toBe(1);
    await clock.advance(2 * minuteMs);
    expect(service.count('cancel')).toBe(2);
  });
});

it('a job back in the queue after a crash counts as waiting everywhere (ruling 40)', async () => {
  const queued = { body: { id: 'job-1', status: 'IN_QUEUE' } };
  await start({ status: [running, queued] });
  const { key } = await engine.submit({});
  await clock.advance(minuteMs);
  expect(await jobNow(key)).toMatchObject({
    status: 'IN_QUEUE',
    startedSeenAtMs: null,
    formerStartsAtMs: [expect.any(Number)],
  });
  expect(engine.jobs.purge.purgeable('main', 'echo').queued.map((job) => job.key)).toEqual([key]);
});

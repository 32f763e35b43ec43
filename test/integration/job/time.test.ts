import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { removeEngineFolders, startEngine, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import type { ReceivedRequest } from '../../kit/fault-service.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Reply, Script, ScriptedService } from './scripted-service.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

async function start(script: Script): Promise<void> {
  service = await createScriptedService(script, { closesConnections: true });
  ({ engine, clock } = await startStillEngine({ connections: to(service) }));
}

const jobIdOf = (request: ReceivedRequest): string => request.path.split('/').at(-1) ?? '';
const empty = [{ body: [] }];

/** Many jobs of one endpoint; each is done when the test says so. */
function manyJobs(): Script & { done: Set<string> } {
  const done = new Set<string>();
  let taken = 0;
  const counters = (): Reply => ({
    body: {
      jobs: { completed: done.size, failed: 0, inProgress: 0, inQueue: taken - done.size, retried: 0 },
      workers: { idle: 0, running: 1 },
    },
  });
  return {
    done,
    run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
    status: [
      (request) => ({
        body: {
          id: jobIdOf(request),
          ...(done.has(jobIdOf(request)) ? { status: 'COMPLETED', output: jobIdOf(request) } : { status: 'IN_QUEUE' }),
        },
      }),
    ],
    stream: empty,
    health: [counters],
  };
}

describe('time that passes', () => {
  it('causes no activity when no job is active', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 1 } }], stream: empty });
    await clock.advance(0);
    expect(clock.pending()).toBe(0);
    const job = await engine.submit({});
    await clock.advance(minuteMs);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'finished', isResultSaved: true });
    expect(clock.pending()).toBe(0);
    const asked = service.requests.length;
    await clock.advance(24 * hourMs);
    expect(service.requests.length).toBe(asked);
    expect(engine.jobs.trackerState()).toMatchObject({ tracked: 0, nextStatusReadAtMs: null });
  });

  it('needs one timer, however many jobs and endpoints are active', async () => {
    await start(manyJobs());
    for (const endpointId of ['a', 'a', 'a', 'a', 'a', 'b', 'c']) await engine.submit({ endpointId });
    for (let passed = 0; passed < 20; passed += 1) {
      await clock.advance(1_700);
      expect(clock.pending()).toBe(1);
    }
  });

  it('saves status reads that happened before a pause', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }], stream: empty });
    const job = await engine.submit({});
    await clock.advance(10 * minuteMs);
    await clock.advance((clock.nextAtMs() ?? 0) - clock.now());
    engine.jobs.pause();
    await clock.advance(minuteMs);
    expect(clock.pending()).toBe(0);
    expect((await engine.history.requests(job.key)).filter(({ operation }) => operation === 'status')).toHaveLength(
      service.count('status'),
    );
  });

  it('makes status reads rarer, and sends none while paused', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }] });
    await engine.submit({});
    const looksIn = async (ms: number): Promise<number> => {
      const before = service.count('status');
      await clock.advance(ms);
      return service.count('status') - before;
    };
    const first = await looksIn(10 * secondMs);
    expect(first).toBeGreaterThanOrEqual(5);
    await looksIn(10 * minuteMs);
    expect(await looksIn(minuteMs)).toBeLessThanOrEqual(5);
    engine.jobs.pause();
    expect(await looksIn(hourMs)).toBe(0);
    engine.jobs.resume();
    expect(await looksIn(minuteMs)).toBeGreaterThanOrEqual(3);
  });

  it('ends with a last status read before the ttl, and with the truth after it', async () => {
    await start({
      status: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
      health: [{ body: { jobs: {}, workers: {} } }],
    });
    const job = await engine.submit({ policy: { ttl: 5 * minuteMs } });
    await clock.advance(secondMs);
    const { ttlEndsAtMs } = (await engine.history.get(job.key))?.job ?? {};
    await clock.advance((ttlEndsAtMs ?? 0) - clock.now());
    const statusReads = (await engine.history.requests(job.key)).filter(({ operation }) => operation === 'status');
    expect((ttlEndsAtMs ?? 0) - (statusReads.at(-1)?.atMs ?? 0)).toBeLessThanOrEqual(15 * secondMs);
    service.script({ status: [{ status: 404, body: { error: 'gone' } }] });
    await clock.advance(minuteMs);
    expect((await engine.history.get(job.key))?.job).toMatchObject({
      phase: 'gone',
      goneReason: 'expired',
      status: 'IN_QUEUE',
    });
    expect(clock.pending()).toBe(0);
  });

  it('writes uneventful status reads together, with the last one on disk', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }] });
    const job = await engine.submit({});
    await clock.advance(5 * minuteMs);
    const stored = (await engine.history.get(job.key))?.job;
    expect(stored?.requestCount).toBeGreaterThanOrEqual(
      service.requests.filter(({ path }) => !path.endsWith('/health')).length - 2,
    );
    expect(clock.now() - (stored?.statusReadAtMs ?? 0)).toBeLessThanOrEqual(20 * secondMs);
  });
});

describe('a job that a purge did not remove', () => {
  const health = [
    {
      body: {
        jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 1, retried: 0 },
        workers: { idle: 0, running: 0 },
      },
    },
  ];

  it('has expired, not been purged, when its ttl ends it later', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }], health });
    const job = await engine.submit({});
    await clock.advance(5 * secondMs);
    engine.jobs.purge.note('main', job.endpointId);
    await clock.advance(minuteMs);
    service.script({ status: [{ status: 404, body: { error: 'No such job.' } }] });
    await clock.advance(3 * minuteMs);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'gone', goneReason: 'expired' });
  });

  it('is not gone after one 404 if the service refused the purge', async () => {
    await start({
      status: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
      health,
      'purge-queue': [{ status: 400, body: { error: 'No.' } }],
    });
    const job = await engine.submit({});
    await clock.advance(5 * secondMs);
    expect(await engine.jobs.purge.send('main', job.endpointId)).toMatchObject({ kind: 'refused' });
    service.script({ status: [{ status: 404, body: { error: 'No such job.' } }] });
    await engine.jobs.checkNow(job.key);
    await clock.advance(5 * secondMs);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'active', notKnown: { times: 1 } });
  });

  it('counts as purged if its last status read left before the purge can have arrived', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }], health });
    const job = await engine.submit({});
    await clock.advance(5 * secondMs);
    engine.jobs.purge.note('main', job.endpointId);
    await clock.advance(2 * secondMs);
    service.script({ status: [{ status: 404, body: { error: 'No such job.' } }] });
    await clock.advance(minuteMs);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'gone', goneReason: 'purged' });
  });
});

describe('an unreachable service', () => {
  it('for 25 minutes costs few tries, and loses no result that was available in time', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }], stream: empty });
    const job = await engine.submit({});
    await clock.advance(30 * secondMs);
    service.script({ status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 'kept' } }] });
    service.otherwise({ kind: 'reset' });
    const asked = service.requests.length;
    await clock.advance(25 * minuteMs);
    expect(engine.connectionState('main').kind).toBe('offline');
    const tries = service.requests.length - asked;
    expect(tries).toBeGreaterThan(50);
    expect(tries).toBeLessThan(150);
    expect((await engine.history.get(job.key))?.job.phase).toBe('active');

    service.comeBack();
    await clock.advance(minuteMs);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'finished', isResultSaved: true });
    expect(await engine.output(job.key)).toBe('kept');
    expect(engine.connectionState('main')).toEqual({ kind: 'ready' });
  });

  it('while the machine slept is asked first for the result that expires first', async () => {
    const script = manyJobs();
    await start(script);
    await engine.submit({ endpointId: 'a' });
    await engine.submit({ endpointId: 'b', policy: { ttl: 22 * minuteMs } });
    await clock.advance(20 * secondMs);
    service.otherwise({ kind: 'reset' });
    await clock.advance(minuteMs);
    service.comeBack();
    clock.jump(20 * minuteMs);
    const asked = service.requests.length;
    await clock.advance(10);
    const [first] = service.requests.slice(asked);
    expect(first?.path).toBe('/v2/b/status/job-2');
  });
});

describe('a clock that was put back by two hours between two runs', () => {
  const backMs = 2 * 60 * minuteMs;

  async function startAgainEarlier(): Promise<void> {
    await engine.close();
    clock = createVirtualClock(clock.now() - backMs, () => engine.settle());
    engine = await startEngine({ connections: to(service), clock, dataDir: engine.dataDir });
  }

  it.each([
    ['after its status was read', 20_000],
    ['before its status was ever read', 100],
  ])('loses no result of a job %s', async (_, afterMs) => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }], stream: empty });
    const job = await engine.submit({});
    await clock.advance(afterMs);
    expect(service.count('status') > 0).toBe(afterMs > 1_000);
    await startAgainEarlier();
    service.script({ status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 'in time' } }] });
    await clock.advance(minuteMs);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
    // Read again and again it would use up the budget.
    expect(clock.pending()).toBe(0);
  });

  it('loses no output that comes after the end', async () => {
    const without = { body: { id: 'job-1', status: 'COMPLETED' } };
    await start({ status: [without], stream: empty });
    const job = await engine.submit({});
    await clock.advance(2_000);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'finished', isWithoutOutput: true });
    await startAgainEarlier();
    service.script({ status: [{ body: { ...without.body, output: 'late' } }] });
    await clock.advance(minuteMs);
    expect(await engine.output(job.key)).toBe('late');
  });

  it('does not cause constant status reads of a running job', async () => {
    await start({ status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }], stream: empty });
    await engine.submit({});
    await clock.advance(20_000);
    await startAgainEarlier();
    const before = service.count('status');
    await clock.advance(minuteMs);
    expect(service.count('status') - before).toBeGreaterThan(2);
    // No more often than a young job.
    expect(service.count('status') - before).toBeLessThan(45);
  });
});

describe('a clock that jumps by years', () => {
  const yearMs = 365 * 24 * hourMs;
  const jump = fc.record({
    byMs: fc.constantFrom(-15 * yearMs, -40 * 24 * hourMs, 40 * 24 * hourMs, 73 * yearMs),
    thenMs: fc.constantFrom(0, 200, 20 * secondMs),
    restarts: fc.boolean(),
  });

  /** It can only be put back between two runs (docs/decisions/027). */
  async function make({ byMs, thenMs, restarts }: { byMs: number; thenMs: number; restarts: boolean }): Promise<void> {
    if (byMs < 0 || restarts) {
      await engine.close();
      clock = createVirtualClock(clock.now() + byMs, () => engine.settle());
      engine = await startEngine({ connections: to(service), clock, dataDir: engine.dataDir });
    } else clock.jump(byMs);
    await clock.advance(thenMs);
  }

  it('loses no result and no chunk, and sends no job twice, however often and whenever it jumps', async () => {
    await start({});
    await fc.assert(
      fc.asyncProperty(
        fc.array(jump, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        async (jumps, hasEnded, isRunsync) => {
          await engine.close();
          await service.close();
          await start({
            run: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }],
            runsync: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }],
            status: [{ body: { id: 'job-1', status: hasEnded ? 'COMPLETED' : 'IN_PROGRESS', output: 'in time' } }],
            stream: [{ status: 500, body: {} }],
          });
          const job = await engine.submit({ operation: isRunsync ? 'runsync' : 'run' });
          await clock.advance(5 * secondMs);
          for (const each of jumps) await make(each);
          const inTime = { id: 'job-1', status: 'COMPLETED', output: 'in time' };
          service.script({ status: [{ body: inTime }], stream: [{ body: [{ output: 'a part' }] }, { body: [] }] });
          await clock.advance(2 * minuteMs);
          expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'finished', isResultSaved: true });
          expect(await engine.output(job.key)).toBe('in time');
          if (!hasEnded) expect(await engine.chunks(job.key)).toHaveLength(1);
          expect(service.count('run') + service.count('runsync')).toBe(1);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('a clock that is set ahead by 40 minutes while Jobdeck runs', () => {
  const byMs = 40 * minuteMs;
  const inTime = { id: 'job-1', status: 'COMPLETED', output: 'in time' };

  it('does not turn a single 404 into the end of a job', async () => {
    await start({
      status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }],
      stream: empty,
      health: [{ body: { jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 }, workers: {} } }],
    });
    const { key } = await engine.submit({});
    await clock.advance(5 * secondMs);
    service.script({ status: [{ status: 404, body: { error: 'job not found' } }, { body: inTime }] });
    clock.set(byMs);
    await clock.advance(3 * secondMs);
    expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'active', notKnown: { times: 1 } });
    await clock.advance(minuteMs);
    expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
    expect(await engine.output(key)).toBe('in time');

    // The same time that really passed is evidence.
    const late = await engine.submit({});
    service.script({ status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }] });
    await clock.advance(5 * secondMs);
    service.script({ status: [{ status: 404, body: { error: 'job not found' } }] });
    clock.jump(byMs);
    await clock.advance(5 * secondMs);
    expect((await engine.history.get(late.key))?.job).toMatchObject({ phase: 'gone', goneReason: 'expired' });
  });

  it('does not give up the rest of a stream that the service still has', async () => {
    await start({ status: [{ body: inTime }], stream: [{ status: 500, body: {} }] });
    const { key } = await engine.submit({});
    await clock.advance(10 * secondMs);
    expect((await engine.history.get(key))?.job.pendingStream).toBeDefined();
    clock.set(byMs);
    await clock.advance(2 * minuteMs);
    service.script({ stream: [{ body: [{ output: 'a part' }] }, { body: [] }] });
    await clock.advance(2 * minuteMs);
    expect(await engine.chunks(key)).toHaveLength(1);

    // It is given up when the retention has really passed.
    service.script({ stream: [{ status: 500, body: {} }] });
    const late = await engine.submit({});
    await clock.advance(10 * secondMs);
    clock.set(byMs);
    await clock.advance(byMs);
    expect((await engine.history.get(late.key))?.job.reason).toMatchObject({ kind: 'stream-given-up' });
  });

  it('drops no retry that waits for the service', async () => {
    const failed = { id: 'job-1', status: 'FAILED', error: 'out of memory' };
    const accepted = { body: { id: 'job-1', status: 'IN_QUEUE' } };
    await start({ status: [{ body: failed }], stream: empty, retry: [{ status: 429, body: {} }, accepted] });
    const { key } = await engine.submit({});
    await clock.advance(10 * secondMs);
    await engine.jobs.retry(key);
    expect((await engine.history.get(key))?.job.retryRequestedAtMs).toBeDefined();
    clock.set(byMs);
    await clock.advance(2 * minuteMs);
    expect(service.count('retry')).toBe(2);
    expect((await engine.history.get(key))?.job).toMatchObject({ attempt: 2 });
  });
});

it('waiting jobs are sent in order, even though each has its own back-off', async () => {
  service = await createScriptedService(manyJobs());
  // No server listens there. Chance gives each later job a shorter wait.
  const connections = { main: { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' } };
  let drawn = 0;
  ({ engine, clock } = await startStillEngine({
    connections,
    random: () => Math.max(0.01, 0.95 - 0.1 * (drawn += 1)),
  }));
  const jobs = await Promise.all([1, 2, 3].map((number) => engine.submit({ input: { number } })));
  for (const { key } of jobs)
    await engine.until(key, ({ phase, reason }) => phase === 'waiting' && reason?.kind === 'not-sent');
  connections.main.baseUrl = service.url;
  engine.jobs.connectionChanged('main');
  for (let passedMs = 0; passedMs < 600; passedMs += 20) await clock.advance(20);
  expect(service.requests.filter(({ path }) => path.endsWith('/run')).map(({ body }) => body)).toEqual(
    [1, 2, 3].map((number) => `{"input":{"number":${number}}}`),
  );
});

describe('an endpoint with many jobs', () => {
  it('costs about one health call per tick, and reads a status only when a job ended', async () => {
    const script = manyJobs();
    await start(script);
    const jobs = [];
    for (let i = 0; i < 40; i += 1) jobs.push(await engine.submit({ endpointId: 'busy', input: { i } }));
    await clock.advance(20 * secondMs);
    const [status, health] = [service.count('status'), service.count('health')];
    await clock.advance(10 * secondMs);
    const healthCalls = service.count('health') - health;
    expect(healthCalls).toBeGreaterThanOrEqual(3);
    expect(healthCalls).toBeLessThanOrEqual(10);
    expect(service.count('status') - status).toBeLessThanOrEqual(45);

    for (const id of ['job-3', 'job-17', 'job-40']) script.done.add(id);
    await clock.advance(10 * secondMs);
    const saved = engine.ended.map(({ jobId }) => jobId ?? '').toSorted((one, other) => one.localeCompare(other, 'en'));
    expect(saved).toEqual(['job-17', 'job-3', 'job-40']);

    for (let i = 1; i <= 40; i += 1) script.done.add(`job-${i}`);
    await clock.advance(20 * secondMs);
    expect(engine.ended).toHaveLength(40);
    expect(clock.pending()).toBe(0);
    expect(service.count('status')).toBeLessThan(40 * 6);
  });
});

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { ReceivedRequest } from '../../kit/fault-service.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Script, ScriptedService } from './scripted-service.ts';

const secondMs = 1_000;

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

async function start(script: Script, random = () => 0.5): Promise<void> {
  service = await createScriptedService(script);
  ({ engine, clock } = await startStillEngine({ connections: to(service), random }));
}

const jobIdOf = (request: ReceivedRequest): string => request.path.split('/').at(-1) ?? '';
const running = (request: ReceivedRequest) => ({ body: { id: jobIdOf(request), status: 'IN_PROGRESS' } });
const completed = (request: ReceivedRequest) => ({
  body: { id: jobIdOf(request), status: 'COMPLETED', output: 'kept' },
});
const calm = {
  body: { jobs: { completed: 0, failed: 0, inProgress: 5, inQueue: 0, retried: 0 }, workers: { idle: 0, running: 5 } },
};
const numbered = () => {
  let taken = 0;
  return () => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } });
};

/** This many jobs behind the health of one endpoint, all read since its counters were. */
async function submitMany(count: number): Promise<string[]> {
  const keys = [];
  for (let index = 0; index < count; index += 1) keys.push((await engine.submit({ input: { index } })).key);
  await clock.advance(20 * secondMs);
  return keys;
}

describe('an answer beyond the limits (ruling 43)', () => {
  it('is requested again soon if the result expires after a minute', async () => {
    await start({
      runsync: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
      status: [() => ({ kind: 'huge', bytes: 70_000_000 }), completed],
    });
    const { key } = await engine.submit({ operation: 'runsync' });
    await clock.advance(15 * secondMs);
    expect((await engine.history.get(key))?.job).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  });
});

it('a result under a status of the service’s own is saved when the service deletes the job', async () => {
  const end = { id: 'job-1', status: 'completed', output: { kept: true } };
  const gone = { status: 404, body: { error: 'There is no such job.' } };
  await start({ status: [running, { body: end }, { body: end }, gone], stream: [{ body: [] }], health: [calm] });
  const { key } = await engine.submit({});
  await clock.advance(10 * 60 * secondMs);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'gone', status: 'completed' });
  expect(await engine.output(key)).toEqual({ kept: true });
});

it('times that are no durations cost no extra status reads of later jobs', async () => {
  const sentAtMs = new Map<string, number>();
  const readsWith = async (times: object): Promise<number> => {
    const run = numbered();
    await start({
      run: [
        () => {
          const accepted = run();
          sentAtMs.set(accepted.body.id, clock.now());
          return accepted;
        },
      ],
      status: [
        (request) => {
          const isRunning = clock.now() < (sentAtMs.get(jobIdOf(request)) ?? 0) + 20 * secondMs;
          return isRunning ? running(request) : { body: { ...completed(request).body, ...times } };
        },
      ],
      stream: [{ body: [] }],
      health: [calm],
    });
    for (let index = 0; index < 14; index += 1) {
      await engine.submit({ input: { index } });
      await clock.advance(90 * secondMs);
    }
    const reads = service.count('status');
    await engine.close();
    await service.close();
    return reads;
  };
  const usual = await readsWith({});
  expect(await readsWith({ delayTime: 1e300, executionTime: 1e300 })).toBe(usual);
  expect(await readsWith({ delayTime: -1e300, executionTime: -1e300 })).toBe(usual);
});

it('a stream that names the same state in another word causes no status read each time', async () => {
  const statusReads = async (saidByStream: string): Promise<number> => {
    await start({
      run: [numbered()],
      status: [(request) => ({ body: { id: jobIdOf(request), status: 'RUNNING' } })],
      health: [calm],
      stream: [{ body: { status: saidByStream, stream: [{ output: 'more' }] } }],
    });
    for (let index = 0; index < 10; index += 1) await engine.submit({ input: { index } });
    await clock.advance(300 * secondMs);
    return service.count('status');
  };
  const same = await statusReads('RUNNING');
  await engine.close();
  await service.close();
  // One for each job, because the word of its stream is new.
  expect(await statusReads('in progress')).toBeLessThanOrEqual(same + 10);
});

describe('a requested status read', () => {
  it('is repeated after an error, not left to the slow sweep', async () => {
    await start({ run: [numbered()], status: [running], health: [calm], stream: [{ body: [] }] });
    const [key = ''] = await submitMany(8);
    service.script({ status: [{ status: 503, body: { error: 'Not now.' } }, completed] });
    await engine.jobs.checkNow(key);
    await clock.advance(3 * secondMs);
    expect((await engine.history.get(key))?.job).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  });

  it('runs even while an earlier one is in progress, which may be outdated', async () => {
    await start({ run: [numbered()], status: [running], health: [calm], stream: [{ body: [] }] });
    const [key = ''] = await submitMany(8);
    const asksMeanwhile = (request: ReceivedRequest) => {
      void engine.jobs.checkNow(key);
      return running(request);
    };
    service.script({ status: [asksMeanwhile, completed] });
    await engine.jobs.checkNow(key);
    await clock.advance(secondMs);
    expect((await engine.history.get(key))?.job).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  });

  it('is repeated after a 429', async () => {
    await start({ run: [numbered()], status: [running], health: [calm], stream: [{ body: [] }] });
    const [key = ''] = await submitMany(8);
    service.script({ status: [{ status: 429, body: { error: 'Too many.' } }, completed] });
    await engine.jobs.checkNow(key);
    await clock.advance(3 * secondMs);
    expect((await engine.history.get(key))?.job).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  });
});

it('a back-off never delays a read until the result has expired', async () => {
  await start(
    {
      runsync: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
      status: [running],
      stream: [{ body: [] }],
      health: [calm],
    },
    () => 0.99,
  );
  const job = await engine.submit({ operation: 'runsync' });
  await clock.advance(20 * secondMs);
  const lastAnsweredMs = (await engine.history.get(job.key))?.job.statusReadAtMs ?? 0;
  // It may have ended right after; then its result leaves a minute later. The service errs until shortly before.
  service.script({
    status: [
      (request) => (clock.now() < lastAnsweredMs + 54 * secondMs ? { status: 503, body: {} } : completed(request)),
    ],
  });
  await clock.advance(lastAnsweredMs + 60 * secondMs - clock.now());
  expect((await engine.history.get(job.key))?.job).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
});

describe('health without an answer', () => {
  it('does not hide ended jobs while status answers: each job is read individually', async () => {
    const ended = new Set<string>();
    await start({
      run: [numbered()],
      status: [(request) => (ended.has(jobIdOf(request)) ? completed(request) : running(request))],
      stream: [{ body: [] }],
      health: [() => ({ kind: 'reset' })],
    });
    const keys = await submitMany(8);
    await clock.advance(20 * secondMs);
    for (let number = 1; number <= 8; number += 1) ended.add(`job-${number}`);
    await clock.advance(10 * secondMs);
    for (const key of keys)
      expect((await engine.history.get(key))?.job).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  });

  it('is read again, and trusted again when it answers', async () => {
    await start({ run: [numbered()], status: [running], stream: [{ body: [] }], health: [{ status: 500, body: {} }] });
    await submitMany(30);
    const looksIn = async (ms: number): Promise<number> => {
      const before = service.count('status');
      await clock.advance(ms);
      return service.count('status') - before;
    };
    expect(await looksIn(30 * secondMs)).toBeGreaterThan(180);
    service.script({ health: [calm] });
    await clock.advance(60 * secondMs);
    // Half a minute holds one sweep, and the end of another at most.
    expect(await looksIn(30 * secondMs)).toBeLessThanOrEqual(60);
  });

  it('does not count while nothing else is answered either', async () => {
    await start({ run: [numbered()], status: [running], stream: [{ body: [] }], health: [calm] });
    await submitMany(30);
    service.otherwise({ kind: 'reset' });
    await clock.advance(300 * secondMs);
    service.comeBack();
    const before = service.count('status');
    await clock.advance(5 * secondMs);
    // No job was read for five minutes: one sweep, and no second round.
    expect(service.count('status') - before).toBeLessThanOrEqual(35);
  });
});

import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { createVirtualClock, type VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, to, type TestEngine } from '../../kit/engine.ts';
import { createScriptedService, type Reply, type Script, type ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
beforeEach(() => {
  clock = createVirtualClock(1_700_000_000_000, () => engine.settle());
});
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

const record = (status: string, more: object = {}): Reply => ({ body: { id: 'job-1', status, ...more } });

/**
 * Two jobs with different inputs, whose submissions the service answered with the same id. On one connection, the
 * second would be taken for the answer to a request before.
 */
async function submitTwo(script: Script): Promise<string[]> {
  service = await createScriptedService(script, { closesConnections: true });
  engine = await startEngine({ connections: to(service), clock });
  const keys = [];
  for (const n of [1, 2]) {
    keys.push((await engine.submit({ input: { n } })).key);
    await clock.advance(1_000);
  }
  return keys;
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
}

async function jobs(keys: readonly string[]): Promise<Job[]> {
  const stored = await Promise.all(keys.map((key) => engine.history.get(key)));
  return stored.flatMap((each) => each?.job ?? []);
}

it.each([false, true])(
  'two jobs with one id both get the whole stream, though each read removes what it returns (restart: %s)',
  async (isRestarted) => {
    let written = 0;
    let read = 0;
    let isOver = false;
    const keys = await submitTwo({
      status: [() => record(isOver ? 'COMPLETED' : 'IN_PROGRESS')],
      stream: [
        () => {
          const stream = [];
          if (read < written) stream.push({ output: `c${(read += 1)}` });
          return { body: { status: isOver ? 'COMPLETED' : 'IN_PROGRESS', stream } };
        },
      ],
    });
    written = 9;
    if (isRestarted) {
      await pass(2);
      const { dataDir } = engine;
      await engine.crash();
      engine = await startEngine({ connections: to(service), clock, dataDir });
    }
    await pass(60);
    isOver = true;
    await pass(120);
    const [first, second] = await Promise.all(keys.map((key) => engine.history.chunks(key, 1, 0, 100)));
    const texts = first?.map(({ outputJson }) => outputJson);
    expect(texts?.toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `"c${index + 1}"`));
    expect(second?.map(({ outputJson }) => outputJson)).toEqual(texts);
    const ended = { phase: 'finished', status: 'COMPLETED', isResultSaved: true, chunkCount: 9 };
    expect(await jobs(keys)).toMatchObject([ended, ended]);
    expect(service.count('run')).toBe(2);
  },
);

/** A service of one job, whose record never has the output, and whose stream removes what it returns. */
function drainingScript(stream: { written: number; isOver: boolean }): Script {
  let read = 0;
  const status = (): string => (stream.isOver ? 'COMPLETED' : 'IN_PROGRESS');
  return {
    status: [() => record(status())],
    stream: [
      () => {
        const fresh = Array.from({ length: stream.written - read }, () => ({ output: `c${(read += 1)}` }));
        return { body: { status: status(), stream: fresh } };
      },
    ],
  };
}

const textsOf = async (key: string): Promise<string> =>
  (await engine.chunks(key)).map(({ outputJson }) => JSON.parse(outputJson)).join(' ');

it('a crash after a chunk was saved for one of them and before it was saved for the other loses nothing of either', async () => {
  const stream = { written: 0, isOver: false };
  service = await createScriptedService(drainingScript(stream), { closesConnections: true });
  let appends = 0;
  let isCrashed = false;
  const crashed = (): Promise<never> => Promise.reject(new Error('Jobdeck crashed.'));
  engine = await startEngine({
    connections: to(service),
    clock,
    wrapHistory: (history) => ({
      ...history,
      commit: (changes) => (isCrashed ? crashed() : history.commit(changes)),
      appendChunks: (...append) => {
        appends += 1;
        isCrashed ||= appends === 4;
        return isCrashed ? crashed() : history.appendChunks(...append);
      },
    }),
  });
  const keys = [(await engine.submit({ input: { n: 1 } })).key, (await engine.submit({ input: { n: 2 } })).key];
  stream.written = 2;
  await pass(30);
  stream.written = 4;
  await pass(10);
  expect(isCrashed).toBe(true);
  const { dataDir } = engine;
  await engine.crash();
  engine = await startEngine({ connections: to(service), clock, dataDir });
  expect((await Promise.all(keys.map(textsOf))).toSorted()).toEqual(['c1 c2', 'c1 c2 c3 c4']);
  Object.assign(stream, { written: 6, isOver: true });
  await pass(120);
  expect(await Promise.all(keys.map(textsOf))).toEqual(['c1 c2 c3 c4 c5 c6', 'c1 c2 c3 c4 c5 c6']);
  const ended = { phase: 'finished', status: 'COMPLETED', chunkCount: 6, isWithoutOutput: false };
  expect(await jobs(keys)).toMatchObject([ended, ended]);
});

it('a second submission that is answered with the id of a job in progress gets what was read of its stream before', async () => {
  const stream = { written: 5, isOver: false };
  service = await createScriptedService(drainingScript(stream), { closesConnections: true });
  engine = await startEngine({ connections: to(service), clock });
  const first = (await engine.submit({ input: { n: 1 } })).key;
  await pass(30);
  expect(await textsOf(first)).toBe('c1 c2 c3 c4 c5');
  const second = (await engine.submit({ input: { n: 2 } })).key;
  await pass(30);
  expect(await textsOf(second)).toBe('c1 c2 c3 c4 c5');
  Object.assign(stream, { written: 7, isOver: true });
  await pass(120);
  const whole = 'c1 c2 c3 c4 c5 c6 c7';
  expect([await textsOf(first), await textsOf(second)]).toEqual([whole, whole]);
});

it('two jobs with one id, whose service repeats its stream from the start, store nothing twice', async () => {
  let sent = 0;
  const keys = await submitTwo({
    status: [() => record(sent > 12 ? 'COMPLETED' : 'IN_PROGRESS')],
    stream: [
      () => {
        sent += 1;
        const stream = Array.from({ length: Math.min(sent, 9) }, (_, index) => ({ output: `c${index + 1}` }));
        return { body: { status: sent > 12 ? 'COMPLETED' : 'IN_PROGRESS', stream } };
      },
    ],
  });
  await pass(180);
  const ended = { phase: 'finished', status: 'COMPLETED', chunkCount: 9 };
  expect(await jobs(keys)).toMatchObject([ended, ended]);
});

it('two jobs with one id both get the result of a retry, which the service accepts from one of them', async () => {
  const keys = await submitTwo({
    status: [record('FAILED', { error: 'no', delayTime: 1, executionTime: 5 })],
    stream: [{ body: [] }],
    retry: [record('IN_QUEUE'), { status: 400, body: { error: 'Only failed jobs can be retried.' } }],
  });
  await pass(10);
  const failed = { phase: 'finished', status: 'FAILED', attempt: 1 };
  expect(await jobs(keys)).toMatchObject([failed, failed]);
  service.script({
    status: [
      record('IN_PROGRESS'),
      record('IN_PROGRESS'),
      record('COMPLETED', { output: 'y', delayTime: 1, executionTime: 50 }),
    ],
  });
  const asked = Promise.all(keys.map((key) => engine.jobs.retry(key)));
  await pass(60);
  expect((await asked).map(({ ok }) => ok)).toEqual([true, true]);
  const completed = { phase: 'finished', status: 'COMPLETED', attempt: 2 };
  expect(await jobs(keys)).toMatchObject([completed, completed]);
  for (const key of keys) expect((await engine.history.get(key))?.job.outputBytes).toBe(3);
});

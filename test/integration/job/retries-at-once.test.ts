import { afterAll, afterEach, expect, it } from 'vitest';
import type { Fault } from '../../kit/fault-service.ts';
import { createVirtualClock, type VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, to, turnsUntil, type TestEngine } from '../../kit/engine.ts';
import { createScriptedService, type Reply, type ScriptedService } from './scripted-service.ts';

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
const isFailed = ({ phase, status }: { phase: string; status: string | null }): boolean =>
  phase === 'finished' && status === 'FAILED';

/** Time passes in small steps until the check passes. */
async function passUntil(check: () => boolean): Promise<void> {
  while (!check()) await clock.advance(500);
}

async function failedJob(): Promise<string> {
  const { key } = await engine.submit({});
  await passUntil(() => engine.changes.some(isFailed));
  return key;
}

it('a retry in progress stays journalled while an earlier one without an answer is found rejected', async () => {
  service = await createScriptedService({
    status: [failure],
    stream: [{ body: [] }],
    retry: [{ status: 502, body: 'not now' }],
  });
  clock = createVirtualClock();
  let retries = 0;
  engine = await startEngine({
    connections: to(service),
    clock,
    wrapApi: (api) => ({
      ...api,
      retry: (...args) => ((retries += 1) === 1 ? api.retry(...args) : new Promise<never>(() => undefined)),
    }),
  });
  const key = await failedJob();
  const first = engine.jobs.retry(key);
  let isAnswered = false;
  void first.then(() => {
    isAnswered = true;
  });
  await passUntil(() => isAnswered);
  expect(await first).toMatchObject({ ok: false, failure: { httpStatus: 502 } });
  void engine.jobs.retry(key);
  await turnsUntil(() => retries === 2);
  await passUntil(() => engine.logLines.some((line) => line.includes('of which no answer came was rejected')));
  // Whatever it does after that is asked of the history before this.
  await clock.advance(10_000);
  expect(await engine.history.documents('retry-intent')).toHaveLength(1);

  await engine.crash();
  // The second one arrived.
  service.script({ status: [record('IN_PROGRESS'), record('COMPLETED', { output: 'second run' })] });
  clock = createVirtualClock(clock.now(), () => engine.settle());
  engine = await startEngine({ connections: to(service), clock, dataDir: engine.dataDir });
  await clock.advance(5 * 60_000);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED', attempt: 2 });
  expect(await engine.output(key, 2)).toBe('second run');
});

it('a retry that is being noted as waiting is sent when that is on disk, even if all waits are ended before', async () => {
  service = await createScriptedService({
    status: [() => (service.count('retry') < 2 ? failure : record('COMPLETED', { output: 'second run' }))],
    stream: [{ body: [] }],
    retry: [{ status: 429, body: {} }, record('IN_QUEUE')],
  });
  clock = createVirtualClock(1_700_000_000_000, () => engine.settle());
  const [marked, forgotten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun: string[] = [];
  engine = await startEngine({
    connections: to(service),
    clock,
    wrapHistory: (history) => ({
      ...history,
      async commit(changes) {
        if (changes.some(({ job }) => job.retryRequestedAtMs !== undefined) && begun.length === 0) {
          begun.push('mark');
          await marked.promise;
        }
        return await history.commit(changes);
      },
      async removeDocument(kind, id) {
        if (kind === 'retry-intent' && begun.length === 1) {
          begun.push('forget');
          await forgotten.promise;
        }
        await history.removeDocument(kind, id);
      },
    }),
  });
  const key = await failedJob();
  const answer = engine.jobs.retry(key);
  for (const [step, release] of [
    ['mark', marked],
    ['forget', forgotten],
  ] as const) {
    await turnsUntil(() => begun.at(-1) === step);
    engine.jobs.tryNow();
    // A try would ask for the job's status first.
    const reads = service.count('status');
    for (let turn = 0; turn < 20; turn += 1) await engine.history.readDocument('none', 'none');
    expect(service.count('status')).toBe(reads);
    release.resolve();
  }
  expect(await answer).toMatchObject({ ok: true, value: { attempt: 1 } });
  await clock.advance(5 * 60_000);
  expect(service.count('retry')).toBe(2);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED', attempt: 2 });
});

it('a retry without an answer is looked for no sooner than the service asks (ruling 10)', async () => {
  const later = (): Fault => ({ kind: 'reply', status: 503, body: {}, headers: { 'retry-after': '600' } });
  service = await createScriptedService({
    status: [() => (service.count('retry') === 0 ? failure : later())],
    stream: [{ body: [] }],
    retry: [{ status: 502, body: 'not now' }],
  });
  clock = createVirtualClock(1_700_000_000_000, () => engine.settle());
  engine = await startEngine({ connections: to(service), clock });
  const key = await failedJob();
  const before = service.count('status');
  const answer = engine.jobs.retry(key);
  await passUntil(() => service.count('status') > before);
  // The user does not wait that long for an answer.
  expect(await answer).toMatchObject({ ok: false, failure: { httpStatus: 502 } });
  await clock.advance(500_000);
  expect(service.count('status')).toBe(before + 1);
  await clock.advance(200_000);
  expect(service.count('status')).toBe(before + 2);
});

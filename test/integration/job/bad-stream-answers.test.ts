import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { passing } from './ordinary-answers.ts';
import type { Answer } from './ordinary-answers.ts';
import { createScriptedService } from './scripted-service.ts';
import type { ScriptedService } from './scripted-service.ts';

const minuteMs = 60_000;
const chunk = (index: number) => ({ output: { text: `chunk ${index}` } });

let engine: TestEngine;
let service: ScriptedService;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

describe.each(passing)('%s to stream after the end (ruling 36)', (_, bad) => {
  it.each([
    ['once', 1],
    ['for 28 minutes', 28 * minuteMs],
  ])('%s loses no chunk', async (_name, forMs) => {
    let nowMs = (): number => 0;
    let endMs = Infinity;
    let isRead = false;
    const end = (): Answer => {
      endMs = Math.min(endMs, nowMs());
      return { body: { id: 'job-1', status: 'COMPLETED' } };
    };
    const stream = (): Answer => {
      if (nowMs() < endMs + forMs) return bad;
      const chunks = isRead ? [] : [chunk(1), chunk(2)];
      isRead = true;
      return { body: chunks };
    };
    service = await createScriptedService({ status: [end], stream: [stream] });
    const started = await startStillEngine({ connections: to(service) });
    engine = started.engine;
    nowMs = started.clock.now;
    const { key } = await engine.submit({});
    await started.clock.advance(31 * minuteMs);
    expect(await engine.chunks(key)).toHaveLength(2);
    const told = engine.changes.filter((job) => job.key === key);
    expect(told.some(({ isWithoutOutput }) => isWithoutOutput)).toBe(false);
    const job = (await engine.history.get(key))?.job;
    expect(job).toMatchObject({ phase: 'finished', status: 'COMPLETED', chunkCount: 2, isWithoutOutput: false });
    expect(engine.ended.map((each) => each.key)).toEqual([key]);
  });
});

it('pages instead of the stream after the end do not replace the other fields of the final record', async () => {
  const page: Answer = { kind: 'reply', body: '<html><title>Log in</title></html>', contentType: 'text/html' };
  service = await createScriptedService({
    status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 1, retries: 3 } }],
    stream: [() => page, () => page, { body: [] }],
  });
  const started = await startStillEngine({ connections: to(service) });
  engine = started.engine;
  const { key } = await engine.submit({});
  await started.clock.advance(5 * minuteMs);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
  const reply = await engine.history.body(key, 'reply', 1, null);
  expect(JSON.parse(reply?.text ?? '')).toEqual({ id: 'job-1', status: 'COMPLETED', retries: 3 });
});

it('a stream whose reads were lost does not mark its endpoint as one that never streams (ruling 36)', async () => {
  let taken = 0;
  const reads = new Map<string, number>();
  const idOf = (path: string): string => path.split('/').at(-1) ?? '';
  service = await createScriptedService({
    run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
    status: [({ path }) => ({ body: { id: idOf(path), status: 'COMPLETED', output: { text: 'all of it' } } })],
    stream: [
      ({ path }): Answer => {
        const count = (reads.get(idOf(path)) ?? 0) + 1;
        reads.set(idOf(path), count);
        if (count > 1) return { body: [] };
        // The reply that held the chunks of the first jobs never came.
        return idOf(path) === 'job-5' ? { body: [chunk(1), chunk(2)] } : { kind: 'reset' };
      },
    ],
  });
  const started = await startStillEngine({ connections: to(service) });
  engine = started.engine;
  for (let job = 0; job < 4; job += 1) {
    await engine.submit({});
    await started.clock.advance(2 * minuteMs);
  }
  const { key } = await engine.submit({});
  await started.clock.advance(2 * minuteMs);
  expect(await engine.chunks(key)).toHaveLength(2);
});

it('an endpoint that streamed in a former run is not one that never streams, even if its last jobs returned no stream', async () => {
  let taken = 0;
  const read = new Set<string>();
  const idOf = (path: string): string => path.split('/').at(-1) ?? '';
  service = await createScriptedService({
    run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
    status: [({ path }) => ({ body: { id: idOf(path), status: 'COMPLETED', output: { text: 'all of it' } } })],
    stream: [
      ({ path }): Answer => {
        const isStreaming = idOf(path) === 'job-1' || idOf(path) === 'job-5';
        if (!isStreaming || read.has(idOf(path))) return { body: [] };
        read.add(idOf(path));
        return { body: [chunk(1), chunk(2)] };
      },
    ],
  });
  const former = await startStillEngine({ connections: to(service) });
  await former.engine.submit({});
  await former.clock.advance(2 * minuteMs);
  await former.engine.close();

  const started = await startStillEngine({ connections: to(service), dataDir: former.engine.dataDir });
  engine = started.engine;
  // The test's clock restarts: no job may get the key of the former one.
  await started.clock.advance(10 * minuteMs);
  for (let job = 0; job < 3; job += 1) {
    await engine.submit({});
    await started.clock.advance(2 * minuteMs);
  }
  const { key } = await engine.submit({});
  await started.clock.advance(2 * minuteMs);
  expect(await engine.chunks(key)).toHaveLength(2);
});

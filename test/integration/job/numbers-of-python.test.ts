import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Script, ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

async function start(script: Script): Promise<void> {
  service = await createScriptedService({ stream: [{ body: [] }], ...script });
  ({ engine, clock } = await startStillEngine({ connections: to(service) }));
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
}

const output = String.raw`{"loss":NaN,"best":-Infinity,"steps":[1,Infinity,12345678901234567890],"say":"NaN, \"NaN\""}`;
const saved = String.raw`{"loss":"NaN","best":"-Infinity","steps":[1,"Infinity",12345678901234567890],"say":"NaN, \"NaN\""}`;

describe('a worker in Python, which writes NaN and Infinity into its JSON', () => {
  it('loses no result: these numbers are saved as text, and the request says so', async () => {
    await start({ status: [{ body: `{"id":"job-1","status":"COMPLETED","output":${output},"executionTime":7}` }] });
    const { key } = await engine.submit({});
    await pass(20);
    expect(await engine.history.get(key)).toMatchObject({
      job: { phase: 'finished', status: 'COMPLETED', isResultSaved: true, executionTimeMs: 7 },
    });
    expect((await engine.history.body(key, 'output', 1, null))?.text).toBe(saved);
    const notes = (await engine.history.requests(key)).map(({ note }) => note);
    expect(notes).toContainEqual(expect.stringContaining('3 numbers'));
  });

  it('loses no result of a submission that waits for it', async () => {
    await start({ runsync: [{ body: `{"id":"job-1","status":"COMPLETED","output":${output}}` }] });
    const { key } = await engine.submit({ operation: 'runsync' });
    await pass(20);
    expect((await engine.history.body(key, 'output', 1, null))?.text).toBe(saved);
  });

  it('loses no chunk of a stream, whose read removes it from the service', async () => {
    const metrics = '{"avg_gen_throughput":NaN}';
    await start({
      status: [{ body: '{"id":"job-1","status":"IN_PROGRESS"}' }],
      stream: [
        {
          body: `{"status":"IN_PROGRESS","stream":[{"output":"a"},{"output":"b","metrics":${metrics}},{"output":"c"}]}`,
        },
        { body: [] },
      ],
    });
    const { key } = await engine.submit({});
    await pass(60);
    expect((await engine.chunks(key)).map(({ outputJson, metricsJson }) => [outputJson, metricsJson])).toEqual([
      ['"a"', null],
      ['"b"', '{"avg_gen_throughput":"NaN"}'],
      ['"c"', null],
    ]);
  });

  it('loses no complete chunk of a reply that breaks off', async () => {
    await start({
      status: [{ body: '{"id":"job-1","status":"IN_PROGRESS"}' }],
      stream: [{ body: '[{"output":NaN},{"output":"b"},{"outp' }, { body: [] }],
    });
    const { key } = await engine.submit({});
    await pass(60);
    expect((await engine.chunks(key)).map(({ outputJson }) => outputJson)).toEqual(['"NaN"', '"b"']);
  });
});

it('a reply with other words in place of a value stays unread', async () => {
  await start({ status: [{ body: '{"id":"job-1","status":"COMPLETED","output":[NaNny,-NaN,Infinityx]}' }] });
  const { key } = await engine.submit({});
  await pass(20);
  expect(await engine.history.get(key)).toMatchObject({ job: { phase: 'active' } });
});

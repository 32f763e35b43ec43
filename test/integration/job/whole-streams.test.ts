import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../../src-preload/job.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';

let sandbox: Sandbox;
let engine: TestEngine;
beforeEach(async () => {
  sandbox = await startSandbox();
  engine = await startEngine({ connections: to(sandbox) });
});
afterEach(async () => {
  await engine.close();
  await sandbox.close();
});
afterAll(removeEngineFolders);

const sent = Array.from({ length: 12 }, (_, at) => `chunk ${at}`);
const streaming = { endpointId: 'mock', input: { mock_stream: sent, mock_delay: 100 } };

/** Reads of the stream before the job was known to be over. */
async function earlyReads(key: string): Promise<RequestRecord[]> {
  const requests = await engine.history.requests(key);
  const over = requests.find(({ note }) => note?.startsWith('COMPLETED') === true);
  return requests.filter(({ operation, atMs }) => operation === 'stream' && atMs < (over?.atMs ?? 0));
}

async function outputs(key: string): Promise<unknown[]> {
  return (await engine.chunks(key)).map(({ outputJson }): unknown => JSON.parse(outputJson));
}

describe('a stream that nobody watches', () => {
  it('is collected while the job runs, and is read once when it is over where the job is not to be kept whole', async () => {
    const whole = await engine.submit(streaming);
    const plain = await engine.submit({ ...streaming, isKeptWhole: false });
    await Promise.all([whole, plain].map(({ key }) => engine.untilEnd(key)));
    expect(await outputs(whole.key)).toEqual(sent);
    expect(await outputs(plain.key)).toEqual(sent);
    expect((await earlyReads(whole.key)).length).toBeGreaterThan(0);
    expect(await earlyReads(plain.key)).toEqual([]);
  });

  it('is read at once where somebody watches it after all', async () => {
    const job = await engine.submit({ ...streaming, isKeptWhole: false });
    engine.jobs.setOnView([job.key], []);
    await engine.untilEnd(job.key);
    expect((await earlyReads(job.key)).length).toBeGreaterThan(0);
  });

  it('is left alone over a restart as well, and by what is made from it again', async () => {
    const job = await engine.submit({ ...streaming, isKeptWhole: false });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    await engine.close();
    engine = await startEngine({ connections: to(sandbox), dataDir: engine.dataDir });
    await engine.untilEnd(job.key);
    expect(await outputs(job.key)).toEqual(sent);
    expect(await earlyReads(job.key)).toEqual([]);
    expect(await engine.jobs.draftOf(job.key)).toMatchObject({ ok: true, value: { isKeptWhole: false } });
  });
});

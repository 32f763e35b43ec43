import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../../src-preload/job.ts';
import { engineSceneForEachTest } from '../../kit/engine-scene.ts';

const scene = engineSceneForEachTest();

const sent = Array.from({ length: 12 }, (_, at) => `chunk ${at}`);
const streaming = { endpointId: 'mock', input: { mock_stream: sent, mock_delay: 100 } };

/** Reads of the stream before the job was known to be over. */
async function earlyReads(key: string): Promise<RequestRecord[]> {
  const requests = await scene.engine.history.requests(key);
  const over = requests.find(({ note }) => note?.startsWith('COMPLETED') === true);
  return requests.filter(({ operation, atMs }) => operation === 'stream' && atMs < (over?.atMs ?? 0));
}

async function outputs(key: string): Promise<unknown[]> {
  return (await scene.engine.chunks(key)).map(({ outputJson }): unknown => JSON.parse(outputJson));
}

describe('a stream that no window shows', () => {
  it('is collected while the job runs, and is read only once at the end if the job is not kept whole', async () => {
    const whole = await scene.engine.submit(streaming);
    const plain = await scene.engine.submit({ ...streaming, isKeptWhole: false });
    await Promise.all([whole, plain].map(({ key }) => scene.engine.untilEnd(key)));
    expect(await outputs(whole.key)).toEqual(sent);
    expect(await outputs(plain.key)).toEqual(sent);
    expect((await earlyReads(whole.key)).length).toBeGreaterThan(0);
    expect(await earlyReads(plain.key)).toEqual([]);
  });

  it('is read immediately if a window opens it after all', async () => {
    const job = await scene.engine.submit({ ...streaming, isKeptWhole: false });
    scene.engine.jobs.setOnView([job.key], []);
    await scene.engine.untilEnd(job.key);
    expect((await earlyReads(job.key)).length).toBeGreaterThan(0);
  });

  it('stays unread over a restart too, and for its resubmitted copies', async () => {
    const job = await scene.engine.submit({ ...streaming, isKeptWhole: false });
    await scene.engine.until(job.key, ({ phase }) => phase === 'active');
    await scene.restart('close');
    await scene.engine.untilEnd(job.key);
    expect(await outputs(job.key)).toEqual(sent);
    expect(await earlyReads(job.key)).toEqual([]);
    expect(await scene.engine.jobs.draftOf(job.key)).toMatchObject({ ok: true, value: { isKeptWhole: false } });
  });
});

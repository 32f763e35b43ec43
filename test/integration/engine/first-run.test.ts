import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { StreamMessage } from '../../../src-preload/contract.ts';
import { streamIndexOf } from '../job/stream-index.ts';
import { closeApps, listed, openApp, removeAppFolders } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

/** Counts the requests and connections that leave this process, to anywhere, while `work` runs. */
async function requestsDuring(work: () => Promise<void>): Promise<number> {
  let left = 0;
  const count = (): void => void (left += 1);
  const channels = [
    'net.client.socket',
    'http.client.request.start',
    'undici:client:beforeConnect',
    'undici:request:create',
  ];
  for (const channel of channels) subscribe(channel, count);
  try {
    await work();
  } finally {
    for (const channel of channels) unsubscribe(channel, count);
  }
  return left;
}

describe('the main job', () => {
  it('runs from an empty folder to a result that is found while the service is down', async () => {
    const app = await openApp();
    expect(await app.answer('app:info', undefined)).toMatchObject({ notices: [] });
    expect(await app.answer('connection:list', undefined)).toEqual([]);
    expect(await listed(app)).toMatchObject({ jobs: [], total: 0, allTotal: 0 });

    const connection = await app.answer('connection:openSandbox', undefined);
    expect(connection).toMatchObject({ isSandbox: true, hasKey: true, state: { kind: 'ready' } });
    const job = await app.submit({
      connectionId: connection.id,
      endpointId: 'text',
      input: { prompt: 'Write a runbook for the heliograph', tokens_per_second: 60, max_tokens: 120 },
    });

    const news: StreamMessage[] = [];
    const ended = new Promise<void>((resolve) => {
      app.engine.streamOf(
        job.key,
        1,
      )((told) => {
        news.push(told);
        if (told.kind === 'ended') resolve();
      });
    });
    const sent = await requestsDuring(() => ended);
    expect(sent).toBeGreaterThan(2);
    expect(await app.untilEnd(job.key)).toMatchObject({ phase: 'finished', status: 'COMPLETED', isResultSaved: true });
    const streamed = news.flatMap((told) => (told.kind === 'chunks' ? told.chunks : []));
    expect(streamed.length).toBeGreaterThan(20);
    // Chunks from before the subscription are read.
    const stored = await app.answer('job:chunks', { key: job.key, attempt: 1, fromSeq: 0, limit: 1_000 });
    expect(streamed).toEqual(stored.slice(streamed[0]?.seq));
    expect(stored.map(streamIndexOf)).toEqual(stored.map((_, index) => index));
    expect(news.filter(({ kind }) => kind === 'chunks').length).toBeGreaterThan(1);
    expect(news.at(-1)).toEqual({ kind: 'ended', status: 'COMPLETED' });

    const word = wordOf(streamed.map(({ outputJson }) => outputJson));
    expect((await listed(app, { text: word })).jobs.map(({ key }) => key)).toEqual([job.key]);
    const whole = await app.answer('job:body', { key: job.key, part: 'output', attempt: 1, isWhole: true });
    await app.close();

    const sentOffline = await requestsDuring(async () => {
      const again = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
      expect(await again.answer('app:info', undefined)).toMatchObject({ notices: [] });
      expect(await again.answer('sandbox:state', undefined)).toMatchObject({ isRunning: false });
      const found = await listed(again, { text: word });
      expect(found.jobs).toEqual([
        expect.objectContaining({ key: job.key, status: 'COMPLETED', chunkCount: streamed.length }),
      ]);
      expect(found.snippets[job.key]?.toLowerCase()).toContain(`\u0001${word}\u0002`);
      expect((await again.answer('job:get', { key: job.key })).job).toMatchObject({
        phase: 'finished',
        isResultSaved: true,
      });
      expect(await again.chunks(job.key)).toEqual(streamed);
      expect(await again.answer('job:body', { key: job.key, part: 'output', attempt: 1, isWhole: true })).toEqual(
        whole,
      );
      expect(await again.answer('tracker:state', undefined)).toMatchObject({ tracked: 0, nextStatusReadAtMs: null });
      await again.close();
    });
    expect(sentOffline).toBe(0);
  });

  it('reports that the sandbox is off if it was turned off', async () => {
    const app = await openApp({ isSandboxAllowed: false });
    expect(await app.call('connection:openSandbox', undefined)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('turned off') },
    });
    expect(await app.answer('connection:list', undefined)).toEqual([]);
  });

  it('reports the end of a job once, after all of it can be read', async () => {
    const app = await openApp();
    const connection = await app.answer('connection:openSandbox', undefined);
    const ends: { title: string; body: string; saved: Promise<unknown> }[] = [];
    app.engine.showNotificationsWith(({ title, body, destination }) => {
      const key = destination.kind === 'job' ? destination.key : '';
      const saved = app.answer('job:body', { key, part: 'output', attempt: 1, isWhole: true });
      ends.push({ title, body, saved });
      throw new Error('a notification that cannot be shown');
    });
    const job = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { said: 'hello' } });
    await app.untilSeen(() => ends.length > 0);
    await app.untilEnd(job.key);
    expect(ends).toEqual([
      { title: expect.stringContaining('completed'), body: expect.stringContaining('Echo'), saved: expect.anything() },
    ]);
    expect(await ends[0]?.saved).toMatchObject({ text: '{"said":"hello"}', isCut: false });
    expect(await app.log()).toContain('a notification that cannot be shown');
  });
});

/** A word of some length that stands whole inside one of the chunks. */
function wordOf(outputs: string[]): string {
  for (const output of outputs.toReversed()) {
    const word = /"text":\["[^"]*?\b([a-z]{6,})\b[^"]*"\]/.exec(output)?.[1];
    if (word !== undefined) return word;
  }
  throw new Error('No chunk holds a word.');
}

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calls, dispatch } from '../../../src-preload/contract.ts';
import type { CallName } from '../../../src-preload/contract.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { openPacedEndpoint } from '../../kit/paced-endpoint.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { streamIndexOf } from '../job/stream-index.ts';
import { closeApps, listed, openApp as openHosted, removeAppFolders } from './app-scene.ts';
import type { AppOptions } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';
import { startHeldService } from './held-service.ts';
import { watchThreads } from './live-threads.ts';
import { createSealing } from './sealing.ts';

const openApp = (options: AppOptions = {}): ReturnType<typeof openHosted> =>
  openHosted({ ...options, hasOwnThreads: true });

let threads: ReturnType<typeof watchThreads>;
beforeEach(() => {
  threads = watchThreads();
});
afterEach(async () => {
  await closeApps();
  threads.end();
});
afterAll(removeAppFolders);

describe('closing', () => {
  it('in the middle of a stream loses nothing, and the next start continues it', async () => {
    const paced = openPacedEndpoint();
    const streaming = await startSandbox({ endpoints: [paced.endpoint] });
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect(streaming);
    const paced_stream = Array.from({ length: 40 }, (_, at) => ({ output: at, metrics: { stream_index: at } }));
    const { key } = await app.submit({ connectionId: connection.id, endpointId: 'paced', input: { paced_stream } });
    paced.pass(10);
    const seen = await app.untilJob(key, ({ chunkCount }) => chunkCount > 5);
    expect(seen.phase).toBe('active');
    await app.close();

    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    const kept = await again.chunks(key);
    expect(kept.length).toBeGreaterThanOrEqual(seen.chunkCount);
    paced.end();
    const end = await again.untilEnd(key);
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    const chunks = await again.chunks(key);
    expect(chunks.length).toBeGreaterThan(kept.length);
    expect(chunks.slice(0, kept.length)).toEqual(kept);
    expect(chunks.map(streamIndexOf)).toEqual(chunks.map((_, index) => index));
    const output = await again.answer('job:body', { key, part: 'output', attempt: null, isWhole: true });
    expect(chunks.map(({ outputJson }) => JSON.parse(outputJson))).toEqual(JSON.parse(output.text));
    await streaming.close();
    paced.close();
  });

  it('waits for replies on their way: a chunk the service sent is saved, and a job it accepted is known', async () => {
    const service = await startHeldService(['the only one']);
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
    const streaming = await app.submit({ connectionId: connection.id, endpointId: 'ep', input: { n: 1 } });
    (await service.held('run')).release();
    const [chunks, look] = await Promise.all([service.held('stream'), service.held('status')]);
    const taken = await app.submit({ connectionId: connection.id, endpointId: 'ep', input: { n: 2 } });
    const acceptance = await service.held('run');
    const closed = app.close();
    // What can be asked again is not waited for.
    await look.abandoned;
    chunks.release();
    acceptance.release();
    await closed;

    const again = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
    expect((await again.chunks(streaming.key)).map(({ outputJson }) => outputJson)).toEqual(['"the only one"']);
    expect((await again.answer('job:get', { key: taken.key })).job).toMatchObject({ phase: 'active', jobId: 'job-2' });
    await again.close();
    await service.close();
  });

  it('leaves no thread and no timer, whatever is active', async () => {
    const clock = createFastClock(10);
    const app = await openApp({ clock });
    const connection = await app.answer('connection:openSandbox', undefined);
    await app.submit({ connectionId: connection.id, input: { mock_delay: 600_000 } });
    const unsent = await app.connect({ baseUrl: 'http://127.0.0.1:9', apiKey: 'a-key-0123456789', endpoints: ['ep'] });
    const waiting = await app.submit({ connectionId: unsent.id, endpointId: 'ep' });
    await app.untilJob(waiting.key, ({ phase }) => phase === 'waiting');
    await app.untilConnection(unsent.id, ({ state }) => state.kind === 'offline');
    expect(clock.pending()).toBeGreaterThan(0);
    expect(threads.live()).toBeGreaterThanOrEqual(2);
    await app.close();
    expect(clock.pending()).toBe(0);
    expect(threads.live()).toBe(0);
    expect(app.told['sandbox:changed'].at(-1)).toMatchObject({ isRunning: false, problem: null });
    // A second time is the same time.
    await app.close();
    expect(await app.log()).not.toContain('"level":"error"');
  });

  it('while the sandbox is being opened closes the sandbox too', async () => {
    const app = await openApp();
    const opening = app.call('connection:openSandbox', undefined);
    const [answer] = await Promise.all([opening, app.close()]);
    expect(typeof answer.ok).toBe('boolean');
    expect(threads.live()).toBe(0);
    const again = await openApp({ dataDir: app.dataDir });
    expect(await again.answer('connection:openSandbox', undefined)).toMatchObject({
      isSandbox: true,
      state: { kind: 'ready' },
    });
  });

  it('refuses every later call: a refusal, never a throw, and nothing half done', async () => {
    const app = await openApp();
    const connection = await app.connect({
      baseUrl: 'http://127.0.0.1:9',
      apiKey: 'a-key-0123456789',
      endpoints: ['ep'],
    });
    const closing = app.close();
    const draft = { connectionId: connection.id, endpointId: 'ep', operation: 'run', inputText: '{}' };
    const during = await dispatch(app.handlers, 'job:submit', draft, { windowId: 1 });
    expect(during).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('closing') },
    });
    await closing;
    const inputs: Partial<Record<CallName, unknown>> = {
      'job:submit': draft,
      'draft:save': { slot: 's', text: 't' },
      'connection:deleteKey': { connectionId: connection.id },
      'job:watch': { keys: [] },
    };
    for (const name of Object.keys(calls) as CallName[]) {
      // The desktop's, which the scene only stands in for.
      if (/^(?:app|window|update):|^stream:|^backup:undoRestore$/.test(name)) continue;
      const result = await dispatch(app.handlers, name, inputs[name], { windowId: 1 });
      expect([name, result]).toMatchObject([name, { ok: false, failure: { kind: 'refused' } }]);
    }
    const again = await openApp({ dataDir: app.dataDir });
    expect(await listed(again)).toMatchObject({ allTotal: 0 });
  });

  it('while a submission is in progress is shown at the next start, and the submission is not sent again', async () => {
    const silent = await createFaultService();
    silent.otherwise({ kind: 'hang' });
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect({ baseUrl: silent.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
    const sending = await app.submit({ connectionId: connection.id, endpointId: 'ep', input: { n: 1 } });
    expect(sending.phase).toBe('submitting');
    const request = await silent.received(0);
    await app.close();
    await request.abandoned;

    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    expect((await again.answer('job:get', { key: sending.key })).job).toMatchObject({
      phase: 'outcome-unknown',
      reason: { kind: 'unanswered', why: { kind: 'ended' } },
    });
    expect(again.engine.trackerState()).toMatchObject({ outcomeUnknown: 1, waitingToSend: 0 });
    await again.close();
    expect(silent.requests.map(({ path }) => path)).toEqual(['/v2/ep/run']);
    await silent.close();
  });

  it('before a submission left keeps it in the outbox, and the next start sends it once', async () => {
    const service = await startSandbox();
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect(service);
    await app.answer('tracker:pause', undefined);
    const job = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { n: 1 } });
    expect(job).toMatchObject({ phase: 'waiting', reason: { kind: 'paused' } });
    await app.close();
    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    expect(await again.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED' });
    expect(service.transitions().filter(({ from }) => from === null)).toHaveLength(1);
    await service.close();
  });
});

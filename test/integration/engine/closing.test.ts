import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { calls, dispatch } from '../../../src-preload/contract.ts';
import type { CallName } from '../../../src-preload/contract.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { streamIndexOf } from '../job/stream-index.ts';
import { closeApps, listed, openApp, removeAppFolders } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';
import { watchThreads } from './live-threads.ts';
import { createSealing } from './sealing.ts';

let service: Sandbox;
let threads: ReturnType<typeof watchThreads>;
beforeEach(async () => {
  threads = watchThreads();
  service = await startSandbox({ endpoints: [] });
});
afterEach(async () => {
  await closeApps();
  await service.close();
  threads.end();
});
afterAll(removeAppFolders);

describe('closing', () => {
  it('in the middle of a stream loses nothing, and the next start goes on with it', async () => {
    const streaming = await startSandbox();
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect(streaming);
    const { key } = await app.submit({ connectionId: connection.id, endpointId: 'text', input: { prompt: 'x', tokens_per_second: 100, max_tokens: 200 } });
    const seen = await app.untilJob(key, ({ chunkCount }) => chunkCount > 5);
    expect(seen.phase).toBe('active');
    await app.close();

    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    const kept = await again.chunks(key);
    expect(kept.length).toBeGreaterThanOrEqual(seen.chunkCount);
    const end = await again.untilEnd(key);
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    const chunks = await again.chunks(key);
    expect(chunks.length).toBeGreaterThan(kept.length);
    expect(chunks.slice(0, kept.length)).toEqual(kept);
    expect(chunks.map(streamIndexOf)).toEqual(chunks.map((_, index) => index));
    const output = await again.answer('job:body', { key, part: 'output', attempt: null, isWhole: true });
    expect(chunks.map(({ outputJson }) => JSON.parse(outputJson))).toEqual(JSON.parse(output.text));
    await streaming.close();
  });

  it('leaves no thread and no timer, whatever is live', async () => {
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

  it('while the sandbox is being opened ends that too', async () => {
    const app = await openApp();
    const opening = app.call('connection:openSandbox', undefined);
    const [answer] = await Promise.all([opening, app.close()]);
    expect(typeof answer.ok).toBe('boolean');
    expect(threads.live()).toBe(0);
    const again = await openApp({ dataDir: app.dataDir });
    expect(await again.answer('connection:openSandbox', undefined)).toMatchObject({ isSandbox: true, state: { kind: 'ready' } });
  });

  it('takes no call from then on: a refusal, never a throw, and nothing half done', async () => {
    const app = await openApp();
    const connection = await app.connect({ ...service, endpoints: ['ep'] });
    const closing = app.close();
    const draft = { connectionId: connection.id, endpointId: 'ep', operation: 'run', inputText: '{}' };
    const during = await dispatch(app.handlers, 'job:submit', draft, { windowId: 1 });
    expect(during).toMatchObject({ ok: false, failure: { kind: 'refused', message: expect.stringContaining('closing') } });
    await closing;
    const inputs: Partial<Record<CallName, unknown>> = { 'job:submit': draft, 'draft:keep': { slot: 's', text: 't' }, 'connection:setKey': { connectionId: connection.id, key: 'x-0123456789' }, 'job:watch': { keys: [] } };
    for (const name of Object.keys(calls) as CallName[]) {
      if (/^(?:app|window):|^stream:/.test(name)) continue;
      const result = await dispatch(app.handlers, name, inputs[name], { windowId: 1 });
      expect([name, result]).toMatchObject([name, { ok: false, failure: { kind: 'refused' } }]);
    }
    const again = await openApp({ dataDir: app.dataDir });
    expect(await listed(again)).toMatchObject({ allTotal: 0 });
  });

  it('while a submission is under way says so at the next start, and does not send it again', async () => {
    service = await startSandbox();
    service.setFault({ kind: 'hang', operation: 'run' });
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect(service);
    const sending = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { n: 1 } });
    expect(sending.phase).toBe('submitting');
    await app.close();
    service.setFault(null);
    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    expect((await again.answer('job:get', { key: sending.key })).job).toMatchObject({ phase: 'outcome-unknown', note: expect.stringContaining('Jobdeck ended while this was being sent') });
    expect(again.engine.trackerState()).toMatchObject({ outcomeUnknown: 1, waitingToSend: 0 });
    expect(service.transitions()).toEqual([]);
  });
});

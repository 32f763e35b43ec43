import { afterEach, describe, expect, it } from 'vitest';
import {
  SandboxThread,
  type SandboxRun,
  type SandboxThreadParts,
} from '../../../src-main/engine/start-sandbox-thread.ts';

const ready =
  "{ type: 'ready', baseUrl: 'http://127.0.0.1:4321', restUrl: 'http://127.0.0.1:4321', apiKey: 'k', " +
  "endpoints: ['echo'], pods: ['p1'], templates: ['t1'], setAside: null }";

/** A thread that does what `script` says. `port` is its side of the channel. */
function host(script: string): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort as port, workerData } from 'node:worker_threads';\n${script}`)}`,
  );
}
const wellBehaved = host(`port.once('message', () => process.exit(0)); port.postMessage(${ready});`);

interface Scene {
  thread: SandboxThread;
  states: SandboxRun[];
  kept: number[];
  /** Resolves with the first state that passes. */
  until(check: (state: SandboxRun) => boolean): Promise<SandboxRun>;
}

const threads: SandboxThread[] = [];
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

function begin(hostUrl: URL, parts: Partial<SandboxThreadParts> = {}): Scene {
  const states: SandboxRun[] = [];
  const kept: number[] = [];
  const waiting = new Set<() => void>();
  const thread = new SandboxThread({
    hostUrl,
    handlerUrl: new URL('data:text/javascript,'),
    preferredPort: async () => null,
    savePort: async (port) => void kept.push(port),
    stateFile: '/data/sandbox.db',
    onChange(state) {
      states.push(state);
      for (const checkState of waiting) checkState();
    },
    ...parts,
  });
  threads.push(thread);
  const until: Scene['until'] = (check) =>
    new Promise((resolve) => {
      const checkState = (): void => {
        const found = states.find(check);
        if (found !== undefined) resolve(found);
      };
      waiting.add(checkState);
      checkState();
    });
  return { thread, states, kept, until };
}

describe('the thread of the sandbox', () => {
  it('is started once for all callers, and is new only for the first', async () => {
    const { thread, states, kept } = begin(wellBehaved);
    const answers = await Promise.all([thread.start(), thread.start(), thread.start()]);
    expect(answers.map((answer) => answer.ok && answer.value.isNew)).toEqual([true, false, false]);
    expect(states).toEqual([
      {
        isRunning: true,
        baseUrl: 'http://127.0.0.1:4321',
        restUrl: 'http://127.0.0.1:4321',
        endpoints: ['echo'],
        pods: ['p1'],
        templates: ['t1'],
        problem: null,
      },
    ]);
    expect(JSON.stringify(states)).not.toContain('apiKey');
    expect(kept).toEqual([4321]);
  });

  it('is asked for its former port', async () => {
    const { thread } = begin(
      host(
        `port.once('message', () => process.exit(0)); port.postMessage({ ...${ready}, endpoints: ` +
          '[String(workerData.port)] });',
      ),
      { preferredPort: async () => 5_555 },
    );
    expect(await thread.start()).toMatchObject({ ok: true, value: { address: { endpoints: ['5555'] } } });
  });

  it('gets its state file, and reports what happened to it', async () => {
    const told: unknown[] = [];
    const { thread } = begin(
      host(`
        port.once('message', () => process.exit(0));
        port.postMessage({ type: 'stateTrouble', sentence: 'no room' });
        port.postMessage({ ...${ready}, setAside: { path: workerData.stateFile + '.old', reason: 'damaged' } });
        port.postMessage({ type: 'stateTrouble', sentence: null });`),
      { onStateSetAside: (setAside) => told.push(setAside), onStateTrouble: (sentence) => told.push(sentence) },
    );
    expect(await thread.start()).toMatchObject({ ok: true });
    await thread.stop();
    expect(told).toEqual(['no room', { path: '/data/sandbox.db.old', reason: 'damaged' }, null]);
  });

  it('applies a message before the sender continues, in the order of the messages', async () => {
    const applied: string[] = [];
    const { thread } = begin(
      host(`
        port.on('message', (message) => {
          if (message.type === 'close') return process.exit(0);
          setTimeout(() => {
            port.postMessage({ type: 'stateTrouble', sentence: message.type });
            port.postMessage({ type: 'applied' });
          }, 20);
        });
        port.postMessage(${ready});`),
      { onStateTrouble: (sentence) => applied.push(sentence ?? '') },
    );
    await thread.start();
    await Promise.all([
      thread.send({ type: 'setTimeScale', timeScale: 2 }).then(() => applied.push('speed set')),
      thread.send({ type: 'setFaults', faults: [] }).then(() => applied.push('faults set')),
    ]);
    expect(applied).toEqual(['setTimeScale', 'speed set', 'setFaults', 'faults set']);
  });

  it.each([
    [
      'ends without answering it',
      host(`port.once('message', () => process.exit(0)); port.postMessage(${ready});`),
      600_000,
    ],
    ['never answers it', host(`port.on('message', () => undefined); port.postMessage(${ready});`), 50],
  ])('does not hold up a message if it %s', async (_what, hostUrl, stopMs) => {
    const { thread } = begin(hostUrl, { limits: { startMs: 10_000, stopMs } });
    await thread.start();
    await expect(thread.send({ type: 'setFaults', faults: [] })).resolves.toBeUndefined();
  });

  it('starts and stops in the requested order', async () => {
    const { thread, states } = begin(wellBehaved);
    const [, , again] = await Promise.all([thread.start(), thread.stop(), thread.start(), thread.stop()]);
    expect(again).toMatchObject({ ok: true, value: { isNew: true } });
    expect(states.map(({ isRunning }) => isRunning)).toEqual([true, false, true, false]);
    expect(thread.state()).toEqual({
      isRunning: false,
      baseUrl: null,
      restUrl: null,
      endpoints: [],
      pods: [],
      templates: [],
      problem: null,
    });
  });

  it('runs even if its port cannot be read or saved', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('disk full'));
    const { thread } = begin(wellBehaved, { preferredPort: broken, savePort: broken });
    expect(await thread.start()).toMatchObject({ ok: true });
    expect(thread.state().isRunning).toBe(true);
  });

  it.each([
    ['throws', host("throw new Error('no such module');"), 'no such module'],
    [
      'says that it failed',
      host("port.postMessage({ type: 'failed', message: 'The port is bad' });"),
      'The port is bad',
    ],
    ['ends', host(''), 'its thread ended'],
    ['is silent', host('setInterval(() => undefined, 1000);'), 'did not answer in time'],
  ])('that %s at its start is a failure with the reason, and can be tried again', async (_what, hostUrl, reason) => {
    // Only the silent one is waited for to the end; the others have time on a busy computer.
    const { thread, states } = begin(hostUrl, {
      limits: { startMs: reason.includes('in time') ? 400 : 10_000, stopMs: 400 },
    });
    for (const round of [1, 2]) {
      expect(await thread.start()).toMatchObject({
        ok: false,
        failure: { kind: 'defect', message: expect.stringContaining(reason) },
      });
      expect(states).toHaveLength(round);
      expect(states.at(-1)).toMatchObject({ isRunning: false, problem: expect.stringContaining(reason) });
    }
  });

  it('that dies while it runs says so, with what that means, and can be opened again', async () => {
    const { thread, until } = begin(
      host(
        `port.postMessage(${ready}); port.once('message', () => process.exit(0)); if (workerData.port === 1) ` +
          "setImmediate(() => { throw new Error('out of memory'); });",
      ),
      { preferredPort: countingPorts() },
    );
    expect(await thread.start()).toMatchObject({ ok: true });
    const { problem } = await until((state) => !state.isRunning);
    expect(problem).toBe(
      'The built-in sandbox ended unexpectedly (out of memory). Its jobs are saved on disk and continue when ' +
        'you open it again.',
    );
    expect(await thread.start()).toMatchObject({ ok: true, value: { isNew: true } });
    expect(thread.state()).toMatchObject({ isRunning: true, problem: null });
  });

  it('that does not stop is terminated', async () => {
    const { thread } = begin(host(`port.postMessage(${ready}); setInterval(() => undefined, 1000);`), {
      limits: { startMs: 5_000, stopMs: 50 },
    });
    await thread.start();
    await thread.stop();
    expect(thread.state()).toMatchObject({ isRunning: false, problem: null });
  });

  it('is never started again once closed, even if the start was requested before', async () => {
    const { thread, states } = begin(wellBehaved);
    const [started] = await Promise.all([thread.start(), thread.close()]);
    expect(started.ok).toBe(false);
    expect(await thread.start()).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('closing') },
    });
    expect(states).toEqual(
      [{ isRunning: false, baseUrl: null, restUrl: null, endpoints: [], pods: [], templates: [], problem: null }].slice(
        0,
        states.length,
      ),
    );
  });
});

/** 1, then 2, ... */
function countingPorts(): () => Promise<number> {
  let port = 0;
  return async () => (port += 1);
}

import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';

type Listener = (payload: unknown) => void;
interface Bridge {
  on(name: string, listener: Listener): () => void;
}

/** Electron's part of a page, as far as the preload script uses it. */
const page = vi.hoisted(() => ({ exposed: new Map<string, unknown>(), listened: [] as string[] }));
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  const channel = new Emitter();
  page.exposed.set('channel', channel);
  const on = channel.on.bind(channel);
  return {
    contextBridge: { exposeInMainWorld: (key: string, api: unknown) => page.exposed.set(key, api) },
    ipcRenderer: {
      on: (name: string, listener: Listener) => (page.listened.push(name), on(name, listener)),
      invoke: () => Promise.resolve(null),
    },
  };
});

function isBridge(api: unknown): api is Bridge {
  return typeof api === 'object' && api !== null && 'on' in api;
}

async function loadedBridge(): Promise<{ bridge: Bridge; channel: EventEmitter }> {
  vi.stubGlobal('reportError', () => undefined);
  await import('../../../src-preload/preload.ts');
  const bridge = page.exposed.get('bridge');
  const channel = page.exposed.get('channel');
  if (!isBridge(bridge) || !(channel instanceof EventEmitter)) throw new Error('The preload script exposed no bridge.');
  return { bridge, channel };
}

it('a window receives all events through one listener of Electron’s, however many parts of it listen', async () => {
  const { bridge, channel } = await loadedBridge();
  const heard: number[] = [];
  const stops = Array.from({ length: 12 }, (_, at) =>
    bridge.on('job:changed', () => {
      heard.push(at);
      if (at === 3) throw new Error('a part of the window fails');
    }),
  );
  expect(page.listened).toEqual(['event', 'port']);
  channel.emit('event', {}, 'job:changed', {});
  expect(heard).toHaveLength(12);
  for (const stop of stops) stop();
  channel.emit('event', {}, 'job:changed', {});
  expect(heard).toHaveLength(12);
});

it('the destination of a click is delivered once to a page that subscribes late, and nothing else is', async () => {
  const { bridge, channel } = await loadedBridge();
  const heard: unknown[] = [];
  for (const kind of ['home', 'job']) channel.emit('event', {}, 'app:navigated', { kind });
  channel.emit('event', {}, 'settings:changed', {});
  bridge.on('settings:changed', (payload) => heard.push(payload));
  const stop = bridge.on('app:navigated', (payload) => heard.push(payload));
  bridge.on('app:navigated', () => undefined);
  await Promise.resolve();
  expect(heard).toEqual([{ kind: 'job' }]);
  stop();
});

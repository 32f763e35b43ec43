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

it('a window hears all events by one listener of Electron’s, however many parts of it listen', async () => {
  vi.stubGlobal('reportError', () => undefined);
  await import('../../../src-preload/preload.ts');
  const bridge = page.exposed.get('bridge');
  const channel = page.exposed.get('channel');
  if (!isBridge(bridge) || !(channel instanceof EventEmitter)) throw new Error('The preload script exposed no bridge.');
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

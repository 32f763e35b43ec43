import type { createCodec as CreateCodec, Encoded } from './codec.ts';
import type { createWorldLink as CreateWorldLink } from './world-link.ts';
import type { FromPage, ToPage } from './words.ts';

export interface PreloadWorldNames {
  toPage: string;
  toPreload: string;
  closeWindow: string;
  openWindow: string;
  binding: string;
  deliver: string;
  /** It also runs in the frames of a page. */
  isInSubFrames: boolean;
  /** The `process` of sandboxed preloads. */
  process: { platform: string; arch: string; versions: Record<string, string>; argv: string[] };
}

type PreloadScript = (
  require: (name: string) => unknown,
  module: { exports: unknown },
  exports: unknown,
  process: unknown,
) => void;

/**
 * Runs in the isolated world of every new document. Gives the preload script its `electron` (ipcRenderer,
 * contextBridge) and carries messages between it and main. Source text, so it must not use anything outside itself.
 */
export function startPreloadWorld(
  createCodec: typeof CreateCodec,
  createWorldLink: typeof CreateWorldLink,
  names: PreloadWorldNames,
  preload: PreloadScript,
): void {
  const isMainFrame = window === window.top;
  if ((!isMainFrame && !names.isInSubFrames) || window.location.href.startsWith('about:blank#jobdeck-window')) return;
  const tell: (text: string) => void = Reflect.get(globalThis, names.binding);
  const say = (word: FromPage): void => tell(JSON.stringify(word));

  const codec = createCodec({
    encode(bytes) {
      const parts: string[] = [];
      for (let at = 0; at < bytes.length; at += 32_768)
        parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
      return btoa(parts.join(''));
    },
    decode(text) {
      const raw = atob(text);
      const bytes = new Uint8Array(raw.length);
      for (let at = 0; at < raw.length; at += 1) bytes[at] = raw.charCodeAt(at);
      return bytes;
    },
  });
  const encode = (value: unknown): Encoded => {
    let copy: unknown;
    try {
      copy = structuredClone(value);
    } catch {
      throw new Error('An object could not be cloned.');
    }
    return codec.encode(copy);
  };
  const lacking = (what: string): never => {
    throw new Error(`The Electron stand-in has no ${what} for preload scripts.`);
  };
  const guard = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get: (object, property, receiver): unknown =>
        typeof property === 'string' && !(property in object) && property !== 'then'
          ? lacking(`${name}.${property}`)
          : Reflect.get(object, property, receiver),
    });

  // Ports: the preload gets one end of a real MessageChannel (and may transfer it to the page). The other end is
  // relayed to main.
  const relayed = new Map<number, MessagePort>();
  let lastOwnPort = 0;
  const relay = (id: number, port: MessagePort): void => {
    relayed.set(id, port);
    port.onmessage = (event) => say({ type: 'port-message', port: id, data: encode(event.data) });
    port.addEventListener('close', () => {
      if (relayed.delete(id)) say({ type: 'port-close', port: id });
    });
  };
  const portFromMain = (id: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    relay(id, port1);
    return port2;
  };

  // ipcRenderer
  interface IpcEvent {
    sender: unknown;
    ports: MessagePort[];
  }
  type IpcListener = (event: IpcEvent, ...args: unknown[]) => void;
  const listeners = new Map<string, { listener: IpcListener; isOnce: boolean }[]>();
  const invocations = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastInvocation = 0;
  const listen = (channel: string, listener: IpcListener, isOnce: boolean): object => {
    const all = [...(listeners.get(channel) ?? []), { listener, isOnce }];
    listeners.set(channel, all);
    // Node's limit of listeners, with its warning.
    if (all.length === 11)
      console.error(
        `MaxListenersExceededWarning: Possible EventEmitter memory leak detected. 11 ${channel} listeners added to ` +
          '[IpcRenderer]. MaxListeners is 10.',
      );
    return ipcRenderer;
  };
  const unlisten = (channel: string, listener: IpcListener): object => {
    const kept = [...(listeners.get(channel) ?? [])];
    const at = kept.findLastIndex((one) => one.listener === listener);
    if (at >= 0) kept.splice(at, 1);
    listeners.set(channel, kept);
    return ipcRenderer;
  };
  const ipcRenderer: object = guard('ipcRenderer', {
    invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      return new Promise((resolve, reject) => {
        const encoded = encode(args);
        lastInvocation += 1;
        invocations.set(lastInvocation, { resolve, reject });
        say({ type: 'invoke', url: location.href, id: lastInvocation, channel, args: encoded });
      });
    },
    send: (channel: string, ...args: unknown[]): void =>
      say({ type: 'send', url: location.href, channel, args: encode(args) }),
    postMessage(channel: string, message: unknown, transfer: MessagePort[] = []): void {
      const ports = transfer.map((port) => {
        lastOwnPort -= 1;
        relay(lastOwnPort, port);
        return lastOwnPort;
      });
      say({ type: 'post', url: location.href, channel, args: encode([message]), ports });
    },
    on: (channel: string, listener: IpcListener) => listen(channel, listener, false),
    addListener: (channel: string, listener: IpcListener) => listen(channel, listener, false),
    once: (channel: string, listener: IpcListener) => listen(channel, listener, true),
    off: unlisten,
    removeListener: unlisten,
    removeAllListeners(channel: string): object {
      listeners.delete(channel);
      return ipcRenderer;
    },
    listenerCount: (channel: string): number => listeners.get(channel)?.length ?? 0,
  });

  const hear = (word: ToPage): void => {
    if (word.type === 'reply') {
      const invocation = invocations.get(word.id);
      invocations.delete(word.id);
      if ('error' in word) invocation?.reject(new Error(word.error));
      else invocation?.resolve(codec.decode(word.result));
    } else if (word.type === 'event') {
      const event = { sender: ipcRenderer, ports: word.ports.map(portFromMain) };
      const args = codec.decode(word.args);
      for (const one of Array.from(listeners.get(word.channel) ?? [])) {
        if (one.isOnce) unlisten(word.channel, one.listener);
        try {
          one.listener(event, ...(Array.isArray(args) ? args : []));
        } catch (error) {
          reportError(error);
        }
      }
    } else if (word.type === 'port-message') relayed.get(word.port)?.postMessage(codec.decode(word.data));
    else {
      const port = relayed.get(word.port);
      relayed.delete(word.port);
      port?.close();
    }
  };
  Reflect.set(globalThis, names.deliver, (words: ToPage[]): void => words.forEach(hear));

  const link = createWorldLink({ say: names.toPage, hear: names.toPreload }, () => {}, new WeakSet([ipcRenderer]));
  const contextBridge = guard('contextBridge', {
    exposeInMainWorld: (key: string, api: unknown): void => link.expose(key, api),
  });
  const electron = guard('electron', { contextBridge, ipcRenderer });

  if (isMainFrame) {
    document.addEventListener(names.closeWindow, () => say({ type: 'close-window' }));
    document.addEventListener(names.openWindow, (event) => {
      if (event instanceof CustomEvent && typeof event.detail === 'string')
        say({
          ...(JSON.parse(event.detail) as { target: string; frameName: string; features: string }),
          type: 'open-window',
        });
    });
    window.addEventListener('resize', () =>
      say({ type: 'resized', width: window.innerWidth, height: window.innerHeight }),
    );
  }
  // Accelerators of the application menu get a key only if the page did not handle it.
  window.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key))) return;
    setTimeout(() => {
      if (event.defaultPrevented) return;
      say({
        type: 'key',
        key: event.key,
        code: event.code,
        ctrl: event.ctrlKey,
        meta: event.metaKey,
        alt: event.altKey,
        shift: event.shiftKey,
      });
    });
  });

  say({ type: 'hello', url: location.href });
  const require = (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  try {
    preload(
      require,
      module,
      module.exports,
      guard('process', { ...names.process, type: 'renderer', sandboxed: true, contextIsolated: true, env: {} }),
    );
  } catch (error) {
    say({ type: 'preload-failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

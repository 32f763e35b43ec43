/*
 * The whole bridge: two raw channels and the transfer of stream ports. It checks nothing; main checks sender, name and
 * input of every call.
 */
import { contextBridge, ipcRenderer } from 'electron';

type Listener = (payload: unknown) => void;
/** One relay for all listeners of the page, because an emitter warns of more than ten on a channel. */
const listeners = new Map<string, Set<Listener>>();
/** Where the click that launched Jobdeck leads. It may arrive before the page is listening. */
const leading = 'app:navigated';
let unheard: { destination: unknown } | null = null;

ipcRenderer.on('event', (_event, name: string, payload: unknown) => {
  if (name === leading && (listeners.get(name)?.size ?? 0) === 0) unheard = { destination: payload };
  for (const listener of Array.from(listeners.get(name) ?? [])) {
    try {
      listener(payload);
    } catch (error) {
      // The other listeners are still called.
      reportError(error);
    }
  }
});

contextBridge.exposeInMainWorld('bridge', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('call', name, input),
  on: (name: string, listener: Listener): (() => void) => {
    const known = listeners.get(name) ?? new Set<Listener>();
    listeners.set(name, known.add(listener));
    if (name === leading && unheard !== null) {
      const { destination } = unheard;
      unheard = null;
      queueMicrotask(() => listener(destination));
    }
    return () => void known.delete(listener);
  },
});

// A port cannot pass through contextBridge. window.postMessage is the documented way to the page.
ipcRenderer.on('port', (event, message: unknown) => {
  window.postMessage(message, window.location.origin, event.ports);
});

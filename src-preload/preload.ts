import { contextBridge, ipcRenderer } from 'electron';

/**
 * The whole bridge: two raw channels and the hand-over of stream ports. It knows no names and checks nothing;
 * main checks sender, name and input of every call.
 */
contextBridge.exposeInMainWorld('bridge', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('call', name, input),
  on: (name: string, listener: (payload: unknown) => void): (() => void) => {
    const relay = (_event: unknown, eventName: string, payload: unknown): void => {
      if (eventName === name) listener(payload);
    };
    ipcRenderer.on('event', relay);
    return () => ipcRenderer.off('event', relay);
  },
});

// A port cannot pass through contextBridge; window.postMessage is the documented way to the page.
ipcRenderer.on('port', (event, message: unknown) => {
  window.postMessage(message, window.location.origin, event.ports);
});

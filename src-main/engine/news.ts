import type { EventName, Events } from '../../src-preload/contract.ts';

type AnyListener = <N extends EventName>(name: N, payload: Events[N]) => void;

/** The engine's events on their way to whoever listens: windows, tray, notifications. */
export interface News {
  emit: AnyListener;
  /** Hears every event from now on. */
  listen(listener: AnyListener): void;
}

export function createNews(): News {
  const listeners: AnyListener[] = [];
  return {
    emit: (name, payload) => {
      for (const listener of listeners) listener(name, payload);
    },
    listen: (listener) => void listeners.push(listener),
  };
}

import type { EventName, Events } from '../../src-preload/contract.ts';

type AnyListener = <N extends EventName>(name: N, payload: Events[N]) => void;

/** The engine's events on their way to whoever listens: windows, tray, notifications. */
export interface News {
  emit: AnyListener;
  /** Hears every event from now on. */
  listen(listener: AnyListener): void;
}

/**
 * `onTrouble` takes what a listener threw: a window that cannot be told must not keep the others, or the engine itself,
 * from going on.
 */
export function createNews(onTrouble: (error: unknown) => void): News {
  const listeners: AnyListener[] = [];
  return {
    emit: (name, payload) => {
      for (const listener of listeners) {
        try {
          listener(name, payload);
        } catch (error) {
          onTrouble(error);
        }
      }
    },
    listen: (listener) => void listeners.push(listener),
  };
}

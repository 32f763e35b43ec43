/** Typed events within a part of the engine. Emitters and listeners do not know each other. */
export interface Events<E> {
  on<K extends keyof E>(name: K, listener: (value: E[K]) => void): void;
  /** Calls the listeners in the order they were added, before it returns. */
  emit<K extends keyof E>(name: K, value: E[K]): void;
}

/**
 * `listeners` has an empty list for each event. `onFailure` is called if a listener throws; the other listeners are
 * still called. Without it, the error reaches the emitter.
 */
export function createEvents<E>(
  listeners: { [K in keyof E]: ((value: E[K]) => void)[] },
  onFailure?: (error: unknown, name: keyof E) => void,
): Events<E> {
  return {
    on: (name, listener) => void listeners[name].push(listener),
    emit(name, value) {
      for (const listener of listeners[name]) {
        try {
          listener(value);
        } catch (error) {
          if (onFailure === undefined) throw error;
          onFailure(error, name);
        }
      }
    },
  };
}

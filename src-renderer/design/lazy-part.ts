import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react';

/** What is not loaded yet, in the order it was declared. */
const waiting = new Set<() => Promise<unknown>>();

/**
 * A part of the window that is not needed to show the first list: its code is loaded while the window has nothing else
 * to do, or when the part is opened, whichever comes first. It needs a `Suspense` above it.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let loading: Promise<{ default: ComponentType<P> }> | null = null;
  let loaded: ComponentType<P> | null = null;
  const once = async (): Promise<{ default: ComponentType<P> }> => {
    waiting.delete(once);
    loading ??= load().then((component) => {
      loaded = component;
      return { default: component };
    });
    return await loading;
  };
  waiting.add(once);
  const Awaited = lazy(once);
  return function LazyPart(props: P) {
    // React keeps what suspended out of sight for 300 ms, so what is here already must not suspend. Chosen once:
    // another component in its place would lose what was typed into this one.
    const [Part] = useState<ComponentType<P>>(() => loaded ?? Awaited);
    return createElement(Part, props);
  };
}

/** Loads, one after the other and while the window is idle, what nobody opened yet. */
export function loadPartsWhenIdle(): void {
  const [next] = waiting;
  if (next === undefined) return;
  requestIdleCallback(() => {
    next()
      // A part whose code cannot be loaded says so when it is opened.
      .catch(() => undefined)
      .finally(loadPartsWhenIdle);
  });
}

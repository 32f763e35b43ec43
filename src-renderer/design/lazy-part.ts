import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react';

/** Parts that are not loaded yet, in the order of their declaration. */
const waiting = new Set<() => Promise<unknown>>();

/**
 * A part of the window that the first list does not need. Its code is loaded when the window is idle or when the part
 * is opened, whichever comes first. It needs a `Suspense` above it.
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
    // React hides suspended content for 300 ms, so a loaded part must not suspend. Chosen once per mount: replacing the
    // component would lose what was entered in it.
    const [Part] = useState<ComponentType<P>>(() => loaded ?? Awaited);
    return createElement(Part, props);
  };
}

/** Loads the parts that are not open yet, one after the other while the window is idle. */
export function loadPartsWhenIdle(): void {
  const [next] = waiting;
  if (next === undefined) return;
  requestIdleCallback(() => {
    next()
      // A part whose code cannot be loaded shows that when it is opened.
      .catch(() => undefined)
      .finally(loadPartsWhenIdle);
  });
}

/** True from the first time that `isWanted` is true. */
export function useOnce(isWanted: boolean): boolean {
  const [wasWanted, setWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWanted(true);
  return wasWanted || isWanted;
}

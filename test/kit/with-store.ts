/**
 * Runs `draw` while a store of the windows knows this. A component that is drawn to text sees the state that the store
 * began with, so that is what is changed, and restored afterwards.
 */
export function withStore<S extends object, T>(
  store: { getInitialState: () => S },
  known: Partial<S>,
  draw: () => T,
): T {
  const first = store.getInitialState();
  const before = { ...first };
  Object.assign(first, known);
  try {
    return draw();
  } finally {
    Object.assign(first, before);
  }
}

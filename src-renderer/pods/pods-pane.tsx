/** Pods looked at before, pinned ones first, and a field to open one by its id. */
export function PodsPane() {
  return <section aria-label="Pods" />;
}

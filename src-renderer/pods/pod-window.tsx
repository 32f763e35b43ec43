/** A window of its own for a pod. */
export function PodWindow(_props: { connectionId: string; podId: string }) {
  return <main aria-label="Pod" />;
}

/** A window of its own for an endpoint's health. */
export function HealthWindow(_props: { connectionId: string; endpointId: string }) {
  return <main aria-label="Health" />;
}

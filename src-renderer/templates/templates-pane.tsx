/** Templates seen before, and a field to open one by its id. */
export function TemplatesPane() {
  return <section aria-label="Templates" />;
}

/** A window of its own for a template. */
export function TemplateWindow(_props: { connectionId: string; templateId: string }) {
  return <main aria-label="Template" />;
}

import { updatableFields, type TemplateEdits, type UpdatableField } from '../../src-preload/template.ts';

/** Brings a field of the form into view, and the cursor into it; of a list, into the line that is named. */
export function focusField(field: UpdatableField, index: number | null = null): void {
  const frame = document.querySelector<HTMLElement>(`[data-field="${field}"]`);
  frame?.scrollIntoView({ block: 'nearest' });
  const within = index === null ? frame : (frame?.querySelectorAll('li')[index] ?? frame);
  const bad = within?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const editor = within?.querySelector('[data-editor]')?.shadowRoot?.querySelector<HTMLElement>('[role="textbox"]');
  (bad ?? editor ?? within?.querySelector<HTMLElement>('input, textarea, [role="switch"]'))?.focus();
}

/** The changed field after the one that has the focus, round again from the last. */
export function focusNextChange(edits: TemplateEdits): void {
  const changed = updatableFields.filter((field) => Object.hasOwn(edits, field));
  const at = document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field'];
  const index = changed.findIndex((field) => field === at);
  const next = changed[(index + 1) % Math.max(1, changed.length)];
  if (next !== undefined) focusField(next);
}

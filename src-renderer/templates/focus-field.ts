import { updatableFields, type TemplateEdits, type UpdatableField } from '../../src-preload/template.ts';

/** Scrolls to a field of the form and focuses it. `index` is the line of a list. */
export function focusField(field: UpdatableField, index: number | null = null): void {
  const frame = document.querySelector<HTMLElement>(`[data-field="${field}"]`);
  frame?.scrollIntoView({ block: 'nearest' });
  const within = index === null ? frame : (frame?.querySelectorAll('li')[index] ?? frame);
  const bad = within?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const editor = within?.querySelector('[data-editor]')?.shadowRoot?.querySelector<HTMLElement>('[role="textbox"]');
  (bad ?? editor ?? within?.querySelector<HTMLElement>('input, textarea, [role="switch"]'))?.focus();
}

/** Focuses the next changed field after the current one. After the last comes the first. */
export function focusNextChange(edits: TemplateEdits): void {
  const changed = updatableFields.filter((field) => Object.hasOwn(edits, field));
  const at = document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field'];
  const index = changed.findIndex((field) => field === at);
  const next = changed[(index + 1) % Math.max(1, changed.length)];
  if (next !== undefined) focusField(next);
}

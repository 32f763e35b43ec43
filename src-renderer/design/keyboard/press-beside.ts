import type { MouseEvent } from 'react';

/**
 * For the frame of a text field that contains more than the field: a press on its bare area focuses the field, and does
 * not take the focus from it.
 */
export function pressBeside(event: MouseEvent, field: HTMLElement | null): void {
  if (event.target !== event.currentTarget) return;
  event.preventDefault();
  field?.focus();
}

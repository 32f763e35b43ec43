import { formatDay, formatMinute } from '../../../src-preload/format.ts';
import type { TemplateSource } from '../../../src-preload/template.ts';

/** A moment: `today, 09:12`, `18 Nov, 09:12`. */
export function momentText(atMs: number, nowMs: number): string {
  return `${formatDay(atMs, nowMs)}, ${formatMinute(atMs)}`;
}

/** Where a copy of a template came from, as a phrase. */
export function sourceText(source: TemplateSource): string {
  return source.kind === 'update-reply' ? 'from an update' : `from pod ${source.podId}`;
}

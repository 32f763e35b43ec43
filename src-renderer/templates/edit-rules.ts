import { isChanged } from '../../src-preload/template-plan.ts';
import {
  type SeenTemplate,
  type TemplateEdits,
  type UpdatableField,
  updatableFields,
} from '../../src-preload/template.ts';
import type { Emptiness } from '../messages/templates/form.tsx';

/** What belongs to a draft beside its edits, and is discarded with them. */
export interface OtherEdits {
  /** The text of a .env file that is neither imported nor discarded. Empty: none. */
  pastedEnv: string;
  /** Names of variables whose entered value was lost with a restart. */
  lostEnv: readonly string[];
  /** A pasted .env file was lost likewise. */
  isPasteLost: boolean;
  /** A newer copy was read while there were edits. */
  hasNewerCopy: boolean;
}

/** A step in the draft's history. */
export interface Step {
  edits: TemplateEdits;
  /** What the next step discarded beside the edits. Null if it discarded nothing. */
  discarded: OtherEdits | null;
  /** The field that the next step changed. Null for several fields together. */
  field: UpdatableField | null;
  atMs: number;
}

/** Changes of one field within this time are one step. */
const sameStepMs = 1_000;
const maxSteps = 500;

/**
 * The edits with one field set. A value equal to that of the last-known copy is no edit, and neither is an empty one if
 * there is no copy.
 */
export function withEdit<F extends UpdatableField>(
  edits: TemplateEdits,
  field: F,
  value: TemplateEdits[F],
  known: SeenTemplate | null,
): TemplateEdits {
  const next: TemplateEdits = { ...edits, [field]: value };
  const isNothing =
    (value === '' ||
      (Array.isArray(value) && value.length === 0 && field !== 'dockerEntrypoint' && field !== 'dockerStartCmd')) &&
    (known?.[field] === undefined || known[field] === null);
  return value === undefined || isNothing || !isChanged(field, known, next) ? withoutEdit(next, field) : next;
}

/** The edits without one field, which is then as last known. */
export function withoutEdit(edits: TemplateEdits, field: UpdatableField): TemplateEdits {
  const { [field]: _undone, ...rest } = edits;
  return rest;
}

/** The history with the state before a change added. Quick changes of one field are one step. */
export function withStep(
  past: readonly Step[],
  {
    edits,
    field,
    discarded = null,
  }: { edits: TemplateEdits; field: UpdatableField | null; discarded?: OtherEdits | null },
  nowMs: number,
): Step[] {
  const last = past.at(-1);
  if (field !== null && last?.field === field && nowMs - last.atMs < sameStepMs)
    return [...past.slice(0, -1), { ...last, atMs: nowMs }];
  return [...past, { edits, discarded, field, atMs: nowMs }].slice(-maxSteps);
}

/** Why the form shows no value. Null for a value. Absent, null and empty are different. */
export function emptinessOf(value: unknown): Emptiness | null {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : null;
}

/** The field that a refusal of the service names, so that it is shown there. Null if it names none or several. */
export function fieldNamedIn(text: string): UpdatableField | null {
  const named = updatableFields.filter((field) => new RegExp(`(?<![\\w.])${field}(?!\\w)`).test(text));
  return named.length === 1 ? (named[0] ?? null) : null;
}

/**
 * The indices of the variables that the template had before: the first one with the name of each. Another one with the
 * same name is new: its name is a mistake, or the beginning of a longer one.
 */
export function linesOfKnown(entries: readonly { name: string }[], known: readonly string[]): Set<number> {
  return new Set(known.map((name) => entries.findIndex((entry) => entry.name === name)).filter((index) => index >= 0));
}

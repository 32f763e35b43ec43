import { templateDefaults, updatableFields } from './template.ts';
import type { EnvEntry, SeenTemplate, TemplateEdits, UpdatableField } from './template.ts';
import { checkField, checkPinned, type FieldProblem, type KnownForPlan, type PlannedBody } from './template-check.ts';

/** What an update does to each field, and what keeps it from being sent. */
export interface UpdatePlan {
  /** Sent because they were changed. */
  changed: UpdatableField[];
  /** Sent with their current value, because the service has a default for them (ruling 22). */
  pinned: UpdatableField[];
  /** Not sent. */
  leftOut: UpdatableField[];
  /** Left out because their value is not known, so that the service may reset them to this default. */
  defaultsThatMayApply: { field: UpdatableField; default: string | number | boolean }[];
  problems: FieldProblem[];
  /** Complete and valid only without problems. */
  body: PlannedBody;
}

type FieldWithDefault = keyof typeof templateDefaults;

function hasDefault(field: UpdatableField): field is FieldWithDefault {
  return Object.hasOwn(templateDefaults, field);
}

/**
 * What an update sends (ruling 22). With a last-known copy: what changed, and every field with a default, at its
 * current value. Without a copy: what was edited, with a list of the defaults that may apply. Nothing else, so that
 * every field that is sent was visible to the user. Window and main both make this plan from the same copy and edits.
 */
export function planUpdate(known: KnownForPlan | null, edits: TemplateEdits): UpdatePlan {
  const plan: UpdatePlan = { changed: [], pinned: [], leftOut: [], defaultsThatMayApply: [], problems: [], body: {} };
  for (const field of updatableFields) {
    if (isChanged(field, known?.template ?? null, edits)) {
      plan.changed.push(field);
      const checked = checkField(field, known, edits);
      plan.problems.push(...checked.problems);
      Object.assign(plan.body, checked.body);
    } else if (hasDefault(field)) planDefault(plan, field, known);
    else plan.leftOut.push(field);
  }
  // In the order of the request, so that the window shows exactly what is sent.
  plan.body = Object.fromEntries(Object.entries(plan.body).sort(([one], [other]) => (one < other ? -1 : 1)));
  return plan;
}

/** An unchanged field for which the service has a default. */
function planDefault(plan: UpdatePlan, field: FieldWithDefault, known: KnownForPlan | null): void {
  const value = known?.template[field];
  if (value === undefined || value === null) {
    plan.leftOut.push(field);
    plan.defaultsThatMayApply.push({ field, default: templateDefaults[field] });
    return;
  }
  const checked = checkPinned(field, value);
  plan.pinned.push(field);
  plan.problems.push(...checked.problems);
  Object.assign(plan.body, checked.body);
}

/** Whether an edit differs from the last-known copy. Without a copy every edit does. */
export function isChanged(field: UpdatableField, known: SeenTemplate | null, edits: TemplateEdits): boolean {
  switch (field) {
    case 'name':
    case 'imageName':
      return edits[field] !== undefined && edits[field].trim() !== known?.[field];
    case 'containerRegistryAuthId':
    case 'volumeMountPath':
    case 'readme':
      return edits[field] !== undefined && edits[field] !== known?.[field];
    case 'containerDiskInGb':
    case 'volumeInGb':
      return edits[field] !== undefined && !isSameNumber(edits[field], known?.[field]);
    case 'isPublic':
      return edits.isPublic !== undefined && edits.isPublic !== known?.isPublic;
    case 'dockerEntrypoint':
    case 'dockerStartCmd':
    case 'ports':
      return edits[field] !== undefined && !isSameList(edits[field], known?.[field]);
    case 'env':
      return edits.env !== undefined && !areKept(edits.env, known?.env);
  }
}

function isSameNumber(typed: string, known: number | null | undefined): boolean {
  return /^\s*\d+\s*$/.test(typed) && Number(typed) === known;
}

function isSameList(edited: readonly string[], known: readonly string[] | null | undefined): boolean {
  return (
    known !== undefined &&
    known !== null &&
    edited.length === known.length &&
    edited.every((text, index) => text === known[index])
  );
}

/** Whether the entries are exactly the known variables, all unchanged. */
function areKept(entries: readonly EnvEntry[], known: readonly string[] | null | undefined): boolean {
  if (known === undefined || known === null || entries.length !== known.length) return false;
  const names = new Set(known);
  return entries.every(({ name, value, from }) => value === null && from === undefined && names.delete(name));
}

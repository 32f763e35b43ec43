import { templateDefaults, updatableFields } from './template.ts';
import type { EnvEntry, SeenTemplate, TemplateEdits, UpdatableField } from './template.ts';
import { checkField, checkPinned, type FieldProblem, type KnownForPlan, type PlannedBody } from './template-check.ts';

interface PlannedField {
  field: UpdatableField;
  /** One clause: why it is here. */
  reason: string;
}

/** What an update does field by field, and what stands against sending it. */
export interface UpdatePlan {
  /** Sent because they were changed. */
  changed: UpdatableField[];
  /** Sent at their current value: the service has a default for them (ruling 22). */
  pinned: UpdatableField[];
  leftOut: PlannedField[];
  /** Left out although the service may reset them to this default, because their value is not known. */
  defaultsThatMayApply: { field: UpdatableField; default: string | number | boolean }[];
  problems: FieldProblem[];
  /** Complete and right only where there is no problem. */
  body: PlannedBody;
}

type FieldWithDefault = keyof typeof templateDefaults;

function hasDefault(field: UpdatableField): field is FieldWithDefault {
  return Object.hasOwn(templateDefaults, field);
}

/**
 * What an update sends (ruling 22): with a last-known copy what changed plus, pinned at its current value, every field
 * the table gives a default for; without one what was edited, naming the defaults that may apply. Nothing else: no
 * field goes out that the user could not see. Window and main both plan with this, from the same copy and edits.
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
    else
      plan.leftOut.push({
        field,
        reason: known === null ? 'not edited' : 'not changed, and the service has no default for it',
      });
  }
  // In the order the request has them, so that what is shown is what leaves.
  plan.body = Object.fromEntries(Object.entries(plan.body).sort(([one], [other]) => (one < other ? -1 : 1)));
  return plan;
}

/** A field that was not changed and that the service has a default for. */
function planDefault(plan: UpdatePlan, field: FieldWithDefault, known: KnownForPlan | null): void {
  const value = known?.template[field];
  if (value === undefined || value === null) {
    plan.leftOut.push({ field, reason: known === null ? 'not edited' : 'its value is not known' });
    plan.defaultsThatMayApply.push({ field, default: templateDefaults[field] });
    return;
  }
  const checked = checkPinned(field, value);
  plan.pinned.push(field);
  plan.problems.push(...checked.problems);
  Object.assign(plan.body, checked.body);
}

/** Whether an edit differs from the last-known copy; where nothing is known, every edit does. */
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

/** Whether the entries are exactly the known variables, all kept as they are. */
function areKept(entries: readonly EnvEntry[], known: readonly string[] | null | undefined): boolean {
  if (known === undefined || known === null || entries.length !== known.length) return false;
  const names = new Set(known);
  return entries.every(({ name, value, from }) => value === null && from === undefined && names.delete(name));
}

import type { Template, TemplateUpdate } from '../../src-preload/template.ts';
import { templateFields } from '../../src-preload/template-fields.ts';

/** A template with when each field that the last reply did not hold was last known. */
export interface MergedTemplate {
  template: Template;
  carriedAtMs: Partial<Record<keyof Template, number>>;
}

export interface FormerTemplate extends MergedTemplate {
  seenAtMs: number;
}

/**
 * What is known after `seen` came: a field the reply left out is as an update just `sent` it, else as it was last
 * known, with the time of that (ruling 23). A partial reply takes nothing away.
 */
export function mergeCopy(
  former: FormerTemplate | null,
  seen: Template,
  sent: TemplateUpdate,
  nowMs: number,
): MergedTemplate {
  const template: Template = { id: seen.id };
  const carriedAtMs: MergedTemplate['carriedAtMs'] = {};
  for (const field of fieldNames) {
    if (field === 'id') continue;
    if (Object.hasOwn(seen, field)) copyField(field, seen, template);
    else if (Object.hasOwn(sent, field)) {
      copyField(field, sent, template);
      carriedAtMs[field] = nowMs;
    } else if (former !== null && Object.hasOwn(former.template, field)) {
      copyField(field, former.template, template);
      carriedAtMs[field] = former.carriedAtMs[field] ?? former.seenAtMs;
    }
  }
  return { template, carriedAtMs };
}

function isField(name: string): name is keyof Template {
  return Object.hasOwn(templateFields, name);
}
const fieldNames = Object.keys(templateFields).filter(isField);

function copyField(field: keyof Template, from: Partial<Template> | TemplateUpdate, into: Template): void {
  const value: unknown = Object.entries(from).find(([name]) => name === field)?.[1];
  Object.assign(into, { [field]: value });
}

/** Whether two copies hold the same values. Variables have no order. */
export function isSameTemplate(one: Template, other: Template): boolean {
  return fieldNames.every((field) =>
    field === 'env'
      ? ordered(one.env) === ordered(other.env)
      : JSON.stringify(one[field]) === JSON.stringify(other[field]),
  );
}

function ordered(env: Template['env']): string | undefined {
  return env === undefined || env === null
    ? JSON.stringify(env)
    : JSON.stringify(Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)));
}

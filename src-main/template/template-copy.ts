import {
  fixedFields,
  updatableFields,
  type EnvEntry,
  type Template,
  type TemplateUndo,
  type TemplateUpdate,
  type OutcomeDifference,
} from '../../src-preload/template.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { templateText } from '../messages/resources.ts';

/** A copy with its variables. Null: their values can no longer be read. */
export interface WholeCopy {
  seq: number;
  /** The service it was seen at. Absent if that is not known. */
  service?: string;
  template: Template;
  env: Record<string, string> | null;
}

/**
 * The edits that turn `current` into `former`, as far as an update can do that. They must still be reviewed and sent.
 */
export function undoEdits(former: WholeCopy, current: WholeCopy): TemplateUndo {
  const undo: TemplateUndo = { edits: {}, notRestorable: [] };
  const { edits } = undo;
  for (const field of updatableFields) {
    if (field === 'env') {
      undoEnv(undo, former, current);
      continue;
    }
    const was = former.template[field];
    if (JSON.stringify(was) === JSON.stringify(current.template[field])) continue;
    if (was === undefined || was === null) undo.notRestorable.push(field);
    else if (field === 'containerDiskInGb' || field === 'volumeInGb') edits[field] = JSON.stringify(was);
    else Object.assign(edits, { [field]: was });
  }
  return undo;
}

function undoEnv({ edits, notRestorable }: TemplateUndo, former: WholeCopy, current: WholeCopy): void {
  const was = former.template.env;
  const is = current.template.env;
  if (was === undefined || was === null) {
    if (is !== undefined && is !== null) notRestorable.push('env');
    return;
  }
  if (former.env === null) {
    notRestorable.push('env');
    return;
  }
  const entries = Object.entries(former.env).map(([name, value]): EnvEntry =>
    current.env?.[name] === value ? { name, value: null } : { name, value: null, from: former.seq },
  );
  const isSame = entries.every(({ from }) => from === undefined) && Object.keys(is ?? {}).length === entries.length;
  if (!isSame) edits.env = entries;
}

/** A template with the time at which each field was last known, for fields that the last reply did not have. */
export interface MergedTemplate {
  template: Template;
  carriedAtMs: Partial<Record<keyof Template, number>>;
}

export interface FormerTemplate extends MergedTemplate {
  seenAtMs: number;
}

/**
 * What is known after `seen`: a field missing in the reply is as a successful update `sent` it, or else as it was last
 * known, with that time (ruling 23). A partial reply removes nothing.
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

const fieldNames = [...fixedFields, ...updatableFields];

function copyField(field: keyof Template, from: Partial<Template> | TemplateUpdate, into: Template): void {
  const value: unknown = Object.entries(from).find(([name]) => name === field)?.[1];
  Object.assign(into, { [field]: value });
}

/** Whether two copies have the same values. Variables have no order. */
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

/** Kinds of failure that mean that the service accepted nothing. */
const refusals: ReadonlySet<ServiceFailure['kind']> = new Set<ServiceFailure['kind']>([
  'invalid',
  'unauthorized',
  'not-found',
  'too-large',
  'rate-limited',
]);

/** Whether a failed update certainly changed nothing. Otherwise its outcome is not known (ruling 9). */
export function isRefusal(failure: ServiceFailure): boolean {
  return refusals.has(failure.kind) || !failure.mayHaveArrived;
}

/**
 * How the reply differs from the request, and what changed without a request. A field missing in the reply is listed
 * only if it was sent. Values of variables are never included, only their names; if the former values are lost, only
 * names can be compared.
 */
export function outcomeDifferences(
  former: Template | null,
  sent: TemplateUpdate,
  reply: Template,
  isEnvLost: boolean,
): OutcomeDifference[] {
  return updatableFields.flatMap((field): OutcomeDifference[] => {
    const wasSent = Object.hasOwn(sent, field);
    const got = reply[field];
    if (got === undefined)
      return wasSent
        ? [{ field, asked: field === 'env' ? namesOf(sent.env) : JSON.stringify(sent[field]), got: null }]
        : [];
    if (field === 'env')
      return envDifference(wasSent ? sent.env : former?.env, reply.env, {
        wasSent,
        isNamesOnly: isEnvLost && !wasSent,
      });
    // Without a former copy it is not known what else changed.
    const expected = wasSent ? sent[field] : former?.[field];
    if (expected === undefined || JSON.stringify(expected) === JSON.stringify(got)) return [];
    return [{ field, asked: wasSent ? JSON.stringify(expected) : null, got: JSON.stringify(got) }];
  });
}

type Env = Template['env'];

function envDifference(
  expected: Env,
  got: Env,
  { wasSent, isNamesOnly }: { wasSent: boolean; isNamesOnly: boolean },
): OutcomeDifference[] {
  if (expected === undefined || expected === null) return [];
  const reply = got ?? {};
  const names = new Set([...Object.keys(expected), ...Object.keys(reply)]);
  const other = [...names]
    .filter((name) =>
      isNamesOnly ? Object.hasOwn(expected, name) !== Object.hasOwn(reply, name) : expected[name] !== reply[name],
    )
    .sort();
  if (other.length === 0) return [];
  const states = (env: Record<string, string>): string =>
    other.map((name) => templateText.variable(name, env[name] !== undefined)).join(', ');
  const replied = states(reply);
  return [
    {
      field: 'env',
      asked: wasSent ? states(expected) : null,
      got: wasSent && replied === states(expected) ? templateText.otherValueOf(other) : replied,
    },
  ];
}

function namesOf(env: Env): string {
  return Object.keys(env ?? {}).join(', ');
}

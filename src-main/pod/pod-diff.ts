import type { PodChange } from '../../src-preload/pod-reading.ts';
import { isEnvName, maskEnv, secretValues } from '../service/mask-env.ts';
import { isJsonObject } from '../../src-preload/json-spans.ts';

/**
 * Fields that come with a flag: whether one is there depends on the request, not on the pod. `workers` lists other pods
 * (ruling 24).
 */
const includedFields: ReadonlySet<string> = new Set(['machine', 'networkVolume', 'savingsPlans', 'template']);

/** Distinguishes a missing field from null. */
const absent = Symbol('absent');
type Value = unknown;

interface Found {
  changes: PodChange[];
  /** Values of variables, which are hidden wherever they occur. */
  repeated: readonly string[];
}

/**
 * The differences between two replies for one pod, as JSON texts: in the order of `after`, with removed fields at the
 * end of their object. Values inside an `env` are compared but never shown; if both texts are masked, only names are
 * compared. Objects are compared field by field, lists as a whole.
 */
export function podChanges(before: string, after: string): PodChange[] {
  const former = fieldsOf(before);
  const now = fieldsOf(after);
  for (const name of includedFields) {
    if (former.has(name) && now.has(name)) continue;
    former.delete(name);
    now.delete(name);
  }
  for (const fields of [former, now]) fields.delete('workers');
  const found: Found = { changes: [], repeated: [...secretValues(before), ...secretValues(after)] };
  compareFields('', former, now, false, found);
  return found.changes;
}

function compareFields(
  prefix: string,
  former: Map<string, Value>,
  now: Map<string, Value>,
  isHidden: boolean,
  found: Found,
): void {
  for (const name of new Set([...now.keys(), ...former.keys()])) {
    compare(
      `${prefix}${name}`,
      former.has(name) ? former.get(name) : absent,
      now.has(name) ? now.get(name) : absent,
      isHidden || isEnvName(name),
      found,
    );
  }
}

function compare(field: string, from: Value, to: Value, isHidden: boolean, found: Found): void {
  const former = membersOf(from);
  const now = membersOf(to);
  // One side may be absent: then each member of the other was added or removed. An empty object is shown as it is.
  const areObjects = (former !== null || from === absent) && (now !== null || to === absent);
  if (areObjects && (isHidden || (former?.size !== 0 && now?.size !== 0))) {
    compareFields(`${field}.`, former ?? new Map(), now ?? new Map(), isHidden, found);
    return;
  }
  if (from !== absent && to !== absent && JSON.stringify(from) === JSON.stringify(to)) return;
  const texts = isHidden ? { from: null, to: null } : { from: textOf(from, found), to: textOf(to, found) };
  // Values may differ and still look the same when both are hidden.
  const isSame = texts.from === texts.to;
  found.changes.push({
    field,
    kind: from === absent ? 'added' : to === absent ? 'removed' : 'changed',
    from: isSame ? null : texts.from,
    to: isSame ? null : texts.to,
  });
}

function textOf(value: Value, { repeated }: Found): string | null {
  return value === absent ? null : maskEnv(JSON.stringify(value), repeated);
}

function fieldsOf(json: string): Map<string, Value> {
  const value: unknown = JSON.parse(json);
  return membersOf(value) ?? new Map<string, Value>();
}

/** The members of an object. Null for anything else. */
function membersOf(value: Value): Map<string, Value> | null {
  return isJsonObject(value) ? new Map<string, Value>(Object.entries(value)) : null;
}

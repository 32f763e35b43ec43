import { readTimestamp, type PodReply } from '../../src-preload/pod.ts';
import {
  formatPrice,
  formatUtc,
  formatWithUnit,
  missingNote,
  missingText,
  sizeText,
  yesNo,
} from '../messages/pods/values.ts';
import type { PodFieldInfo } from './pod-fields.ts';

/** What a reply says about one field. Null, absent and empty are three different answers. */
export type FieldState =
  | { kind: 'absent' }
  | { kind: 'null' }
  | { kind: 'empty'; json: string }
  /** Not of the form that the specification gives. `json` is the value as it came. */
  | { kind: 'odd'; json: string }
  | { kind: 'value'; value: unknown };

/** A reply with its parsed JSON, for the fields that could not be read. */
export interface ReadReply {
  reply: PodReply;
  root: unknown;
}

/** The reply with its JSON parsed. Parsing cannot fail: the reply was read from the same text. */
export function readPodReply(reply: PodReply): ReadReply {
  const root: unknown = JSON.parse(reply.raw);
  return { reply, root };
}

/** The state of the field at a dotted path: `locked`, `machine.cpuType.cores`, `savingsPlans.0.endTime`. */
export function fieldState({ reply, root }: ReadReply, path: string): FieldState {
  const value = valueAt(reply.pod, path);
  if (value === undefined)
    return reply.oddFields.includes(path)
      ? { kind: 'odd', json: JSON.stringify(valueAt(root, path)) }
      : { kind: 'absent' };
  if (value === null) return { kind: 'null' };
  if (value === '' || (typeof value === 'object' && Object.keys(value).length === 0))
    return { kind: 'empty', json: JSON.stringify(value) };
  return { kind: 'value', value };
}

/** Whether the object that holds the field is missing. If it is, the field was not requested. */
export function isParentThere(read: ReadReply, path: string): boolean {
  const dot = path.lastIndexOf('.');
  return dot === -1 || fieldState(read, path.slice(0, dot)).kind === 'value';
}

function valueAt(root: unknown, path: string): unknown {
  let at: unknown = root;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = new Map<string, unknown>(Object.entries(at)).get(name);
  }
  return at;
}

/** A value as text, in the way its field is written. */
export function valueText(info: PodFieldInfo, value: unknown): string {
  switch (info.form) {
    case 'number':
      return typeof value === 'number' ? formatWithUnit(value, info) : String(value);
    case 'price':
      return typeof value === 'number' ? formatPrice(value) : String(value);
    case 'yesNo':
      return value === true ? (info.booleanText?.[0] ?? yesNo.yes) : (info.booleanText?.[1] ?? yesNo.no);
    case 'time': {
      const atMs = readTimestamp(String(value));
      return atMs === null ? String(value) : formatUtc(atMs);
    }
    case 'arguments':
      return Array.isArray(value) ? value.join(' ') : String(value);
    case 'object':
    case 'list':
    case 'map':
      return sizeText(value);
    case 'text':
    case 'id':
    case 'raw':
      return String(value);
  }
}

/** The text shown instead of a missing value. */
export function stateText(
  info: PodFieldInfo,
  state: Exclude<FieldState, { kind: 'value' }>,
  isParentHere: boolean,
  wasRequested: boolean,
): string {
  switch (state.kind) {
    case 'absent':
      if (!isParentHere) return missingText.noParent;
      return info.flag !== undefined && !wasRequested ? missingText.notRequested : missingText.notInReply;
    case 'null':
      return missingText.none;
    case 'empty':
      return info.whenEmpty ?? missingText.empty;
    case 'odd':
      return state.json;
  }
}

/** A sentence for the tooltip: what the state means. */
export function stateNote(info: PodFieldInfo, state: FieldState, isParentHere: boolean): string | null {
  switch (state.kind) {
    case 'absent':
      if (!isParentHere) return missingNote.noParent;
      return info.flag === undefined ? missingNote.absent : missingNote.addedBy(info.flag);
    case 'null':
      return missingNote.null;
    case 'empty':
      return missingNote.empty(state.json);
    case 'odd':
      return missingNote.odd;
    case 'value':
      return null;
  }
}

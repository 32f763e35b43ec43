import { readTimestamp, type PodReply } from '../../src-preload/pod.ts';
import type { PodFieldInfo } from '../../src-preload/pod-fields.ts';
import { formatCount } from '../../src-preload/format.ts';

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
export function readReply(reply: PodReply): ReadReply {
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

const priceFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** A price of the service in credits: two to four decimals, with thousands separators. */
export function formatPrice(credits: number): string {
  return priceFormat.format(credits);
}

const dayParts = {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;
const inYear = new Intl.DateTimeFormat('en-GB', dayParts);
const withYear = new Intl.DateTimeFormat('en-GB', { ...dayParts, year: 'numeric' });

/** `17 Nov, 10:08:14 UTC`, with the year if it is not the current one. */
export function formatUtc(atMs: number, nowMs = Date.now()): string {
  const isThisYear = new Date(atMs).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  return `${(isThisYear ? inYear : withYear).format(atMs)} UTC`;
}

/** A value as text, in the way its field is written. */
export function valueText(info: PodFieldInfo, value: unknown): string {
  switch (info.form) {
    case 'number':
      return typeof value === 'number' ? `${formatCount(value)}${unitOf(info)}` : String(value);
    case 'price':
      return typeof value === 'number' ? formatPrice(value) : String(value);
    case 'yesNo':
      return value === true ? (info.booleanText?.[0] ?? 'Yes') : (info.booleanText?.[1] ?? 'No');
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

/** A unit that is part of the label is not repeated. */
function unitOf({ unit, label, aside }: PodFieldInfo): string {
  const said = unit === null || unit === label || /^(?:GPUs|CPUs|cores)$/.test(unit) ? '' : ` ${unit}`;
  return aside === undefined ? said : `${said}, ${aside}`;
}

function sizeText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${formatCount(value.length)} items`;
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  return size === 1 ? '1 field' : `${formatCount(size)} fields`;
}

/** The text shown instead of a missing value. */
export function stateText(
  info: PodFieldInfo,
  state: Exclude<FieldState, { kind: 'value' }>,
  isParentHere: boolean,
  wasAskedFor: boolean,
): string {
  switch (state.kind) {
    case 'absent':
      if (!isParentHere) return '–';
      return info.flag !== undefined && !wasAskedFor ? 'not requested' : 'not in the reply';
    case 'null':
      return 'none';
    case 'empty':
      return info.whenEmpty ?? 'empty';
    case 'odd':
      return state.json;
  }
}

/** A sentence for the tooltip: what the state means. */
export function stateNote(info: PodFieldInfo, state: FieldState, isParentHere: boolean): string | null {
  switch (state.kind) {
    case 'absent':
      if (!isParentHere) return 'The reply does not contain the parent of this field.';
      return info.flag === undefined
        ? 'The reply does not contain this field.'
        : `Not in the reply. ${info.flag} adds it.`;
    case 'null':
      return 'The reply has null: not applicable here, or not yet.';
    case 'empty':
      return `The reply has ${state.json}.`;
    case 'odd':
      return 'Not in the format of the specification; shown as received.';
    case 'value':
      return null;
  }
}

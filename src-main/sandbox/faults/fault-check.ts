import { refuse, type Checked } from '../checked.ts';
import {
  FAULT_KINDS,
  FAULT_OPERATIONS,
  isFaultKind,
  type FaultKind,
  type FaultOperation,
  type FaultRule,
} from './faults.ts';

type Field = keyof FaultRule;

interface NumberField {
  min: number;
  max: number;
  isWhole: boolean;
  /** The kinds it applies to. By default all but those in `notFor`. */
  kinds?: readonly FaultKind[];
  notFor?: readonly FaultKind[];
}

const YEAR_MS = 366 * 86_400_000;

const NUMBERS = {
  status: { min: 200, max: 599, isWhole: true, kinds: ['status', 'html'] },
  probability: { min: 0, max: 1, isWhole: false },
  times: { min: 1, max: 1e9, isWhole: true },
  fromMs: { min: 0, max: YEAR_MS, isWhole: true },
  forMs: { min: 1, max: YEAR_MS, isWhole: true },
  delayMs: { min: 0, max: 86_400_000, isWhole: true, notFor: ['drop-webhook'] },
  retryAfterS: { min: 0, max: 86_400, isWhole: false, kinds: ['status'] },
  sizeBytes: { min: 1, max: 256 * 2 ** 20, isWhole: true, kinds: ['large', 'huge', 'compressed'] },
  skewMs: { min: -YEAR_MS, max: YEAR_MS, isWhole: true, kinds: ['clock-skew'] },
} as const satisfies Partial<Record<Field, NumberField>>;

type NumberName = keyof typeof NUMBERS;

const NUMBER_NAMES = Object.keys(NUMBERS).filter((name): name is NumberName => Object.hasOwn(NUMBERS, name));
const FIELDS: readonly string[] = ['kind', 'operation', 'endpointId', ...NUMBER_NAMES, 'isProcessed'];
const ANSWERING: readonly FaultKind[] = ['status', 'html'];

/** The names of the fields in one notation of rules. */
export type NameField = (field: Field) => string;

function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}

function checkNumber(name: NumberName, value: unknown, kind: FaultKind, nameField: NameField): Checked<number> {
  const { min, max, isWhole, kinds, notFor }: NumberField = NUMBERS[name];
  if (kinds !== undefined && !kinds.includes(kind))
    return refuse(`${nameField(name)} belongs to faults of kind ${oneOf(kinds)}, not ${kind}.`);
  if (notFor?.includes(kind) === true) return refuse(`${nameField(name)} means nothing for a fault of kind ${kind}.`);
  const isFitting = typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value));
  return isFitting
    ? { ok: true, value }
    : refuse(`${nameField(name)} of a fault must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.`);
}

function checkIsProcessed(value: unknown, kind: FaultKind, nameField: NameField): Checked<boolean> {
  if (!ANSWERING.includes(kind))
    return refuse(`${nameField('isProcessed')} belongs to faults of kind ${oneOf(ANSWERING)}, not ${kind}.`);
  return typeof value === 'boolean'
    ? { ok: true, value }
    : refuse(`${nameField('isProcessed')} of a fault must be true or false.`);
}

function checkOperation(value: unknown, kind: FaultKind, nameField: NameField): Checked<FaultOperation> {
  const operation = FAULT_OPERATIONS.find((name) => name === value);
  if (operation === undefined)
    return refuse(`${nameField('operation')} of a fault must be ${oneOf(FAULT_OPERATIONS)}.`);
  const possible: readonly FaultOperation[] = FAULT_KINDS[kind];
  return possible.includes(operation)
    ? { ok: true, value: operation }
    : refuse(`A fault of kind ${kind} cannot hit ${operation}, only ${oneOf(possible)}.`);
}

/**
 * Reads an external rule field by field. Unknown fields are refused, so that a typing error does not make a rule that
 * affects everything. `nameField`: the name of a field in error messages.
 */
export function checkFaultRule(value: unknown, nameField: NameField = (field) => field): Checked<FaultRule> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('A fault must be an object.');
  const raw = new Map<string, unknown>(Object.entries(value).filter(([, entry]) => entry !== undefined));
  if ([...raw.keys()].some((name) => !FIELDS.includes(name)))
    return refuse(`A fault has only the fields ${FIELDS.join(', ')}.`);

  const kind = raw.get('kind');
  if (typeof kind !== 'string' || !isFaultKind(kind))
    return refuse(`${nameField('kind')} of a fault must be ${oneOf(Object.keys(FAULT_KINDS))}.`);
  const rule: FaultRule = { kind };

  if (raw.has('operation')) {
    const operation = checkOperation(raw.get('operation'), kind, nameField);
    if (!operation.ok) return operation;
    rule.operation = operation.value;
  }
  if (raw.has('endpointId')) {
    const endpointId = raw.get('endpointId');
    if (typeof endpointId !== 'string' || endpointId === '' || endpointId.length > 200)
      return refuse(`${nameField('endpointId')} of a fault must be the id of an endpoint.`);
    rule.endpointId = endpointId;
  }
  for (const name of NUMBER_NAMES) {
    if (!raw.has(name)) continue;
    const number = checkNumber(name, raw.get(name), kind, nameField);
    if (!number.ok) return number;
    rule[name] = number.value;
  }
  if (raw.has('isProcessed')) {
    const isProcessed = checkIsProcessed(raw.get('isProcessed'), kind, nameField);
    if (!isProcessed.ok) return isProcessed;
    rule.isProcessed = isProcessed.value;
  }
  if (kind === 'delay' && (rule.delayMs ?? 0) === 0)
    return refuse(`A fault of kind delay needs ${nameField('delayMs')}.`);
  return { ok: true, value: rule };
}

interface TextField {
  field: keyof FaultRule;
  takes: 'name' | 'number' | 'yes or no';
}

const TEXT_FIELDS = new Map<string, TextField>([
  ['kind', { field: 'kind', takes: 'name' }],
  ['op', { field: 'operation', takes: 'name' }],
  ['operation', { field: 'operation', takes: 'name' }],
  ['endpoint', { field: 'endpointId', takes: 'name' }],
  ['status', { field: 'status', takes: 'number' }],
  ['p', { field: 'probability', takes: 'number' }],
  ['times', { field: 'times', takes: 'number' }],
  ['from', { field: 'fromMs', takes: 'number' }],
  ['for', { field: 'forMs', takes: 'number' }],
  ['processed', { field: 'isProcessed', takes: 'yes or no' }],
  ['delay', { field: 'delayMs', takes: 'number' }],
  ['retry-after', { field: 'retryAfterS', takes: 'number' }],
  ['size', { field: 'sizeBytes', takes: 'number' }],
  ['skew', { field: 'skewMs', takes: 'number' }],
]);

/** `status:503@0.2`: kind, status, probability. */
const SHORT_FORM = /^([a-z-]+)(?::(\d+))?(?:@([\d.]+))?$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

function nameInText(field: keyof FaultRule): string {
  for (const [name, entry] of TEXT_FIELDS) if (entry.field === field) return name;
  return field;
}

/** The text between two commas, as names and values. */
function readPart(part: string, isFirst: boolean): Checked<[name: string, value: string][]> {
  const equalsAt = part.indexOf('=');
  if (equalsAt !== -1) return { ok: true, value: [[part.slice(0, equalsAt).trim(), part.slice(equalsAt + 1).trim()]] };
  const short = isFirst ? SHORT_FORM.exec(part) : null;
  if (short === null) return { ok: false, message: `"${part}" of a fault is not written as name=value.` };
  const named = [
    ['kind', short[1]],
    ['status', short[2]],
    ['p', short[3]],
  ] as const;
  return { ok: true, value: named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])) };
}

function readValue({ takes }: TextField, value: string): string | number | boolean | null {
  switch (takes) {
    case 'name':
      return value;
    case 'number':
      return NUMBER.test(value) ? Number(value) : null;
    case 'yes or no':
      return value === 'yes' || value === 'no' ? value === 'yes' : null;
  }
}

/**
 * Reads a rule in the notation of the command line, with these fields:
 * `kind=status,status=503,op=status,endpoint=echo,p=0.2,times=3,delay=200,from=60000,for=10000`, and
 * `processed=yes,retry-after=2,size=1000000,skew=600000` (from, for, delay and skew in ms, retry-after in s, size in
 * bytes). In short form, `status:503@0.2`, with further fields after it.
 */
export function readFaultText(text: string): Checked<FaultRule> {
  const rule: Partial<Record<keyof FaultRule, string | number | boolean>> = {};
  const parts = text.split(',').map((part) => part.trim());
  for (const [index, part] of parts.entries()) {
    const read = readPart(part, index === 0);
    if (!read.ok) return read;
    for (const [name, value] of read.value) {
      const entry = TEXT_FIELDS.get(name);
      if (entry === undefined)
        return { ok: false, message: `A fault has no ${name}, only ${[...TEXT_FIELDS.keys()].join(', ')}.` };
      if (rule[entry.field] !== undefined) return { ok: false, message: `A fault takes ${name} once only.` };
      const parsed = readValue(entry, value);
      if (parsed === null)
        return {
          ok: false,
          message: `${name} of a fault must be ${entry.takes === 'number' ? 'a number' : entry.takes}, not "${value}".`,
        };
      rule[entry.field] = parsed;
    }
  }
  return checkFaultRule(rule, nameInText);
}

import type { Checked } from '../checked.ts';
import { checkFaultRule } from './fault-check.ts';
import type { FaultRule } from './fault-rule.ts';

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

/** `status:503@0.2`: kind, status, chance. */
const SHORT_FORM = /^([a-z-]+)(?::(\d+))?(?:@([\d.]+))?$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

function nameInText(field: keyof FaultRule): string {
  for (const [name, entry] of TEXT_FIELDS) if (entry.field === field) return name;
  return field;
}

/** What stands between two commas, as names and values. */
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
 * Reads a rule as the command line writes it: `kind=status,status=503,op=status,endpoint=echo,p=0.2,times=3,delay=200,
 * from=60000,for=10000,processed=yes,retry-after=2,size=1000000,skew=600000` (from, for, delay and skew in ms,
 * retry-after in s, size in bytes), or short, `status:503@0.2`, with more after it.
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
      const taken = readValue(entry, value);
      if (taken === null)
        return {
          ok: false,
          message: `${name} of a fault must be ${entry.takes === 'number' ? 'a number' : entry.takes}, not "${value}".`,
        };
      rule[entry.field] = taken;
    }
  }
  return checkFaultRule(rule, nameInText);
}

import type { Checked } from '../queue/validation.ts';
import { checkFaultRule } from './fault-check.ts';
import type { FaultRule } from './fault-rule.ts';

interface TextField {
  field: keyof FaultRule;
  isNumber: boolean;
}

const TEXT_FIELDS = new Map<string, TextField>([
  ['kind', { field: 'kind', isNumber: false }],
  ['op', { field: 'operation', isNumber: false }],
  ['operation', { field: 'operation', isNumber: false }],
  ['endpoint', { field: 'endpointId', isNumber: false }],
  ['status', { field: 'status', isNumber: true }],
  ['p', { field: 'probability', isNumber: true }],
  ['times', { field: 'times', isNumber: true }],
  ['delay', { field: 'delayMs', isNumber: true }],
  ['retry-after', { field: 'retryAfterS', isNumber: true }],
  ['skew', { field: 'skewMs', isNumber: true }],
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
  const named = [['kind', short[1]], ['status', short[2]], ['p', short[3]]] as const;
  return { ok: true, value: named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])) };
}

/**
 * Reads a rule as the command line writes it: `kind=status,status=503,op=status,endpoint=echo,p=0.2,times=3,delay=200,
 * retry-after=2,skew=600000` (delay and skew in ms, retry-after in s), or short, `status:503@0.2`, with more after it.
 */
export function readFaultText(text: string): Checked<FaultRule> {
  const rule: Partial<Record<keyof FaultRule, string | number>> = {};
  const parts = text.split(',').map((part) => part.trim());
  for (const [index, part] of parts.entries()) {
    const read = readPart(part, index === 0);
    if (!read.ok) return read;
    for (const [name, value] of read.value) {
      const entry = TEXT_FIELDS.get(name);
      if (entry === undefined) return { ok: false, message: `A fault has no ${name}, only ${[...TEXT_FIELDS.keys()].join(', ')}.` };
      if (rule[entry.field] !== undefined) return { ok: false, message: `A fault takes ${name} once only.` };
      if (entry.isNumber && !NUMBER.test(value)) return { ok: false, message: `${name} of a fault must be a number, not "${value}".` };
      rule[entry.field] = entry.isNumber ? Number(value) : value;
    }
  }
  return checkFaultRule(rule, nameInText);
}

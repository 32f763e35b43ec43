import { maxBatchRows } from '../../../src-preload/batch.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { variableProblemText } from '../../messages/composer/draft.ts';
import type { Variable } from './variable.ts';

/** One value of a variable, in the two forms in which it is put into an input. */
export interface VariableValue {
  /** The form that is shown. */
  shown: string;
  /** A JSON value, for a placeholder outside a string. */
  json: string;
  /** Escaped, for a placeholder inside a string. */
  inString: string;
  /** It begins as JSON and is not valid: in a string it is text, outside one it is probably an error. */
  isBroken: boolean;
}

/** `unset`: there is no value yet. */
export type VariableValues =
  | { kind: 'values'; values: VariableValue[] }
  | { kind: 'unset' }
  | { kind: 'problem'; message: string };

/** All values of a variable. Pure. */
export function valuesOf(variable: Variable): VariableValues {
  switch (variable.kind) {
    case 'one':
      return variable.one.trim() === '' ? { kind: 'unset' } : readAll([variable.one]);
    case 'list':
      return variable.list.length === 0 ? { kind: 'unset' } : readAll(variable.list);
    case 'range':
      return rangeOf(variable);
  }
}

function readAll(texts: readonly string[]): VariableValues {
  return texts.length > maxBatchRows ? tooMany : { kind: 'values', values: texts.map(readValue) };
}

const tooMany: VariableValues = { kind: 'problem', message: variableProblemText.tooManyValues(maxBatchRows) };

/** An entered value: JSON unchanged, and any other text as a string. Numbers keep their digits. */
function readValue(typed: string): VariableValue {
  const text = typed.trim();
  const value = parseJson(text);
  const isText = value === undefined || typeof value === 'string';
  const plain = typeof value === 'string' ? value : text;
  const inString = JSON.stringify(plain).slice(1, -1);
  return {
    shown: plain,
    json: isText ? `"${inString}"` : text,
    inString,
    isBroken: value === undefined && /^["[{]/.test(text),
  };
}

const decimal = /^([+-]?)(\d{1,30})(?:\.(\d{1,20}))?$/;

/** From, to and step, both ends included, in exact decimals: 0.1 to 0.3 by 0.1 is three values. */
function rangeOf({ from, to, step }: Variable): VariableValues {
  if (from.trim() === '' && to.trim() === '') return { kind: 'unset' };
  const typed = [from.trim(), to.trim(), step.trim() === '' ? '1' : step.trim()];
  const parts = typed.map((text) => decimal.exec(text));
  const digits = Math.max(...parts.map((part) => part?.[3]?.length ?? 0));
  const scaled = parts.map((part) =>
    part === null
      ? null
      : BigInt(`${part[2] ?? '0'}${(part[3] ?? '').padEnd(digits, '0')}`) * (part[1] === '-' ? -1n : 1n),
  );
  const [first, last, by] = scaled;
  if (first == null || last == null) return { kind: 'problem', message: variableProblemText.needsNumbers };
  if (by == null || by === 0n) return { kind: 'problem', message: variableProblemText.zeroStep };
  const width = by < 0n ? -by : by;
  const distance = last < first ? first - last : last - first;
  const count = distance / width + 1n;
  if (count > BigInt(maxBatchRows)) return tooMany;
  const stride = last < first ? -width : width;
  const values = Array.from({ length: Number(count) }, (_, index) => {
    const text = unscaled(first + stride * BigInt(index), digits);
    return { shown: text, json: text, inString: text, isBroken: false };
  });
  return { kind: 'values', values };
}

function unscaled(value: bigint, digits: number): string {
  if (digits === 0) return value.toString();
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * The values in a typed or pasted text: one per line if it has several lines, otherwise separated by commas that are
 * not within quotes or brackets. Pure.
 */
export function splitValues(text: string): string[] {
  const parts = /[\r\n]/.test(text.trim()) ? text.split(/[\r\n]+/) : splitAtCommas(text);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isInString = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isInString && char === '\\') at += 1;
    else if (char === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    else if (char === ',' && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

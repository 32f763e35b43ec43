import type { Answer } from './http-client.ts';
import { must } from './rule.ts';

const SHOWN_CHARACTERS = 160;

/** An answer in a few words, for a verdict. */
export function shown(answer: Answer): string {
  const text = answer.text.replace(/\s+/g, ' ');
  return `${answer.status} ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text}`.trim();
}

/** A value of an answer, for a verdict. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a successful answer (ruling 5: 200). */
export function fieldsOf(answer: Answer, what: string): Record<string, unknown> {
  must(answer.status === 200, `${what} was answered ${shown(answer)} instead of 200`);
  const { json } = answer;
  must(isRecord(json), `${what} was answered without a JSON object: ${shown(answer)}`);
  return json;
}

export function mustBeAccepted(answer: Answer, what: string): void {
  must(answer.status === 200, `${what} was answered ${shown(answer)} instead of being accepted with 200`);
}

/** Refused with this status and `{"error": "<one sentence>"}` (ruling 6). */
export function mustBeRefused(answer: Answer, status: number, what: string): void {
  must(answer.status === status, `${what} was answered ${shown(answer)} instead of ${status}`);
  mustBeSentence(answer, what);
}

export function mustBeSentence(answer: Answer, what: string): void {
  const { json } = answer;
  const sentence = isRecord(json) ? json['error'] : undefined;
  must(
    typeof sentence === 'string' && /\S \S/.test(sentence) && !/[\r\n]/.test(sentence),
    `${what} was refused without {"error": "<one sentence>"}: ${shown(answer)}`,
  );
}

/** Exactly these fields and no others. */
export function mustHoldOnly(fields: Record<string, unknown>, names: readonly string[], what: string): void {
  const found = Object.keys(fields).sort().join(', ');
  must(found === [...names].sort().join(', '), `${what} holds ${found || 'no fields'} instead of ${names.join(', ')}`);
}

export function mustEqual(found: unknown, expected: unknown, what: string): void {
  must(isSame(found, expected), `${what} is ${shownValue(found)} instead of ${shownValue(expected)}`);
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (isRecord(a) && isRecord(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]));
  }
  return Object.is(a, b);
}

import type { MessagePart } from '../../../src-preload/failure-cause.ts';
import { varied } from './signature.ts';

const isNumber = /^[-+]?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/**
 * The message of a cause with what its jobs had where it leaves something out: one value, or from the least number to
 * the most. `messages`: as the jobs reported them. Pure.
 */
export function withSeenValues(message: string, messages: readonly string[]): MessagePart[] {
  const fixed = message.split(varied);
  const values = messages.flatMap((one) => {
    const found = valuesIn(one.replaceAll(/\s+/g, ' ').trim(), fixed);
    return found === null ? [] : [found];
  });
  return fixed
    .flatMap((text, at): MessagePart[] => [
      ...(at === 0 ? [] : [seenPart(values.map((found) => found[at - 1] ?? ''))]),
      { kind: 'text', text },
    ])
    .filter((part) => part.kind !== 'text' || part.text !== '');
}

/** What stands between the fixed texts of a message, or null if it does not have them in this order. */
function valuesIn(message: string, [first = '', ...others]: readonly string[]): string[] | null {
  if (!message.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, text] of others.entries()) {
    const isLast = index === others.length - 1;
    const found = text === '' && isLast ? message.length : message.indexOf(text, at + 1);
    if (found < 0) return null;
    values.push(message.slice(at, found));
    at = found + text.length;
  }
  return values;
}

function seenPart(values: readonly string[]): MessagePart {
  const [first] = values;
  if (first === undefined) return { kind: 'varied' };
  if (values.every((value) => value === first)) return { kind: 'seen', min: first, max: first };
  if (!values.every((value) => isNumber.test(value))) return { kind: 'varied' };
  const sorted = values.toSorted((one, other) => amount(one) - amount(other));
  return { kind: 'seen', min: sorted[0] ?? first, max: sorted.at(-1) ?? first };
}

function amount(text: string): number {
  return Number(text.replaceAll(/[,_]/g, ''));
}

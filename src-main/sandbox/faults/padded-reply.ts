import type { Reply } from '../http/reply.ts';
import type { FaultRule } from './fault-rule.ts';

/** How deep the lists of a `deep` fault stand in each other. */
export const DEEP_LEVELS = 100_000;

export const DEFAULT_SIZE_BYTES = { large: 19_000_000, huge: 70_000_000, compressed: 60_000_000 } as const;

type PaddingRule = FaultRule & { kind: 'deep' | 'large' | 'huge' | 'compressed' };

/** One of the many small values that a large answer is made of. */
const ELEMENT = '{"at":1234,"text":"what nobody asked for, and a client has to bear all the same"},';

/**
 * The answer with more in it than anybody wants, in a field `padding` behind what it says: of the record, or of the
 * last chunk of a bare list. A list without a chunk is only filled up with spaces, and cannot be deep. It stays JSON.
 */
export function pad(reply: Reply, rule: PaddingRule): Reply {
  const body = withPadding(reply.body, rule);
  return rule.kind === 'compressed' ? { ...reply, body, encoding: 'gzip' } : { ...reply, body };
}

function withPadding(body: string, rule: PaddingRule): string {
  const at = body.endsWith('}]') ? body.length - 2 : body.length - 1;
  const isEmptyList = body.startsWith('[') && at === body.length - 1;
  if (isEmptyList) return rule.kind === 'deep' ? body : `[${' '.repeat(sizeOf(rule))}]`;
  return `${body.slice(0, at)},"padding":${paddingOf(rule)}${body.slice(at)}`;
}

function paddingOf(rule: PaddingRule): string {
  if (rule.kind === 'deep') return '['.repeat(DEEP_LEVELS) + ']'.repeat(DEEP_LEVELS);
  const sizeBytes = sizeOf(rule);
  // One repeated letter is what gzip makes a thousandth of.
  if (rule.kind === 'compressed') return `"${'0'.repeat(sizeBytes)}"`;
  return `[${ELEMENT.repeat(Math.ceil(sizeBytes / ELEMENT.length))}null]`;
}

function sizeOf({ kind, sizeBytes }: PaddingRule): number {
  return kind === 'deep' ? 0 : (sizeBytes ?? DEFAULT_SIZE_BYTES[kind]);
}

import { memberStep } from './output-json.ts';

/** What JSON writes for `value` in place of what it is, with what it is; null when nothing is lost. */
function lossOf(value: unknown): { what: string; becomes: string } | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return { what: String(value), becomes: 'null' };
  if (value instanceof Map) return { what: 'a Map', becomes: '{}' };
  if (value instanceof Set) return { what: 'a Set', becomes: '{}' };
  if (value instanceof Error) return { what: 'an Error', becomes: '{}' };
  return null;
}

function findLoss(value: unknown, path: string): string | null {
  const loss = lossOf(value);
  if (loss !== null) return `${path} is ${loss.what}, which JSON cannot hold: it was sent as ${loss.becomes}`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = findLoss(member, `${path}${memberStep(key, Array.isArray(value))}`);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Finds what JSON has turned into something else without a word: a clause that says where in the value it is, and
 * what; null when there is nothing of the kind. `json`: what JSON made of the value; most need no search.
 */
export function lostInJson(value: unknown, json: string): string | null {
  if (!json.includes('null') && !json.includes('{}')) return null;
  try {
    return findLoss(value, 'output');
  } catch {
    // Too deep to be searched, or a getter that throws the second time: a hint is not worth a failed job.
    return null;
  }
}

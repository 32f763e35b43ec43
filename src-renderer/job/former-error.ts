import type { Attempt, JobError } from '../../src-preload/job.ts';
import { parseJson, isJsonObject } from '../../src-preload/json-spans.ts';

/**
 * The error of a former attempt, of which only the text was saved: often a JSON string with its parts (field notes:
 * Status and result). Null if it had none.
 */
export function formerError(attempt: Pick<Attempt, 'errorText'> | null): JobError | null {
  if (attempt === null || attempt.errorText === null) return null;
  const raw = attempt.errorText;
  const fields = recordIn(raw);
  const text = (name: string): string | null => {
    const value = fields?.[name];
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  };
  const summary = (text('error_message') ?? text('error') ?? raw).slice(0, summaryChars);
  return { summary, type: text('error_type'), traceback: text('error_traceback'), raw };
}

/** A longer text is data, not an error with parts. */
const parsedChars = 262_144;
const summaryChars = 2_000;

/** The object in a text, even if it is in a nested JSON string. */
function recordIn(text: string): Record<string, unknown> | null {
  let value = text.length > parsedChars ? undefined : parseJson(text);
  if (typeof value === 'string') value = parseJson(value);
  return isJsonObject(value) ? { ...value } : null;
}

/**
 * What a webhook call is taken for: a hint that a job may have ended (ruling 25). Nothing else in the payload is
 * trusted; the input only helps to find an intent whose reply was lost.
 */
export interface WebhookHint {
  jobId: string;
  /** JSON text of the input that the call repeats; null where it does not. */
  inputJson: string | null;
}

/** Longer than any id that was ever seen. */
const longestId = 200;

/** Reads the body of a call. Null: it names no job. */
export function readHint(body: string): WebhookHint | null {
  let payload: unknown;
  try {
    payload = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof payload !== 'object' || payload === null || !('id' in payload)) return null;
  const { id } = payload;
  if (typeof id !== 'string' || id === '' || id.length > longestId) return null;
  return { jobId: id, inputJson: 'input' in payload ? textOf(payload.input) : null };
}

function textOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  try {
    return JSON.stringify(input);
  } catch {
    // It nests deeper than any stack: no submission of ours.
    return null;
  }
}

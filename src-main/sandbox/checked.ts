/** A checked value, or the sentence of a 400 answer (ruling 6). */
export type Checked<T> = { ok: true; value: T } | { ok: false; message: string };

/** The refusal of a value; `message` is the sentence. */
export function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}

/** A JSON object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

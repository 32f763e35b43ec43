/**
 * What a thrown value says, in its own words: of an error its message. May quote what it was given: redact it before it
 * is kept.
 */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

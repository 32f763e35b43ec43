/** The message of a thrown value. It may quote its input, so redact it before it is saved. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

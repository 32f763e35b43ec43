/** The least of them; Infinity without any. There may be more than an argument list can hold. */
export function least(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

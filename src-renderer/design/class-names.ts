/** Joins class names and skips those that are absent: `classes('a', isOn && 'b')`. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}

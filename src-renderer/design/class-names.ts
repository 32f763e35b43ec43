/** Joins the class names that are there: `classes('a', isOn && 'b')`. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}

/**
 * An argument in the syntax of Exec (Desktop Entry Specification): quoted, with `"`, `` ` ``, `$` and `\` escaped, and
 * every backslash doubled because the value is of type string. `%` begins a field code, so it is doubled too. An end of
 * the line would begin another key.
 */
export function quoteExec(argument: string): string {
  const quoted = argument.replaceAll(/["`$\\]/g, (sign) => `\\${sign}`);
  const value = quoted.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${value.replaceAll('%', '%%')}"`;
}

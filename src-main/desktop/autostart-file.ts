/** What has a Linux desktop start Jobdeck at login. `command`: the program and its arguments. Pure. */
export function autostartFile(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Jobdeck',
    'Comment=Tracks jobs from the tray',
    `Exec=${command.map(quoteExec).join(' ')}`,
    // The name under which the deb package installs its icons.
    'Icon=jobdeck',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * Whether this file has the desktop start its program: a user switches it off by deleting it, or with a program of the
 * desktop that writes so into it. Null: there is none. Pure.
 */
export function isAutostartOn(file: string | null): boolean {
  return file !== null && !/^(Hidden *= *true|X-GNOME-Autostart-enabled *= *false)\s*$/m.test(file);
}

/**
 * One argument as Exec has it (Desktop Entry Specification): within quotes `"`, `` ` ``, `$` and `\` are escaped, and
 * as a value of type string each backslash is doubled; `%` begins a field code.
 */
function quoteExec(argument: string): string {
  const quoted = argument.replaceAll(/["`$\\]/g, (sign) => `\\${sign}`);
  return `"${quoted.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`;
}

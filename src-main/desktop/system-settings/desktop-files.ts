import { startupText, menuEntryText } from '../../messages/desktop/system-entries.ts';
import { linkScheme } from '../../../src-preload/job-link.ts';

/** The file that makes a Linux desktop start Jobdeck at login. `command`: the program and its arguments. Pure. */
export function autostartFile(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Jobdeck',
    `Comment=${startupText.comment}`,
    `Exec=${command.map(quoteExec).join(' ')}`,
    // The name under which the deb package installs its icons.
    'Icon=jobdeck',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * Whether this file starts its program at login. A user disables it by deleting the file (null), or with a desktop tool
 * that writes one of these lines into it. Pure.
 */
export function isAutostartOn(file: string | null): boolean {
  return file !== null && !/^(Hidden *= *true|X-GNOME-Autostart-enabled *= *false)\s*$/m.test(file);
}

/** Says that Jobdeck wrote the file, for the AppImage whose path follows. */
const marker = 'X-Jobdeck-AppImage';

/** The desktop file of an AppImage: its entry in the menu of applications, which also opens links. Pure. */
export function menuEntryFile({ appImage, icon }: { appImage: string; icon: string }): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Jobdeck',
    `Comment=${menuEntryText.comment}`,
    // xdg-open does not read quotes.
    `Exec=${/^[\w/.+@:-]+$/.test(appImage) ? appImage : quoteExec(appImage)} %u`,
    `Icon=${escaped(icon)}`,
    'Terminal=false',
    'Categories=Development;',
    `MimeType=x-scheme-handler/${linkScheme};`,
    'StartupWMClass=dev.jobdeck.app',
    `${marker}=${escaped(appImage)}`,
    '',
  ].join('\n');
}

/** The AppImage in a desktop file of Jobdeck. Null if Jobdeck did not write it. Pure. */
export function appImageIn(file: string): string | null {
  const value = new RegExp(`^${marker}=(.*)$`, 'm').exec(file)?.[1];
  return value?.replaceAll(/\\(.)/g, (_pair, sign: string) => unescapedSigns[sign] ?? sign) ?? null;
}

const unescapedSigns: Record<string, string> = { n: '\n', r: '\r', t: '\t', s: ' ' };

/** A value of type string (Desktop Entry Specification: Possible value types). */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/**
 * An argument in the syntax of Exec (Desktop Entry Specification): quoted, with `"`, `` ` ``, `$` and `\` escaped, and
 * every backslash doubled because the value is of type string. `%` begins a field code, so it is doubled too. An end of
 * the line would begin another key.
 */
function quoteExec(argument: string): string {
  const quoted = argument.replaceAll(/["`$\\]/g, (sign) => `\\${sign}`);
  const value = quoted.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${value.replaceAll('%', '%%')}"`;
}

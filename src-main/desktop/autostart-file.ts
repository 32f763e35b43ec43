import { startupText } from '../messages/desktop/system-entries.ts';
import { quoteExec } from './exec-line.ts';

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

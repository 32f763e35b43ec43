import { menuEntryText } from '../messages/desktop/system-entries.ts';
import { quoteExec } from './exec-line.ts';
import { linkScheme } from './links.ts';

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

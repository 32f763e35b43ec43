import type { FromPage } from './page/words.ts';

type Key = Extract<FromPage, { type: 'key' }>;
type Modifier = 'ctrl' | 'meta' | 'alt' | 'shift';

/** The keys that have a name of more than one letter, and what a page calls them (keyboard_util.cc). */
const namedKeys: Record<string, string> = {
  backspace: 'backspace',
  capslock: 'capslock',
  delete: 'delete',
  down: 'arrowdown',
  end: 'end',
  enter: 'enter',
  esc: 'escape',
  escape: 'escape',
  home: 'home',
  insert: 'insert',
  left: 'arrowleft',
  medianexttrack: 'mediatracknext',
  mediaplaypause: 'mediaplaypause',
  mediaprevioustrack: 'mediatrackprevious',
  mediastop: 'mediastop',
  numadd: 'numpadadd',
  numdec: 'numpaddecimal',
  numdiv: 'numpaddivide',
  numlock: 'numlock',
  nummult: 'numpadmultiply',
  numsub: 'numpadsubtract',
  pagedown: 'pagedown',
  pageup: 'pageup',
  printscreen: 'printscreen',
  return: 'enter',
  right: 'arrowright',
  scrolllock: 'scrolllock',
  space: ' ',
  tab: 'tab',
  up: 'arrowup',
  volumedown: 'audiovolumedown',
  volumemute: 'audiovolumemute',
  volumeup: 'audiovolumeup',
};
/** Characters that are typed with Shift, which they therefore mean as well. */
const shiftedCharacters = '!"#$%&()*+:<>?@^_{|}~';

function modifierOf(part: string, isMac: boolean): Modifier | 'altgr' | null {
  switch (part) {
    case 'cmdorctrl':
    case 'commandorcontrol':
      return isMac ? 'meta' : 'ctrl';
    case 'cmd':
    case 'command':
    case 'super':
    case 'meta':
      return 'meta';
    case 'ctrl':
    case 'control':
      return 'ctrl';
    case 'alt':
    case 'option':
      return 'alt';
    case 'altgr':
      return 'altgr';
    case 'shift':
      return 'shift';
    default:
      return null;
  }
}

function keyOf(part: string): string | null {
  if (part === 'plus') return '+';
  if (/^[!-~]$/.test(part)) return part;
  if (/^f([1-9]|1\d|2[0-4])$/.test(part)) return part;
  const digit = /^num(\d)$/.exec(part)?.[1];
  return digit === undefined ? (namedKeys[part] ?? null) : `numpad${digit}`;
}

type Parsed = Record<Modifier, boolean> & { key: string };

/**
 * An accelerator as Electron reads it (accelerator_util.cc: StringToAccelerator), with the key as a page names it. Null
 * for one without a key that Electron knows: a menu item has none then, and a global shortcut cannot be registered.
 */
export function parseAccelerator(accelerator: string, platform: NodeJS.Platform): Parsed | null {
  if (!/^\p{ASCII}*$/u.test(accelerator)) return null;
  const parsed: Parsed = { ctrl: false, meta: false, alt: false, shift: false, key: '' };
  const parts = accelerator
    .toLowerCase()
    .split('+')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const part of parts) {
    const modifier = modifierOf(part, platform === 'darwin');
    if (modifier === 'altgr') continue;
    if (modifier === null) parsed.key = keyOf(part) ?? '';
    else parsed[modifier] = true;
    if (part === 'plus' || (part.length === 1 && shiftedCharacters.includes(part))) parsed.shift = true;
  }
  return parsed.key === '' ? null : parsed;
}

/** Whether `key` is the key of an Electron accelerator such as "CmdOrCtrl+Shift+N". */
export function matches(accelerator: string, key: Key): boolean {
  const wanted = parseAccelerator(accelerator, process.platform);
  if (wanted === null) return false;
  const names = [key.key.toLowerCase(), key.code.toLowerCase().replace(/^(key|digit)/, '')];
  return (
    wanted.ctrl === key.ctrl &&
    wanted.meta === key.meta &&
    wanted.alt === key.alt &&
    wanted.shift === key.shift &&
    names.includes(wanted.key)
  );
}

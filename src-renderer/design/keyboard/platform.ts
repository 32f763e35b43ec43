/** True on macOS, where the system draws the window buttons and keys are written ⌘ ⇧ ⌥. */
export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

const macNames: Readonly<Record<string, string>> = { Ctrl: '⌘', Control: '⌃', Shift: '⇧', Alt: '⌥', Super: '⌘' };
const otherNames: Readonly<Record<string, string>> = { Control: 'Ctrl' };
const arrowNames: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' };

/** The name of a key on this platform. `Ctrl` is the command key, so `⌘` on macOS; `Control` is Ctrl everywhere. */
export function keyName(key: string, isOnMac = isMac): string {
  return (isOnMac ? macNames : otherNames)[key] ?? arrowNames[key] ?? key;
}

/** The keys of an accelerator of the settings, as `keyName` knows them: of `CmdOrCtrl+J` Ctrl and J. */
export function keysOfAccelerator(accelerator: string): string[] {
  const named: Readonly<Record<string, string>> = { CmdOrCtrl: 'Ctrl', Ctrl: 'Control' };
  return accelerator.split('+').map((key) => named[key] ?? key);
}

/** The keys that go back and forward in a window, as in this platform's browsers. */
export const backKeys: readonly string[] = isMac ? ['Ctrl', '['] : ['Alt', 'ArrowLeft'];
export const forwardKeys: readonly string[] = isMac ? ['Ctrl', ']'] : ['Alt', 'ArrowRight'];

/** True when the platform's command key is held: Ctrl, or ⌘ on macOS. */
export function hasCommandKey(event: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

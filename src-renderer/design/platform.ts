/** True on macOS, where the system draws the window buttons and keys are written ⌘ ⇧ ⌥. */
export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

const macNames: Readonly<Record<string, string>> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' };
const arrowNames: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' };

/** The name of a key on this platform: `Ctrl` is `⌘` on macOS. */
export function keyName(key: string): string {
  return (isMac ? macNames[key] : undefined) ?? arrowNames[key] ?? key;
}

/** The keys that go back and forward in a window, as in this platform's browsers. */
export const backKeys: readonly string[] = isMac ? ['Ctrl', '['] : ['Alt', 'ArrowLeft'];
export const forwardKeys: readonly string[] = isMac ? ['Ctrl', ']'] : ['Alt', 'ArrowRight'];

/** True when the platform's command key is held: Ctrl, or ⌘ on macOS. */
export function hasCommandKey(event: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

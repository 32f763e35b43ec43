/** True on macOS, where the system draws the window buttons and keys are written ⌘ ⇧ ⌥. */
export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

const macNames: Readonly<Record<string, string>> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' };

/** The name of a key on this platform: `Ctrl` is `⌘` on macOS. */
export function keyName(key: string): string {
  return isMac ? (macNames[key] ?? key) : key;
}

/** True when the platform's command key is held: Ctrl, or ⌘ on macOS. */
export function hasCommandKey(event: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

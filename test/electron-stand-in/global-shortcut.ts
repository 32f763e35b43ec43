import { guard } from './guard.ts';
import { isReady } from './readiness.ts';

/** Windows are Wayland's if the session is, as in Electron: XDG_SESSION_TYPE=wayland. */
export const isOnWayland = process.platform === 'linux' && process.env['XDG_SESSION_TYPE'] === 'wayland';
const shortcuts = new Map<string, () => void>();
/** Keys that another program has registered. */
const takenShortcuts = new Set((process.env['ELECTRON_STAND_IN_TAKEN_SHORTCUTS'] ?? '').split(',').filter(Boolean));
export const globalShortcut = guard('globalShortcut', {
  register(accelerator: string, callback: () => void): boolean {
    if (
      !/^((CmdOrCtrl|CommandOrControl|Ctrl|Control|Cmd|Command|Alt|Option|Shift|Super|Meta)\+)*[A-Za-z0-9]+$/.test(
        accelerator,
      )
    )
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`);
    // Electron refuses before the app is ready, and for keys that another program has.
    if (!isReady()) throw new Error('globalShortcut cannot be used before the app is ready');
    // Wayland has no global shortcuts.
    if (isOnWayland || takenShortcuts.has(accelerator) || shortcuts.has(accelerator)) return false;
    shortcuts.set(accelerator, callback);
    return true;
  },
  isRegistered: (accelerator: string): boolean => shortcuts.has(accelerator),
  unregister(accelerator: string): void {
    shortcuts.delete(accelerator);
  },
  unregisterAll(): void {
    shortcuts.clear();
  },
});
/** The test presses a global shortcut. False if none is registered for it. */
export function pressGlobalShortcut(accelerator: string): boolean {
  const callback = shortcuts.get(accelerator);
  callback?.();
  return callback !== undefined;
}

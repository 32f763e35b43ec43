import { parseAccelerator } from './accelerator.ts';
import { conversionFailure, guard } from './guard.ts';
import { isReady } from './readiness.ts';

/** Windows are Wayland's if the session is, as in Electron: XDG_SESSION_TYPE=wayland. */
export const isOnWayland = process.platform === 'linux' && process.env['XDG_SESSION_TYPE'] === 'wayland';
const shortcuts = new Map<string, () => void>();
/** Keys that another program has registered. */
const takenShortcuts = new Set((process.env['ELECTRON_STAND_IN_TAKEN_SHORTCUTS'] ?? '').split(',').filter(Boolean));
export const globalShortcut = guard('globalShortcut', {
  register(accelerator: string, callback: () => void): boolean {
    if (typeof accelerator !== 'string' || parseAccelerator(accelerator, process.platform) === null)
      throw conversionFailure(0, accelerator);
    if (typeof callback !== 'function') throw conversionFailure(1, callback);
    requireReady();
    // Wayland has no global shortcuts, and another program may have the keys.
    if (isOnWayland || takenShortcuts.has(accelerator) || shortcuts.has(accelerator)) return false;
    shortcuts.set(accelerator, callback);
    return true;
  },
  isRegistered: (accelerator: string): boolean => shortcuts.has(accelerator),
  unregister(accelerator: string): void {
    requireReady();
    shortcuts.delete(accelerator);
  },
  unregisterAll(): void {
    requireReady();
    shortcuts.clear();
  },
});

function requireReady(): void {
  if (!isReady()) throw new Error('globalShortcut cannot be used before the app is ready');
}

/** The test presses a global shortcut. False if none is registered for it. */
export function pressGlobalShortcut(accelerator: string): boolean {
  const callback = shortcuts.get(accelerator);
  callback?.();
  return callback !== undefined;
}

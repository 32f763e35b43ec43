import { globalShortcut } from 'electron';
import type { GlobalShortcuts } from '../../src-preload/settings.ts';

/** A global shortcut that the system did not give. */
export type RefusedShortcut = 'open' | 'newJob';

export interface GlobalKeysParts {
  open: () => void;
  newJob: () => void;
  /** Which the system refused, after each change; mostly another program has the keys. */
  onRefused: (refused: readonly RefusedShortcut[]) => void;
}

/** Keys that reach Jobdeck from every other program, as far as the system gives them. */
export function createGlobalKeys(parts: GlobalKeysParts): { set(wanted: GlobalShortcuts): void; close(): void } {
  let set = '';
  const register = (accelerator: string, run: () => void): boolean => {
    try {
      return globalShortcut.register(accelerator, run);
    } catch {
      // Electron throws at keys it does not know.
      return false;
    }
  };
  return {
    set(wanted) {
      if (set === JSON.stringify(wanted)) return;
      set = JSON.stringify(wanted);
      globalShortcut.unregisterAll();
      if (!wanted.isOn) return parts.onRefused([]);
      const refused: RefusedShortcut[] = [];
      if (!register(wanted.open, parts.open)) refused.push('open');
      if (!register(wanted.newJob, parts.newJob)) refused.push('newJob');
      parts.onRefused(refused);
    },
    close: () => globalShortcut.unregisterAll(),
  };
}

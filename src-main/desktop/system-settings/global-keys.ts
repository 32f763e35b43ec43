import { globalShortcut } from 'electron';
import type { GlobalShortcuts } from '../../../src-preload/settings.ts';

/** A global shortcut that the system refused to register. */
type RefusedShortcut = 'open' | 'newJob';

export interface GlobalKeysParts {
  open: () => void;
  newJob: () => void;
  /** Called after each change with the refused shortcuts. Usually another program uses the keys. */
  onRefused: (refused: readonly RefusedShortcut[]) => void;
}

/** Shortcuts that work in every other program, if the system allows it. */
export function createGlobalKeys(parts: GlobalKeysParts): { set(wanted: GlobalShortcuts): void; close(): void } {
  let set = '';
  const register = (accelerator: string, run: () => void): boolean => {
    try {
      return globalShortcut.register(accelerator, run);
    } catch {
      // Electron throws if it does not know a key.
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

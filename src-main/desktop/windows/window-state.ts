import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { settingsDefaults, type Settings } from '../../../src-preload/settings.ts';

/** On Wayland, programs do not know the position of their windows. */
export interface WindowPlacement {
  x?: number | undefined;
  y?: number | undefined;
  width: number;
  height: number;
}

/** What the main window needs to open as it was when it was last closed. */
interface WindowState {
  theme: Settings['theme'];
  /** The size of the main window before it was maximised, and its position if known. Null if it was never closed. */
  place: WindowPlacement | null;
  isMaximized: boolean;
}

/**
 * A small file of its own that is read synchronously, because the window opens before the history
 * (docs/decisions/039-the-window-opens-first.md).
 */
export interface WindowStateFile {
  read(): WindowState;
  save(change: Partial<WindowState>): void;
}

const shape = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch(settingsDefaults.theme),
  place: z
    .object({
      // Electron reads no other numbers, and asked for the display of such a place it throws.
      x: z.int32().optional(),
      y: z.int32().optional(),
      width: z.int32().min(200),
      height: z.int32().min(150),
    })
    .nullable()
    .catch(null),
  isMaximized: z.boolean().catch(false),
});
const none: WindowState = { theme: settingsDefaults.theme, place: null, isMaximized: false };

/** The file with what the main window needs before the settings are read: the theme and the window's place. */
export function openWindowState(path: string): WindowStateFile {
  let state = readState(path);
  return {
    read: () => state,
    save(change) {
      const next = { ...state, ...change };
      if (JSON.stringify(next) === JSON.stringify(state)) return;
      state = next;
      try {
        writeFileSync(`${path}.part`, JSON.stringify(next), { mode: 0o600 });
        renameSync(`${path}.part`, path);
      } catch {
        // Losing a window's place does no harm. Closing must not fail because of it.
      }
    },
  };
}

function readState(path: string): WindowState {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return none;
  }
}

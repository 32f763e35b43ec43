import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { settingsDefaults, type Settings } from '../../src-preload/settings.ts';

/** On Wayland no program knows where its window is. */
export interface Place {
  x?: number | undefined;
  y?: number | undefined;
  width: number;
  height: number;
}

/** What the first window needs to look as it did. */
interface FirstLook {
  theme: Settings['theme'];
  /**
   * How large the main window was before it was maximised, and where, as far as that is known; null where it never
   * closed.
   */
  place: Place | null;
  isMaximized: boolean;
}

/**
 * It lies in a small file of its own, which is read at once: the window opens before the history does
 * (docs/decisions/039-the-window-opens-first.md).
 */
export interface FirstLookFile {
  read(): FirstLook;
  keep(change: Partial<FirstLook>): void;
}

const shape = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch(settingsDefaults.theme),
  place: z
    .object({
      x: z.number().optional(),
      y: z.number().optional(),
      width: z.number().min(200),
      height: z.number().min(150),
    })
    .nullable()
    .catch(null),
  isMaximized: z.boolean().catch(false),
});
const none: FirstLook = { theme: settingsDefaults.theme, place: null, isMaximized: false };

/** The file with what the first window needs before settings are read: theme and the window's place. */
export function openFirstLook(path: string): FirstLookFile {
  let kept = readLook(path);
  return {
    read: () => kept,
    keep(change) {
      const next = { ...kept, ...change };
      if (JSON.stringify(next) === JSON.stringify(kept)) return;
      kept = next;
      try {
        writeFileSync(`${path}.part`, JSON.stringify(next), { mode: 0o600 });
        renameSync(`${path}.part`, path);
      } catch {
        // Losing a window's place costs nothing; closing must not fail over it.
      }
    },
  };
}

function readLook(path: string): FirstLook {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return none;
  }
}

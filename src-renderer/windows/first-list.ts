import { useEffect, useRef } from 'react';
import { useJobs } from '../data/jobs-store.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { restoreLastPlace, saveLastPlace, type LastJob } from '../navigation/last-place.ts';

/** In a window of this width, a job is opened beside the first list. */
export const minPxToOpen = 960;

/**
 * Loads the list of the current connection. The first time it restores the last place, and its job if there is room
 * beside the list.
 */
export function useListOfConnection(): void {
  const connectionId = useCurrentConnection()?.id ?? null;
  const isLoaded = useSession((state) => state.isLoaded);
  const last = useRef<Promise<LastJob | null>>(null);
  useEffect(() => {
    if (!isLoaded) return;
    last.current ??= restoreLastPlace();
    void loadList(last.current).then(() => {
      // Another connection has its own list.
      last.current = Promise.resolve(null);
    });
  }, [connectionId, isLoaded]);
  useEffect(() => {
    if (!isLoaded) return undefined;
    return saveLastPlace();
  }, [isLoaded]);
}

/**
 * Reads the list, and shows the job that was open when the window was closed, or the newest. No job is opened if the
 * user has done something in the window meanwhile.
 */
async function loadList(restored: Promise<LastJob | null>): Promise<void> {
  const input = noteInput();
  const last = await restored;
  await useJobs.getState().reload();
  const wasUsed = input.end();
  const { selectedKey, list, select, focus } = useJobs.getState();
  if (selectedKey !== null) return;
  const shown = jobToShow({
    last,
    newestKey: list.live()[0] ?? list.rest()[0] ?? null,
    wasUsed,
    hasRoom: window.innerWidth >= minPxToOpen,
  });
  if (shown?.how === 'opened') select(shown.key);
  else if (shown?.how === 'chosen') focus(shown.key);
}

interface FirstList {
  /** What the window showed when it was closed, or null if that is not known. */
  last: LastJob | null;
  /** The first job of the list. */
  newestKey: string | null;
  /** Whether the user has pressed anything since the window opened. */
  wasUsed: boolean;
  /** Whether a job has room beside the list. */
  hasRoom: boolean;
}

/** The job that is opened beside the first list, or only chosen in it. Null: none. Pure. */
export function jobToShow({
  last,
  newestKey,
  wasUsed,
  hasRoom,
}: FirstList): { key: string; how: 'opened' | 'chosen' } | null {
  const key = last?.selectedKey ?? newestKey;
  if (key === null || wasUsed) return null;
  const wasClosed = last !== null && last.selectedKey !== null && !last.isDetailOpen;
  if (wasClosed) return { key, how: 'chosen' };
  return hasRoom ? { key, how: 'opened' } : null;
}

/** Notes presses and keys from now on. `end` stops that and says whether there were any. */
function noteInput(): { end: () => boolean } {
  let wasUsed = false;
  const kinds = ['pointerdown', 'keydown'] as const;
  const note = (): void => void (wasUsed = true);
  for (const kind of kinds) window.addEventListener(kind, note, true);
  return {
    end: () => {
      for (const kind of kinds) window.removeEventListener(kind, note, true);
      return wasUsed;
    },
  };
}

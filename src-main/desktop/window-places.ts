import type { Rectangle } from 'electron';
import { z } from 'zod';
import { byName, openCollection, parseDocument } from '../history/collection.ts';
import type { DocumentKind, Documents } from '../history/collection.ts';

const place = z.object({ x: z.number(), y: z.number(), width: z.number().min(200), height: z.number().min(150) });
const placeKind: DocumentKind<Rectangle, string> = { kind: 'window', schema: place, id: byName };
const mainWindow = 'main';

/** Where the main window was when it last closed, known before it opens: opening one never waits for the disk. */
export interface WindowPlaces {
  read(): Rectangle | null;
  keep(bounds: Rectangle): void;
  /** Takes what is kept from these documents, which were read before the history is open. */
  take(documents: readonly { kind: string; id: string; json: string }[]): void;
  /** Reads what is kept. */
  load(): Promise<void>;
}

/** `history`: once it is open. */
export function createWindowPlaces(history: Promise<Documents>): WindowPlaces {
  let kept: Rectangle | null = null;
  const places = history.then((documents) => openCollection(documents, placeKind));
  // Why it never opens is said where the app gives up.
  places.catch(() => undefined);
  return {
    read: () => kept,
    keep(bounds) {
      kept = bounds;
      // Losing a window's place costs nothing; closing must not fail over it.
      places.then((open) => open.put(mainWindow, bounds)).catch(() => undefined);
    },
    take(documents) {
      const found = documents.find(({ kind, id }) => kind === placeKind.kind && id === mainWindow);
      kept = found === undefined ? null : parseDocument(placeKind.schema, found.json);
    },
    async load() {
      kept = await places.then((open) => open.read(mainWindow)).catch(() => null);
    },
  };
}

import type { Rectangle } from 'electron';
import { z } from 'zod';

const place = z.object({ x: z.number(), y: z.number(), width: z.number().min(200), height: z.number().min(150) });

export interface PlaceDocuments {
  readDocument(kind: string, id: string): Promise<string | null>;
  putDocument(kind: string, id: string, json: string): Promise<void>;
}

/** Where the main window was when it last closed. Read once at start, so that opening a window never waits for the disk. */
export async function createWindowPlaces(documents: PlaceDocuments): Promise<{ read: () => Rectangle | null; keep: (bounds: Rectangle) => void }> {
  let kept = parsePlace(await documents.readDocument('window', 'main').catch(() => null));
  return {
    read: () => kept,
    keep(bounds) {
      kept = bounds;
      // Losing a window's place costs nothing; closing must not fail over it.
      documents.putDocument('window', 'main', JSON.stringify(bounds)).catch(() => undefined);
    },
  };
}

function parsePlace(json: string | null): Rectangle | null {
  if (json === null) return null;
  try {
    const read = place.safeParse(JSON.parse(json));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

import type { Rectangle } from 'electron';
import { z } from 'zod';

const place = z.object({ x: z.number(), y: z.number(), width: z.number().min(200), height: z.number().min(150) });
const kind = 'window';
const id = 'main';

export interface PlaceDocuments {
  readDocument(kind: string, id: string): Promise<string | null>;
  putDocument(kind: string, id: string, json: string): Promise<void>;
}

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
export function createWindowPlaces(history: Promise<PlaceDocuments>): WindowPlaces {
  let kept: Rectangle | null = null;
  // Why it never opens is said where the app gives up.
  history.catch(() => undefined);
  return {
    read: () => kept,
    keep(bounds) {
      kept = bounds;
      // Losing a window's place costs nothing; closing must not fail over it.
      history.then((documents) => documents.putDocument(kind, id, JSON.stringify(bounds))).catch(() => undefined);
    },
    take(documents) {
      kept = parsePlace(documents.find((one) => one.kind === kind && one.id === id)?.json ?? null);
    },
    async load() {
      kept = parsePlace(await history.then((documents) => documents.readDocument(kind, id)).catch(() => null));
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

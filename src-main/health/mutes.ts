import type { History } from '../history/history.ts';

/** The documents' kind. */
const kind = 'health-mute';

/** Until when the user does not want to be shown an endpoint's diagnosis. Kept over restarts. */
export interface Mutes {
  /** Null: it is shown. */
  untilMs(connectionId: string, endpointId: string): Promise<number | null>;
  /** Null takes it back. Rejects when the disk refuses; then nothing changed. */
  set(connectionId: string, endpointId: string, untilMs: number | null): Promise<void>;
  /** The connection is gone. */
  forget(connectionId: string): Promise<void>;
}

export function createMutes(parts: {
  documents: Pick<History, 'documents' | 'putDocument' | 'removeDocument'>;
  now: () => number;
}): Mutes {
  const { documents, now } = parts;
  let known: Promise<Map<string, number>> | null = null;

  function read(): Promise<Map<string, number>> {
    if (known !== null) return known;
    known = documents.documents(kind).then((all) => new Map(all.map(({ id, json }) => [id, Number(json)])));
    // Asked again the next time.
    known.catch(() => (known = null));
    return known;
  }

  return {
    async untilMs(connectionId, endpointId) {
      const untilMs = (await read()).get(idOf(connectionId, endpointId)) ?? 0;
      // Also false for a document that holds no number.
      return untilMs > now() ? untilMs : null;
    },
    async set(connectionId, endpointId, untilMs) {
      const id = idOf(connectionId, endpointId);
      const all = await read();
      if (untilMs === null || untilMs <= now()) {
        await documents.removeDocument(kind, id);
        all.delete(id);
      } else {
        await documents.putDocument(kind, id, String(untilMs));
        all.set(id, untilMs);
      }
    },
    async forget(connectionId) {
      const all = await read();
      for (const id of all.keys()) {
        if (!id.startsWith(idOf(connectionId, ''))) continue;
        await documents.removeDocument(kind, id);
        all.delete(id);
      }
    },
  };
}

/** The id that a mute is kept under. */
function idOf(connectionId: string, endpointId: string): string {
  return `${connectionId}\n${endpointId}`;
}

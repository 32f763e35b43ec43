import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import { z } from 'zod';
import { openCollection, type DocumentKind, type Documents } from '../history/collection.ts';

/** Until when, in epoch milliseconds. */
const muteKind: DocumentKind<number, EndpointRef> = {
  kind: 'health-mute',
  schema: z.number(),
  id: ({ connectionId, endpointId }) => `${connectionId}\n${endpointId}`,
};

/** Until when the user has muted an endpoint's diagnosis. Kept over restarts. */
export interface MutedEndpoints {
  /** Null: not muted. */
  untilMs(connectionId: string, endpointId: string): Promise<number | null>;
  /** Null ends the mute. Rejects if the disk refuses; then nothing changed. */
  set(connectionId: string, endpointId: string, untilMs: number | null): Promise<void>;
  /** The connection was removed. */
  forget(connectionId: string): Promise<void>;
}

/** The muted endpoints, saved in the history. `now` returns epoch milliseconds. */
export function createMutedEndpoints(parts: { documents: Documents; now: () => number }): MutedEndpoints {
  const { now } = parts;
  const mutes = openCollection(parts.documents, muteKind);
  let known: Promise<Map<string, number>> | null = null;

  function read(): Promise<Map<string, number>> {
    if (known !== null) return known;
    known = mutes.all().then((all) => new Map(all.map(({ id, value }) => [id, value ?? 0])));
    // Read again the next time.
    known.catch(() => (known = null));
    return known;
  }

  return {
    async untilMs(connectionId, endpointId) {
      const untilMs = (await read()).get(muteKind.id({ connectionId, endpointId })) ?? 0;
      return untilMs > now() ? untilMs : null;
    },
    async set(connectionId, endpointId, untilMs) {
      const id = muteKind.id({ connectionId, endpointId });
      const all = await read();
      if (untilMs === null || untilMs <= now()) {
        await mutes.remove(id);
        all.delete(id);
      } else {
        await mutes.put(id, untilMs);
        all.set(id, untilMs);
      }
    },
    async forget(connectionId) {
      const all = await read();
      for (const id of all.keys()) {
        if (!id.startsWith(muteKind.id({ connectionId, endpointId: '' }))) continue;
        await mutes.remove(id);
        all.delete(id);
      }
    },
  };
}

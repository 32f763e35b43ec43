import { z } from 'zod';
import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import { createSerialQueue } from '../async/queues.ts';
import { byName, openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';

const purgeRecord = z.object({
  id: z.string().min(1),
  connectionId: z.string(),
  endpointId: z.string(),
  startedAtMs: z.number(),
  expected: z.number().nullable(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('under-way') }),
    z.object({ kind: z.literal('removed'), atMs: z.number(), removed: z.number() }),
    z.object({ kind: z.literal('unknown'), atMs: z.number(), reason: z.string() }),
  ]),
  /** Our jobs that were waiting when it was sent. */
  keys: z.array(z.string()),
  /** Those of the purged jobs whose inputs were submitted again. */
  again: z.array(z.string()),
  /** The user has read what it came to. */
  isDismissed: z.boolean().exactOptional(),
});

/** A purge as it is saved. A purge that the service refused is not saved, because it changed nothing. */
export type PurgeRecord = z.infer<typeof purgeRecord>;

const purgeKind: DocumentKind<PurgeRecord, string> = { kind: 'purge', schema: purgeRecord, id: byName };

/** The saved purges, in memory and on disk. */
export interface PurgeRecords {
  /** Reads the purges of earlier runs. */
  load(): Promise<void>;
  all(): PurgeRecord[];
  find(id: string): PurgeRecord | null;
  /** Newest first. */
  of(endpoint: EndpointRef): PurgeRecord[];
  /** Saves a new purge. Rejects if the disk refuses; the purge is not known then. */
  add(record: PurgeRecord): Promise<void>;
  /** Changes a purge, if it is still known. Rejects if the disk refuses; nothing has changed then. */
  change(id: string, edit: EditPurge): Promise<void>;
  /**
   * As `change`, for what is true whether or not the disk takes it: it is in memory at once, and a refused write is
   * logged and made up for by the next one.
   */
  changeAnyway(id: string, edit: EditPurge): Promise<void>;
  remove(record: PurgeRecord): Promise<void>;
}

/** What a purge becomes. Pure, because it may be applied to a later record too. */
type EditPurge = (record: PurgeRecord) => PurgeRecord;

/** Purges as they are saved in the history, and in memory for reads without waiting. */
export function createPurgeRecords(documents: Documents, log: Log): PurgeRecords {
  const saved = openCollection(documents, purgeKind);
  const records = new Map<string, PurgeRecord>();
  /** In turn, so that an older record never replaces a newer one on the disk. */
  const writes = createSerialQueue();

  function changeInMemory(id: string, edit: EditPurge): void {
    const record = records.get(id);
    if (record !== undefined) records.set(id, edit(record));
  }

  return {
    async load() {
      for (const { id, value: record } of await saved.all()) {
        if (record === null) log.warn('A saved purge cannot be read', { purgeId: id });
        else records.set(id, record);
      }
    },
    all: () => [...records.values()],
    find: (id) => records.get(id) ?? null,
    of: ({ connectionId, endpointId }) =>
      [...records.values()]
        .filter((record) => record.connectionId === connectionId && record.endpointId === endpointId)
        .sort((a, b) => b.startedAtMs - a.startedAtMs),
    add: (record) =>
      writes.run(async () => {
        await saved.put(record.id, record);
        records.set(record.id, record);
      }),
    change: (id, edit) =>
      writes.run(async () => {
        const record = records.get(id);
        if (record === undefined) return;
        await saved.put(id, edit(record));
        changeInMemory(id, edit);
      }),
    changeAnyway(id, edit) {
      changeInMemory(id, edit);
      return writes
        .run(async () => {
          const record = records.get(id);
          if (record !== undefined) await saved.put(id, record);
        })
        .catch((error: unknown) => log.error('a change of a purge could not be saved', { purgeId: id, error }));
    },
    remove({ id }) {
      records.delete(id);
      return writes
        .run(() => saved.remove(id))
        .catch((error: unknown) => log.error('a purge could not be deleted', { purgeId: id, error }));
    },
  };
}

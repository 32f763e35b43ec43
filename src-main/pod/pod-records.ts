import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { storageFailure } from '../history/storage-failure.ts';
import type { Log } from '../log.ts';
import { openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import { z } from 'zod';
import { hardwareOf, type PodReading, type RememberedPod } from '../../src-preload/pod-reading.ts';
import { podIncludes } from '../../src-preload/pod.ts';
import { readPod } from '../service/resource-shapes.ts';
import { podText } from '../messages/resources.ts';

/** All pinned pods are kept, and this many others: those that were opened longest ago are dropped first. */
const maxUnpinned = 100;

/**
 * The pods that were opened, on disk. Read on first use and then kept in memory, because only this object writes them.
 */
export interface PodRecords {
  /** Last opened first. */
  all(): Promise<Result<PodRecord[]>>;
  find(connectionId: string, podId: string): Promise<Result<PodRecord | null>>;
  /** Visible to other calls when it is on disk. */
  put(record: PodRecord): Promise<Result<null>>;
  remove(record: Pick<PodRecord, 'connectionId' | 'podId'>): Promise<Result<null>>;
}

/** The id of a pod's document. A pod's own id never has a slash. */
export function podKey({ connectionId, podId }: Pick<PodRecord, 'connectionId' | 'podId'>): string {
  return `${connectionId}/${podId}`;
}

/** The subject of the sealed replies in a pod's document, by the document's id. */
export const podBelonging = { pod: (documentId: string) => `pod/${documentId}` };

/** Pod records over the document store. */
export function createPodRecords({ documents, log }: { documents: Documents; log: Log }): PodRecords {
  const saved = openCollection(documents, podKind);
  let loading: Promise<Map<string, PodRecord>> | null = null;

  async function load(): Promise<Map<string, PodRecord>> {
    const records = new Map<string, PodRecord>();
    for (const { id, value } of await saved.all()) {
      // Left in place: it may be from a newer Jobdeck.
      if (value === null) log.warn('a saved pod cannot be read', { id });
      else records.set(podKey(value), fromSaved(value));
    }
    return records;
  }

  async function withRecords<T>(
    message: string,
    work: (records: Map<string, PodRecord>) => Promise<T> | T,
  ): Promise<Result<T>> {
    loading ??= load();
    try {
      return ok(await work(await loading));
    } catch (error) {
      return failed(storageFailure(log, message, error));
    } finally {
      // A read that failed is tried again on the next call.
      await loading?.catch(() => {
        loading = null;
      });
    }
  }

  async function forgetOldest(records: Map<string, PodRecord>): Promise<void> {
    const unpinned = [...records.values()]
      .filter(({ isPinned }) => !isPinned)
      .toSorted((a, b) => b.openedAtMs - a.openedAtMs);
    for (const record of unpinned.slice(maxUnpinned)) {
      await saved.remove(record);
      records.delete(podKey(record));
    }
  }

  return {
    all: () =>
      withRecords(podText.couldNotReadAll, (records) =>
        [...records.values()].toSorted((a, b) => b.openedAtMs - a.openedAtMs),
      ),
    find: (connectionId, podId) =>
      withRecords(podText.couldNotReadAll, (records) => records.get(podKey({ connectionId, podId })) ?? null),
    put: (record) =>
      withRecords(podText.couldNotSave, async (records) => {
        await saved.put(record, toSaved(record));
        records.set(podKey(record), record);
        await forgetOldest(records);
        return null;
      }),
    remove: (record) =>
      withRecords(podText.couldNotForget, async (records) => {
        await saved.remove(record);
        records.delete(podKey(record));
        return null;
      }),
  };
}

const change = z.object({
  field: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  from: z.string().nullable(),
  to: z.string().nullable(),
});

/** The saved form of a record. Its keys are stored in files, so they stay as they are. */
const savedPod = z.object({
  connectionId: z.string().min(1),
  podId: z.string().min(1),
  isPinned: z.boolean(),
  openedAtMs: z.number(),
  /** The last reading. */
  look: z.object({
    readAtMs: z.number(),
    tookMs: z.number(),
    httpStatus: z.number(),
    bytesReceived: z.number(),
    include: z.array(z.enum(podIncludes)),
    path: z.string(),
    /** The reply with every env value hidden, so that the database has no secrets. */
    maskedJson: z.string(),
  }),
  changes: z.object({ sinceMs: z.number(), changes: z.array(change) }).nullable(),
  /** The raw reply, sealed by the vault. Null if it has no env value or could not be sealed. */
  sealedJson: z.string().nullable(),
});

type SavedPod = z.infer<typeof savedPod>;

/** A pod that was read at least once, with its last reading. */
export type PodRecord = Omit<SavedPod, 'look'> & { reading: SavedPod['look'] };

const podKind: DocumentKind<SavedPod, Pick<SavedPod, 'connectionId' | 'podId'>> = {
  kind: 'pod',
  schema: savedPod,
  id: podKey,
};

const fromSaved = ({ look: reading, ...rest }: SavedPod): PodRecord => ({ ...rest, reading });
const toSaved = ({ reading: look, ...rest }: PodRecord): SavedPod => ({ ...rest, look });

/** The reading as windows see it. Null if this version cannot read the saved reply. */
export function readingOf({ podId, reading }: Pick<PodRecord, 'podId' | 'reading'>): PodReading | null {
  const { maskedJson, ...exchange } = reading;
  const reply = readPod(maskedJson, podId);
  return reply.ok ? { ...exchange, reply: reply.value } : null;
}

/** One line in the lists. */
export function rememberedPod(record: PodRecord): RememberedPod {
  const { connectionId, podId, isPinned, openedAtMs, reading } = record;
  const pod = readingOf(record)?.reply.pod;
  return {
    connectionId,
    podId,
    name: pod?.name ?? null,
    desiredStatus: pod?.desiredStatus ?? null,
    hardware: pod === undefined ? null : hardwareOf(pod),
    adjustedCostPerHr: pod?.adjustedCostPerHr ?? null,
    isPinned,
    openedAtMs,
    readAtMs: reading.readAtMs,
  };
}

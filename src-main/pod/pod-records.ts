import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { openCollection } from '../history/collection.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import { podKind } from './pod-record.ts';
import type { PodRecord } from './pod-record.ts';

/** Pinned ones are kept however many; of the others only so many, the longest unopened go first. */
const mostUnpinned = 100;

/** The pods that were looked at, on disk. Read on first use and then held, for nobody else writes them. */
export interface PodRecords {
  /** Last opened first. */
  all(): Promise<Result<PodRecord[]>>;
  find(connectionId: string, podId: string): Promise<Result<PodRecord | null>>;
  /** Seen by the others once it is on disk. */
  put(record: PodRecord): Promise<Result<null>>;
  remove(record: Pick<PodRecord, 'connectionId' | 'podId'>): Promise<Result<null>>;
}

/** Pod records over the document store. */
export function createPodRecords({ documents, log }: { documents: Documents; log: Log }): PodRecords {
  const collection = openCollection(documents, podKind);
  const documentId = podKind.id;
  let loading: Promise<Map<string, PodRecord>> | null = null;

  async function load(): Promise<Map<string, PodRecord>> {
    const records = new Map<string, PodRecord>();
    for (const { id, value: record } of await collection.all()) {
      // Left where it is: it may be from a newer Jobdeck.
      if (record === null) log.warn('a saved pod cannot be read', { id });
      else records.set(documentId(record), record);
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
      log.error(message, { error });
      return failed({
        kind: 'storage',
        message,
        detail: log.redact(errorText(error)),
      });
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
    for (const record of unpinned.slice(mostUnpinned)) {
      await collection.remove(record);
      records.delete(documentId(record));
    }
  }

  return {
    all: () =>
      withRecords('The saved pods cannot be read now.', (records) =>
        [...records.values()].toSorted((a, b) => b.openedAtMs - a.openedAtMs),
      ),
    find: (connectionId, podId) =>
      withRecords(
        'The saved pods cannot be read now.',
        (records) => records.get(documentId({ connectionId, podId })) ?? null,
      ),
    put: (record) =>
      withRecords('What was read of the pod could not be saved. Check that the disk is not full.', async (records) => {
        await collection.put(record, record);
        records.set(documentId(record), record);
        await forgetOldest(records);
        return null;
      }),
    remove: (record) =>
      withRecords('The pod could not be forgotten now. Try again.', async (records) => {
        await collection.remove(record);
        records.delete(documentId(record));
        return null;
      }),
  };
}

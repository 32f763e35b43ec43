import type { Restored } from '../../src-preload/bin.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Job } from '../../src-preload/job.ts';
import type { MergeConnection } from '../history/backup/merge-rule.ts';
import { fromHistory, type History } from '../history/history.ts';

export interface BinParts {
  history: Pick<
    History,
    'binUse' | 'binPage' | 'binKeys' | 'restoreBinned' | 'restoreLiveBinned' | 'removeBinned' | 'emptyBin'
  >;
  /** Merges a live job as one of its serialised changes. */
  mergeIn: (key: string, write: () => Promise<Job | null>) => Promise<Job | null>;
  connections: () => Promise<readonly MergeConnection[]>;
  /** Jobs that are in the history again, or know more. */
  onRestored: (jobs: readonly Job[]) => void;
  /** A restore has ended, completely or not. */
  onRestoreEnded: () => Promise<void>;
  /** Jobs left the bin; those with these keys were deleted for good. Null: all. */
  onChanged: (deletedKeys: readonly string[] | null) => void;
}

export type BinCalls = Pick<Handlers, 'bin:use' | 'bin:list' | 'bin:restore' | 'bin:delete'>;

/** How many keys are asked for, and how many jobs are deleted for good, in one call of the history. */
const keysAtOnce = 200;
const removedAtOnce = 25;

/** Handlers of the calls about deleted jobs (docs/decisions/114). */
export function binHandlers({ history, onChanged, ...parts }: BinParts): BinCalls {
  const restore = async (keys: readonly string[] | null): Promise<Restored> => {
    const restored: Restored = { keys: [], missing: 0 };
    const connections = (await parts.connections()).map(({ id, baseUrl }) => ({ id, baseUrl }));
    try {
      for await (const some of keysToRestore(history, keys))
        await restoreSome({ history, ...parts }, some, connections, restored);
    } finally {
      onChanged([]);
      await parts.onRestoreEnded();
    }
    return restored;
  };
  const remove = async (keys: readonly string[] | null): Promise<null> => {
    let removed: readonly string[] | null = [];
    try {
      if (keys === null) await history.emptyBin();
      else
        for (let from = 0; from < keys.length; from += removedAtOnce) {
          await history.removeBinned(keys.slice(from, from + removedAtOnce));
          removed = keys.slice(0, from + removedAtOnce);
        }
      removed = keys;
    } finally {
      onChanged(removed);
    }
    return null;
  };
  return {
    'bin:use': () => fromHistory(history.binUse()),
    'bin:list': ({ after, limit }) => fromHistory(history.binPage(after, limit)),
    'bin:restore': ({ keys }) => fromHistory(restore(keys)),
    'bin:delete': ({ keys }) => fromHistory(remove(keys)),
  };
}

/** The keys in slices. Null: those of all jobs in the bin. */
async function* keysToRestore(
  history: Pick<History, 'binKeys'>,
  keys: readonly string[] | null,
): AsyncGenerator<string[]> {
  if (keys !== null) {
    yield [...new Set(keys)];
    return;
  }
  let after = '';
  for (;;) {
    const some: string[] = await history.binKeys(after, keysAtOnce);
    if (some.length > 0) yield some;
    const last = some.at(-1);
    if (last === undefined || some.length < keysAtOnce) return;
    after = last;
  }
}

/** Restores jobs page by page. Other work continues between the pages. */
async function restoreSome(
  { history, mergeIn, onRestored }: Pick<BinParts, 'history' | 'mergeIn' | 'onRestored'>,
  keys: readonly string[],
  connections: readonly MergeConnection[],
  restored: Restored,
): Promise<void> {
  let left = [...keys];
  while (left.length > 0) {
    const page: Awaited<ReturnType<History['restoreBinned']>> = await history.restoreBinned(left, [...connections]);
    const changed = [...page.added, ...page.enriched];
    for (const { theirKey, key } of page.live) {
      await mergeIn(key, () => history.restoreLiveBinned(theirKey, [...connections]));
      restored.keys.push(key);
    }
    restored.keys.push(...changed.map(({ key }) => key));
    const done = page.lastKey === null ? left.length : left.indexOf(page.lastKey) + 1;
    restored.missing += done - changed.length - page.live.length - page.known;
    left = left.slice(done);
    if (changed.length > 0) onRestored(changed);
  }
}

import type { TagInUse } from '../../src-preload/history.ts';
import { useCall } from './calls.ts';

const none: readonly TagInUse[] = [];

/** The tags in use, the most frequent first. Empty while `isWanted` is false. */
export function useKnownTags(isWanted: boolean): readonly TagInUse[] {
  return useCall('job:tags', isWanted ? undefined : null).data ?? none;
}

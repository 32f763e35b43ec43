import type { TagInUse } from '../../src-preload/history.ts';
import { useCall } from './calls.ts';

const none: readonly TagInUse[] = [];

/** The tags in use, the most frequent first. Empty while `isAsked` is false. */
export function useKnownTags(isAsked: boolean): readonly TagInUse[] {
  return useCall('job:tags', isAsked ? undefined : null).data ?? none;
}

import { mostCounted } from '../../src-preload/history.ts';
import type { TagInUse } from '../../src-preload/tag.ts';
import { formatCount, formatCountOf } from '../../src-preload/format.ts';
import { useCall } from './calls.ts';

const none: readonly TagInUse[] = [];

/** The tags in use, the most frequent first. Empty while `isAsked` is false. */
export function useKnownTags(isAsked: boolean): readonly TagInUse[] {
  return useCall('job:tags', isAsked ? undefined : null).data ?? none;
}

/** How many jobs have a tag, as text. The count stops at `mostCounted`. */
export function jobsWithTag(jobs: number): string {
  return jobs > mostCounted ? `more than ${formatCount(mostCounted)} jobs` : formatCountOf(jobs, 'job');
}

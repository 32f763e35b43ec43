import { mostCounted } from '../../src-preload/history.ts';
import type { TagInUse } from '../../src-preload/tag.ts';
import { formatCount, formatCountOf } from '../design/format.ts';
import { useCall } from './calls.ts';

const none: readonly TagInUse[] = [];

/** The tags in use, the ones on most jobs first; none while they are not asked for. */
export function useKnownTags(isAsked: boolean): readonly TagInUse[] {
  return useCall('job:tags', isAsked ? undefined : null).data ?? none;
}

/** On how many jobs a tag is, in words; they are counted up to `mostCounted`. */
export function jobsWithTag(jobs: number): string {
  return jobs > mostCounted ? `more than ${formatCount(mostCounted)} jobs` : formatCountOf(jobs, 'job');
}

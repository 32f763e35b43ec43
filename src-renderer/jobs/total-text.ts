import type { JobPage } from '../../src-preload/history.ts';
import { formatCount, formatCountOf } from '../../src-preload/format.ts';

/** `12 jobs`, or `5,000+ jobs` where the count stopped. */
export function totalText({ total, isTotalCut }: Pick<JobPage, 'total' | 'isTotalCut'>): string {
  return isTotalCut ? `${formatCount(total)}+ jobs` : formatCountOf(total, 'job');
}

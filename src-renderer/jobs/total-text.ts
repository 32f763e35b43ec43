import type { JobPage } from '../../src-preload/history.ts';
import { formatCount, formatCountOf } from '../design/format.ts';

/** `12 jobs`, `5,000+ jobs`: of more, nobody counts on. */
export function totalText({ total, isTotalCut }: Pick<JobPage, 'total' | 'isTotalCut'>): string {
  return isTotalCut ? `${formatCount(total)}+ jobs` : formatCountOf(total, 'job');
}

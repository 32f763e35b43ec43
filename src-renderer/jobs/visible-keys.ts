import { useJobs } from '../data/jobs-store.ts';
import { makeSections } from './sections.ts';

/** Keys of the rows shown, top to bottom, without those of folded groups. For commands, not for drawing rows. */
export function visibleKeys(): string[] {
  const { list, hasMore, folded } = useJobs.getState();
  return makeSections(list, Date.now(), hasMore)
    .filter((section) => !folded.has(section.id))
    .flatMap((section) => section.keys.slice(section.from, section.from + section.count));
}

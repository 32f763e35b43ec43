import type { Preparation } from '../../src-preload/app.ts';
import { formatCountOf } from '../design/format.ts';

/** What a window says while the history is prepared. Pure. */
export function preparationText({ kind, jobs }: Preparation): { title: string; text: string } {
  const saved = jobs === null ? 'Your saved jobs' : formatCountOf(jobs, 'saved job');
  const are = jobs === 1 ? 'is' : 'are';
  switch (kind) {
    case 'upgrade':
      return {
        title: 'Bringing your history up to date',
        text:
          `${saved} ${are} fitted to this version of Jobdeck, once. The list appears here by itself, and jobs are ` +
          'followed again from then on.',
      };
    case 'check':
      return {
        title: 'Checking your history',
        text:
          `Jobdeck met damage in it, so ${jobs === null ? 'all of it is' : `${saved} ${are}`} read through before ` +
          'anything is added. The list appears here by itself; a file that cannot be used is set aside, never ' +
          'deleted.',
      };
  }
}

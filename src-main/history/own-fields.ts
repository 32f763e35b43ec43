import type { Job } from '../../src-preload/job.ts';

/** A job as the engine knows it, with what belongs to the user as `from` has it. */
export function withOwnFields(job: Job, from: Job): Job {
  const { mark: _mark, label: _label, hasNote: _hasNote, ...rest } = job;
  const { title, isStarred, isSeen, tags, mark, label, hasNote } = from;
  return {
    ...rest,
    title,
    isStarred,
    // Nobody has seen yet how a new attempt ends.
    isSeen: isSeen && job.attempt <= from.attempt,
    tags,
    ...(mark === undefined ? {} : { mark }),
    ...(label === undefined ? {} : { label }),
    ...(hasNote === undefined ? {} : { hasNote }),
  };
}

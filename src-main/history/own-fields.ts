import type { Job } from '../../src-preload/job.ts';

/** A job of the engine, with the user's fields of `from`. */
export function withOwnFields(job: Job, from: Job): Job {
  const { mark: _mark, label: _label, noteLine: _noteLine, ...rest } = job;
  const { title, isStarred, isSeen, tags, mark, label, noteLine } = from;
  return {
    ...rest,
    title,
    isStarred,
    // The end of a new attempt has not been seen yet.
    isSeen: isSeen && job.attempt <= from.attempt,
    tags,
    ...(mark === undefined ? {} : { mark }),
    ...(label === undefined ? {} : { label }),
    ...(noteLine === undefined ? {} : { noteLine }),
  };
}

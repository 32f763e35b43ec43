import type { UnknownJob } from '../../../src-preload/webhook.ts';

/**
 * Jobs that a webhook told of and nobody here knows: submitted elsewhere with our address. Told, never followed by
 * itself (ruling 25).
 */
export interface UnknownJobs {
  note(jobId: string): void;
  /** It is known now: its submission was answered, or it was taken up. */
  known(jobId: string): void;
}

/** Anyone on this machine who knows the path can call: more are not worth keeping. */
const mostKept = 100;

export function createUnknownJobs(now: () => number, onChange: (unknownJobs: UnknownJob[]) => void): UnknownJobs {
  /** By id, newest last. */
  const seen = new Map<string, number>();
  const tell = (): void => onChange([...seen].map(([jobId, atMs]) => ({ jobId, atMs })).toReversed());
  return {
    note(jobId) {
      seen.delete(jobId);
      seen.set(jobId, now());
      for (const id of seen.keys()) {
        if (seen.size <= mostKept) break;
        seen.delete(id);
      }
      tell();
    },
    known(jobId) {
      if (seen.delete(jobId)) tell();
    },
  };
}

import type { Job } from './job.ts';

/** Returns its input. */
export async function handler(job: Job): Promise<unknown> {
  return job.input;
}

import type { Job } from '../../../src-preload/job.ts';

/** What identifies a job at its service. Jobs here with the same id are the same job there. */
export function serviceJobId({ baseUrl, endpointId, jobId }: Pick<Job, 'baseUrl' | 'endpointId' | 'jobId'>): string {
  return JSON.stringify([baseUrl, endpointId, jobId]);
}

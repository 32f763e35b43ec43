import type { z } from 'zod';
import type { codeLanguage, jobRequest, jobRequestLanguage } from './request-code-schema.ts';

/** What a request is written in, to be sent again from elsewhere. */
export type CodeLanguage = z.infer<typeof codeLanguage>;

/** A request about a job that the service has accepted. */
export type JobRequest = z.infer<typeof jobRequest>;

/** What such a request is written in. */
export type JobRequestLanguage = z.infer<typeof jobRequestLanguage>;

const jobRequests: readonly JobRequest[] = ['status', 'stream', 'cancel', 'retry'];

/** The request an operation names; null where it is none about an accepted job. */
export function jobRequestOf(operation: string): JobRequest | null {
  return jobRequests.find((each) => each === operation) ?? null;
}

/** The languages a request about a job can be written in: runpod-sdk has no retry. */
export function languagesOf(request: JobRequest): readonly JobRequestLanguage[] {
  const plain = ['curl', 'powershell', 'fetch', 'python'] as const;
  return request === 'retry' ? plain : [...plain, 'sdk-js'];
}

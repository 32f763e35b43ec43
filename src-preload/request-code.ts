import type { z } from 'zod';
import type { codeLanguage, jobRequest, jobRequestLanguage } from './request-code-schema.ts';

/** The language that a request is written in, to be sent from elsewhere. */
export type CodeLanguage = z.infer<typeof codeLanguage>;

/** A request about a job that the service has accepted. */
export type JobRequest = z.infer<typeof jobRequest>;

/** The languages of such a request. */
export type JobRequestLanguage = z.infer<typeof jobRequestLanguage>;

const jobRequests: readonly JobRequest[] = ['status', 'stream', 'cancel', 'retry'];

/** The request of an operation. Null if it is not about an accepted job. */
export function jobRequestOf(operation: string): JobRequest | null {
  return jobRequests.find((each) => each === operation) ?? null;
}

/** The languages a request about a job can be written in: runpod-sdk has no retry. */
export function languagesOf(request: JobRequest): readonly JobRequestLanguage[] {
  const plain = ['curl', 'powershell', 'fetch', 'python'] as const;
  return request === 'retry' ? plain : [...plain, 'sdk-js'];
}

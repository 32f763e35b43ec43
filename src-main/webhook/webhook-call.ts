import { isJobId } from '../../src-preload/job-id.ts';

/**
 * What a webhook call is taken for: a hint that a job may have ended (ruling 25). Nothing else in the payload is
 * trusted.
 */
export interface WebhookHint {
  jobId: string;
  /** The submission whose own path the call came by; null where it came by the general one, which names none. */
  jobKey: string | null;
}

/** The id of the job that the body of a call is about. Null: it names none. */
export function jobIdIn(body: string): string | null {
  let payload: unknown;
  try {
    payload = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof payload !== 'object' || payload === null || !('id' in payload)) return null;
  const { id } = payload;
  return typeof id === 'string' && isJobId(id) ? id : null;
}

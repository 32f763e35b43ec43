import type { Operation } from '../queue/operations.ts';

/** What is known of a request before it is routed. */
export interface RequestFacts {
  endpointId: string;
  operation: Operation;
  atMs: number;
}

/** `release` is called once when the request is answered or gone, for limits on concurrency. */
export type Admission =
  | { isAdmitted: true; release: () => void }
  | { isAdmitted: false; retryAfterS: number; reason: string };

/** Decides on every authorised queue request before it is routed: the place of the rate limits. */
export type Admit = (request: RequestFacts) => Admission;

export const admitEveryone: Admit = () => ({ isAdmitted: true, release: () => undefined });

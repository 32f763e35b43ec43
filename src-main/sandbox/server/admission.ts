import type { LimitedOperation } from '../operations.ts';

/** What is known of a request before it is routed. */
export interface RequestFacts {
  endpointId: string;
  operation: LimitedOperation;
}

/** `release` is to be called once, when the request is answered or gone: for limits on concurrency. */
export type Admission =
  | { isAdmitted: true; release: () => void }
  | { isAdmitted: false; retryAfterS: number; reason: string };

/** Decides on every authorised queue request before it is routed: the place of the rate limits. */
export type Admit = (request: RequestFacts) => Admission;

const ADMITTED: Admission = { isAdmitted: true, release: () => undefined };

/** `limits: 'off'`. */
export const admitEveryone: Admit = () => ADMITTED;

/**
 * What can go wrong, as data. Every call over the bridge and every request to the service returns a `Result`; nothing
 * is thrown across a border (ruling 7).
 */

/** The kinds of failure of a request to the service (ruling 7). */
export type ServiceFailureKind =
  | 'invalid'
  | 'unauthorized'
  | 'not-found'
  | 'too-large'
  | 'rate-limited'
  | 'server'
  | 'network'
  | 'timeout'
  | 'malformed'
  | 'cancelled';

/** An unexpected reply of the service, or the lack of one. */
export interface ServiceFailure {
  kind: ServiceFailureKind;
  /** One sentence with something the user can do. */
  message: string;
  /** The most useful line of the service's own message, verbatim, if there is one (ruling 6). */
  serviceSaid?: string;
  /** Present if the service answered at all. */
  httpStatus?: number;
  /** The raw reply body, cut at 64 KiB (ruling 6). */
  rawReply?: string;
  /** The wait requested by `Retry-After`, in milliseconds (ruling 10). */
  retryAfterMs?: number;
  /** Set if the body was JSON, so that it is the service's own answer and not the page of a proxy (rulings 34, 35). */
  isJson?: true;
  /**
   * Set if the reply is larger, deeper or more compressed than is ever read (ruling 43). Repeating the request would
   * return it again.
   */
  isBeyondLimits?: true;
  /** False only if it is certain that no byte of the request reached the service (ruling 9). */
  mayHaveArrived: boolean;
}

/** Something inside Jobdeck failed. The service was not involved. */
export type LocalFailure =
  /** An input is invalid. `field` names where. */
  | { kind: 'refused'; message: string; field?: string; position?: { line: number; column: number } }
  /** The job, connection or window does not exist here. */
  | { kind: 'absent'; message: string }
  /** No key saved for this connection. */
  | { kind: 'no-key'; message: string; connectionId: string }
  /** The database or the keychain returned an error. */
  | { kind: 'storage'; message: string; detail?: string }
  /** A defect of Jobdeck. It is logged and shown. */
  | { kind: 'defect'; message: string; detail?: string };

export type Failure = ServiceFailure | LocalFailure;

export type Result<T, F = Failure> = { ok: true; value: T } | { ok: false; failure: F };

/** A success with its value. */
export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

/** A failure as a `Result`. */
export function failed<F>(failure: F): { ok: false; failure: F } {
  return { ok: false, failure };
}

/**
 * What can go wrong, as data. Every call over the bridge and every request to the service answers a `Result`;
 * nothing is thrown across a border (ruling 7).
 */

/** Kinds a request to the service can end with (ruling 7). */
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

/** A reply of the service (or the lack of one) that is not what was asked for. */
export interface ServiceFailure {
  kind: ServiceFailureKind;
  /** One sentence a person can act on. */
  message: string;
  /** The best line the service itself gave, verbatim, when it gave one (ruling 6). */
  serviceSaid?: string;
  /** Present when the service answered at all. */
  httpStatus?: number;
  /** The raw reply body, cut at 64 KiB (ruling 6). */
  rawReply?: string;
  /** Wait asked for by `Retry-After`, in milliseconds (ruling 10). */
  retryAfterMs?: number;
  /** Set when the body was JSON: the service's own word, and no page of a proxy (rulings 34, 35). */
  isJson?: true;
  /**
   * Set when the reply is larger, deeper or more compressed than is ever read (ruling 43): asking again brings it
   * again.
   */
  isBeyondLimits?: true;
  /** False only when it is certain that no byte of the request reached the service (ruling 9). */
  mayHaveArrived: boolean;
}

/** Something inside Jobdeck could not be done; the service was not involved. */
export type LocalFailure =
  /** What was typed does not hold; `field` names where. */
  | { kind: 'refused'; message: string; field?: string; position?: { line: number; column: number } }
  /** The job, connection or window named does not exist here. */
  | { kind: 'absent'; message: string }
  /** No key saved for this connection. */
  | { kind: 'no-key'; message: string; connectionId: string }
  /** The database or the keychain answered an error. */
  | { kind: 'storage'; message: string; detail?: string }
  /** A defect of Jobdeck: kept in the log, said plainly. */
  | { kind: 'defect'; message: string; detail?: string };

export type Failure = ServiceFailure | LocalFailure;

export type Result<T, F = Failure> = { ok: true; value: T } | { ok: false; failure: F };

/** A success carrying `value`. */
export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

/** A failure as a `Result`. */
export function failed<F>(failure: F): { ok: false; failure: F } {
  return { ok: false, failure };
}

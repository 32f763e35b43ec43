/**
 * `spec` answers exactly as the specification says; `observed` answers as the public service was seen to
 * (docs/service/field-notes.md; rulings 1, 14, 27, 32).
 */
export type Dialect = 'spec' | 'observed';

export const DIALECTS: readonly Dialect[] = ['spec', 'observed'];

/** The queue operations (spec: Queue operations); `status-sync` exists in the observed dialect only (ruling 32). */
export const OPERATIONS = {
  run: { method: 'POST', namesJob: false },
  runsync: { method: 'POST', namesJob: false },
  status: { method: 'GET', namesJob: true },
  'status-sync': { method: 'GET', namesJob: true },
  stream: { method: 'GET', namesJob: true },
  cancel: { method: 'POST', namesJob: true },
  retry: { method: 'POST', namesJob: true },
  'purge-queue': { method: 'POST', namesJob: false },
  health: { method: 'GET', namesJob: false },
} as const;

export type Operation = keyof typeof OPERATIONS;

/** Whether a name is an operation of endpoints that the sandbox answers. */
export function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}

/** Only named in the rate-limit table (spec: Queue operations, rule 4): limited, then answered 404. */
export const UNSERVED_OPERATIONS = {
  openai: { method: 'POST', path: '/openai/*' },
  requests: { method: 'GET', path: '/requests' },
} as const;

export type UnservedOperation = keyof typeof UNSERVED_OPERATIONS;

/** Whether a name is an existing operation that the sandbox does not serve. */
export function isUnservedOperation(name: string): name is UnservedOperation {
  return Object.hasOwn(UNSERVED_OPERATIONS, name);
}

/** Everything under an endpoint that a limit may count. */
export type LimitedOperation = Operation | UnservedOperation;

/** The numbers of the specification (spec: Limits, policy object). Times in ms, sizes in bytes. */

/** Ruling 16: the service measures at 2^20; one run body is at most 10 MB. */
export const RUN_BODY_MAX_BYTES = 10 * 2 ** 20;
export const RUNSYNC_BODY_MAX_BYTES = 20 * 2 ** 20;

export const WAIT_MS = { min: 1_000, max: 300_000, default: 90_000 } as const;
/** The observed dialect holds reads of stream. No bounds of that are known, so these are those of wait. */
export const STREAM_WAIT_MS = { min: 0, max: 300_000, default: 10_000 } as const;
/** The longest time of a policy, and of anything in the sandbox. */
export const WEEK_MS = 7 * 24 * 3_600_000;
export const EXECUTION_TIMEOUT_MS = { min: 5_000, max: WEEK_MS, default: 600_000 } as const;
export const TTL_MS = { min: 10_000, max: WEEK_MS, default: 86_400_000 } as const;

export const RUN_RETENTION_MS = 30 * 60_000;
export const RUNSYNC_RETENTION_MS = { max: 300_000, default: 60_000 } as const;

/** 10^6 and not 2^20, so that a chunk is within "1 MB" in either way of counting. */
export const STREAM_CHUNK_MAX_BYTES = 1_000_000;

/**
 * The output of one job as JSON, in UTF-16 units. The specification has no bound; a text of twice this length is more
 * than the engine can hold.
 */
export const OUTPUT_MAX_LENGTH = 256 * 2 ** 20;

export const WEBHOOK_ATTEMPTS = 3;
export const WEBHOOK_PAUSE_MS = 10_000;

/** A handler that was asked to stop and does not yield within this time loses its worker. */
export const STOP_GRACE_MS = 2_000;

export const RATE_WINDOW_MS = 10_000;

/** The rate-limit table (spec: Limits). `perWindow`: requests per 10 s; `concurrent`: simultaneous requests. */
export const RATE_LIMITS = {
  runsync: { perWindow: 2_000, concurrent: 400 },
  run: { perWindow: 1_000, concurrent: 200 },
  status: { perWindow: 2_000, concurrent: 400 },
  /** Not in the table: as for status, of which it is the waiting form (ruling 32), but counted separately. */
  'status-sync': { perWindow: 2_000, concurrent: 400 },
  stream: { perWindow: 2_000, concurrent: 400 },
  cancel: { perWindow: 100, concurrent: 20 },
  'purge-queue': { perWindow: 2, concurrent: Infinity },
  openai: { perWindow: 2_000, concurrent: 400 },
  requests: { perWindow: 10, concurrent: 2 },
  /** Ruling 20: no limit. */
  retry: null,
  health: null,
} as const;

/** An endpoint's health as last read (spec: Health record; ruling 27 for the optional fields). */
export interface Health {
  endpointId: string;
  connectionId: string;
  atMs: number;
  jobs: { completed: number; failed: number; inProgress: number; inQueue: number; retried: number };
  workers: {
    idle: number;
    running: number;
    initializing?: number;
    ready?: number;
    throttled?: number;
    unhealthy?: number;
  };
  /** Counters that the specification does not name, as they came. */
  extra: Record<string, unknown>;
}

/** An endpoint whose last read of health failed, and why. */
export interface HealthReadFailure {
  endpointId: string;
  message: string;
}

/** A sparse history for sparklines: running workers in the last samples, oldest first. */
export interface HealthTrend {
  endpointId: string;
  connectionId: string;
  samples: { atMs: number; inQueue: number; inProgress: number; running: number; idle: number }[];
}

/** A saved point: a single reading, or the readings of a minute or an hour combined. */
export interface HealthPoint {
  /** The time of the reading, or the beginning of the minute or hour. Epoch milliseconds. */
  atMs: number;
  /** 0 for a single reading, otherwise how many milliseconds it stands for. */
  spanMs: number;
  /** Gauges: the last values of combined readings, and the highest number of waiting jobs. */
  inQueue: number;
  maxInQueue: number;
  inProgress: number;
  running: number;
  idle: number;
  /** Ruling 27: null if the service does not report it. */
  initializing: number | null;
  ready: number | null;
  throttled: number | null;
  unhealthy: number | null;
  /** Counters: the last values. They only rise, unless the service restarts. */
  completed: number;
  failed: number;
  retried: number;
}

/** A single reading as a point. */
export function pointOf({ atMs, jobs, workers }: Health): HealthPoint {
  return {
    atMs,
    spanMs: 0,
    inQueue: jobs.inQueue,
    maxInQueue: jobs.inQueue,
    inProgress: jobs.inProgress,
    running: workers.running,
    idle: workers.idle,
    initializing: workers.initializing ?? null,
    ready: workers.ready ?? null,
    throttled: workers.throttled ?? null,
    unhealthy: workers.unhealthy ?? null,
    completed: jobs.completed,
    failed: jobs.failed,
    retried: jobs.retried,
  };
}

/**
 * An endpoint's saved points, oldest first: every reading of the last hour, one per minute for a day, one per hour for
 * a year.
 */
export interface HealthSeries {
  connectionId: string;
  endpointId: string;
  points: HealthPoint[];
}

/** Nearest-rank percentiles in milliseconds. */
export interface Percentiles {
  p50Ms: number;
  p90Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** How long an endpoint's saved jobs waited and ran (spec: Job record; ruling 3). */
export interface JobTimings {
  /** Null: all endpoints of the connection together. */
  endpointId: string | null;
  /** How many completed jobs were counted. */
  count: number;
  delay: Percentiles | null;
  execution: Percentiles | null;
}

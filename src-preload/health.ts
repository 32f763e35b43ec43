/** An endpoint's health as last read (spec: Health record; ruling 27 for the optional ones). */
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
  /** Counters the specification does not name, as they came. */
  extra: Record<string, unknown>;
}

/** A thin history for sparklines: running workers over the last samples, oldest first. */
export interface HealthTrend {
  endpointId: string;
  connectionId: string;
  samples: { atMs: number; inQueue: number; inProgress: number; running: number; idle: number }[];
}

/** What one kept point stands for: a reading as it came, or a minute's or an hour's readings taken together. */
export interface HealthPoint {
  /** A reading's time, or the beginning of the minute or hour. Epoch milliseconds. */
  atMs: number;
  /** 0 for a reading, else the milliseconds it stands for. */
  spanMs: number;
  /** Gauges: of several readings taken together the last, and the most jobs that waited. */
  inQueue: number;
  mostInQueue: number;
  inProgress: number;
  running: number;
  idle: number;
  /** Ruling 27: null where the service does not say. */
  initializing: number | null;
  ready: number | null;
  throttled: number | null;
  unhealthy: number | null;
  /** Counters, as they stood last. They only rise, except for a service that was restarted. */
  completed: number;
  failed: number;
  retried: number;
}

/** A reading as a point of its own. */
export function pointOf({ atMs, jobs, workers }: Health): HealthPoint {
  return {
    atMs,
    spanMs: 0,
    inQueue: jobs.inQueue,
    mostInQueue: jobs.inQueue,
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

/** An endpoint's kept points, oldest first: every reading of the last hour, minutes for a day, hours for a year. */
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
  /** Completed jobs that were counted. */
  count: number;
  delay: Percentiles | null;
  execution: Percentiles | null;
}

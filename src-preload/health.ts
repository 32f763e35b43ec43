/** An endpoint's health as last read (spec: Health record; ruling 27 for the optional ones). */
export interface Health {
  endpointId: string;
  connectionId: string;
  atMs: number;
  jobs: { completed: number; failed: number; inProgress: number; inQueue: number; retried: number };
  workers: { idle: number; running: number; initializing?: number; ready?: number; throttled?: number; unhealthy?: number };
  /** Counters the specification does not name, as they came. */
  extra: Record<string, unknown>;
}

/** A thin history for sparklines: running workers over the last samples, oldest first. */
export interface HealthTrend {
  endpointId: string;
  connectionId: string;
  samples: { atMs: number; inQueue: number; inProgress: number; running: number; idle: number }[];
}

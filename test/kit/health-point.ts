import type { HealthPoint } from '../../src-preload/health.ts';

/** A reading of an endpoint's health. Counts that are not given are 0, or not reported. */
export function aHealthPoint(atMs: number, counts: Partial<HealthPoint> = {}): HealthPoint {
  return {
    atMs,
    spanMs: 0,
    inQueue: 0,
    maxInQueue: counts.inQueue ?? 0,
    inProgress: 0,
    running: 0,
    idle: 0,
    initializing: null,
    ready: null,
    throttled: null,
    unhealthy: null,
    completed: 0,
    failed: 0,
    retried: 0,
    ...counts,
  };
}

import type { HealthPoint } from '../../../../src-preload/health.ts';

/** A reading at a time, without activity except for what is given. */
export function aPoint(atMs: number, changes: Partial<HealthPoint> = {}): HealthPoint {
  const inQueue = changes.inQueue ?? 0;
  return {
    atMs,
    spanMs: 0,
    inQueue,
    mostInQueue: inQueue,
    inProgress: 0,
    running: 0,
    idle: 1,
    initializing: null,
    ready: null,
    throttled: null,
    unhealthy: null,
    completed: 0,
    failed: 0,
    retried: 0,
    ...changes,
  };
}

/** Readings every five seconds from `fromMs` on, each created from its number. */
export function readings(
  fromMs: number,
  count: number,
  of: (index: number) => Partial<HealthPoint> = () => ({}),
): HealthPoint[] {
  return Array.from({ length: count }, (_, index) => aPoint(fromMs + index * 5_000, of(index)));
}

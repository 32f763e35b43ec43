import type { HealthPoint } from '../../../../src-preload/health.ts';
import { aHealthPoint } from '../../../kit/health-point.ts';

/** A reading of an endpoint with an idle worker, without activity except for what is given. */
export function aPoint(atMs: number, changes: Partial<HealthPoint> = {}): HealthPoint {
  return aHealthPoint(atMs, { idle: 1, ...changes });
}

/** Readings every five seconds from `fromMs` on, each created from its number. */
export function readings(
  fromMs: number,
  count: number,
  of: (index: number) => Partial<HealthPoint> = () => ({}),
): HealthPoint[] {
  return Array.from({ length: count }, (_, index) => aPoint(fromMs + index * 5_000, of(index)));
}

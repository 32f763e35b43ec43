import { gaugeNames } from '../messages/health/charts.ts';
import { hatch, withOpacity, type ChartColors } from './chart-colors.ts';
import { isReported, type Columns, type Gauge } from './columns.ts';

/** One area of a stacked chart. */
export interface Layer {
  gauge: Gauge;
  name: string;
}

/** From the bottom up. */
export const jobLayers: readonly Layer[] = [
  { gauge: 'inProgress', name: gaugeNames.inProgress },
  { gauge: 'queued', name: gaugeNames.queued },
];

const usualWorkerLayers: readonly Layer[] = [
  { gauge: 'running', name: gaugeNames.running },
  { gauge: 'idle', name: gaugeNames.idle },
];
const reportedWorkerLayers: readonly Layer[] = [
  { gauge: 'initializing', name: gaugeNames.initializing },
  { gauge: 'throttled', name: gaugeNames.throttled },
  { gauge: 'unhealthy', name: gaugeNames.unhealthy },
];

/** The worker states to draw: those of the specification, and others if the service reports them (ruling 27). */
export function workerLayers(columns: Columns): Layer[] {
  return [...usualWorkerLayers, ...reportedWorkerLayers.filter((layer) => isReported(columns, layer.gauge))];
}

/** Drawn as a line, not as an area, because the idle workers are among the ready ones. */
export const readyLayer: Layer = { gauge: 'ready', name: gaugeNames.ready };

/** Line and area of a gauge. Each has its own texture, so that colour is never the only difference. */
export function paintOf(gauge: Gauge, colors: ChartColors): { line: string; area: string | CanvasPattern } {
  switch (gauge) {
    case 'queued':
      return {
        line: colors.queue,
        area: hatch(withOpacity(colors.queue, 0.75), withOpacity(colors.queue, 0.17), 8, 1.3),
      };
    case 'inProgress':
      return { line: colors.run, area: withOpacity(colors.run, 0.3) };
    case 'running':
      return { line: colors.run, area: withOpacity(colors.run, 0.3) };
    case 'idle':
      return { line: colors.idle, area: colors.idleArea };
    case 'ready':
      return { line: colors.axis, area: 'transparent' };
    case 'initializing':
      return {
        line: withOpacity(colors.run, 0.7),
        area: hatch(withOpacity(colors.run, 0.5), withOpacity(colors.run, 0.1), 6, 1),
      };
    case 'throttled':
      return {
        line: colors.timeout,
        area: hatch(withOpacity(colors.timeout, 0.6), withOpacity(colors.timeout, 0.15), 6, 2),
      };
    case 'unhealthy':
      return { line: colors.fail, area: withOpacity(colors.fail, 0.3) };
  }
}

/** The stacked values of the layers, from the top one down, as a chart draws them. Null for unknown values. */
export function stacked(columns: Columns, layers: readonly Layer[]): (number | null)[][] {
  const sums: (number | null)[][] = [];
  let below: (number | null)[] = columns.atMs.map(() => 0);
  for (const layer of layers) {
    const values = columns.values[layer.gauge];
    const [first] = layers;
    // Where the first layer is known, an unreported one counts as 0.
    const known = first === undefined ? values : columns.values[first.gauge];
    below = below.map((sum, index) => (known[index] == null || sum === null ? null : sum + (values[index] ?? 0)));
    sums.unshift(below);
  }
  return sums;
}

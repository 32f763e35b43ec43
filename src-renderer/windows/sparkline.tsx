import type { HealthTrend } from '../../src-preload/health.ts';
import styles from './sidebar.module.css';

const width = 52;
const height = 14;
const steps = 16;

/** One series as a stepped area path, aligned to the right. `top` is the value at full height. */
function stepPath(values: readonly number[], top: number): string {
  const stepWidth = width / steps;
  const left = width - values.length * stepWidth;
  const y = (value: number): string => (height - (Math.min(value, top) / top) * (height - 1)).toFixed(1);
  const line = values
    .map(
      (value, index) =>
        `L${(left + index * stepWidth).toFixed(1)} ${y(value)}L${(left + (index + 1) * stepWidth).toFixed(1)} ` +
        y(value),
    )
    .join('');
  return `M${left.toFixed(1)} ${height}${line}L${width} ${height}Z`;
}

/** Workers in the last health readings: running ones in front of all that are up. */
export function Sparkline({ samples }: { samples: HealthTrend['samples'] }) {
  const last = samples.slice(-steps);
  const top = Math.max(4, ...last.map((sample) => sample.running + sample.idle));
  return (
    <svg className={styles.spark} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {last.length > 0 && (
        <>
          <path
            className={styles.up}
            d={stepPath(
              last.map((sample) => sample.running + sample.idle),
              top,
            )}
          />
          <path
            className={styles.running}
            d={stepPath(
              last.map((sample) => sample.running),
              top,
            )}
          />
        </>
      )}
      <path className={styles.base} d={`M0 ${height - 0.5}H${width}`} />
    </svg>
  );
}

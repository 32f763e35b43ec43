import styles from './meter.module.css';

interface MeterProps {
  value: number;
  max: number;
  label: string;
  width?: number;
}

/** How much of something limited is used. `label` is its accessible name. */
export function Meter({ value, max, label, width = 56 }: MeterProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <span
      className={styles.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      style={{ width }}
    >
      <span className={styles.fill} style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </span>
  );
}

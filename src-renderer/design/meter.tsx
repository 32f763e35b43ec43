import styles from './meter.module.css';

interface MeterProps {
  value: number;
  max: number;
  label: string;
  width?: number;
}

/** How much of something limited is used. `label` is the accessible name. */
export function Meter({ value, max, label, width = 56 }: MeterProps) {
  const used = Math.min(value, max);
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={used}
      className={styles.meter}
      style={{ width }}
    >
      <div className={styles.fill} style={{ width: `${max > 0 ? (used / max) * 100 : 0}%` }} />
    </div>
  );
}

import { Meter as Base } from '@base-ui/react/meter';
import styles from './meter.module.css';

interface MeterProps {
  value: number;
  max: number;
  label: string;
  width?: number;
}

/** How much of something limited is used. `label` is the accessible name. */
export function Meter({ value, max, label, width = 56 }: MeterProps) {
  return (
    <Base.Root value={Math.min(value, max)} max={max} aria-label={label} className={styles.meter} style={{ width }}>
      <Base.Track className={styles.track}>
        <Base.Indicator className={styles.fill} />
      </Base.Track>
    </Base.Root>
  );
}

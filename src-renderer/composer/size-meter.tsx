import type { ReactElement } from 'react';
import { payloadLimitBytes, type SubmitOperation } from '../../src-preload/job.ts';
import { formatBytes } from '../../src-preload/format.ts';
import styles from './size-meter.module.css';

/** The meter is hidden for smaller bodies. */
const worthShowingBytes = 100_000;

/** The size of the body compared with the limits of run and runsync (spec: Limits; ruling 16). */
export function SizeMeter({ bytes, operation }: { bytes: number; operation: SubmitOperation }): ReactElement {
  if (bytes < worthShowingBytes) return <span className={styles.small}>{formatBytes(bytes)}</span>;
  const isOver = bytes >= payloadLimitBytes[operation];
  const said =
    bytes >= payloadLimitBytes.runsync
      ? 'over both limits'
      : bytes >= payloadLimitBytes.run
        ? 'runsync only'
        : 'run or runsync';
  return (
    <span
      className={styles.meter}
      role="meter"
      aria-label="Body size"
      aria-valuemin={0}
      aria-valuemax={payloadLimitBytes.runsync}
      aria-valuenow={bytes}
      aria-valuetext={`${formatBytes(bytes)}, ${said}`}
    >
      <span className={styles.track}>
        <span
          className={isOver ? styles.over : styles.fill}
          style={{ width: `${Math.min(100, (bytes / payloadLimitBytes.runsync) * 100)}%` }}
        />
        <span className={styles.mark} />
      </span>
      <span className={styles.words}>
        <span className={isOver ? styles.overText : styles.value}>
          {formatBytes(bytes)}, {said}
        </span>
        <span>run 10, runsync 20 MB</span>
      </span>
    </span>
  );
}

import type { ReactElement } from 'react';
import type { SubmitOperation } from '../../src-preload/job.ts';
import { payloadLimitBytes } from '../../src-preload/job-bounds.ts';
import { formatBytes } from '../../src-preload/format.ts';
import { bodySizeText } from '../messages/composer/input.ts';
import styles from './size-meter.module.css';

/** The meter is hidden for smaller bodies. */
const worthShowingBytes = 100_000;

/** The size of the body compared with the limits of run and runsync (spec: Limits; ruling 16). */
export function SizeMeter({ bytes, operation }: { bytes: number; operation: SubmitOperation }): ReactElement {
  if (bytes < worthShowingBytes) return <span className={styles.small}>{formatBytes(bytes)}</span>;
  const isOver = bytes >= payloadLimitBytes[operation];
  const sizeText =
    bytes >= payloadLimitBytes.runsync
      ? bodySizeText.overBoth(bytes)
      : bytes >= payloadLimitBytes.run
        ? bodySizeText.runsyncOnly(bytes)
        : bodySizeText.either(bytes);
  return (
    <span
      className={styles.meter}
      role="meter"
      aria-label={bodySizeText.label}
      aria-valuemin={0}
      aria-valuemax={payloadLimitBytes.runsync}
      aria-valuenow={bytes}
      aria-valuetext={sizeText}
    >
      <span className={styles.track}>
        <span
          className={isOver ? styles.over : styles.fill}
          style={{ width: `${Math.min(100, (bytes / payloadLimitBytes.runsync) * 100)}%` }}
        />
        <span className={styles.mark} />
      </span>
      <span className={styles.words}>
        <span className={isOver ? styles.overText : styles.value}>{sizeText}</span>
        <span>{bodySizeText.limits}</span>
      </span>
    </span>
  );
}

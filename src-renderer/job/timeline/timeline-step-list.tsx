import { HardDriveDownload } from 'lucide-react';
import { classes } from '../../design/class-names.ts';
import { StatusGlyph } from '../../design/status-glyph.tsx';
import { useNow } from '../../data/use-now.ts';
import { formatWhen } from '../../messages/job/formats.ts';
import { stepText, timelineText } from '../../messages/job/timeline.ts';
import { timelineStepsOf } from './timeline-steps.ts';
import type { AttemptFacts } from './attempt-facts.ts';
import styles from '../side-column.module.css';

/**
 * The timeline in a job's own window, from top to bottom. `asOfMs`: until when the state of a live job is known; null:
 * now.
 */
export function TimelineStepList({ facts, asOfMs }: { facts: AttemptFacts; asOfMs: number | null }) {
  const nowMs = useNow(1_000);
  return (
    <ol className={styles.steps} aria-label={timelineText.timeline}>
      {timelineStepsOf(facts, nowMs, asOfMs ?? nowMs).map((step) => (
        <li key={step.id} className={styles.step}>
          <span className={styles.node}>
            {step.kind === 'leaves' ? (
              <HardDriveDownload size={16} aria-hidden="true" />
            ) : (
              <StatusGlyph kind={step.kind} size={16} />
            )}
          </span>
          <div>
            <p className={styles['step-head']}>
              <span className={styles['step-title']}>{step.title}</span>
              {step.atMs !== null && <span className={styles['step-time']}>{formatWhen(step.atMs, nowMs)}</span>}
            </p>
            <p className={styles['step-detail']}>
              {step.strong !== '' && (
                <span className={classes(styles['step-strong'], step.isShort && styles.short)}>{step.strong}</span>
              )}
              {step.detail}
            </p>
            {step.left !== null && (
              <span className={styles.meter}>
                <span
                  className={classes(styles['meter-fill'], step.isShort && styles['meter-short'])}
                  style={{ width: `${(step.left * 100).toFixed(1)}%` }}
                />
              </span>
            )}
          </div>
        </li>
      ))}
      {facts.isLive && asOfMs !== null && <li className={styles['as-of']}>{stepText.statusAsOf(nowMs - asOfMs)}</li>}
    </ol>
  );
}

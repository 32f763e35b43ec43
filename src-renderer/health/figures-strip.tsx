import { Clock, Cpu, Gauge as GaugeIcon } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Health, HealthPoint } from '../../src-preload/health.ts';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { useCertainUntil } from '../data/certainty.ts';
import { useNow } from '../data/use-now.ts';
import { figureText, progressNote, queueNote, workersNote } from '../messages/health/figures.ts';
import { clearingFigure, clearingTime, queuedBefore, durationFigure, workersSeen } from './figures.ts';
import type { OurJob } from './our-jobs.ts';
import styles from './figures-strip.module.css';

interface BigFigureProps {
  name: string;
  icon: ReactNode;
  value: string;
  unit: string;
  note: ReactNode;
  tone?: 'queue' | undefined;
}

/** One figure with its name, unit and meaning. */
export function BigFigure({ name, icon, value, unit, note, tone }: BigFigureProps) {
  return (
    <div className={styles.figure} role="group" aria-label={name}>
      <div className={styles.name}>
        {icon}
        <span className="trunc">{name}</span>
      </div>
      <div className={styles.line}>
        <span className={classes(styles.value, tone === 'queue' && styles.queue)}>{value}</span>
        {unit !== '' && <span className={styles.unit}>{unit}</span>}
      </div>
      <div className={styles.note}>{note}</div>
    </div>
  );
}

export interface FiguresStripProps {
  points: readonly HealthPoint[];
  last: HealthPoint;
  health: Health | null;
  oldest: OurJob | null;
  /** The figures are old. */
  isStale: boolean;
  nowMs: number;
  onShowJob: (key: string) => void;
}

/** The endpoint's state in five figures. */
export function FiguresStrip({ points, last, health, oldest, isStale, nowMs, onShowJob }: FiguresStripProps) {
  const clearing = useMemo(() => clearingFigure(clearingTime(points, last.atMs + last.spanMs)), [points, last]);
  const seen = useMemo(() => workersSeen(points), [points]);
  return (
    <div className={classes(styles.strip, isStale && styles.stale)}>
      <BigFigure
        name={figureText.inQueue}
        icon={<StatusGlyph kind="queue" />}
        value={formatCount(last.inQueue)}
        unit={figureText.jobs(last.inQueue)}
        note={queueNote(last.inQueue, queuedBefore(points, nowMs))}
        tone={last.inQueue > 0 ? 'queue' : undefined}
      />
      <BigFigure
        name={figureText.inProgress}
        icon={<StatusGlyph kind="run" />}
        value={formatCount(last.inProgress)}
        unit={figureText.jobs(last.inProgress)}
        note={progressNote(last)}
      />
      <BigFigure
        name={figureText.workersRunning}
        icon={<Cpu size={14} />}
        value={formatCount(last.running)}
        unit={figureText.workersSeen(Math.max(seen, last.running))}
        note={workersNote(last, health)}
      />
      <OldestWait oldest={oldest} onShowJob={onShowJob} />
      <BigFigure name={figureText.clearingTime} icon={<GaugeIcon size={14} />} {...clearing} />
    </div>
  );
}

/** Only of our own jobs: the service does not say how long others have waited. */
function OldestWait({ oldest, onShowJob }: { oldest: OurJob | null; onShowJob: (key: string) => void }) {
  const icon = <Clock size={14} />;
  if (oldest === null)
    return <BigFigure name={figureText.oldestWait} icon={icon} value="–" unit="" note={figureText.noneWaiting} />;
  return <TickingWait oldest={oldest} icon={icon} onShowJob={onShowJob} />;
}

interface TickingWaitProps {
  oldest: OurJob;
  icon: ReactNode;
  onShowJob: (key: string) => void;
}

/** It counts up as long as it is certain that the job waits, as in the list. */
function TickingWait({ oldest, icon, onShowJob }: TickingWaitProps) {
  const asOfMs = useCertainUntil(oldest.knownMs, oldest.connectionId);
  const nowMs = useNow(1_000);
  return (
    <BigFigure
      name={figureText.oldestWait}
      icon={icon}
      {...durationFigure((asOfMs ?? nowMs) - oldest.sinceMs)}
      note={
        <span className={styles.oldest}>
          <button type="button" className={styles.link} title={oldest.title} onClick={() => onShowJob(oldest.key)}>
            {figureText.job(oldest.jobId ?? oldest.key)}
          </button>
          {asOfMs !== null && <span className={styles.whole}>{figureText.asOf(nowMs - asOfMs)}</span>}
        </span>
      }
    />
  );
}

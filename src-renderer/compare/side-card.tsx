import { X } from 'lucide-react';
import { endpointName } from '../../src-preload/connection.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { formatClock, formatDay } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { MarkGlyph } from '../job/mark-glyph.tsx';
import { compareSides, goToJob } from '../navigation/go.ts';
import { sideText } from '../messages/compare/pane.ts';
import { statusKindOf } from './fact-rows.ts';
import { letters, type SideRead } from './sides.ts';
import styles from './compare.module.css';

interface SideCardProps {
  side: SideRead;
  at: number;
  all: readonly SideRead[];
  /** The job is not named, because the pair is being judged. */
  isBlind: boolean;
  /** If there are two sides, the other one becomes the baseline. */
  onSwap: () => void;
}

/** One side: its letter, its job, and the button that removes it. */
export function SideCard({ side, at, all, isBlind, onSwap }: SideCardProps) {
  const { job, attempts } = side.detail;
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const isFormer = side.attempt !== null && side.attempt.number !== job.attempt;
  const sentAtMs = isFormer ? (side.attempt?.startedAtMs ?? job.createdAtMs) : job.createdAtMs;
  const rest = all.filter((each) => each !== side).map((each) => each.side);
  return (
    <div className={styles.card}>
      <div className={styles.cardTop}>
        <Letter at={at} onBaseline={() => (all.length === 2 ? onSwap() : compareSides([side.side, ...rest]))} />
        <StatusGlyph kind={statusKindOf(side)} size={14} />
        <button
          type="button"
          className={styles.name}
          title={isBlind ? undefined : job.title}
          onClick={() => goToJob(job.key)}
        >
          {isBlind ? sideText.name(letters[at] ?? '') : job.title}
        </button>
        {rest.length > 1 && (
          <IconButton
            label={sideText.remove(letters[at] ?? '')}
            size="sm"
            hasSmallGlyph
            icon={<X />}
            onClick={() => compareSides(rest)}
          />
        )}
      </div>
      {!isBlind && (
        <div className={styles.cardMeta}>
          {job.jobId !== null && <span className="mono">{job.jobId.slice(0, 8)}</span>}
          <span className="trunc">{endpointName(findEndpoint(connections, job.connectionId, job.endpointId))}</span>
          <span>
            {formatDay(sentAtMs, nowMs)}, {formatClock(sentAtMs)}
          </span>
          {attempts.length > 1 && <span>{sideText.attempt(side.attempt?.number ?? job.attempt)}</span>}
          {job.mark !== undefined && <MarkGlyph mark={job.mark} />}
        </div>
      )}
    </div>
  );
}

/** A is the baseline. A click on another letter makes that side the baseline. */
function Letter({ at, onBaseline }: { at: number; onBaseline: () => void }) {
  const letter = letters[at] ?? '';
  if (at === 0)
    return (
      <span className={styles.letterHold} title={sideText.baseline}>
        <span className={styles.letter} data-letter={letter}>
          {letter}
        </span>
      </span>
    );
  return (
    <Tooltip text={sideText.makeBaseline(letter)}>
      <button
        type="button"
        className={styles.letterHold}
        aria-label={sideText.makeBaseline(letter)}
        onClick={onBaseline}
      >
        <span className={styles.letter} data-letter={letter}>
          {letter}
        </span>
      </button>
    </Tooltip>
  );
}

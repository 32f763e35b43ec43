import { CircleCheck, Clock, HardDrive, HardDriveDownload, Hourglass, RotateCcw, Undo2 } from 'lucide-react';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../../design/class-names.ts';
import { StatusGlyph, statusTextClass } from '../../design/status-glyph.tsx';
import { useNow } from '../../data/use-now.ts';
import { stripText, timelineText } from '../../messages/job/timeline.ts';
import type { AttemptFacts } from './attempt-facts.ts';
import { timelineOf, type TimelineMark, type MarkIcon, type Segment } from './timeline.ts';
import styles from './timeline-strip.module.css';

/** No phase is narrower (design language: Timeline strip). */
export const minSegmentPx = 22;
/** Between two segments. */
const gapPx = 2;

/**
 * Widths in px of the segments on a lane of `lanePx` and the gaps between them. Phases do not share a scale: a wait
 * grows with the logarithm of its time up to a quarter of the lane, a run up to two fifths, fixed ones shrink if the
 * lane is narrow, and the rest gets what is left. The sum is the lane; no segment is below `minSegmentPx` if the lane
 * has that much room.
 */
export function laneWidths(segments: readonly Segment[], lanePx: number): number[] {
  if (segments.length === 0) return [];
  const available = Math.max(0, lanePx - gapPx * (segments.length - 1));
  const min = Math.min(minSegmentPx, available / segments.length);
  const widths = segments.map(({ wants }) => {
    switch (wants.kind) {
      case 'rest':
        return min;
      case 'fixed':
        return Math.max(min, Math.min(wants.px, available * 0.24));
      case 'duration': {
        const decades = Math.log10(1 + Math.max(0, wants.ms) / 1000);
        const [perDecade, share] = wants.scale === 'wait' ? [34, 0.25] : [140, 0.4];
        return Math.max(min, Math.min(min + perDecade * decades, available * share));
      }
    }
  });
  const spare = available - widths.reduce((sum, width) => sum + width, 0);
  const rests = segments.flatMap(({ wants }, index) => (wants.kind === 'rest' ? [index] : []));
  const takers = rests.length > 0 ? rests : [segments.length - 1];
  if (spare > 0) for (const index of takers) widths[index] = (widths[index] ?? 0) + spare / takers.length;
  return widths;
}

/** Queued, running, then time left on the server. What is saved here is separate (design language: Timeline strip). */
export const TimelineStrip = memo(function TimelineStrip({
  facts,
  asOfMs,
}: {
  facts: AttemptFacts;
  /** Until when the shown state of a live job is certain. Null while it is. */
  asOfMs: number | null;
}) {
  // A running time in tenths of a second changes ten times a second, everything else once.
  const secondMs = useNow(1_000);
  const isFast = facts.isLive && facts.runningSinceMs !== null && secondMs - facts.runningSinceMs < 60_000;
  const nowMs = useNow(isFast && asOfMs === null ? 100 : 1_000);
  const timeline = timelineOf(facts, nowMs, asOfMs ?? nowMs);
  const isUncertain = facts.isLive && asOfMs !== null;
  const { kept } = timeline;
  return (
    <section className={classes(styles.strip, isUncertain && styles.uncertain)} aria-label={timelineText.timeline}>
      <Lane segments={timeline.segments} />
      <div className={styles.marks}>
        {timeline.marks.map((mark) => (
          <MarkText key={mark.id} mark={mark} />
        ))}
      </div>
      {timeline.former !== null && (
        <p className={styles.former}>
          <Undo2 size={12} aria-hidden="true" />
          {timeline.former}
        </p>
      )}
      <div className={styles.foot}>
        <span className={classes(styles.fact, timeline.isTtlShort && styles.short)}>
          {timeline.ttlLeft !== null && (
            <>
              <Hourglass size={12} aria-hidden="true" />
              <span>{stripText.ttl}</span>
              <span className={styles.strong}>{timeline.ttlLeft}</span>
            </>
          )}
          {timeline.endedAt !== null && (
            <>
              <Clock size={12} aria-hidden="true" />
              <span>{timelineText.ended}</span>
              <span className={styles.strong}>{timeline.endedAt}</span>
            </>
          )}
        </span>
        <span className={styles.fact}>
          <HardDrive size={12} aria-hidden="true" />
          {kept.label !== '' && <span>{kept.label}</span>}
          <span className={styles.strong}>{kept.strong}</span>
          {(isUncertain || kept.rest !== '') && (
            <span className={styles.rest}>{isUncertain ? stripText.statusAsOf(nowMs - asOfMs) : kept.rest}</span>
          )}
        </span>
      </div>
    </section>
  );
});

function Lane({ segments }: { segments: readonly Segment[] }) {
  const lane = useRef<HTMLDivElement>(null);
  const [widthPx, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = lane.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const widths = laneWidths(segments, widthPx);
  return (
    <div ref={lane} className={styles.lane} aria-hidden="true">
      {segments.map((segment, index) => {
        const share = `${(segment.fill * 100).toFixed(2)}%`;
        const hasHead = segment.texture === 'track' && segment.fillKind !== null;
        return (
          <span
            key={segment.id}
            className={classes(styles.segment, styles[`texture-${segment.texture}`])}
            style={{ width: widths[index] }}
          >
            {(segment.texture === 'track' || segment.texture === 'retention') && segment.fill > 0 && (
              <i
                className={classes(
                  styles.fill,
                  segment.fillKind === null ? styles['fill-retention'] : styles[`texture-${segment.fillKind}`],
                )}
                style={{ width: share }}
              />
            )}
            {hasHead && (
              <i
                className={classes(styles.headmark, segment.fillKind !== null && styles[`head-${segment.fillKind}`])}
                style={{ left: share }}
              />
            )}
            {segment.texture === 'track' && <i className={styles.tick} />}
          </span>
        );
      })}
    </div>
  );
}

function MarkText({ mark }: { mark: TimelineMark }) {
  return (
    <div className={classes(styles.mark, styles[`mark-${mark.id}`])}>
      <span className={styles.label}>
        <Icon icon={mark.icon} />
        <FittingText long={mark.label} short={mark.short?.label} below={mark.short?.below} className="trunc" />
      </span>
      <span className={styles.line}>
        {mark.value !== '' && (
          <span className={classes(styles.value, mark.tone !== null && statusTextClass(mark.tone))}>{mark.value}</span>
        )}
        {mark.detail !== '' && (
          <FittingText
            long={mark.detail}
            short={mark.short?.detail}
            below={mark.short?.below}
            className={classes(styles.detail, 'trunc')}
          />
        )}
      </span>
    </div>
  );
}

interface FittingTextProps {
  long: string;
  short: string | undefined;
  below: 'medium' | 'narrow' | undefined;
  className: string;
}

/** The long form if there is room, otherwise the short one. CSS decides which. */
function FittingText({ long, short, below = 'narrow', className }: FittingTextProps) {
  if (short === undefined) return <span className={className}>{long}</span>;
  return (
    <>
      <span className={classes(className, styles[`long-${below}`])}>{long}</span>
      <span className={classes(className, styles[`brief-${below}`])} title={long}>
        {short}
      </span>
    </>
  );
}

function Icon({ icon }: { icon: MarkIcon }) {
  switch (icon) {
    case 'done-outline':
      return <CircleCheck size={12} aria-hidden="true" />;
    case 'leaves':
      return <HardDriveDownload size={12} aria-hidden="true" />;
    case 'retry':
      return <RotateCcw size={12} aria-hidden="true" />;
    default:
      return <StatusGlyph kind={icon} size={12} />;
  }
}

import { memo, useCallback, useEffect, useRef, useState } from 'react';
import type { BodyText } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { classes } from '../design/class-names.ts';
import { useSteps, type Steps } from '../stream/use-steps.ts';
import type { FoundFile } from './find-images.ts';
import { MediaPlayer, type MediaHandle } from './media-player.tsx';
import { readOutput } from './output-views.ts';
import { placeText, segmentAt, type TranscriptSegment } from './transcript.ts';
import { useBody } from './use-body.ts';
import styles from './transcript-view.module.css';

interface TranscriptViewProps {
  job: Job;
  segments: readonly TranscriptSegment[];
  /** Files of the output; where none is a sound, one of the input is played. */
  files: readonly FoundFile[];
}

/** The spoken text, each part with its time. A click plays from there if the recording is known. */
export function TranscriptView({ job, segments, files }: TranscriptViewProps) {
  const own = files.find(isPlayed) ?? null;
  const ofInput = useMediaOfInput(job, own === null);
  const file = own ?? ofInput;
  const player = useRef<MediaHandle>(null);
  const [at, setAt] = useState(-1);
  const list = useRef<HTMLOListElement>(null);
  const playFrom = useCallback((seconds: number) => player.current?.playFrom(seconds), []);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div className={styles.view}>
      {file !== null && (
        <div className={styles.player}>
          <MediaPlayer
            key={file.path}
            file={file}
            name={file.filename ?? (own === null ? 'the recording' : file.path)}
            handle={player}
            onPlace={(seconds) => setAt(segmentAt(segments, seconds))}
          />
          {own === null && <p className={styles.note}>From the input.</p>}
        </div>
      )}
      <ol ref={list} className={styles.segments} aria-label="Transcript" tabIndex={0}>
        {segments.map((segment, index) => (
          <Segment key={index} segment={segment} isCurrent={index === at} onPlay={file === null ? null : playFrom} />
        ))}
      </ol>
    </div>
  );
}

interface SegmentProps {
  segment: TranscriptSegment;
  isCurrent: boolean;
  /** Null where there is nothing to play. */
  onPlay: ((seconds: number) => void) | null;
}

const Segment = memo(function Segment({ segment, isCurrent, onPlay }: SegmentProps) {
  const { startSeconds, text } = segment;
  const content = (
    <>
      <span className={styles.time}>{placeText(startSeconds)}</span>
      <span dir="auto">{text}</span>
    </>
  );
  return (
    <li className={styles.segment} aria-current={isCurrent || undefined}>
      {onPlay === null ? (
        <div className={styles.line}>{content}</div>
      ) : (
        <button type="button" className={classes(styles.line, styles.pressed)} onClick={() => onPlay(startSeconds)}>
          {content}
        </button>
      )}
    </li>
  );
});

function isPlayed({ kind }: FoundFile): boolean {
  return kind !== 'file';
}

/** A larger input is not read for its recording. */
const mostInputBytes = 48_000_000;

/** The recording that a job was sent; null while it is not wanted or not found. */
function useMediaOfInput({ key }: Job, isWanted: boolean): FoundFile | null {
  const body = useBody({ key, part: 'input', attempt: null, isWanted });
  const kept = body.current.state === 'ready' ? body.current.body : null;
  const { loadWhole } = body;
  useEffect(() => {
    if (kept !== null && kept.isCut && kept.bytes <= mostInputBytes) loadWhole();
  }, [kept, loadWhole]);
  const start = useCallback(() => mediaIn(kept), [kept]);
  const read = useSteps(start);
  return read?.start === start ? read.result : null;
}

function* mediaIn(kept: BodyText | null): Steps<FoundFile | null> {
  if (kept === null || kept.isCut) return null;
  const { images } = yield* readOutput(kept.text, false);
  return images.files.find(isPlayed) ?? null;
}

import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { BodyText } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { classes } from '../../design/class-names.ts';
import { SearchBar } from '../../design/search-bar.tsx';
import { formatPosition } from '../../messages/job/formats.ts';
import { transcriptText } from '../../messages/job/media.ts';
import { createTextSearch, partsOfRow, type TextSearch } from '../../stream/text-search.ts';
import { useSteps, type Steps } from '../../stream/use-steps.ts';
import { useTextSearch, type ShownSearch } from '../../stream/use-text-search.ts';
import type { FoundFile } from '../media/find-images.ts';
import { MediaPlayer, type MediaHandle } from '../media/media-player.tsx';
import { readOutput } from '../output-views.ts';
import { segmentWith, spokenTextOf } from './spoken-text.ts';
import { segmentAt, unsureBelow, type TranscriptSegment } from './transcript.ts';
import { useBody } from '../use-body.ts';
import styles from './transcript-view.module.css';

interface TranscriptViewProps {
  job: Job;
  segments: readonly TranscriptSegment[];
  /** The files of the output. If none of them is a recording, one of the input is played. */
  files: readonly FoundFile[];
  /** Shows the search. */
  isFinding: boolean;
  onFindEnd: () => void;
}

/** The height of a segment of one line. */
const lineHeightPx = 32;

/** The spoken text, each part with its time. A click plays from there if the recording is known. */
export function TranscriptView({ job, segments, files, isFinding, onFindEnd }: TranscriptViewProps) {
  const own = files.find(isPlayed) ?? null;
  const ofInput = useMediaOfInput(job, own === null);
  const file = own ?? ofInput;
  const player = useRef<MediaHandle>(null);
  const [at, setAt] = useState(-1);
  const scroller = useRef<HTMLDivElement>(null);
  // Only segments in view are drawn, because a long recording has tens of thousands.
  const virtualizer = useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeightPx,
    overscan: 8,
  });
  const playFrom = useCallback((seconds: number) => player.current?.playFrom(seconds), []);
  useEffect(() => {
    if (at !== -1) virtualizer.scrollToIndex(at);
  }, [at, virtualizer]);
  const spoken = useMemo(() => spokenTextOf(segments), [segments]);
  const createSearch = useCallback((wanted: string) => createTextSearch(spoken, wanted), [spoken]);
  const topPlace = (): number => {
    const top = scroller.current?.scrollTop ?? 0;
    return spoken.starts[virtualizer.getVirtualItemForOffset(top)?.index ?? 0] ?? 0;
  };
  const find = useTextSearch(createSearch, spoken, topPlace, (search, match) =>
    virtualizer.scrollToIndex(segmentWith(spoken, search.matches[match] ?? 0), { align: 'center' }),
  );
  const shownFind = isFinding && find.wanted !== '' ? find : null;
  // The browser's own scrolling to an end is animated, and would stop where segments are measured on the way.
  const goToEnd = (event: KeyboardEvent): void => {
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    virtualizer.scrollToIndex(event.key === 'Home' ? 0 : segments.length - 1);
  };
  return (
    <div className={styles.view}>
      {file !== null && (
        <div className={styles.player}>
          <MediaPlayer
            key={file.path}
            file={file}
            name={file.filename ?? (own === null ? transcriptText.recording : file.path)}
            handle={player}
            onPlace={(seconds) => setAt(segmentAt(segments, seconds))}
          />
          {own === null && <p className={styles.note}>{transcriptText.fromInput}</p>}
        </div>
      )}
      {isFinding && <SearchBar label={transcriptText.search} search={find} onClose={onFindEnd} returnTo={scroller} />}
      <div
        ref={scroller}
        className={styles.segments}
        role="group"
        aria-label={transcriptText.scroller}
        tabIndex={0}
        onKeyDown={goToEnd}
      >
        <ol
          className={styles.list}
          aria-label={transcriptText.transcript}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const segment = segments[index];
            return segment === undefined ? null : (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={styles.segment}
                aria-current={index === at || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Segment
                  segment={segment}
                  isTurn={segment.speaker !== (segments[index - 1]?.speaker ?? null)}
                  start={spoken.starts[index] ?? 0}
                  find={shownFind}
                  onPlay={file === null ? null : playFrom}
                />
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}

interface SegmentProps {
  segment: TranscriptSegment;
  /** Whether another one spoke before. */
  isTurn: boolean;
  /** Where its text begins in that of the transcript, for the marks of a search. */
  start: number;
  /** Null: nothing is searched for. */
  find: ShownSearch<TextSearch> | null;
  /** Null if there is nothing to play. */
  onPlay: ((seconds: number) => void) | null;
}

const Segment = memo(function Segment({ segment, isTurn, start, find, onPlay }: SegmentProps) {
  const { startSeconds, speaker, parts, confidence } = segment;
  const content = (
    <>
      <span className={styles.time}>{formatPosition(startSeconds)}</span>
      <span dir="auto">
        {isTurn && speaker !== null && <span className={styles.speaker}>{speaker}</span>}
        {withStarts(parts, start).map(({ text, isUnsure, from }, at) => (
          <span
            key={at}
            className={isUnsure ? styles.unsure : undefined}
            title={isUnsure ? transcriptText.unsureWords : undefined}
          >
            {find === null ? text : <Marked text={text} from={from} find={find} />}
          </span>
        ))}
      </span>
      {confidence !== null && confidence < unsureBelow && (
        <span className={styles.confidence} title={transcriptText.unsure}>
          {transcriptText.confidence(confidence)}
        </span>
      )}
    </>
  );
  return onPlay === null ? (
    <div className={styles.line}>{content}</div>
  ) : (
    <button type="button" className={classes(styles.line, styles.pressed)} onClick={() => onPlay(startSeconds)}>
      {content}
    </button>
  );
});

/** The parts of a segment, and where each begins in the text of the transcript. */
function withStarts(parts: TranscriptSegment['parts'], start: number) {
  let from = start;
  return parts.map((part) => {
    const placed = { ...part, from };
    from += part.text.length;
    return placed;
  });
}

function Marked({ text, from, find }: { text: string; from: number; find: ShownSearch<TextSearch> }) {
  return partsOfRow(text, from, find.search).map((part, index) =>
    part.match === null ? (
      part.text
    ) : (
      <mark key={index} className={styles.match} aria-current={part.match === find.at || undefined}>
        {part.text}
      </mark>
    ),
  );
}

function isPlayed({ kind }: FoundFile): boolean {
  return kind !== 'file';
}

/** A larger input is not searched for a recording. */
const maxInputBytes = 48_000_000;

/** The recording in a job's input. Null if it is not wanted or not found. */
function useMediaOfInput({ key }: Job, isWanted: boolean): FoundFile | null {
  const body = useBody({ key, part: 'input', attempt: null, isWanted });
  const kept = body.current.state === 'ready' ? body.current.body : null;
  const { loadWhole } = body;
  useEffect(() => {
    if (kept !== null && kept.isCut && kept.bytes <= maxInputBytes) loadWhole();
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

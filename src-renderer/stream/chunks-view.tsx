import { X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { formatBytes } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import type { StreamChunk } from '../../src-preload/job.ts';
import type { OutputTimes } from '../../src-preload/settings.ts';
import { SearchBar } from '../design/search-bar.tsx';
import { useChunkPages } from './chunk-pages.ts';
import { previewParts, prettyJson } from './chunk-preview.ts';
import { JumpToLive } from './jump-to-live.tsx';
import type { StreamLog } from './stream-log.ts';
import { arrivalText } from './stream-times.ts';
import { useChunkFind } from './use-chunk-find.ts';
import { useSteps, type Steps } from './use-steps.ts';
import { useFixedRows } from './use-fixed-rows.ts';
import { useFollow } from './use-follow.ts';
import { chunksText, streamText } from '../messages/stream/output.tsx';
import styles from './chunks-view.module.css';

const rowPx = 26;
/** How much of its JSON a row shows at most. */
const previewChars = 400;
/** How much of an open chunk is shown. Copying takes all of it. */
const openChars = 200_000;
/** Formatted JSON may be longer than the original, but not longer than this. */
const maxLaidOutChars = 400_000;

export interface ChunksViewProps {
  log: StreamLog;
  version: unknown;
  jobKey: string;
  attempt: number;
  /** More may come. */
  isLive: boolean;
  isFollowing: boolean;
  onFollowChange: (isFollowing: boolean) => void;
  /** How the time of arrival is shown: on the clock, unless it is since the start. */
  times: OutputTimes;
  /** When the attempt began to run, epoch milliseconds. */
  startMs: number;
  /** Whether a long line of an open chunk wraps. */
  isWrapped: boolean;
  /** Shows the search, until `onFindEnd` is called. */
  isFinding: boolean;
  onFindEnd: () => void;
}

/** Every chunk as it came: number, time of arrival, JSON. A press shows all of it below. */
export function ChunksView(props: ChunksViewProps) {
  const { log, version, jobKey, attempt, isLive, isFollowing, onFollowChange, isFinding } = props;
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const { scroller, onScroll } = useFollow(version, isFollowing, onFollowChange);
  const view = useFixedRows(scroller, log.chunkCount, rowPx);
  const pages = useChunkPages(
    log,
    { key: jobKey, attempt },
    { from: view.from + view.skipped, to: view.to + view.skipped },
  );
  const goTo = (index: number): void => {
    const element = scroller.current;
    if (element === null) return;
    onFollowChange(false);
    const top = (index - view.skipped) * rowPx;
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - rowPx)
      element.scrollTo({ top: top - element.clientHeight / 3 });
    view.onScroll();
  };
  const find = useChunkFind(
    { log, jobKey, attempt, version },
    () => Math.floor((scroller.current?.scrollTop ?? 0) / rowPx) + view.skipped,
    goTo,
  );
  const open = openIndex === null ? undefined : pages.at(openIndex);
  const shown: number[] = [];
  for (let row = view.from; row < view.to; row += 1) shown.push(row);
  return (
    <div className={styles.table}>
      {isFinding && <SearchBar label={streamText.search} search={find} onClose={props.onFindEnd} returnTo={scroller} />}
      <div className={styles.head} aria-hidden="true">
        <span className={styles.seq}>#</span>
        <span>{chunksText.received}</span>
        <span>{chunksText.output}</span>
      </div>
      {pages.problem !== null && (
        <p className={styles.problem} role="alert">
          {pages.problem}
        </p>
      )}
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={() => {
          onScroll();
          view.onScroll();
        }}
        tabIndex={0}
        role="list"
        aria-label={chunksText.chunks}
      >
        <div className={styles.rows} style={{ height: view.heightPx }}>
          {shown.map((row) => {
            const index = row + view.skipped;
            return (
              <div
                key={row}
                role="listitem"
                className={styles.row}
                style={{ transform: `translateY(${row * rowPx}px)` }}
              >
                <Row
                  index={index}
                  chunk={pages.at(index)}
                  isOpen={index === openIndex}
                  isCurrent={isFinding && index === find.current}
                  wanted={isFinding ? find.wanted : ''}
                  timeText={(atMs) => arrivalText(atMs, props.times, props.startMs)}
                  onOpen={() => setOpenIndex(index === openIndex ? null : index)}
                />
              </div>
            );
          })}
        </div>
      </div>
      {isLive && !isFollowing && <JumpToLive onJump={() => onFollowChange(true)} />}
      {open !== undefined && <Whole chunk={open} isWrapped={props.isWrapped} onClose={() => setOpenIndex(null)} />}
    </div>
  );
}

interface RowProps {
  index: number;
  chunk: StreamChunk | undefined;
  isOpen: boolean;
  /** The match gone to. */
  isCurrent: boolean;
  wanted: string;
  timeText: (atMs: number) => string;
  onOpen: () => void;
}

function Row({ index, chunk, isOpen, isCurrent, wanted, timeText, onOpen }: RowProps) {
  if (chunk === undefined)
    return (
      <span className={styles.line}>
        <span className={styles.seq}>{index}</span>
      </span>
    );
  return (
    <button
      type="button"
      className={classes(styles.line, isOpen && styles.open)}
      aria-expanded={isOpen}
      aria-current={isCurrent || undefined}
      onClick={onOpen}
    >
      <span className={styles.seq}>{chunk.seq}</span>
      {chunk.isRebuilt === true ? (
        <Tooltip text={chunksText.rebuiltHint} side="top">
          <span className={styles.rebuilt}>{chunksText.rebuilt}</span>
        </Tooltip>
      ) : (
        <span className={styles.time}>{timeText(chunk.receivedAtMs)}</span>
      )}
      <span className="trunc" dir="auto">
        {previewParts(chunk.outputJson, wanted, previewChars).map(({ text, isMatch }, at) =>
          isMatch ? (
            <mark key={at} className={styles.match}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </span>
    </button>
  );
}

function Whole({ chunk, isWrapped, onClose }: { chunk: StreamChunk; isWrapped: boolean; onClose: () => void }) {
  return (
    <section className={styles.whole} aria-label={chunksText.chunk(chunk.seq)}>
      <div className={styles['whole-head']}>
        <span className={styles['whole-title']}>{chunksText.chunk(chunk.seq)}</span>
        <span className="cap t3 num">{formatBytes(chunk.outputJson.length)}</span>
        {chunk.isRebuilt === true && <span className="cap t3">{chunksText.rebuiltHint}</span>}
        <span className={styles.gap} />
        <CopyButton label={chunksText.copy} text={() => chunk.outputJson} />
        <IconButton label={chunksText.close} size="sm" hasSmallGlyph icon={<X />} onClick={onClose} />
      </div>
      <div className={styles['whole-body']} data-wrapped={isWrapped} tabIndex={0}>
        <Pretty json={chunk.outputJson} />
        {chunk.metricsJson !== null && (
          <>
            <p className="micro t3">{chunksText.metrics}</p>
            <Pretty json={chunk.metricsJson} />
          </>
        )}
      </div>
    </section>
  );
}

/** Formatted JSON, or the original if formatting would make it many times as long because it is deeply nested. */
function Pretty({ json }: { json: string }) {
  const start = useCallback(() => layOut(json), [json]);
  const laidOut = useSteps(start);
  if (laidOut?.start !== start) return null;
  const { text, isTooDeep } = laidOut.result;
  return (
    <>
      {isTooDeep && <p className="cap t3">{chunksText.tooDeep}</p>}
      <pre>{text}</pre>
    </>
  );
}

function* layOut(json: string): Steps<{ text: string; isTooDeep: boolean }> {
  if (json.length > openChars) return { text: `${json.slice(0, openChars)}\n…`, isTooDeep: false };
  const text = yield* prettyJson(json);
  const isTooDeep = text.length > maxLaidOutChars;
  return { text: isTooDeep ? json : text, isTooDeep };
}

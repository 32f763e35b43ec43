import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { callOrReport } from '../call-or-report.ts';
import { SearchBar } from '../design/search-bar.tsx';
import { streamText } from '../messages/stream/output.tsx';
import { JumpToLive } from './jump-to-live.tsx';
import { rowText } from './text-rows.ts';
import { createTextSearch, partsOfRow, type TextSearch } from './text-search.ts';
import { joinText, type TextSource } from './text-source.ts';
import { useFixedRows, type FixedRows } from './use-fixed-rows.ts';
import { useFollow } from './use-follow.ts';
import { useSelectAll } from './use-select-all.ts';
import { useTextRows, type CutText } from './use-text-rows.ts';
import { useTextSearch, type ShownSearch } from './use-text-search.ts';
import styles from './live-text.module.css';

const rowPx = 19;
/** Room for times beside the rows, as in the style sheet. */
const timesPx = 92;
/** A line that does not wrap is cut here all the same: a row of megabytes would stop the window. */
const unwrappedColumns = 4_000;

export interface PlainTextProps {
  source: TextSource;
  /** Changes whenever the source has grown. */
  version: unknown;
  /** More may come. */
  isLive?: boolean;
  isFollowing: boolean;
  onFollowChange: (isFollowing: boolean) => void;
  /** Shows the search, until `onFindEnd` is called. */
  isFinding?: boolean;
  onFindEnd?: () => void;
  /** Whether lines wrap at the edge of the pane; otherwise one scrolls sideways. */
  isWrapped?: boolean | undefined;
  /** The time to show beside a row: of what begins within that stretch of the text. Without it there are no times. */
  timeWithin?: ((from: number, to: number) => string | null) | undefined;
  /** Copies everything. By default the source's text is copied. */
  onCopyAll?: (() => void) | undefined;
}

/**
 * Text of any length as virtualised rows of equal height, to scroll, search and copy. It only ever grows. Only the rows
 * in view are in the document, so it has its own "select all" and "find".
 */
export function PlainText({
  source,
  version,
  isLive = false,
  isFollowing,
  onFollowChange,
  isFinding = false,
  onFindEnd = () => {},
  isWrapped = true,
  timeWithin,
  onCopyAll,
}: PlainTextProps) {
  const probe = useRef<HTMLSpanElement>(null);
  const hasTimes = timeWithin !== undefined;
  const [room, setRoom] = useState<Room | null>(null);
  const cut = useTextRows(source, version, room === null ? null : isWrapped ? room.columns : unwrappedColumns);
  const count = cut?.rows.count ?? 0;
  const { scroller, isScrolled, onScroll } = useFollow(count, isFollowing, onFollowChange);
  useRoom(scroller, probe, hasTimes ? timesPx : 0, setRoom);
  const view = useFixedRows(scroller, count, rowPx);
  const place = usePlaceInView(scroller, cut, view, isFollowing);
  const all = useSelectAll(() =>
    onCopyAll === undefined ? callOrReport('app:copyText', { text: joinText(source) }) : onCopyAll(),
  );
  const createSearch = useCallback((wanted: string) => createTextSearch(source, wanted), [source]);
  const find = useTextSearch(createSearch, version, place.inView, ({ matches }, at) => {
    onFollowChange(false);
    place.show(matches[at] ?? 0);
  });
  useEffect(() => {
    if (isWrapped || find.at === -1) return;
    scroller.current?.querySelector('mark[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [find.at, isWrapped, scroller]);

  const widePx = isWrapped || cut === null ? null : Math.ceil(cut.rows.widest * (room?.cellPx ?? 0));
  const shown: number[] = [];
  for (let index = view.from; index < view.to; index += 1) shown.push(index);
  return (
    <>
      {isFinding && <SearchBar label={streamText.search} search={find} onClose={onFindEnd} returnTo={scroller} />}
      <div
        ref={scroller}
        className={styles.scroller}
        data-scrolled={isScrolled || undefined}
        tabIndex={0}
        role="document"
        aria-label={streamText.output}
        onScroll={() => {
          onScroll();
          view.onScroll();
          place.onScroll();
        }}
        onKeyDown={all.onKeyDown}
        onPointerDown={all.end}
      >
        <span ref={probe} className={styles.probe} aria-hidden="true">
          0123456789
        </span>
        {view.skipped > 0 && <p className={styles.note}>{streamText.linesHidden(view.skipped)}</p>}
        <div
          className={styles.rows}
          style={{ height: view.heightPx, minWidth: widePx === null ? undefined : widePx + (hasTimes ? timesPx : 0) }}
          data-selected={all.isSelected || undefined}
          data-times={hasTimes || undefined}
        >
          {cut !== null &&
            shown.map((index) => (
              <div key={index} className={styles.line} style={{ transform: `translateY(${index * rowPx}px)` }}>
                {timeWithin !== undefined && <RowTime cut={cut} row={index + view.skipped} timeWithin={timeWithin} />}
                <Row cut={cut} row={index + view.skipped} find={isFinding ? find : null} />
              </div>
            ))}
        </div>
      </div>
      {isLive && !isFollowing && <JumpToLive onJump={() => onFollowChange(true)} />}
    </>
  );
}

/** What fits beside each other in the pane. */
interface Room {
  columns: number;
  cellPx: number;
}

/** Measures what fits in the scroller beside `takenPx`, by the ten characters of the probe, whenever it is resized. */
function useRoom(
  scroller: RefObject<HTMLElement | null>,
  probe: RefObject<HTMLElement | null>,
  takenPx: number,
  onMeasured: (room: Room) => void,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    const cellPx = (probe.current?.getBoundingClientRect().width ?? 0) / 10;
    if (element === null || cellPx === 0) return undefined;
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const roomPx = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - takenPx;
      onMeasured({ columns: Math.floor(roomPx / cellPx), cellPx });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, probe, takenPx, onMeasured]);
}

interface RowTimeProps {
  cut: CutText;
  row: number;
  timeWithin: NonNullable<PlainTextProps['timeWithin']>;
}

/** When the first chunk arrived that begins in a row; empty where none does. */
function RowTime({ cut: { rows }, row, timeWithin }: RowTimeProps) {
  return <span className={styles.time}>{timeWithin(rows.startOf(row), rows.startOf(row + 1))}</span>;
}

function Row({ cut, row, find }: { cut: CutText; row: number; find: ShownSearch<TextSearch> | null }) {
  const text = rowText(cut.source, cut.rows, row);
  // The former rows stay for a moment while another text is being searched.
  if (find === null || find.search.matches.length === 0) return text;
  return partsOfRow(text, cut.rows.startOf(row), find.search).map((part, index) =>
    part.match === null ? (
      <span key={index}>{part.text}</span>
    ) : (
      <mark key={index} className={styles.match} aria-current={part.match === find.at || undefined}>
        {part.text}
      </mark>
    ),
  );
}

/** The place of the text at the top of the view: kept when the rows are cut again, and changed by a search. */
function usePlaceInView(
  scroller: RefObject<HTMLElement | null>,
  cut: CutText | null,
  { skipped, onScroll: onMoved }: FixedRows,
  isFollowing: boolean,
) {
  const place = useRef(0);
  const former = useRef<CutText | null>(null);
  const wanted = useRef<number | null>(null);
  const topOf = (row: number): number => (row - skipped) * rowPx;
  const scrollTo = (element: HTMLElement, top: number): void => {
    element.scrollTop = top;
    // Called directly: an event would come a frame later, and that frame would have the rows of the former place.
    onMoved();
  };
  useLayoutEffect(() => {
    if (former.current !== null && former.current !== cut && cut !== null && scroller.current !== null && !isFollowing)
      scrollTo(scroller.current, topOf(cut.rows.rowAt(place.current)));
    former.current = cut;
    // Only now, when the page is as tall as its rows. A search can be ahead of the cutting.
    const at = wanted.current;
    if (at === null || cut === null || scroller.current === null || !isCutTo(cut, at)) return;
    wanted.current = null;
    const { scrollTop, clientHeight } = scroller.current;
    const top = topOf(cut.rows.rowAt(at));
    if (top < scrollTop + rowPx || top > scrollTop + clientHeight - 3 * rowPx)
      scrollTo(scroller.current, top - clientHeight / 3);
  });
  return {
    inView: () => place.current,
    onScroll: () => {
      if (cut !== null && scroller.current !== null)
        place.current = cut.rows.startOf(Math.floor(scroller.current.scrollTop / rowPx) + skipped);
    },
    /** Scrolls to a place with the next render that has its row, unless it is in view already. */
    show: (at: number) => {
      wanted.current = at;
    },
  };
}

function isCutTo({ rows }: CutText, place: number): boolean {
  return place < rows.startOf(rows.count);
}

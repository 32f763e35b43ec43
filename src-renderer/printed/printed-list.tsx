import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ListFilter } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject, useMemo } from 'react';
import { formatClock } from '../../src-preload/format.ts';
import { classes } from '../design/class-names.ts';
import { SearchBar, type SearchState } from '../design/search-bar.tsx';
import { printedStreamNames, printedText } from '../messages/printed.ts';
import { JumpToLive } from '../stream/jump-to-live.tsx';
import { useFollow } from '../stream/use-follow.ts';
import { type PrintedRow, matchesIn } from './printed-rows.ts';
import styles from './printed-list.module.css';

/** A search in rows. `currentId`: the id of the row that was gone to. */
interface PrintedFind extends SearchState {
  currentId: number | null;
}

/** Finds rows by their text. `goTo` brings the row with this index into view. */
function usePrintedFind(rows: readonly PrintedRow[], goTo: (index: number) => void): PrintedFind {
  const [wanted, setWanted] = useState('');
  const [currentId, setCurrentId] = useState<number | null>(null);
  const matches = useMemo(() => matchesIn(rows, wanted), [rows, wanted]);
  const at = matches.findIndex((index) => rows[index]?.id === currentId);

  const go = (list: readonly number[], place: number): void => {
    const index = list.at(place % list.length);
    const row = index === undefined ? undefined : rows[index];
    if (index === undefined || row === undefined) return setCurrentId(null);
    setCurrentId(row.id);
    goTo(index);
  };
  return {
    wanted,
    currentId: at === -1 ? null : currentId,
    setWanted: (text) => {
      setWanted(text);
      // What was printed last is what one looks for first.
      go(matchesIn(rows, text), -1);
    },
    found: wanted === '' ? '' : printedText.found(Math.max(at, 0), matches.length),
    next: () => go(matches, at + 1),
    previous: () => go(matches, at === -1 ? -1 : at - 1),
  };
}

const rowPx = 20;

interface PrintedListProps {
  rows: readonly PrintedRow[];
  isWrapped: boolean;
  /** Shows the search, until `onFindEnd` is called. */
  isFinding: boolean;
  onFindEnd: () => void;
  /** What is done with the job of a row, if the rows say where they were printed. */
  ofJob?: JobActions;
}

interface JobActions {
  show: (jobId: string) => void;
  showOnly: (jobId: string) => void;
}

/** Printed lines, the newest last. The list scrolls along until the user scrolls up. */
export function PrintedList({ rows, isWrapped, isFinding, onFindEnd, ofJob }: PrintedListProps) {
  const [isFollowing, setFollowing] = useState(true);
  const { scroller, onScroll } = useFollow(rows, isFollowing, setFollowing);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  useStillRows(scroller, virtualizer, rows, isFollowing);
  const find = usePrintedFind(rows, (index) => {
    setFollowing(false);
    virtualizer.scrollToIndex(index, { align: 'center' });
  });
  return (
    <div className={styles.list} data-wrapped={isWrapped}>
      {isFinding && <SearchBar label={printedText.find} search={find} onClose={onFindEnd} returnTo={scroller} />}
      {ofJob !== undefined && <Head />}
      <div
        ref={scroller}
        className={styles.scroller}
        role="list"
        aria-label={printedText.lines}
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={item.key}
                ref={isWrapped ? virtualizer.measureElement : undefined}
                data-index={item.index}
                role="listitem"
                className={classes(styles.row, isFinding && row.id === find.currentId && styles.current)}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row.kind === 'gap' ? (
                  <span className={styles.gap}>{printedText.gap(row.count)}</span>
                ) : (
                  <>
                    <span className={styles.time}>{formatClock(row.atMs)}</span>
                    {row.from !== null && ofJob !== undefined && <Place from={row.from} ofJob={ofJob} />}
                    <span className={styles.stream} title={printedStreamNames[row.stream].whole}>
                      {printedStreamNames[row.stream].short}
                    </span>
                    <span className={styles.text}>
                      <Found text={row.text} wanted={isFinding ? find.wanted : ''} />
                      {row.cutChars > 0 && <span className={styles.more}>{printedText.more(row.cutChars)}</span>}
                    </span>
                  </>
                )}
              </div>
            );
          })}
        </div>
      </div>
      {!isFollowing && virtualizer.getTotalSize() > (scroller.current?.clientHeight ?? 0) && (
        <JumpToLive onJump={() => setFollowing(true)} />
      )}
    </div>
  );
}

/** The names of the columns. Each row says the same to a screen reader, so they are for the eye. */
function Head() {
  const { time, worker, job, line } = printedText.columns;
  return (
    <div className={styles.head} aria-hidden="true">
      <span className={styles.time}>{time}</span>
      <span className={styles.worker}>{worker}</span>
      <span className={styles.job}>{job}</span>
      <span className={styles.stream} />
      <span>{line}</span>
    </div>
  );
}

interface PlaceProps {
  from: { endpointId: string; workerId: string; jobId: string | null };
  ofJob: JobActions;
}

/** The worker and the job of a line. */
function Place({ from: { endpointId, workerId, jobId }, ofJob }: PlaceProps) {
  const shortId = jobId?.slice(0, 8) ?? '';
  return (
    <>
      <span className={classes(styles.worker, 'trunc')} title={`${endpointId} ${workerId}`}>
        {endpointId} {workerId.slice(0, 4)}
      </span>
      <span className={styles.job} title={jobId === null ? printedText.noJob : undefined}>
        {jobId === null ? (
          '–'
        ) : (
          <>
            <button
              type="button"
              className={styles.link}
              aria-label={printedText.showJob(shortId)}
              onClick={() => ofJob.show(jobId)}
            >
              {shortId}
            </button>
            <button
              type="button"
              className={styles.only}
              aria-label={printedText.onlyJob(shortId)}
              title={printedText.onlyJob(shortId)}
              onClick={() => ofJob.showOnly(jobId)}
            >
              <ListFilter size={12} aria-hidden="true" />
            </button>
          </>
        )}
      </span>
    </>
  );
}

/** A text with every match marked. */
function Found({ text, wanted }: { text: string; wanted: string }) {
  if (wanted === '') return text;
  const lower = text.toLowerCase();
  const sought = wanted.toLowerCase();
  const parts: { text: string; isFound: boolean; at: number }[] = [];
  let from = 0;
  for (let at = lower.indexOf(sought); at !== -1; at = lower.indexOf(sought, from)) {
    parts.push({ text: text.slice(from, at), isFound: false, at: from });
    parts.push({ text: text.slice(at, at + sought.length), isFound: true, at });
    from = at + sought.length;
  }
  parts.push({ text: text.slice(from), isFound: false, at: from });
  return parts.map((part) => (part.isFound ? <mark key={part.at}>{part.text}</mark> : part.text));
}

/** Keeps visible rows in place while older ones are dropped above them. */
function useStillRows(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rows: readonly PrintedRow[],
  isFollowing: boolean,
): void {
  const anchor = useRef<{ id: number; offsetPx: number } | null>(null);
  const placed = useRef(rows);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { current } = anchor;
    const isSame = placed.current === rows;
    placed.current = rows;
    // A scroll that has just ended the following is not undone.
    if (isSame || element === null || isFollowing || current === null) return;
    const index = rows.findIndex((row) => row.id >= current.id);
    const start = virtualizer.measurementsCache[index]?.start;
    if (start !== undefined) element.scrollTo({ top: start + current.offsetPx });
  }, [scroller, virtualizer, rows, isFollowing]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const remember = (): void => {
      const item = virtualizer.getVirtualItemForOffset(element.scrollTop);
      const row = item === undefined ? undefined : rows[item.index];
      anchor.current =
        row === undefined || item === undefined ? null : { id: row.id, offsetPx: element.scrollTop - item.start };
    };
    remember();
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, [scroller, virtualizer, rows]);
}

import { ArrowUp, ChevronDown, ChevronRight } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MouseEvent, RefObject } from 'react';
import type { Connection, Endpoint } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import { callOrSay } from '../call-or-say.ts';
import { formatCount } from '../design/format.ts';
import { findEndpoint, useCurrentConnection, useNow, useSession } from '../data/session-store.ts';
import { searchText } from './highlight.tsx';
import { JobRow, rowId, type RowForm } from './job-row.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { layOut, rowsInView, scrollToShow } from './row-window.ts';
import { makeSections, oldestWait, sectionSummary, type Section } from './sections.ts';
import { visibleKeys } from './visible-keys.ts';
import styles from './job-list-view.module.css';

const headHeight = 30;
const rowHeights: Readonly<Record<RowForm, number>> = { comfortable: 52, compact: 30, table: 30 };
/** Rows kept ready outside the view, five at either end. */
const overscan = 5;
/** The next page is fetched when this many rows are left below the view. */
const rowsAhead = 120;

/** The grouped list. Only rows in view, and ten more, are in the document. */
export function JobListView({ form }: { form: RowForm }) {
  const list = useJobs((state) => state.list);
  const folded = useJobs((state) => state.folded);
  const hasMore = useJobs((state) => state.hasMore);
  const selectedKey = useJobs((state) => state.selectedKey);
  const pickedKeys = useJobs((state) => state.pickedKeys);
  const snippets = useJobs((state) => state.snippets);
  const searched = useJobs((state) => state.filter.text);
  const waitingNew = useJobs((state) => state.waitingNew);
  const runTimes = useSession((state) => state.runTimes);
  const endpointOf = useEndpoints();
  const nowMs = useNow(60_000);

  const rowHeight = rowHeights[form];
  const sections = useMemo(() => makeSections(list, nowMs, hasMore), [list, nowMs, hasMore]);
  const { boxes, height } = useMemo(
    () =>
      layOut(
        sections.map((section) => (folded.has(section.id) ? 0 : section.count)),
        headHeight,
        rowHeight,
      ),
    [sections, folded, rowHeight],
  );
  const words = useMemo(() => searchText(searched), [searched]);

  const { scroller, view, measure } = useView();

  useEffect(() => {
    if (hasMore && view.top + view.height > height - rowsAhead * rowHeight) void useJobs.getState().loadMore();
  }, [hasMore, view, height, rowHeight, list]);

  useHold(scroller);
  useFollowFocus(scroller, sections, boxes, folded, rowHeight, selectedKey);

  const press = useCallback(
    (key: string, event: MouseEvent) => {
      scroller.current?.focus({ preventScroll: true });
      pressRow(key, event);
    },
    [scroller],
  );
  const open = useCallback((key: string) => callOrSay('window:openJob', { key }), []);

  return (
    <div className={styles.frame}>
      {waitingNew > 0 && (
        <button
          type="button"
          className={styles.chip}
          onClick={() => {
            useJobs.getState().showNew();
            scroller.current?.scrollTo({ top: 0 });
          }}
        >
          <ArrowUp size={12} />
          {formatCount(waitingNew)} new
        </button>
      )}
      <div
        ref={scroller}
        className={styles.scroller}
        role="listbox"
        aria-label="Jobs"
        aria-multiselectable="true"
        aria-activedescendant={selectedKey === null ? undefined : rowId(selectedKey)}
        tabIndex={0}
        data-job-list
        onScroll={measure}
        onFocus={(event) => {
          // Reached by Tab with no row in focus: the first one takes it, so that arrows have a beginning.
          const [first] = selectedKey === null && event.target.matches(':focus-visible') ? visibleKeys() : [];
          if (first !== undefined) useJobs.getState().focus(first);
        }}
      >
        {sections.map((section, index) => {
          const box = boxes[index];
          if (box === undefined || box.top > view.top + view.height + 200 || box.top + box.height < view.top - 200)
            return box === undefined ? null : <div key={section.id} style={{ height: box.height }} />;
          const { from, to } = rowsInView(box, headHeight, rowHeight, view.top, view.height, overscan);
          return (
            <div
              key={section.id}
              role="group"
              aria-label={section.title}
              className={styles.section}
              style={{ height: box.height }}
            >
              <SectionHead section={section} isFolded={folded.has(section.id)} />
              {section.keys.slice(section.from + from, section.from + to).map((key, offset) => {
                const job = list.get(key);
                return job === undefined ? null : (
                  <JobRow
                    key={key}
                    job={job}
                    endpoint={endpointOf(job)}
                    runTimes={runTimes[job.endpointId]}
                    form={form}
                    top={headHeight + (from + offset) * rowHeight}
                    isFocused={key === selectedKey}
                    isPicked={pickedKeys.has(key)}
                    words={words}
                    snippet={snippets[key]}
                    onPress={press}
                    onOpen={open}
                  />
                );
              })}
            </div>
          );
        })}
        {hasMore && <div className={styles.more}>Loading older jobs</div>}
      </div>
    </div>
  );
}

interface View {
  top: number;
  height: number;
}

/** What of the list is on screen, in pixels, kept up with the size of the list's frame. */
function useView(): { scroller: RefObject<HTMLDivElement | null>; view: View; measure: () => void } {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, height: 800 });
  const measure = useCallback(() => {
    const element = scroller.current;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);
  return { scroller, view, measure };
}

/** A press shows the job; with a key held, or on its glyph, it is picked with others. */
function pressRow(key: string, event: MouseEvent): void {
  const isOnGlyph = event.target instanceof Element && event.target.closest('[data-pick]') !== null;
  const jobs = useJobs.getState();
  if (isOnGlyph || event.ctrlKey || event.metaKey) {
    jobs.togglePicked(key);
    if (!jobs.isDetailOpen) jobs.focus(key);
  } else if (event.shiftKey && jobs.selectedKey !== null) jobs.pick(keysBetween(jobs.selectedKey, key));
  else jobs.select(key);
}

function SectionHead({ section, isFolded }: { section: Section; isFolded: boolean }) {
  const list = useJobs((state) => state.list);
  const summary = useMemo(() => sectionSummary(section, list), [section, list]);
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.head}
      aria-expanded={!isFolded}
      onClick={() => useJobs.getState().toggleFolded(section.id)}
    >
      {isFolded ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
      {section.title}
      <span className={styles.count}>
        {formatCount(section.count)}
        {section.isPartial && '+'}
      </span>
      <span className={styles.summary}>
        {summary.text}
        {section.id === 'active' && summary.oldestWaitSinceMs !== null && (
          <>
            , <OldestWait sinceMs={summary.oldestWaitSinceMs} />
          </>
        )}
      </span>
    </button>
  );
}

function OldestWait({ sinceMs }: { sinceMs: number }) {
  return <>{oldestWait(sinceMs, useNow(1_000))}</>;
}

/**
 * Looks endpoints up once per connection, so that rows get the same object each time. One of a removed connection has
 * its id for a name.
 */
function useEndpoints(): (job: Pick<Job, 'connectionId' | 'endpointId'>) => Endpoint {
  const connection = useCurrentConnection();
  return useMemo(() => createEndpointLookup(connection), [connection]);
}

function createEndpointLookup(
  connection: Connection | null,
): (job: Pick<Job, 'connectionId' | 'endpointId'>) => Endpoint {
  const known = new Map<string, Endpoint>();
  return ({ connectionId, endpointId }) => {
    const id = `${connectionId}\n${endpointId}`;
    const found = known.get(id) ?? findEndpoint(connection === null ? [] : [connection], connectionId, endpointId);
    known.set(id, found);
    return found;
  };
}

/** Rows stay where they are while the pointer is over them, or the list is scrolled. */
function useHold(scroller: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let isOver = false;
    const update = (): void => useJobs.getState().hold(isOver || element.scrollTop > headHeight);
    const enter = (): void => {
      isOver = true;
      update();
    };
    const leave = (): void => {
      isOver = false;
      update();
    };
    let wasScrolled = false;
    const scroll = (): void => {
      const isScrolled = element.scrollTop > headHeight;
      if (isScrolled !== wasScrolled) update();
      wasScrolled = isScrolled;
    };
    element.addEventListener('pointerenter', enter);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('scroll', scroll, { passive: true });
    window.addEventListener('blur', leave);
    return () => {
      element.removeEventListener('pointerenter', enter);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('scroll', scroll);
      window.removeEventListener('blur', leave);
      useJobs.getState().hold(false);
    };
  }, [scroller]);
}

/** Keeps the row with the focus in view when the focus moves. */
function useFollowFocus(
  scrollerRef: { current: HTMLDivElement | null },
  sections: readonly Section[],
  boxes: readonly { top: number }[],
  folded: ReadonlySet<string>,
  rowHeight: number,
  selectedKey: string | null,
): void {
  const followed = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = scrollerRef.current;
    if (element === null || selectedKey === null || followed.current === selectedKey) return;
    for (const [index, section] of sections.entries()) {
      const at = section.keys.indexOf(selectedKey, section.from);
      const box = boxes[index];
      if (box === undefined || at === -1 || at >= section.from + section.count || folded.has(section.id)) continue;
      followed.current = selectedKey;
      const rowTop = box.top + headHeight + (at - section.from) * rowHeight;
      element.scrollTop = scrollToShow(rowTop, rowHeight, headHeight, element.scrollTop, element.clientHeight);
      return;
    }
  }, [scrollerRef, sections, boxes, folded, rowHeight, selectedKey]);
}

/** Keys from one row to another, both with it. */
function keysBetween(one: string, other: string): string[] {
  const keys = visibleKeys();
  const [from = 0, to = 0] = [keys.indexOf(one), keys.indexOf(other)].sort((a, b) => a - b);
  return from === -1 ? [other] : keys.slice(from, to + 1);
}

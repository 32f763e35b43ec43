import { ArrowUp } from 'lucide-react';
import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type MouseEvent,
} from 'react';
import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import type { Connection, Endpoint } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { findEndpoint, useJobCounts, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { useBatch } from '../batches/batches.ts';
import { ContextMenu, type MenuEntry } from '../design/menu/menu.tsx';
import { searchedParts } from './highlight.tsx';
import { JobRow, rowId } from './job-row.tsx';
import type { RowForm } from './row-parts.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { isSameFilter } from '../data/job-matches-filter.ts';
import { countOf } from '../data/job-pages.ts';
import { showRowHeight } from '../data/on-view.ts';
import { useAnchor, useBeginAtTop, useFollowFocus, useHold, useView, useWatchRows } from './list-scrolling.ts';
import { createElementSlots } from './element-slots.ts';
import { drawnSections, headHeight, layOut } from './row-window.ts';
import { P95Line } from './p95-line.tsx';
import { SectionHeads } from './section-heads.tsx';
import { activeOf, sumOf, wholeBatchOf } from './section-summary.ts';
import { createSectionMaker, hasUnloadedRows, type Section } from './sections.ts';
import type { ShownColumn } from './table-columns.ts';
import { focusFirstRow, pressInList } from './list-focus.ts';
import { jobsPaneText } from '../messages/jobs/list.ts';
import styles from './job-list-view.module.css';

const rowHeights: Readonly<Record<RowForm, number>> = { comfortable: 52, compact: 30, table: 30 };
/** How many rows are drawn outside of the view, at each end. */
const overscan = 5;
/** The next page is loaded when this many rows are left below the view. */
const rowsAhead = 120;

/** The menu of a row, by the key of its job and the tag under the pointer. */
export type RowMenu = (key: string, tag: string | null) => readonly MenuEntry[];

interface RowsProps {
  form: RowForm;
  /** The columns of the table. */
  columns: readonly ShownColumn[];
}

/** The grouped list and the menu of its rows. */
export function JobListView({ form, columns, menuOf }: RowsProps & { menuOf: RowMenu }) {
  const itemsAt = (target: Element): readonly MenuEntry[] =>
    target.closest('[data-job-list]') === null
      ? []
      : menuOf(keyUnder(target) ?? useJobs.getState().selectedKey ?? '', tagUnder(target));
  return (
    <ContextMenu items={itemsAt}>
      <div className={styles.frame}>
        <Rows form={form} columns={columns} />
      </div>
    </ContextMenu>
  );
}

/** Only the rows in view and ten more are in the document. */
const Rows = memo(function Rows({ form, columns }: RowsProps) {
  const list = useJobs((state) => state.list);
  const folded = useJobs((state) => state.folded);
  const hasMore = useJobs((state) => state.hasMore);
  const selectedKey = useJobs((state) => state.selectedKey);
  const pickedKeys = useJobs((state) => state.pickedKeys);
  const snippets = useJobs((state) => state.snippets);
  const runTimes = useSession((state) => state.runTimes);
  const endpointOf = useEndpoints();

  const rowHeight = rowHeights[form];
  useEffect(() => showRowHeight(rowHeight), [rowHeight]);
  const shownFilter = useJobs((state) => state.shownFilter);
  const searched = shownFilter?.text ?? '';
  const isOfFormerFilter = !useJobs((state) => isSameFilter(state.filter, shownFilter));
  const sort = useJobs((state) => state.shownSort);
  const { sections, boxes, height } = useLaidOutSections(rowHeight);
  const batch = useBatch(useJobs((state) => state.place.batchId));
  // The numbers of a batch's rows have one width, so that their titles begin in one line.
  const style: CSSProperties & { '--row-digits': number } = { height, '--row-digits': `${batch?.total ?? ''}`.length };
  const words = useMemo(() => searchedParts(searched), [searched]);

  const { scroller, view, measure } = useView();
  const listbox = useRef<HTMLDivElement>(null);

  // The rows of another filter first appear where the user sees them, and only then those around and further ones.
  const isInPlace = useDeferredValue(shownFilter) === shownFilter;
  useEffect(() => {
    if (!isInPlace || !hasMore) return;
    if (view.top + view.height > height - rowsAhead * rowHeight) void useJobs.getState().loadMore();
  }, [isInPlace, hasMore, view, height, rowHeight, list]);

  useHold(scroller);
  const layout = { sections, boxes, folded, rowHeight };
  useAnchor(scroller, layout);
  useBeginAtTop(scroller);
  useFollowFocus(scroller, layout, selectedKey);
  useWatchRows(scroller, layout);

  const drawn = drawnSections(list, layout, view, isInPlace ? overscan : 0);
  const drawnRows = drawn.flatMap(({ rows }) => rows);
  const [rowSlots] = useState(createElementSlots);
  const slots = rowSlots.of(drawnRows.map(({ job }) => job.key));
  /** Only a row in the document can be the active one. */
  const isDrawn = (key: string): boolean => drawnRows.some(({ job }) => job.key === key);

  const press = useCallback((key: string, event: MouseEvent) => {
    pressInList(listbox.current, 'select', key, event);
  }, []);
  const open = useCallback((key: string) => callOrReport('window:openJob', { key }), []);

  return (
    <>
      <NewJobs onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      <div ref={scroller} className={styles.scroller} onScroll={measure}>
        <SectionHeads sections={sections} boxes={boxes} height={height} />
        <div
          ref={listbox}
          role="listbox"
          aria-label={jobsPaneText.jobs}
          aria-multiselectable="true"
          aria-busy={isOfFormerFilter}
          aria-activedescendant={selectedKey !== null && isDrawn(selectedKey) ? rowId(selectedKey) : undefined}
          tabIndex={0}
          className={styles.list}
          style={style}
          data-job-list
          onFocus={focusFirstRow}
        >
          <RowGroups drawn={drawn} />
          {drawnRows.map(({ job, top }, index) => (
            <JobRow
              key={slots[index]}
              job={job}
              endpoint={endpointOf(job)}
              runTimes={runTimes[endpointKey(job)]}
              form={form}
              columns={columns}
              top={top}
              isFocused={job.key === selectedKey}
              isPicked={pickedKeys.has(job.key)}
              words={words}
              snippet={snippets[job.key]}
              isBrief={view.isFlying}
              onPress={press}
              onOpen={open}
            />
          ))}
        </div>
        <P95Line layout={layout} />
        {hasMore && (
          <div className={styles.more}>{sort === null ? jobsPaneText.loadingOlder : jobsPaneText.loadingMore}</div>
        )}
      </div>
    </>
  );
});

/** The groups of the list as a screen reader finds them: each owns its rows, which are not inside of it. */
function RowGroups({ drawn }: { drawn: ReturnType<typeof drawnSections> }) {
  return drawn.map(({ section: { id, title }, box: { top, height }, rows }) => (
    <div
      key={id}
      role="group"
      aria-label={title}
      aria-owns={rows.map(({ job }) => rowId(job.key)).join(' ')}
      className={styles.section}
      style={{ top, height }}
    />
  ));
}

/** The groups of the list, with their positions. */
function useLaidOutSections(rowHeight: number): ReturnType<typeof layOut> & { sections: readonly Section[] } {
  const list = useJobs((state) => state.list);
  const folded = useJobs((state) => state.folded);
  const sort = useJobs((state) => state.shownSort);
  const shownFilter = useJobs((state) => state.shownFilter);
  const batch = useBatch(wholeBatchOf(shownFilter));
  const hasMore = useJobs((state) => hasUnloadedRows(state, countOf(state.list), batch?.total ?? null));
  const nowMs = useNow(60_000);
  const activeCount = sumOf(activeOf(useJobCounts(), shownFilter));
  const [makeSections] = useState(createSectionMaker);
  const sections = useMemo(
    () => makeSections(list, nowMs, hasMore, { activeCount, sort }),
    [makeSections, list, nowMs, hasMore, activeCount, sort],
  );
  const laidOut = useMemo(
    () =>
      layOut(
        sections.map((section) => (folded.has(section.id) ? 0 : section.count)),
        headHeight,
        rowHeight,
      ),
    [sections, folded, rowHeight],
  );
  return { sections, ...laidOut };
}

/** The number of new jobs that wait above the rows, because rows do not move under the pointer. A press shows them. */
function NewJobs({ onShow }: { onShow: () => void }) {
  const waitingNew = useJobs((state) => state.waitingNew);
  if (waitingNew === 0) return null;
  const show = (): void => {
    useJobs.getState().showNew();
    onShow();
  };
  return (
    <button type="button" className={styles.chip} data-new-jobs onClick={show}>
      <ArrowUp size={12} />
      {jobsPaneText.newJobs(waitingNew)}
    </button>
  );
}

/** The tag under the pointer, or null. */
function tagUnder(target: Element): string | null {
  return target.closest('[data-tag]')?.getAttribute('data-tag') ?? null;
}

/** The key of the job whose row contains an element, or null. */
function keyUnder(target: Element): string | null {
  return target.closest('[data-key]')?.getAttribute('data-key') ?? null;
}

/**
 * Finds each endpoint once, so that rows get the same object each time. The list may have jobs of every connection. An
 * endpoint of a removed connection is named by its id.
 */
function useEndpoints(): (job: EndpointRef) => Endpoint {
  const connections = useSession((state) => state.connections);
  return useMemo(() => createEndpointLookup(connections), [connections]);
}

function createEndpointLookup(connections: readonly Connection[]): (job: EndpointRef) => Endpoint {
  const known = new Map<string, Endpoint>();
  return ({ connectionId, endpointId }) => {
    const key = endpointKey({ connectionId, endpointId });
    const found = known.get(key) ?? findEndpoint(connections, connectionId, endpointId);
    known.set(key, found);
    return found;
  };
}

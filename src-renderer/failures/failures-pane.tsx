import { useState, useLayoutEffect, useRef } from 'react';
import { Search } from 'lucide-react';
import type { FailureOverview } from '../../src-preload/failure-cause.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { findEndpoint, useCurrentConnection, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Segmented } from '../design/segmented.tsx';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { useWhenReady } from '../design/use-pause.ts';
import { SkeletonRows } from '../design/skeleton.tsx';
import { causesText, failuresText, groupingNames, periodNames, spanNames } from '../messages/failures/list.ts';
import { CauseDetail } from './cause-detail.tsx';
import { groupCauses, groupings, rowOf, type CauseGroup, type CauseRow, type Grouping } from './cause-groups.ts';
import { CausesList } from './causes-list.tsx';
import { spans, useFailureView, useCauses, useFailuresByWorker } from './failures.ts';
import { isCovered, isTyping } from '../design/keyboard/key-target.ts';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { TextField } from '../design/form/text-field.tsx';
import styles from './failures-pane.module.css';

/** Filters the causes while the user types. `/` focuses it from anywhere in the pane, Escape clears it. */
function CauseFilter({ typed, onTyped }: { typed: string; onTyped: (typed: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isCovered() || isTyping(event)) return;
      // In other panes this key focuses the filter of the job list.
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return (
    <div className={styles.filter}>
      <TextField
        aria-label={failuresText.filter}
        placeholder={failuresText.filterHint}
        size="sm"
        icon={<Search />}
        trailing={<Kbd keys={['/']} />}
        inputRef={input}
        value={typed}
        onChange={onTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onTyped('');
          input.current?.blur();
        }}
      />
    </div>
  );
}

/** Failures by cause: a list with their trends, and the details of the chosen one. */
export function FailuresPane() {
  const span = useFailureView((state) => state.span);
  const { overview, sinceMs, problem } = useCauses(span);
  const rows = useRows(overview, sinceMs);
  if (overview === null)
    return problem === null ? (
      <SkeletonRows count={8} height={64} />
    ) : (
      <EmptyState art={null} title={failuresText.couldNotRead} text={problem} />
    );
  return <Causes overview={overview} sinceMs={sinceMs} rows={rows} />;
}

interface CausesProps {
  overview: FailureOverview;
  sinceMs: number;
  rows: Rows;
}

/** The causes, and the chosen one. */
function Causes({ overview, sinceMs, rows }: CausesProps) {
  const span = useFailureView((state) => state.span);
  const set = useFailureView((state) => state.set);
  const all = [...rows.groups.flatMap((group) => group.rows), ...rows.muted];
  const chosen = useChosenRow(all);
  // A row of a worker has only that worker's figures.
  const cause = overview.causes.find(({ id }) => id === chosen?.cause.id);
  return (
    <PaneSplit
      pane="causes"
      className={styles.pane}
      left={
        <section className={styles.list} aria-label={failuresText.causes}>
          <Head />
          {all.length === 0 ? (
            <NoCauses overview={overview} isReading={rows.isReading} />
          ) : (
            <CausesList
              {...rows}
              chosenKey={chosen?.key ?? null}
              onChoose={(key) => set({ chosenKey: key })}
              period={periodNames[span]}
            />
          )}
        </section>
      }
      right={cause !== undefined && <CauseDetail cause={cause} sinceMs={sinceMs} />}
    />
  );
}

/** The row whose details are shown: the chosen one, or else the one that is shown already, or else the first. */
function useChosenRow(rows: readonly CauseRow[]): CauseRow | null {
  const chosenKey = useFailureView((state) => state.chosenKey);
  const [shownKey, setShownKey] = useState<string | null>(null);
  const row = rowOf(rows, [chosenKey, shownKey]);
  if (row !== null && row.key !== shownKey) setShownKey(row.key);
  return row;
}

/** The filter, what failures are grouped by, and the period. */
function Head() {
  const { span, grouping, typed, set } = useFailureView();
  return (
    <div className={styles.head}>
      <CauseFilter typed={typed} onTyped={(next) => set({ typed: next })} />
      <Segmented
        label={failuresText.groupBy}
        size="sm"
        value={grouping}
        onChange={(next) => set({ grouping: next })}
        options={groupings.map((value) => ({ value, label: groupingNames[value] }))}
      />
      <Segmented
        label={failuresText.time}
        size="sm"
        value={span}
        onChange={(next) => set({ span: next })}
        options={spans.map((value) => ({ value, label: spanNames[value] }))}
      />
    </div>
  );
}

interface Rows {
  groups: readonly CauseGroup[];
  muted: readonly CauseRow[];
  notes: readonly string[];
  isMutedFolded: boolean;
  onMutedFolded: (isFolded: boolean) => void;
  /** The workers are being read, so there are no groups yet. */
  isReading: boolean;
}

/** The rows to show; muted causes are never grouped. */
function useRows(overview: FailureOverview | null, sinceMs: number): Rows {
  const { grouping, typed, isMutedFolded, set } = useFailureView();
  const byWorker = useFailuresByWorker(grouping === 'worker' ? sinceMs : null);
  const areRead = grouping !== 'worker' || byWorker !== null;
  const shownGrouping = useWhenReady(grouping, areRead, isOtherGrouping);
  const connection = useCurrentConnection();
  const connections = useSession((state) => state.connections);
  const by = {
    endpointNameOf: (id: string) => endpointName(findEndpoint(connections, connection?.id ?? '', id)),
    onWorkers: byWorker?.on ?? [],
    typed,
  };
  const { causes, unsorted } = overview ?? { causes: [], unsorted: 0 };
  const loud = causes.filter(({ mute }) => mute === null);
  const isPartly = byWorker !== null && byWorker.counted < byWorker.total;
  return {
    groups: groupCauses(loud, { ...by, grouping: shownGrouping }),
    muted: groupCauses(
      causes.filter(({ mute }) => mute !== null),
      { ...by, grouping: 'cause' },
    ).flatMap(({ rows }) => rows),
    notes: [
      ...(unsorted > 0 ? [causesText.sortingNote(unsorted)] : []),
      ...(isPartly ? [causesText.countedNote(byWorker)] : []),
    ],
    isMutedFolded,
    onMutedFolded: (isFolded) => set({ isMutedFolded: isFolded }),
    isReading: shownGrouping === grouping && !areRead,
  };
}

function isOtherGrouping(shown: Grouping, next: Grouping): boolean {
  return shown !== next;
}

function NoCauses({ overview: { causes, unsorted }, isReading }: { overview: FailureOverview; isReading: boolean }) {
  const { typed, set } = useFailureView();
  if (isReading && causes.length > 0) return <SkeletonRows count={8} height={64} isDrawn />;
  if (causes.length > 0)
    return (
      <EmptyState
        art={null}
        title={failuresText.noMatchTitle}
        text={failuresText.noMatch(typed.trim(), causes.length)}
        actions={<Button onClick={() => set({ typed: '' })}>{failuresText.clearFilter}</Button>}
      />
    );
  return (
    <EmptyState
      art={null}
      title={unsorted > 0 ? failuresText.sortingTitle : failuresText.noneTitle}
      text={unsorted > 0 ? failuresText.sorting(unsorted) : failuresText.none}
    />
  );
}

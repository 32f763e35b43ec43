import { Bookmark, Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { SavedView } from '../../src-preload/settings.ts';
import { useJobs } from '../data/jobs-store.ts';
import { isSameFilter } from '../data/job-matches-filter.ts';
import { useListTotal, useJobCount } from '../data/job-counts.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { useBatches } from '../batches/batches.ts';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { ContextMenu, type MenuEntry } from '../design/menu/menu.tsx';
import { sidebarViewText } from '../messages/windows/main-window.ts';
import { Tooltip } from '../design/tooltip.tsx';
import {
  deleteView,
  filterOfView,
  goToSavedView,
  maxSavedViews,
  moveView,
  savedViewOn,
  useViewNameDialog,
} from '../navigation/saved-views.ts';
import styles from './sidebar.module.css';

/** The saved views, each with a menu. */
export function SidebarViews({ isFolded, isOtherPane }: { isFolded: boolean; isOtherPane: boolean }) {
  const views = useSession((state) => state.settings.savedViews);
  const setSubject = useViewNameDialog((state) => state.setSubject);
  if (isFolded && views.length === 0) return null;
  return (
    <>
      <div className={styles.heading}>
        {!isFolded && sidebarViewText.title}
        {!isFolded && views.length < maxSavedViews && (
          <IconButton
            label={sidebarViewText.save}
            size="sm"
            hasSmallGlyph
            icon={<Plus />}
            onClick={() => setSubject({ kind: 'new' })}
          />
        )}
      </div>
      {views.map((view, at) => (
        <ViewLine
          key={view.id}
          view={view}
          isFolded={isFolded}
          isOtherPane={isOtherPane}
          isFirst={at === 0}
          isLast={at === views.length - 1}
        />
      ))}
    </>
  );
}

/**
 * How many jobs a saved view has. The one that is open has the number of its list. The others are counted at most every
 * five seconds, and only after a change that can alter the number; the tooltip says when. Null until the first count.
 */
function useViewCount(view: SavedView, isOpen: boolean): { text: string; title: string } | null {
  const isListRead = useJobs(
    ({ status, filter, shownFilter }) => status === 'ready' && isSameFilter(filter, shownFilter),
  );
  const list = useListTotal();
  const connection = useCurrentConnection();
  const batches = useBatches();
  // A minute is exact enough for `after:2h`.
  const nowMs = useNow(60_000);
  const filter = useMemo(() => filterOfView(view, { connection, batches }, nowMs), [view, connection, batches, nowMs]);
  const { data, dataUpdatedAt } = useJobCount(filter);
  if (isOpen && isListRead) return countTexts(list.total, list.isTotalCut);
  if (data === undefined) return null;
  const { text, title } = countTexts(data.total, data.isTotalCut);
  return { text, title: sidebarViewText.asOf(title, dataUpdatedAt) };
}

function countTexts(total: number, isTotalCut: boolean): { text: string; title: string } {
  return {
    text: sidebarViewText.count(total, isTotalCut),
    title: sidebarViewText.jobs(total, isTotalCut),
  };
}

/** The id of the saved view that the list shows, or null. */
export function useOnSavedView(): string | null {
  const settings = useSession((state) => state.settings);
  return useJobs(({ place, query }) => savedViewOn(settings, place, query)?.id ?? null);
}

interface ViewLineProps {
  view: SavedView;
  isFolded: boolean;
  isOtherPane: boolean;
  isFirst: boolean;
  isLast: boolean;
}

function ViewLine({ view, isFolded, isOtherPane, isFirst, isLast }: ViewLineProps) {
  const isOn = useOnSavedView() === view.id && !isOtherPane;
  const counted = useViewCount(view, isOn);
  const line = (
    <button
      type="button"
      className={classes(styles.view, isOn && styles.on)}
      aria-current={isOn ? 'page' : undefined}
      aria-label={isFolded ? view.name : undefined}
      aria-description={counted?.title}
      onClick={() => void goToSavedView(view)}
    >
      <Bookmark />
      {!isFolded && (
        <span className="trunc" dir="auto" title={view.name}>
          {view.name}
        </span>
      )}
      {!isFolded && counted !== null && (
        <span className={styles.count} title={counted.title} aria-hidden="true">
          {counted.text}
        </span>
      )}
    </button>
  );
  const items: MenuEntry[] = [
    {
      kind: 'item',
      label: sidebarViewText.rename,
      onSelect: () => useViewNameDialog.getState().setSubject({ kind: 'rename', view }),
    },
    ...(isFirst
      ? []
      : ([
          { kind: 'item', label: sidebarViewText.moveUp, onSelect: () => void moveView(view.id, -1) },
        ] satisfies MenuEntry[])),
    ...(isLast
      ? []
      : ([
          { kind: 'item', label: sidebarViewText.moveDown, onSelect: () => void moveView(view.id, 1) },
        ] satisfies MenuEntry[])),
    { kind: 'separator' },
    { kind: 'item', label: sidebarViewText.delete, isDanger: true, onSelect: () => void deleteView(view) },
  ];
  return (
    <ContextMenu items={items}>
      <div>
        {isFolded ? (
          <Tooltip side="right" text={view.name}>
            {line}
          </Tooltip>
        ) : (
          line
        )}
      </div>
    </ContextMenu>
  );
}

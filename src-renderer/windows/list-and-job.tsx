import { ArrowLeft } from 'lucide-react';
import { Suspense, lazy, memo, useLayoutEffect } from 'react';
import { jobMenu, rowMenu } from '../commands/job-menus.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { useJobCounts, useSession } from '../data/session-store.ts';
import { classes } from '../design/class-names.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Splitter } from '../design/splitter.tsx';
import { JobsPane } from '../jobs/jobs-pane.tsx';
import { paneWidthText } from '../messages/navigation.tsx';
import { mainWindowText, partText } from '../messages/windows/main-window.ts';
import { paneWidth, twoLinesPx } from '../navigation/pane-layout.ts';
import { useChosenWidth } from '../navigation/pane-split.tsx';
import { minPxToOpen } from './first-list.ts';
import type { RowForm } from '../jobs/row-parts.tsx';
import styles from './list-and-job.module.css';

/**
 * Toasts lie over the list or the pane, and never over the job or the sidebar beside it, however wide they are.
 * `fromPx`: where the list or pane begins in the window. `widthPx`: its width.
 */
export function useToastsOver(fromPx: number, widthPx: number): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--toasts-from', `${fromPx}px`);
    style.setProperty('--toasts-width', `${widthPx}px`);
    return () => {
      style.removeProperty('--toasts-from');
      style.removeProperty('--toasts-width');
    };
  }, [fromPx, widthPx]);
}

/** The design's widths: the sidebar folds below 960, and the detail covers the list below 820. */
type WindowWidth = 'full' | 'slim' | 'single';

/** The width class of a width in pixels. */
export function widthBand(px: number): WindowWidth {
  if (px < 820) return 'single';
  return px < 960 ? 'slim' : 'full';
}

export const foldedSidebarPx = 52;
/** Between the panel and the edge of the window. */
const framePx = 8;

/** From this width a compact list is a table. */
const tablePx = 820;

/** The form of the list: compact if it is narrow, and a table if compact rows have room for one. */
export function rowForm(density: 'comfortable' | 'compact', widthPx: number): RowForm {
  if (widthPx < twoLinesPx) return 'compact';
  if (density === 'comfortable') return 'comfortable';
  return widthPx >= tablePx ? 'table' : 'compact';
}

/** The largest part of the window. It loads while the first list is read. */
const jobPane = import('../job/job-pane.tsx');
const JobPane = lazy(async () => ({ default: (await jobPane).JobPane }));

/**
 * The list, and the open job beside it or, in a narrow window, over it. `windowPx`: the width of the window. `sidePx`:
 * that of the sidebar.
 */
export const ListAndJob = memo(function ListAndJob({ windowPx, sidePx }: { windowPx: number; sidePx: number }) {
  const density = useSession((state) => state.settings.density);
  const selectedKey = useJobs((state) => state.selectedKey);
  const isDetailOpen = useJobs((state) => state.isDetailOpen) && selectedKey !== null;
  const isOver = widthBand(windowPx) === 'single';
  // With the first rows a job opens beside the list (`loadList`), which has that width from the first frame on.
  const isFirst = useJobs(({ status }) => status === 'first');
  const hasJobs = (useJobCounts()?.all ?? 0) > 0;
  const isBeside = (isDetailOpen || (isFirst && hasJobs && windowPx >= minPxToOpen)) && !isOver;
  const [chosenPx, resize, keep] = useChosenWidth('list');
  const { px, minPx, maxPx } = paneWidth('list', chosenPx, windowPx - sidePx - framePx, windowPx);
  const listPx = isBeside ? px : windowPx - sidePx;
  useToastsOver(sidePx, listPx);
  return (
    <div className={styles.split}>
      {/* Under the job the list can be neither seen nor reached. */}
      <div
        className={styles.list}
        style={isBeside ? { flex: `0 0 ${px}px` } : undefined}
        inert={isOver && isDetailOpen}
      >
        <ErrorBoundary part={partText.list}>
          <JobsPane
            form={rowForm(density, listPx)}
            widthPx={listPx}
            menuOf={rowMenu}
            className={classes(styles.whole, isBeside && styles.beside)}
          />
        </ErrorBoundary>
      </div>
      {isBeside && isDetailOpen && (
        <Splitter label={paneWidthText.list} widthPx={px} minPx={minPx} maxPx={maxPx} onResize={resize} onKeep={keep} />
      )}
      {isDetailOpen && (
        <section className={classes(styles.detail, isOver && styles.over)} aria-label={mainWindowText.job}>
          {isOver && (
            <div className={styles.back}>
              <IconButton
                label={mainWindowText.backToList}
                icon={<ArrowLeft />}
                onClick={() => useJobs.getState().closeDetail()}
              />
            </div>
          )}
          <ErrorBoundary subject={selectedKey} part={partText.job}>
            <Suspense fallback={null}>
              <JobPane jobKey={selectedKey} menuOf={jobMenu} />
            </Suspense>
          </ErrorBoundary>
        </section>
      )}
    </div>
  );
});

import { mainWindowText, paneParts, partText } from '../messages/windows/main-window.ts';
import { paneWidthText } from '../messages/navigation.tsx';
import styles from './main-window.module.css';
import { Suspense, lazy, useEffect, useLayoutEffect, useRef, useSyncExternalStore, type CSSProperties } from 'react';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Splitter } from '../design/splitter.tsx';
import { useWhenReady } from '../design/use-pause.ts';
import { isSameFilter } from '../data/job-matches-filter.ts';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { JobsPane } from '../jobs/jobs-pane.tsx';
import { readDestination } from '../../src-preload/destination.ts';
import { on } from '../bridge.ts';
import { useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { ArrowLeft } from 'lucide-react';
import { Banners, Notices } from './banners.tsx';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { goToJob, goToPlace, leavePane, showPane, openSandbox } from '../navigation/go.ts';
import { goToDestination } from '../navigation/go-to-destination.ts';
import { listenToKeys } from '../commands/keyboard.ts';
import { jobMenu } from '../commands/job-menu.tsx';
import { handleMainKey } from '../commands/main-keys.ts';
import { rowMenu } from '../commands/row-menu.tsx';
import { saveLastPlace, restoreLastPlace, type LastJob } from '../navigation/last-place.ts';
import { rememberPlaces } from '../navigation/navigation.ts';
import { useChosenWidth } from '../navigation/pane-split.tsx';
import { paneWidth } from '../navigation/pane-layout.ts';
import { useShell, type Pane } from '../navigation/shell-store.ts';
import { foldedSidebarPx, framePx, rowForm, widthBand } from './pane-widths.ts';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import { lazyPart, loadPartsWhenIdle } from '../design/lazy-part.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';

/** The largest part of the window. It loads while the first list is read. */
const jobPane = import('../job/job-pane.tsx');
const JobPane = lazy(async () => ({ default: (await jobPane).JobPane }));
// What is not on the first screen loads later: when it is first needed, or while the window is idle.
const SandboxPane = lazyPart(async () => (await import('../sandbox/sandbox-pane.tsx')).SandboxPane);
const HealthPane = lazyPart(async () => (await import('../health/health-pane.tsx')).HealthPane);
const PodsPane = lazyPart(async () => (await import('../pods/pods-pane.tsx')).PodsPane);
const TemplatesPane = lazyPart(async () => (await import('../templates/templates-pane.tsx')).TemplatesPane);
const ComparePane = lazyPart(async () => (await import('../compare/compare-pane.tsx')).ComparePane);
const FailuresPane = lazyPart(async () => (await import('../failures/failures-pane.tsx')).FailuresPane);
const BinPane = lazyPart(async () => (await import('../bin/bin-pane.tsx')).BinPane);
const NotificationCentre = lazyPart(
  async () => (await import('../notifications/notification-centre.tsx')).NotificationCentre,
);
const Palette = lazyPart(async () => (await import('../commands/palette.tsx')).Palette);
const Shortcuts = lazyPart(async () => (await import('../commands/shortcuts.tsx')).Shortcuts);
const FollowDialog = lazyPart(async () => (await import('../follow/follow-dialog.tsx')).FollowDialog);
const CompareBatchDialog = lazyPart(
  async () => (await import('../batches/compare-batch-dialog.tsx')).CompareBatchDialog,
);
const RenameBatchDialog = lazyPart(async () => (await import('../batches/rename-batch-dialog.tsx')).RenameBatchDialog);
const BulkDialogs = lazyPart(async () => (await import('../jobs/bulk-dialogs.tsx')).BulkDialogs);
const ViewNameDialog = lazyPart(async () => (await import('../jobs/view-name-dialog.tsx')).ViewNameDialog);

/** Sidebar, list and detail with their bars, or the sandbox instead of list and detail. */
export function MainWindow() {
  const windowPx = useWindowPx();
  const width = widthBand(windowPx);
  const isFolded = useSession((state) => state.settings.isSidebarFolded) || width === 'slim' || width === 'single';
  const [chosenPx, resize, keep] = useChosenWidth('sidebar');
  const sidebar = paneWidth('sidebar', chosenPx, windowPx, windowPx);
  const sidePx = isFolded ? foldedSidebarPx : sidebar.px;
  const pane = usePaneToDraw();
  useListOfConnection();
  useEffect(() => listenToKeys(handleMainKey), []);
  useEffect(rememberPlaces, []);
  useDestination();
  const isListShown = useJobs((state) => state.shownFilter !== null);
  useEffect(() => {
    if (isListShown) loadPartsWhenIdle();
  }, [isListShown]);

  const side: CSSProperties & { '--side': string } = { '--side': `${sidePx}px` };
  return (
    <div className={styles.app} style={side}>
      <TitleBar isFolded={isFolded} />
      <Sidebar isFolded={isFolded} />
      <main className={styles.panel}>
        {!isFolded && (
          <div className={styles.sideEdge}>
            <Splitter
              label={paneWidthText.sidebar}
              widthPx={sidePx}
              minPx={sidebar.minPx}
              maxPx={sidebar.maxPx}
              onResize={resize}
              onKeep={keep}
            />
          </div>
        )}
        {pane.kind === 'sandbox' ? <Notices /> : <Banners isOverList={pane.kind === 'jobs'} />}
        {pane.kind === 'jobs' ? (
          <ListAndJob windowPx={windowPx} sidePx={sidePx} />
        ) : (
          <ErrorBoundary key={pane.kind} part={paneParts[pane.kind]}>
            <Suspense fallback={<SkeletonRows count={12} height={28} />}>
              <InPlace pane={pane} fromPx={sidePx} widthPx={windowPx - sidePx} />
            </Suspense>
          </ErrorBoundary>
        )}
        <Notifications />
      </main>
      <StatusBar isSidebarFolded={isFolded} />
      <Suspense fallback={null}>
        <Palette />
        <Shortcuts />
        <BulkDialogs />
        <CompareBatchDialog />
        <RenameBatchDialog />
        <ViewNameDialog />
        <FollowDialog />
      </Suspense>
    </div>
  );
}

/** The chosen pane. Instead of a list that still has the rows of another place, the pane before it stays. */
function usePaneToDraw(): Pane {
  const pane = useShell((state) => state.pane);
  const isListRead = useJobs(
    ({ status, filter, shownFilter }) => status !== 'ready' || isSameFilter(filter, shownFilter),
  );
  return useWhenReady(pane, pane.kind !== 'jobs' || isListRead, isOtherPane);
}

function isOtherPane(shown: Pane, next: Pane): boolean {
  return shown.kind !== next.kind;
}

/** The notification centre, over the panel. */
function Notifications() {
  const isOpen = useShell((state) => state.areNotificationsOpen);
  const set = useShell((state) => state.set);
  if (!isOpen) return null;
  return (
    <ErrorBoundary part={partText.notifications}>
      <Suspense fallback={null}>
        <NotificationCentre
          onOpen={goToDestination}
          onSettings={() => useSettingsDialog.getState().open('notifications')}
          onClose={() => set({ areNotificationsOpen: false })}
        />
      </Suspense>
    </ErrorBoundary>
  );
}

interface InPlaceProps {
  pane: Exclude<Pane, { kind: 'jobs' }>;
  /** Where the pane begins in the window, and how wide it is, in pixels. */
  fromPx: number;
  widthPx: number;
}

/** Panes that show something without a connection. */
const withoutConnection: readonly Pane['kind'][] = ['sandbox', 'compare', 'bin'];

/** The pane that is shown instead of list and job. */
function InPlace({ pane, fromPx, widthPx }: InPlaceProps) {
  useToastsOver(fromPx, widthPx);
  const hasConnection = useCurrentConnection() !== null;
  if (!hasConnection && !withoutConnection.includes(pane.kind)) return <NoConnection />;
  switch (pane.kind) {
    case 'sandbox':
      return <SandboxPane onShowJob={goToJob} onLeave={leavePane} />;
    case 'health':
      return (
        <HealthPane
          endpointId={pane.endpointId}
          onEndpoint={(endpointId) => showPane({ kind: 'health', endpointId })}
          onShowJobs={(endpointId) => goToPlace({ view: 'active', endpointId })}
          onShowJob={goToJob}
        />
      );
    case 'pods':
      return <PodsPane />;
    case 'templates':
      return <TemplatesPane />;
    case 'failures':
      return <FailuresPane />;
    case 'bin':
      return <BinPane />;
    case 'compare':
      return <ComparePane sides={pane.sides} pairs={pane.pairs} />;
  }
}

/** In a window of this width, a job is opened beside the first list. */
const minPxToOpen = 960;

function ListAndJob({ windowPx, sidePx }: { windowPx: number; sidePx: number }) {
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
}

/** Toasts lie over the list or the pane, and never over the job or the sidebar beside it, however wide they are. */
function useToastsOver(fromPx: number, widthPx: number): void {
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

/** Opens the destination of the address once, and afterwards those of notifications, the tray and the menu. */
function useDestination(): void {
  useEffect(() => {
    goToDestination(readDestination(window.location.hash.slice(1)));
    return on('app:navigated', goToDestination);
  }, []);
}

/**
 * Loads the list of the current connection. The first time it restores the last place, and its job if there is room
 * beside the list.
 */
function useListOfConnection(): void {
  const connectionId = useCurrentConnection()?.id ?? null;
  const isLoaded = useSession((state) => state.isLoaded);
  const last = useRef<Promise<LastJob | null>>(null);
  useEffect(() => {
    if (!isLoaded) return;
    last.current ??= restoreLastPlace();
    void loadList(last.current).then(() => {
      // Another connection has its own list.
      last.current = Promise.resolve(null);
    });
  }, [connectionId, isLoaded]);
  useEffect(() => {
    if (!isLoaded) return undefined;
    return saveLastPlace();
  }, [isLoaded]);
}

/**
 * Reads the list, and shows the job that was open when the window was closed, or the newest. No job is opened if the
 * user has done something in the window meanwhile.
 */
async function loadList(restored: Promise<LastJob | null>): Promise<void> {
  const last = await restored;
  const input = noteInput();
  await useJobs.getState().reload();
  const wasUsed = input.end();
  const { selectedKey, list, select, focus } = useJobs.getState();
  if (selectedKey !== null || wasUsed) return;
  const key = last?.selectedKey ?? list.live()[0] ?? list.rest()[0];
  if (key === undefined) return;
  if (last !== null && last.selectedKey !== null && !last.isDetailOpen) focus(key);
  else if (window.innerWidth >= minPxToOpen) select(key);
}

/** Notes presses and keys from now on. `end` stops that and says whether there were any. */
function noteInput(): { end: () => boolean } {
  let wasUsed = false;
  const kinds = ['pointerdown', 'keydown'] as const;
  const note = (): void => void (wasUsed = true);
  for (const kind of kinds) window.addEventListener(kind, note, true);
  return {
    end: () => {
      for (const kind of kinds) window.removeEventListener(kind, note, true);
      return wasUsed;
    },
  };
}

/** Jobs of removed connections can be read without a connection. Nothing can be sent. */
function NoConnection() {
  return (
    <EmptyState
      title={mainWindowText.noConnectionTitle}
      text={mainWindowText.noConnectionHint}
      actions={
        <>
          <Button variant="primary" size="lg" onClick={() => useSettingsDialog.getState().open('connections', null)}>
            {mainWindowText.addConnection}
          </Button>
          <Button size="lg" onClick={() => void openSandbox()}>
            {mainWindowText.openSandbox}
          </Button>
        </>
      }
    />
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

function useWindowPx(): number {
  return useSyncExternalStore(subscribe, () => window.innerWidth);
}

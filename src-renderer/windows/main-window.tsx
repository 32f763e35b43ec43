import { Suspense, useEffect, useLayoutEffect, useSyncExternalStore, type CSSProperties } from 'react';
import { readDestination } from '../../src-preload/destination.ts';
import { on } from '../bridge.ts';
import { listenToKeys } from '../commands/keyboard.ts';
import { handleMainKey } from '../commands/main-keys.ts';
import { useComposer } from '../composer/composer-store.ts';
import { isSameFilter } from '../data/job-matches-filter.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { lazyPart, loadPartsWhenIdle } from '../design/lazy-part.ts';
import { SkeletonRows } from '../design/skeleton.tsx';
import { Splitter } from '../design/splitter.tsx';
import { useWhenReady } from '../design/use-pause.ts';
import { paneWidthText } from '../messages/navigation.tsx';
import { paneParts, partText, mainWindowText } from '../messages/windows/main-window.ts';
import { goToDestination } from '../navigation/go-to-destination.ts';
import { goToJob, goToPlace, leavePane, showPane, openSandbox } from '../navigation/go.ts';
import { rememberPlaces } from '../navigation/navigation.ts';
import { paneWidth } from '../navigation/pane-layout.ts';
import { useChosenWidth } from '../navigation/pane-split.tsx';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { useShell, type Pane } from '../navigation/shell-store.ts';
import { Banners, Notices } from './banners.tsx';
import { useListOfConnection } from './first-list.ts';
import { ListAndJob, foldedSidebarPx, widthBand, useToastsOver } from './list-and-job.tsx';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import styles from './main-window.module.css';

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

// What is not on the first screen loads later: when it is first needed, or while the window is idle.
const SandboxPane = lazyPart(async () => (await import('../sandbox/sandbox-pane.tsx')).SandboxPane);
const HealthPane = lazyPart(async () => (await import('../health/health-view.tsx')).HealthPane);
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
  // The composer has a palette of its own.
  const isComposing = useComposer((state) => state.isOpen);
  useListOfConnection();
  // Before the paint: a key that is pressed as soon as the window is seen means something.
  useLayoutEffect(() => listenToKeys(handleMainKey), []);
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
        <PaneInView windowPx={windowPx} sidePx={sidePx} />
        <Notifications />
      </main>
      <StatusBar isSidebarFolded={isFolded} />
      <Suspense fallback={null}>
        {!isComposing && <Palette />}
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

/**
 * The pane with the banners over it. A component of its own, because it is drawn with every search, and what is around
 * it need not be.
 */
function PaneInView({ windowPx, sidePx }: { windowPx: number; sidePx: number }) {
  const pane = usePaneToDraw();
  return (
    <>
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
    </>
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

/** Opens the destination of the address once, and afterwards those of notifications, the tray and the menu. */
function useDestination(): void {
  useEffect(() => {
    goToDestination(readDestination(window.location.hash.slice(1)));
    return on('app:navigated', goToDestination);
  }, []);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

function useWindowPx(): number {
  return useSyncExternalStore(subscribe, () => window.innerWidth);
}

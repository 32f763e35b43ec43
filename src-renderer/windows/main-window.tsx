import styles from './main-window.module.css';
import { Suspense, lazy, useEffect, type CSSProperties, useSyncExternalStore } from 'react';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import type { RowForm } from '../jobs/job-row.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { JobsPane } from '../jobs/jobs-pane.tsx';
import { readDestination, type Destination } from '../../src-preload/app.ts';
import { on } from '../bridge.ts';
import { useComposer } from '../composer/composer-store.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { ArrowLeft } from 'lucide-react';
import { Banners, Notices } from './banners.tsx';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { goToConnection, goToJob, goToPlace, leavePane, showPane, openSandbox } from '../navigation/go.ts';
import { listenToKeys } from '../commands/keyboard.ts';
import { rememberPlaces } from '../navigation/navigation.ts';
import { useShell, type Pane } from '../navigation/shell-store.ts';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { useSettingsDialog } from '../navigation/settings-store.ts';

/** The largest part of the window: it comes beside the first list, and is asked for as soon as this one runs. */
const jobPane = import('../job/job-pane.tsx');
const JobPane = lazy(async () => ({ default: (await jobPane).JobPane }));
// What is not on the first screen comes after it: the pane when it is first needed, what lies over the window at once.
const SandboxPane = lazy(async () => ({ default: (await import('../sandbox/sandbox-pane.tsx')).SandboxPane }));
const HealthPane = lazy(async () => ({ default: (await import('../health/health-pane.tsx')).HealthPane }));
const PodsPane = lazy(async () => ({ default: (await import('../pods/pods-pane.tsx')).PodsPane }));
const TemplatesPane = lazy(async () => ({ default: (await import('../templates/templates-pane.tsx')).TemplatesPane }));
const Palette = lazy(async () => ({ default: (await import('../commands/palette.tsx')).Palette }));
const Shortcuts = lazy(async () => ({ default: (await import('../commands/shortcuts.tsx')).Shortcuts }));
const BulkDialogs = lazy(async () => ({ default: (await import('../jobs/bulk-dialogs.tsx')).BulkDialogs }));
const FollowDialog = lazy(async () => ({ default: (await import('../follow/follow-dialog.tsx')).FollowDialog }));

/** The list's form: compact where it is narrow, a table where compact has the whole width. */
function rowForm(density: 'comfortable' | 'compact', hasWholeWidth: boolean, hasRoom: boolean): RowForm {
  if (hasWholeWidth) return density === 'compact' ? 'table' : 'comfortable';
  return hasRoom ? density : 'compact';
}

/** Sidebar, list and detail with their bars; the sandbox in place of list and detail while it is asked for. */
export function MainWindow() {
  const width = useWindowWidth();
  const isFolded = useSession((state) => state.settings.isSidebarFolded) || width === 'slim' || width === 'single';
  const pane = useShell((state) => state.pane);
  useListOfConnection();
  useEffect(listenToKeys, []);
  useEffect(rememberPlaces, []);
  useDestination();

  const side: CSSProperties & { '--side': string } = { '--side': isFolded ? '52px' : 'var(--w-sidebar)' };
  return (
    <div className={styles.app} style={side}>
      <TitleBar isFolded={isFolded} />
      <Sidebar isFolded={isFolded} />
      <main className={styles.panel}>
        {pane.kind === 'sandbox' ? <Notices /> : <Banners isOverList={pane.kind === 'jobs'} />}
        {pane.kind === 'jobs' ? (
          <ListAndJob width={width} isFolded={isFolded} />
        ) : (
          <ErrorBoundary key={pane.kind} part={partNames[pane.kind]}>
            <Suspense fallback={<SkeletonRows count={12} height={28} />}>
              <InPlace pane={pane} />
            </Suspense>
          </ErrorBoundary>
        )}
      </main>
      <StatusBar />
      <Suspense fallback={null}>
        <Palette />
        <Shortcuts />
        <BulkDialogs />
        <FollowDialog />
      </Suspense>
    </div>
  );
}

const partNames = {
  sandbox: 'The sandbox',
  health: 'The health of the endpoints',
  pods: 'The list of pods',
  templates: 'The list of templates',
} as const;

/** What stands in place of list and job. */
function InPlace({ pane }: { pane: Exclude<Pane, { kind: 'jobs' }> }) {
  const hasConnection = useCurrentConnection() !== null;
  if (!hasConnection && pane.kind !== 'sandbox') return <NoConnection />;
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
  }
}

function ListAndJob({ width, isFolded }: { width: WindowWidth; isFolded: boolean }) {
  const hasRoom = useRoomForTwoLines(isFolded);
  const density = useSession((state) => state.settings.density);
  const selectedKey = useJobs((state) => state.selectedKey);
  const isDetailOpen = useJobs((state) => state.isDetailOpen) && selectedKey !== null;
  const form = rowForm(density, !isDetailOpen || width === 'single', hasRoom && width === 'wide');
  return (
    <div className={styles.split}>
      <ErrorBoundary part="The job list">
        <JobsPane
          form={form}
          className={classes(
            styles.list,
            isDetailOpen && styles.beside,
            isDetailOpen && form === 'compact' && styles.narrow,
          )}
        />
      </ErrorBoundary>
      {isDetailOpen && (
        <section className={classes(styles.detail, width === 'single' && styles.over)} aria-label="Job">
          {width === 'single' && (
            <div className={styles.back}>
              <IconButton
                label="Back to the list"
                icon={<ArrowLeft />}
                onClick={() => useJobs.getState().closeDetail()}
              />
            </div>
          )}
          <ErrorBoundary key={selectedKey} part="This job">
            <Suspense fallback={null}>
              <JobPane jobKey={selectedKey} />
            </Suspense>
          </ErrorBoundary>
        </section>
      )}
    </div>
  );
}

function goTo(destination: Destination): void {
  if (destination.kind === 'job') goToJob(destination.key);
  if (destination.kind === 'new-job') void useComposer.getState().openNew();
  if (destination.kind === 'health') {
    goToConnection(destination.connectionId);
    showPane({ kind: 'health', endpointId: destination.endpointId });
  }
}

/** Goes where the address says once, and where a notification, the tray or the menu asks for from then on. */
function useDestination(): void {
  useEffect(() => {
    goTo(readDestination(window.location.hash.slice(1)));
    return on('app:navigated', goTo);
  }, []);
}

/**
 * Loads the list for the connection in use, and opens its newest job the first time where there is room beside the
 * list.
 */
function useListOfConnection(): void {
  const connectionId = useCurrentConnection()?.id ?? null;
  const isLoaded = useSession((state) => state.isLoaded);
  useEffect(() => {
    if (!isLoaded) return;
    void useJobs
      .getState()
      .reload()
      .then(() => {
        const { selectedKey, list, select } = useJobs.getState();
        const first = list.live()[0] ?? list.rest()[0];
        if (selectedKey === null && first !== undefined && window.innerWidth >= 960) select(first);
      });
  }, [connectionId, isLoaded]);
}

/** Jobs of removed connections can be read without one; what asks a service cannot. */
function NoConnection() {
  return (
    <EmptyState
      title="No connection"
      text="Endpoints, pods and templates are read from a service. Saved jobs stay readable without one."
      actions={
        <>
          <Button variant="primary" size="lg" onClick={() => useSettingsDialog.getState().open('connections', null)}>
            Add connection
          </Button>
          <Button size="lg" onClick={() => void openSandbox()}>
            Open the sandbox
          </Button>
        </>
      }
    />
  );
}

/** The design's widths: list narrows below 1180, sidebar folds below 960, detail lies over the list below 820. */
export type WindowWidth = 'wide' | 'narrow' | 'slim' | 'single';

/** The band a width in pixels falls in. */
export function widthBand(px: number): WindowWidth {
  if (px < 820) return 'single';
  if (px < 960) return 'slim';
  return px < 1180 ? 'narrow' : 'wide';
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

const sidebarPx = { open: 244, folded: 52 } as const;
const framePx = 8;
const leastDetailPx = 520;
const leastComfortablePx = 480;

/** Whether two-line rows fit beside a detail pane of its least width. */
export function hasRoomForTwoLines(windowPx: number, isFolded: boolean): boolean {
  return windowPx - sidebarPx[isFolded ? 'folded' : 'open'] - framePx - leastDetailPx >= leastComfortablePx;
}

function useRoomForTwoLines(isFolded: boolean): boolean {
  return useSyncExternalStore(subscribe, () => hasRoomForTwoLines(window.innerWidth, isFolded));
}

function useWindowWidth(): WindowWidth {
  return useSyncExternalStore(subscribe, () => widthBand(window.innerWidth));
}

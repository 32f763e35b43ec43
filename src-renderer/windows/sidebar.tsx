import { Bug, FlaskConical, HeartPulse, LayoutTemplate, Plus, Server, Trash2 } from 'lucide-react';
import type { Connection } from '../../src-preload/connection.ts';
import { countOfView } from '../../src-preload/history.ts';
import { useFiringCount } from '../alerts/alerts.ts';
import { SidebarBatches } from '../batches/sidebar-batches.tsx';
import { useCall } from '../data/calls.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useReadAfterMidnight } from '../data/new-day.ts';
import { useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { useBatchList } from '../data/batch-list.ts';
import { useAfterPause } from '../design/use-pause.ts';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useCauseCount } from '../failures/failures.ts';
import { paneTitles, sidebarText } from '../messages/windows/main-window.ts';
import { goToPlace, showPane, showSandbox } from '../navigation/go.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { useShell } from '../navigation/shell-store.ts';
import { views } from '../navigation/views.tsx';
import { useKnownPods, useRememberedPods } from '../pods/remembered-pods.ts';
import { useKnownTemplates } from '../templates/forget-template.ts';
import { PollingCard } from './polling-card.tsx';
import { distortion } from './sandbox-badge.tsx';
import { SidebarEndpoint } from './sidebar-endpoint.tsx';
import { SidebarLine } from './sidebar-line.tsx';
import { SidebarViews, useOnSavedView } from './sidebar-views.tsx';
import styles from './sidebar.module.css';

/** Views with counts, the connection's endpoints, and whether jobs are polled. Folded, it is a column of icons. */
export function Sidebar({ isFolded }: { isFolded: boolean }) {
  const connection = useCurrentConnection();
  const place = useJobs((state) => state.place);
  const counts = useJobCounts();
  useReadAfterMidnight();
  const pane = useShell((state) => state.pane);
  const connectionId = connection?.id ?? null;
  const isOtherPane = pane.kind !== 'jobs';
  const isOnSavedView = useOnSavedView() !== null;
  const areBatchesRead = useBatchList(({ readOf }) => connectionId === null || readOf.has(connectionId));
  // In a window that opens, what is below the batches waits for them, so that it does not move.
  const isPauseOver = useAfterPause();
  const areBatchesDrawn = areBatchesRead || isPauseOver;
  return (
    <nav className={classes(styles.sidebar, isFolded && styles.folded)} aria-label={sidebarText.name}>
      <div className={styles.scroll}>
        {views.map((view) => {
          const isOn =
            !isOtherPane &&
            !isOnSavedView &&
            place.view === view.view &&
            place.endpointId === null &&
            place.batchId === undefined;
          return (
            <SidebarLine
              key={view.view}
              name={view.title}
              icon={view.icon}
              count={counts === null ? null : countOfView(counts, view.view)}
              isZeroShown={view.view === 'all'}
              isFolded={isFolded}
              isOn={isOn}
              onGo={() => goToPlace({ view: view.view, endpointId: null })}
            />
          );
        })}
        <BinLine isFolded={isFolded} isOn={pane.kind === 'bin'} />
        <SidebarBatches
          isFolded={isFolded}
          isOtherPane={isOtherPane}
          headingClass={styles.heading}
          onGo={(batchId) => goToPlace({ view: 'all', endpointId: null, batchId })}
        />
        <div className={classes(!areBatchesDrawn && styles.undrawn)}>
          <SidebarViews isFolded={isFolded} isOtherPane={isOtherPane} />
          {connection !== null && (
            <>
              <div className={styles.heading}>
                {!isFolded && sidebarText.endpoints}
                {!isFolded && (
                  <IconButton
                    label={sidebarText.addEndpoint}
                    size="sm"
                    hasSmallGlyph
                    icon={<Plus />}
                    onClick={() => useSettingsDialog.getState().open('connections', connection.id)}
                  />
                )}
              </div>
              {connection.endpoints.map((endpoint) => (
                <SidebarEndpoint
                  key={endpoint.id}
                  connection={connection}
                  endpoint={endpoint}
                  isFolded={isFolded}
                  isOn={!isOtherPane && !isOnSavedView && place.endpointId === endpoint.id}
                  onGo={() => goToPlace({ view: 'all', endpointId: endpoint.id })}
                />
              ))}
              <Resources connection={connection} isFolded={isFolded} />
            </>
          )}
        </div>
      </div>
      <PollingCard isFolded={isFolded} />
    </nav>
  );
}

/** What a connection has besides jobs and endpoints, and what is known of all its endpoints together. */
function Resources({ connection, isFolded }: { connection: Connection; isFolded: boolean }) {
  const pane = useShell((state) => state.pane);
  const endpointId = useJobs((state) => state.place.endpointId);
  const firing = useFiringCount();
  const causes = useCauseCount();
  const pods = useKnownPods(useRememberedPods(connection.id).data);
  const templates = useKnownTemplates(useCall('template:list', { connectionId: connection.id }).data);
  return (
    <>
      <div className={styles.heading}>{!isFolded && sidebarText.resources}</div>
      <SidebarLine
        name={paneTitles.health}
        icon={<HeartPulse />}
        news={firing === 0 ? null : sidebarText.alerts(firing)}
        isFolded={isFolded}
        isOn={pane.kind === 'health'}
        onGo={() => showPane({ kind: 'health', endpointId })}
      />
      <SidebarLine
        name={paneTitles.failures}
        icon={<Bug />}
        note={causes === 0 ? null : sidebarText.causes(causes)}
        isFolded={isFolded}
        isOn={pane.kind === 'failures'}
        onGo={() => showPane({ kind: 'failures' })}
      />
      <SidebarLine
        name={paneTitles.pods}
        icon={<Server />}
        count={pods?.length ?? 0}
        isFolded={isFolded}
        isOn={pane.kind === 'pods'}
        onGo={() => showPane({ kind: 'pods' })}
      />
      <SidebarLine
        name={paneTitles.templates}
        icon={<LayoutTemplate />}
        count={templates?.length ?? 0}
        isFolded={isFolded}
        isOn={pane.kind === 'templates'}
        onGo={() => showPane({ kind: 'templates' })}
      />
      {connection.isSandbox && <SandboxLine isFolded={isFolded} isOn={pane.kind === 'sandbox'} />}
    </>
  );
}

/** The line of the deleted jobs. A column of icons has no room for what is rarely needed, unless it is shown. */
function BinLine({ isFolded, isOn }: { isFolded: boolean; isOn: boolean }) {
  if (isFolded && !isOn) return null;
  return (
    <SidebarLine
      name={paneTitles.bin}
      icon={<Trash2 />}
      onGo={() => showPane({ kind: 'bin' })}
      {...{ isFolded, isOn }}
    />
  );
}

/** The line of the sandbox, while its connection is chosen. */
function SandboxLine({ isFolded, isOn }: { isFolded: boolean; isOn: boolean }) {
  const note = useSession(({ sandbox }) => (sandbox?.isRunning === false ? sidebarText.sandboxStopped : null));
  const news = useSession(({ sandbox }) => distortion(sandbox));
  return (
    <SidebarLine
      name={paneTitles.sandbox}
      icon={<FlaskConical />}
      onGo={showSandbox}
      {...{ note, news, isFolded, isOn }}
    />
  );
}

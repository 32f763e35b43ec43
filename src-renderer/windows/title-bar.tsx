import {
  ChevronLeft,
  ChevronRight,
  ChevronsUpDown,
  FlaskConical,
  PanelLeft,
  Plus,
  Search,
  Settings,
  SlidersHorizontal,
} from 'lucide-react';
import { useBatch } from '../batches/batches.ts';
import { useFailureSum } from '../failures/failures.ts';
import { openComposer } from '../navigation/open-requests.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { Logo } from '../design/logo.tsx';
import { Menu, type MenuEntry } from '../design/menu/menu.tsx';
import { backKeys, forwardKeys, isMac } from '../design/keyboard/platform.ts';
import { useListTotal } from '../data/job-counts.ts';
import { isOfAllConnections } from '../data/parse-filter.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { shownConnectionState, type ShownConnectionState } from '../data/connection-state.ts';
import { commonText, countText } from '../messages/common.ts';
import { connectionMenuText, paneTitles, titleBarText } from '../messages/windows/main-window.ts';
import { goToAllConnections, goToConnection, openSandbox, showSandbox } from '../navigation/go.ts';
import { useNavigation } from '../navigation/navigation.ts';
import { NotificationBell } from '../notifications/bell.tsx';
import { SandboxBadge } from './sandbox-badge.tsx';
import { useShell, type Pane } from '../navigation/shell-store.ts';
import { placeTitle } from '../navigation/views.tsx';
import { WindowControls } from './window-controls.tsx';
import styles from './title-bar.module.css';

/** The main window's title bar. */
export function TitleBar({ isFolded }: { isFolded: boolean }) {
  const connection = useCurrentConnection();
  const place = useJobs((state) => state.place);
  const batch = useBatch(place.batchId);
  const pane = useShell((state) => state.pane);
  const areNotificationsOpen = useShell((state) => state.areNotificationsOpen);
  const at = useNavigation((state) => state.at);
  const stops = useNavigation((state) => state.stops.length);
  const back = useNavigation((state) => state.back);
  const forward = useNavigation((state) => state.forward);
  const title = paneTitle(pane) ?? batch?.name ?? placeTitle(place, connection);
  return (
    <header className={classes(styles.bar, isMac && styles.mac, isFolded && styles.folded)}>
      <div className={styles.left}>
        <ConnectionMenu isFolded={isFolded} />
      </div>
      <div className={styles.middle}>
        <IconButton
          label={isFolded ? titleBarText.showSidebar : titleBarText.hideSidebar}
          size="sm"
          keys={['Ctrl', 'B']}
          icon={<PanelLeft />}
          onClick={() => void chooseSettings({ isSidebarFolded: !useSession.getState().settings.isSidebarFolded })}
        />
        <IconButton
          label={titleBarText.back}
          size="sm"
          keys={backKeys}
          icon={<ChevronLeft />}
          disabled={at <= 0}
          onClick={back}
        />
        <IconButton
          label={titleBarText.forward}
          size="sm"
          keys={forwardKeys}
          icon={<ChevronRight />}
          disabled={at >= stops - 1}
          onClick={forward}
        />
        {isFolded && connection?.isSandbox === true && (
          <span className={styles.badge} style={{ marginLeft: 8 }}>
            {commonText.sandbox}
          </span>
        )}
        <h1 className={classes(styles.title, 'trunc')} title={title}>
          {title}
        </h1>
        {pane.kind === 'jobs' && <ShownCount />}
        {pane.kind === 'failures' && <FailureSum />}
        {pane.kind === 'compare' && <span className={styles.count}>{countText.jobs(pane.sides.length)}</span>}
        {pane.kind === 'health' && connection !== null && (
          <span className={styles.count}>{countText.endpoints(connection.endpoints.length)}</span>
        )}
        {(pane.kind === 'sandbox' || connection?.isSandbox === true) && <SandboxBadge onShow={showSandbox} />}
      </div>
      <div className={styles.right}>
        <NotificationBell
          isOpen={areNotificationsOpen}
          onToggle={() => useShell.getState().set({ areNotificationsOpen: !areNotificationsOpen })}
        />
        <button
          type="button"
          className={styles.search}
          aria-keyshortcuts="Control+K"
          onClick={() => useShell.getState().set({ isPaletteOpen: true })}
        >
          <Search />
          <span className="grow trunc">{titleBarText.search}</span>
          <Kbd keys={['Ctrl', 'K']} />
        </button>
        <Button
          variant="primary"
          icon={<Plus />}
          keys={['N']}
          disabledReason={connection === null ? commonText.addConnectionFirst : undefined}
          onClick={() => openComposer({ endpointId: place.endpointId })}
        >
          {commonText.newJob}
        </Button>
        <WindowControls />
      </div>
    </header>
  );
}

/** The title of the pane shown instead of the list. Null for the list itself. */
function paneTitle(pane: Pane): string | null {
  return pane.kind === 'jobs' ? null : paneTitles[pane.kind];
}

/** `83 jobs, 7 causes in 7 days`, without muted causes. */
function FailureSum() {
  const sum = useFailureSum();
  return sum === null ? null : <span className={styles.count}>{sum}</span>;
}

/** `151 of 18,204`, or only the count if nothing is filtered. */
function ShownCount() {
  const { total, isTotalCut } = useListTotal();
  const isFiltered = useJobs(
    (state) =>
      state.place.view !== 'all' ||
      state.place.endpointId !== null ||
      state.place.batchId !== undefined ||
      state.query.tokens.length > 0 ||
      state.query.text !== '',
  );
  const isReady = useJobs((state) => state.status === 'ready');
  const all = useJobCounts()?.all ?? 0;
  // A whole batch shows its count above its rows.
  const isWholeBatch = useJobs(
    (state) => state.place.batchId !== undefined && state.query.tokens.length === 0 && state.query.text === '',
  );
  if (!isReady || isWholeBatch || Math.max(all, total) === 0) return null;
  return (
    <span className={styles.count}>
      {isFiltered ? titleBarText.ofAll(total, isTotalCut, Math.max(all, total)) : formatCount(all)}
    </span>
  );
}

/** What the menu adds to a connection's name. */
function noteOf(connection: Connection, connectionState: ShownConnectionState | null, failedUnseen: number): string {
  const failures = failedUnseen === 0 ? '' : connectionMenuText.unseenFailures(failedUnseen);
  return [stateNote(connection, connectionState), failures].filter((note) => note !== '').join(', ');
}

function stateNote(connection: Connection, connectionState: ShownConnectionState | null): string {
  switch (connectionState?.kind) {
    case 'ready':
      return connection.isSandbox ? commonText.sandbox : '';
    case 'no-key':
      return connectionMenuText.noKey;
    case 'key-refused':
      return connectionMenuText.keyRefused(connectionState.httpStatus);
    case 'offline':
      return connectionMenuText.offline;
    case 'sandbox-stopped':
      return connectionMenuText.stopped;
    case undefined:
      return '';
  }
}

function ConnectionMenu({ isFolded }: { isFolded: boolean }) {
  const connections = useSession((state) => state.connections);
  const sandbox = useSession((state) => state.sandbox);
  const counts = useSession((state) => state.counts);
  const connection = useCurrentConnection();
  const isOfAll = useJobs((state) => isOfAllConnections(state.query));
  const items: MenuEntry[] = [
    ...connections.map((one): MenuEntry => ({
      kind: 'item',
      label: one.name,
      note: noteOf(one, shownConnectionState(one, sandbox), counts?.byConnection[one.id]?.failedUnseen ?? 0),
      isChosen: !isOfAll && one.id === connection?.id,
      onSelect: () => goToConnection(one.id),
    })),
    {
      kind: 'item',
      label: connectionMenuText.all,
      note: connectionMenuText.includingRemoved,
      isChosen: isOfAll,
      onSelect: goToAllConnections,
    },
    ...(connections.length > 0 ? [{ kind: 'separator' } as const] : []),
    ...(connections.some((one) => one.isSandbox)
      ? [
          {
            kind: 'item',
            label: connectionMenuText.showSandbox,
            icon: <FlaskConical />,
            onSelect: showSandbox,
          } as const,
        ]
      : [
          {
            kind: 'item',
            label: connectionMenuText.openSandbox,
            icon: <FlaskConical />,
            onSelect: () => void openSandbox(),
          } as const,
        ]),
    {
      kind: 'item',
      label: connectionMenuText.add,
      icon: <Plus />,
      onSelect: () => useSettingsDialog.getState().open('connections', null),
    },
    {
      kind: 'item',
      label: connectionMenuText.manage,
      icon: <SlidersHorizontal />,
      onSelect: () => useSettingsDialog.getState().open('connections', connection?.id ?? null),
    },
    {
      kind: 'item',
      label: connectionMenuText.preferences,
      icon: <Settings />,
      keys: ['Ctrl', ','],
      onSelect: () => useSettingsDialog.getState().open('preferences'),
    },
  ];
  const name = connection?.name ?? connectionMenuText.none;
  // The badge already says "Sandbox", so the name says where.
  const shownName = connection?.isSandbox === true && /^sandbox$/i.test(name) ? connectionMenuText.thisComputer : name;
  return (
    <Menu
      minWidth={236}
      items={items}
      trigger={
        <button type="button" className={styles.connection}>
          <Logo />
          <span className="visually-hidden">{connectionMenuText.name(name)}</span>
          {!isFolded && (
            <>
              <span className={classes(styles.name, 'trunc')} aria-hidden="true">
                {shownName}
              </span>
              {connection?.isSandbox === true && (
                <span className={styles.badge} aria-hidden="true">
                  {commonText.sandbox}
                </span>
              )}
              <ChevronsUpDown />
            </>
          )}
        </button>
      }
    />
  );
}

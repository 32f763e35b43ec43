import {
  Bug,
  Copy,
  FlaskConical,
  HeartPulse,
  Layers,
  LayoutTemplate,
  Pause,
  Play,
  Plus,
  RefreshCw,
  Server,
  Settings,
} from 'lucide-react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { endpointName, type Connection, type Endpoint } from '../../src-preload/connection.ts';
import { useCauseCount } from '../failures/failures.ts';
import { useFiringCount } from '../alerts/alerts.ts';
import { SidebarBatches } from '../batches/sidebar-batches.tsx';
import { activityNow, activityText } from '../data/endpoint-activity.ts';
import { callOrSay } from '../call-or-say.ts';
import { classes } from '../design/class-names.ts';
import { ContextMenu, type MenuEntry } from '../design/menu.tsx';
import { toast } from '../design/toast.tsx';
import { call } from '../bridge.ts';
import { useComposer } from '../composer/composer-store.ts';
import { FlavourIcon } from '../design/flavour-icon.tsx';
import { formatCount, formatCountOf, formatMinute, startOfDay } from '../design/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { useRememberedPods } from '../pods/remembered-pods.ts';
import { useCondition, useCurrentCondition } from '../data/condition.ts';
import { refreshCounts, useCurrentConnection, useJobCounts, useNow, useSession } from '../data/session-store.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { useCall } from '../data/calls.ts';
import { goToPlace, showPane, showSandbox } from '../navigation/go.ts';
import { describePolling } from '../data/polling.ts';
import { distortion } from './sandbox-badge.tsx';
import { useShell } from '../navigation/shell-store.ts';
import { SidebarViews, useOnSavedView } from './sidebar-views.tsx';
import { Sparkline } from './sparkline.tsx';
import { views } from '../navigation/views.tsx';
import styles from './sidebar.module.css';

/** Views with counts, the connection's endpoints, and what the poller does. Folded it is a column of icons. */
export function Sidebar({ isFolded }: { isFolded: boolean }) {
  const connection = useCurrentConnection();
  const place = useJobs((state) => state.place);
  const counts = useJobCounts();
  useCountsOfToday();
  const pane = useShell((state) => state.pane);
  const connectionId = connection?.id ?? null;
  const podCount = useRememberedPods(connectionId).data?.length ?? 0;
  const templates = useCall('template:list', connectionId === null ? null : { connectionId }).data;
  const isElsewhere = pane.kind !== 'jobs';
  const firing = useFiringCount();
  const isOnSavedView = useOnSavedView() !== null;
  const causes = useCauseCount();
  return (
    <nav className={classes(styles.sidebar, isFolded && styles.folded)} aria-label="Views and endpoints">
      <div className={styles.scroll}>
        {views.map((view) => {
          const isOn =
            !isElsewhere &&
            !isOnSavedView &&
            place.view === view.view &&
            place.endpointId === null &&
            place.batchId === undefined;
          const count = counts === null ? null : view.count(counts);
          return (
            <Named key={view.view} name={view.title} isShown={isFolded}>
              <button
                type="button"
                className={classes(styles.view, isOn && styles.on)}
                aria-current={isOn ? 'page' : undefined}
                aria-label={isFolded ? view.title : undefined}
                aria-description={count === null ? undefined : formatCount(count)}
                onClick={() => goToPlace({ view: view.view, endpointId: null })}
              >
                {view.icon}
                {!isFolded && <span>{view.title}</span>}
                {!isFolded && count !== null && (count > 0 || view.view === 'all') && (
                  <span className={styles.count} aria-hidden="true">
                    {formatCount(count)}
                  </span>
                )}
              </button>
            </Named>
          );
        })}
        <SidebarBatches
          isFolded={isFolded}
          isElsewhere={isElsewhere}
          headingClass={styles.heading}
          onGo={(batchId) => goToPlace({ view: 'all', endpointId: null, batchId })}
        />
        <SidebarViews isFolded={isFolded} isElsewhere={isElsewhere} />
        {connection !== null && (
          <>
            <div className={styles.heading}>
              {!isFolded && 'Endpoints'}
              {!isFolded && (
                <IconButton
                  label="Add endpoint"
                  size="sm"
                  hasSmallGlyph
                  icon={<Plus />}
                  onClick={() => useSettingsDialog.getState().open('connections', connection.id)}
                />
              )}
            </div>
            {connection.endpoints.map((endpoint) => (
              <EndpointLine
                key={endpoint.id}
                connection={connection}
                endpoint={endpoint}
                isFolded={isFolded}
                isOn={!isElsewhere && !isOnSavedView && place.endpointId === endpoint.id}
                onGo={() => goToPlace({ view: 'all', endpointId: endpoint.id })}
              />
            ))}
            <div className={styles.heading}>{!isFolded && 'Resources'}</div>
            <ResourceLine
              name="Health"
              icon={<HeartPulse />}
              note={firing === 0 ? undefined : formatCountOf(firing, 'alert')}
              isFolded={isFolded}
              isOn={pane.kind === 'health'}
              onGo={() => showPane({ kind: 'health', endpointId: place.endpointId })}
            />
            <ResourceLine
              name="Failures"
              icon={<Bug />}
              count={causes}
              isFolded={isFolded}
              isOn={pane.kind === 'failures'}
              onGo={() => showPane({ kind: 'failures' })}
            />
            <ResourceLine
              name="Pods"
              icon={<Server />}
              count={podCount}
              isFolded={isFolded}
              isOn={pane.kind === 'pods'}
              onGo={() => showPane({ kind: 'pods' })}
            />
            <ResourceLine
              name="Templates"
              icon={<LayoutTemplate />}
              count={templates?.length ?? 0}
              isFolded={isFolded}
              isOn={pane.kind === 'templates'}
              onGo={() => showPane({ kind: 'templates' })}
            />
            {connection.isSandbox && <SandboxLine isFolded={isFolded} isOn={pane.kind === 'sandbox'} />}
          </>
        )}
      </div>
      <PollerCard isFolded={isFolded} />
    </nav>
  );
}

interface ResourceLineProps {
  name: string;
  icon: ReactNode;
  count?: number;
  note?: string | undefined;
  isFolded: boolean;
  isOn: boolean;
  onGo: () => void;
}

/** What the specification knows besides jobs. `note` is news: it has colour. */
function ResourceLine({ name, icon, count, note, isFolded, isOn, onGo }: ResourceLineProps) {
  return (
    <Named name={note === undefined ? name : `${name}: ${note}`} isShown={isFolded}>
      <button
        type="button"
        className={classes(styles.view, isOn && styles.on)}
        aria-current={isOn ? 'page' : undefined}
        aria-label={isFolded ? name : undefined}
        aria-description={note ?? (count !== undefined && count > 0 ? formatCount(count) : undefined)}
        onClick={onGo}
      >
        {icon}
        {!isFolded && <span>{name}</span>}
        {!isFolded &&
          (note !== undefined ? (
            <span className={classes(styles.count, styles.warned)} aria-hidden="true">
              {note}
            </span>
          ) : (
            count !== undefined &&
            count > 0 && (
              <span className={styles.count} aria-hidden="true">
                {formatCount(count)}
              </span>
            )
          ))}
        {isFolded && note !== undefined && <span className={classes(styles.alert, styles.amber)} />}
      </button>
    </Named>
  );
}

/** The sandbox's own place, while its connection is chosen. */
function SandboxLine({ isFolded, isOn }: { isFolded: boolean; isOn: boolean }) {
  const note = useSession(({ sandbox }) => (sandbox?.isRunning === false ? 'stopped' : null));
  const set = useSession(({ sandbox }) => distortion(sandbox));
  return (
    <Named name={set === null ? 'Sandbox' : `Sandbox: ${set}`} isShown={isFolded}>
      <button
        type="button"
        className={classes(styles.view, isOn && styles.on)}
        aria-current={isOn ? 'page' : undefined}
        aria-label={isFolded ? 'Sandbox' : undefined}
        aria-description={set ?? note ?? undefined}
        onClick={showSandbox}
      >
        <FlaskConical />
        {!isFolded && <span>Sandbox</span>}
        {!isFolded &&
          (set !== null ? (
            <span className={classes(styles.count, styles.warned)} aria-hidden="true">
              {set}
            </span>
          ) : (
            note !== null && (
              <span className={styles.count} aria-hidden="true">
                {note}
              </span>
            )
          ))}
        {isFolded && set !== null && <span className={classes(styles.alert, styles.amber)} />}
      </button>
    </Named>
  );
}

function Named({ name, isShown, children }: { name: ReactNode; isShown: boolean; children: React.ReactElement }) {
  return isShown ? (
    <Tooltip text={name} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  );
}

/** Health older than this is shown with its time. */
const staleAfterMs = 90_000;
/** From this depth a queue is worth colour. */
const hotDepth = 10;

interface EndpointLineProps {
  connection: Connection;
  endpoint: Endpoint;
  isFolded: boolean;
  isOn: boolean;
  onGo: () => void;
}

/** What can be done with an endpoint from its row. */
function endpointMenu(connection: Connection, endpoint: Endpoint, onGo: () => void): readonly MenuEntry[] {
  const copyId = async (): Promise<void> => {
    const result = await call('app:copyText', { text: endpoint.id });
    toast(result.ok ? 'Endpoint id copied' : result.failure.message);
  };
  return [
    {
      kind: 'item',
      label: 'New job',
      icon: <Plus />,
      onSelect: () => void useComposer.getState().openNew({ endpointId: endpoint.id }),
    },
    { kind: 'item', label: 'Show jobs', icon: <Layers />, onSelect: onGo },
    {
      kind: 'item',
      label: 'Show health',
      icon: <HeartPulse />,
      onSelect: () => showPane({ kind: 'health', endpointId: endpoint.id }),
    },
    { kind: 'separator' },
    { kind: 'item', label: 'Copy endpoint id', icon: <Copy />, onSelect: () => void copyId() },
    {
      kind: 'item',
      label: 'Edit connection',
      icon: <Settings />,
      onSelect: () => useSettingsDialog.getState().open('connections', connection.id),
    },
  ];
}

/** An endpoint's row, with its menu. */
function EndpointLine(props: EndpointLineProps) {
  const { connection, endpoint, onGo } = props;
  return (
    <ContextMenu items={() => endpointMenu(connection, endpoint, onGo)}>
      <div>
        <EndpointRow {...props} />
      </div>
    </ContextMenu>
  );
}

function EndpointRow({ connection, endpoint, isFolded, isOn, onGo }: EndpointLineProps) {
  const key = endpointKey(connection.id, endpoint.id);
  const health = useSession((state) => state.health[key]);
  const trend = useSession((state) => state.trends[key]);
  const ours = useJobCounts()?.byEndpoint[endpoint.id];
  const oursAtHealth = useSession((state) => state.oursAtHealth[key]);
  const failed = ours?.failedUnseen ?? 0;
  const nowMs = useNow(15_000);
  const isOffline = useCondition(connection)?.kind !== 'ready';
  const isStale = health !== undefined && (isOffline || nowMs - health.atMs > staleAfterMs);
  const now = useMemo(
    () => (health === undefined ? null : activityNow(health, oursAtHealth, ours)),
    [health, oursAtHealth, ours],
  );
  const depth = now?.queued ?? ours?.queued ?? 0;
  const words =
    now === null ? 'not checked yet' : isStale ? `as of ${formatMinute(health?.atMs ?? 0)}` : activityText(now);
  const name = endpointName(endpoint);

  if (isFolded) {
    return (
      <Tooltip side="right" text={`${name}: ${words}${depth > 0 ? `, ${formatCount(depth)} in queue` : ''}`}>
        <button
          type="button"
          className={classes(styles.view, isOn && styles.on)}
          aria-label={name}
          aria-current={isOn ? 'page' : undefined}
          onClick={onGo}
        >
          <FlavourIcon flavour={endpoint.flavour} />
          {failed > 0 && <span className={styles.alert} />}
        </button>
      </Tooltip>
    );
  }
  return (
    <button
      type="button"
      className={classes(styles.endpoint, isOn && styles.on, isOffline && styles.stale)}
      aria-current={isOn ? 'page' : undefined}
      aria-description={[
        words,
        depth > 0 && `${formatCount(depth)} in queue`,
        failed > 0 && `${formatCount(failed)} failed, not seen yet`,
      ]
        .filter((part) => part !== false)
        .join(', ')}
      onClick={onGo}
    >
      <FlavourIcon flavour={endpoint.flavour} />
      <span className={classes(styles.name, 'trunc')}>{name}</span>
      <span className={classes(styles.depth, depth >= hotDepth && styles.hot)} aria-hidden="true">
        {depth > 0 && (
          <>
            <StatusGlyph look="queue" size={10} label="In queue" />
            {formatCount(depth)}
          </>
        )}
      </span>
      <span className={styles.sub} aria-hidden="true">
        <Sparkline samples={trend?.samples ?? []} />
        {words}
      </span>
      <span className={styles.failed} aria-hidden="true">
        {failed > 0 && (
          <>
            <StatusGlyph look="fail" size={10} label="Failed, not yet seen" />
            {formatCount(failed)}
          </>
        )}
      </span>
    </button>
  );
}

/** Has the jobs counted anew once midnight has passed. */
function useCountsOfToday(): void {
  const startOfTodayMs = startOfDay(useNow(60_000));
  useEffect(() => void refreshCounts(), [startOfTodayMs]);
}

function PollerCard({ isFolded }: { isFolded: boolean }) {
  const tracker = useSession((state) => state.tracker);
  const connection = useCurrentConnection();
  const isTicking =
    tracker !== null &&
    !tracker.isPaused &&
    (tracker.nextStatusReadAtMs !== null || connection?.state.kind === 'offline');
  const openSettings = (): void => useSettingsDialog.getState().open('preferences');
  if (isFolded) {
    return (
      <div className={styles.foot}>
        <PollerButton />
        <IconButton label="Settings" icon={<Settings />} onClick={openSettings} />
      </div>
    );
  }
  return (
    <div className={styles.foot}>
      <div className={styles.poller}>
        {isTicking ? <TickingPoller /> : <PollerText nowMs={0} />}
        <PollerButton />
        <IconButton
          label="Settings"
          size="sm"
          hasSmallGlyph
          icon={<Settings />}
          className={styles.close}
          onClick={openSettings}
        />
      </div>
    </div>
  );
}

function TickingPoller() {
  return <PollerText nowMs={useNow(500)} />;
}

function PollerText({ nowMs }: { nowMs: number }) {
  const tracker = useSession((state) => state.tracker);
  const polling = describePolling(tracker, useCurrentCondition(), nowMs);
  return (
    <>
      <span className={classes(styles.dot, styles[`dot-${polling.dot}`])} />
      <div className="grow">
        <div className={classes('small', 'm', 'trunc')}>{polling.title}</div>
        <div className={classes('cap', 't3', 'num', 'trunc')}>{polling.text}</div>
      </div>
    </>
  );
}

function PollerButton() {
  const isPaused = useSession((state) => state.tracker?.isPaused ?? false);
  const connection = useCurrentConnection();
  if (connection?.state.kind === 'offline' && !isPaused) {
    return (
      <IconButton
        label="Try now"
        size="sm"
        hasSmallGlyph
        icon={<RefreshCw />}
        onClick={() => callOrSay('tracker:tryNow', undefined)}
      />
    );
  }
  return isPaused ? (
    <IconButton
      label="Resume polling"
      size="sm"
      hasSmallGlyph
      icon={<Play />}
      onClick={() => callOrSay('tracker:resume', undefined)}
    />
  ) : (
    <IconButton
      label="Pause polling"
      size="sm"
      hasSmallGlyph
      icon={<Pause />}
      onClick={() => callOrSay('tracker:pause', undefined)}
    />
  );
}

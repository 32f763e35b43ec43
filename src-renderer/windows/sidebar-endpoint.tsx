import { Copy, HeartPulse, Layers, Plus, Settings } from 'lucide-react';
import { useMemo } from 'react';
import { endpointName, type Connection, type Endpoint } from '../../src-preload/connection.ts';
import { readingValidMs } from '../../src-preload/alert.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { call } from '../bridge.ts';
import { openComposer } from '../navigation/open-requests.ts';
import { useConnectionState } from '../data/connection-state.ts';
import { activityNow, endpointWords } from '../data/endpoint-activity.ts';
import { useJobCounts, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { formatCount } from '../../src-preload/format.ts';
import { ContextMenu, type MenuEntry } from '../design/menu/menu.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { toast } from '../design/toast.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { commonText } from '../messages/common.ts';
import { sidebarEndpointText } from '../messages/windows/main-window.ts';
import { showPane } from '../navigation/go.ts';
import { consoleItems } from '../navigation/service-links.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { Sparkline } from './sparkline.tsx';
import styles from './sidebar.module.css';

/** A queue of this depth is coloured. */
const hotDepth = 10;

export interface SidebarEndpointProps {
  connection: Connection;
  endpoint: Endpoint;
  isFolded: boolean;
  isOn: boolean;
  onGo: () => void;
}

/** The menu of an endpoint's row. */
function endpointMenu(connection: Connection, endpoint: Endpoint, onGo: () => void): readonly MenuEntry[] {
  const copyId = async (): Promise<void> => {
    const result = await call('app:copyText', { text: endpoint.id });
    toast(result.ok ? sidebarEndpointText.idCopied : result.failure.message);
  };
  return [
    {
      kind: 'item',
      label: commonText.newJob,
      icon: <Plus />,
      onSelect: () => openComposer({ endpointId: endpoint.id }),
    },
    { kind: 'item', label: sidebarEndpointText.showJobs, icon: <Layers />, onSelect: onGo },
    {
      kind: 'item',
      label: sidebarEndpointText.showHealth,
      icon: <HeartPulse />,
      onSelect: () => showPane({ kind: 'health', endpointId: endpoint.id }),
    },
    ...consoleItems(connection, endpoint.id),
    { kind: 'separator' },
    { kind: 'item', label: sidebarEndpointText.copyId, icon: <Copy />, onSelect: () => void copyId() },
    {
      kind: 'item',
      label: sidebarEndpointText.editConnection,
      icon: <Settings />,
      onSelect: () => useSettingsDialog.getState().open('connections', connection.id),
    },
  ];
}

/** An endpoint's row, with its menu. */
export function SidebarEndpoint(props: SidebarEndpointProps) {
  const { connection, endpoint, onGo } = props;
  return (
    <ContextMenu items={() => endpointMenu(connection, endpoint, onGo)}>
      <div>
        <EndpointRow {...props} />
      </div>
    </ContextMenu>
  );
}

function EndpointRow({ connection, endpoint, isFolded, isOn, onGo }: SidebarEndpointProps) {
  const key = endpointKey({ connectionId: connection.id, endpointId: endpoint.id });
  const health = useSession((state) => state.health[key]);
  const trend = useSession((state) => state.trends[key]);
  const ours = useJobCounts()?.byEndpoint[endpoint.id];
  const ourJobsAtHealth = useSession((state) => state.ourJobsAtHealth[key]);
  const failed = ours?.failedUnseen ?? 0;
  const nowMs = useNow(15_000);
  const isPaused = useSession((state) => state.tracker?.isPaused === true);
  const connectionState = useConnectionState(connection);
  const isOffline = isPaused || connectionState?.kind !== 'ready';
  const isStale = health !== undefined && (isOffline || nowMs - health.atMs > readingValidMs);
  const now = useMemo(
    () => (health === undefined || isStale ? null : activityNow(health, ourJobsAtHealth, ours)),
    [health, isStale, ourJobsAtHealth, ours],
  );
  const depth = now?.queued ?? ours?.queued ?? 0;
  const activity = endpointWords(now, ours, health?.atMs ?? null, !isOffline);
  const name = endpointName(endpoint);
  const queued = depth > 0 ? [sidebarEndpointText.inQueue(depth)] : [];
  const unseen = failed > 0 ? [sidebarEndpointText.failedUnseen(failed)] : [];

  if (isFolded) {
    return (
      <Tooltip side="right" text={`${name}: ${[activity, ...queued].join(', ')}`}>
        <button
          type="button"
          className={classes(styles.view, isOn && styles.on)}
          aria-label={name}
          aria-current={isOn ? 'page' : undefined}
          onClick={onGo}
        >
          <EndpointIcon endpoint={endpoint} />
          {failed > 0 ? (
            <span className={styles.alert} />
          ) : (
            (ours?.running ?? 0) > 0 && (
              <span className={classes(styles.alert, isOffline ? styles['alert-old'] : styles['alert-run'])} />
            )
          )}
        </button>
      </Tooltip>
    );
  }
  return (
    <button
      type="button"
      className={classes(styles.endpoint, isOn && styles.on, isOffline && styles.stale)}
      aria-current={isOn ? 'page' : undefined}
      aria-description={[activity, ...queued, ...unseen].join(', ')}
      onClick={onGo}
    >
      <EndpointIcon endpoint={endpoint} />
      <span className={classes(styles.name, 'trunc')}>{name}</span>
      <span className={classes(styles.depth, depth >= hotDepth && styles.hot)} aria-hidden="true">
        {depth > 0 && (
          <>
            <StatusGlyph kind="queue" size={10} label={sidebarEndpointText.queueIcon} />
            {formatCount(depth)}
          </>
        )}
      </span>
      <span className={styles.sub} aria-hidden="true">
        <Sparkline samples={trend?.samples ?? []} />
        {activity}
      </span>
      <span className={styles.failed} aria-hidden="true">
        {failed > 0 && (
          <>
            <StatusGlyph kind="fail" size={10} label={sidebarEndpointText.failedIcon} />
            {formatCount(failed)}
          </>
        )}
      </span>
    </button>
  );
}

import { AppWindow, ChevronsUpDown, Layers, ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Closure } from '../../src-preload/app.ts';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { callOrReport } from '../call-or-report.ts';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu/menu.tsx';
import { useConnectionState, type ShownConnectionState } from '../data/connection-state.ts';
import { useLasting } from '../design/use-pause.ts';
import { findEndpoint, useClosures, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { validReading } from '../data/watch-health.ts';
import { commonText } from '../messages/common.ts';
import { healthHeadText, notReadText, rangeText } from '../messages/health/pane.ts';
import { useHealth } from './health-store.ts';
import { Button } from '../design/button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { rangeOf, ranges } from './range.ts';
import styles from './pane-head.module.css';

const shortCount = 5;

/**
 * The choice of a range: the usual ones side by side, a month and a year in a menu. A chosen long one is shown beside
 * the others.
 */
function RangeChoice() {
  const rangeId = useHealth((state) => state.rangeId);
  const setRange = useHealth((state) => state.setRange);
  const short = ranges.slice(0, shortCount);
  const shown = short.some((range) => range.id === rangeId) ? short : [...short, rangeOf(rangeId)];
  return (
    <div className={styles.choice}>
      <Segmented
        label={rangeText.range}
        value={rangeId}
        options={shown.map(({ id, label }) => ({ value: id, label }))}
        onChange={setRange}
      />
      <Menu
        align="end"
        minWidth={140}
        trigger={
          <Button variant="ghost" size="sm" className={styles.more} aria-label={rangeText.longer}>
            <ChevronDown />
          </Button>
        }
        items={ranges.slice(shortCount).map((range) => ({
          kind: 'item',
          label: range.label,
          isChosen: range.id === rangeId,
          onSelect: () => setRange(range.id),
        }))}
      />
    </div>
  );
}

/** Readings older than this are shown with their time. */
const staleAfterMs = 30_000;
/** How long a reading usually takes at most. */
const readingMs = 1_000;

interface PaneHeadProps {
  connection: Connection;
  endpointId: string | null;
  isSecondaryWindow: boolean;
  onEndpoint: (endpointId: string | null) => void;
}

/** The endpoint, where its figures come from, and the range. */
export function PaneHead({ connection, endpointId, isSecondaryWindow, onEndpoint }: PaneHeadProps) {
  const endpoint = endpointId === null ? null : findEndpoint([connection], connection.id, endpointId);
  const name = endpoint === null ? healthHeadText.allEndpoints : endpointName(endpoint);
  const switcher = useReturnedFocus(endpointId);
  return (
    <header className={styles.head}>
      <div className={styles.subject}>
        {endpoint === null ? <Layers size={20} aria-hidden="true" /> : <EndpointIcon endpoint={endpoint} size={20} />}
        <Menu
          minWidth={260}
          items={useSwitcherItems(connection, endpointId, onEndpoint)}
          trigger={
            <button ref={switcher} type="button" className={styles.switcher} aria-label={healthHeadText.endpoint(name)}>
              <h2 className={classes(styles.title, 'trunc')}>{name}</h2>
              <ChevronsUpDown size={14} aria-hidden="true" />
            </button>
          }
        />
        {endpoint !== null && (
          <span className={styles.id}>
            {name !== endpoint.id && <span className="mono t3 sel trunc">{endpoint.id}</span>}
            <CopyButton label={healthHeadText.copyId} text={() => endpoint.id} />
          </span>
        )}
      </div>
      <div className={styles.view}>
        <Sampling connection={connection} endpointId={endpointId} />
        <RangeChoice />
        {!isSecondaryWindow && (
          <IconButton
            label={commonText.openInOwnWindow}
            icon={<AppWindow />}
            onClick={() => callOrReport('window:openHealth', { connectionId: connection.id, endpointId })}
          />
        )}
      </div>
    </header>
  );
}

/** The row that opened this endpoint is gone and has lost the focus. It moves to the name of the endpoint. */
function useReturnedFocus(endpointId: string | null): React.RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const shown = useRef(endpointId);
  useEffect(() => {
    if (shown.current === endpointId) return;
    shown.current = endpointId;
    if (document.activeElement === document.body) button.current?.focus();
  }, [endpointId]);
  return button;
}

/** The endpoints by name, each with its queue if that is known now. */
function useSwitcherItems(
  connection: Connection,
  endpointId: string | null,
  onEndpoint: (endpointId: string | null) => void,
): MenuEntry[] {
  const health = useSession((state) => state.health);
  const nowMs = useNow(5_000);
  return [
    {
      kind: 'item',
      label: healthHeadText.allEndpoints,
      icon: <Layers />,
      isChosen: endpointId === null,
      onSelect: () => onEndpoint(null),
    },
    { kind: 'separator' },
    ...connection.endpoints.map((endpoint): MenuEntry => {
      const depth =
        validReading(health[endpointKey({ connectionId: connection.id, endpointId: endpoint.id })], nowMs)?.jobs
          .inQueue ?? 0;
      return {
        kind: 'item',
        label: endpointName(endpoint),
        icon: <EndpointIcon endpoint={endpoint} />,
        isChosen: endpoint.id === endpointId,
        ...(depth > 0 ? { note: healthHeadText.inQueue(depth) } : {}),
        onSelect: () => onEndpoint(endpoint.id),
      };
    }),
  ];
}

/** The newest reading on screen. Epoch milliseconds, or null. */
function useNewestMs(): number | null {
  return useHealth((state) => {
    const times = [
      ...Object.values(state.latest).map((one) => one.atMs),
      ...Object.values(state.points).map((points) => points.at(-1)?.atMs ?? 0),
    ];
    return times.length === 0 ? null : Math.max(...times);
  });
}

/** Whether the figures are old: the connection does not answer, or nothing was read for a while. */
export function useIsStale(connection: Connection): boolean {
  const newestMs = useNewestMs();
  const nowMs = useNow(5_000);
  return useConnectionState(connection)?.kind !== 'ready' || newestMs === null || nowMs - newestMs > staleAfterMs;
}

/** How the figures are read. If they are not, why, and how old they are. */
function Sampling({ connection, endpointId }: { connection: Connection; endpointId: string | null }) {
  const connectionState = useConnectionState(connection);
  const refused = useClosures(connection.id).find(
    (closure) => closure.operation === 'health' && closure.endpointId === endpointId,
  );
  const isPaused = useSession((state) => state.tracker?.isPaused === true);
  const isUnread = useHealth((state) => Object.keys(state.readFailures).length > 0);
  const newestMs = useNewestMs();
  const nowMs = useNow(5_000);
  const why = reason(connectionState, isPaused, refused) ?? (isUnread ? notReadText.unread : null);
  // When the pane opens, the first reading is on its way: until it should be here, its absence means nothing.
  const isStale = useIsStale(connection);
  const isMissed = useLasting(isStale, readingMs);
  if (!isStale || (!isMissed && why === null))
    return (
      <span className={styles.sampling}>
        <span className={styles.live} />
        {healthHeadText.isLive}
      </span>
    );
  return (
    <span className={classes(styles.sampling, connectionState?.kind !== 'ready' && styles.trouble)} role="status">
      <span className={styles.off} />
      {newestMs === null ? (why ?? healthHeadText.noData) : healthHeadText.asOf(newestMs, nowMs, why)}
    </span>
  );
}

/** Why nothing is read now, or null. */
function reason(
  connectionState: ShownConnectionState | null,
  isPaused: boolean,
  refused: Closure | undefined,
): string | null {
  switch (connectionState?.kind) {
    case 'offline':
      return notReadText.offline;
    case 'key-refused':
      return notReadText.keyRefused(connectionState.httpStatus);
    case 'no-key':
      return notReadText.noKey;
    case 'sandbox-stopped':
      return notReadText.sandboxStopped;
    case 'ready':
    case undefined:
      if (isPaused) return notReadText.paused;
      return refused === undefined ? null : notReadText.healthRefused(refused.httpStatus);
  }
}

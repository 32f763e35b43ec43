import { HeartPulse } from 'lucide-react';
import { useState } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { plainScope } from '../commands/scope.ts';
import { healthSection } from '../commands/window-sections.tsx';
import { useHealth } from '../health/health-store.ts';
import { HealthView } from '../health/health-view.tsx';
import { ranges } from '../health/range.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { healthWindowText, removedConnectionText } from '../messages/windows/secondary-windows.ts';
import { SecondaryWindow, WindowContent, sandboxOf, useOnline } from './secondary-window.tsx';

const openJob = (key: string): void => callOrReport('window:openJob', { key });

/** The ranges of the charts, for commands. */
function shownRanges() {
  const { rangeId, setRange } = useHealth.getState();
  return ranges.map(({ id, phrase }) => ({ id, phrase, isShown: id === rangeId, show: () => setRange(id) }));
}

/** A window for an endpoint's health, or with null for all endpoints. The user can switch to another endpoint in it. */
export function HealthWindow({ connectionId, endpointId: first }: { connectionId: string; endpointId: string | null }) {
  const [endpointId, setEndpointId] = useState(first);
  const connection = useSession((state) => state.connections.find((one) => one.id === connectionId) ?? null);
  const isPaused = useSession((state) => state.tracker?.isPaused ?? false);
  const online = useOnline(connection, isPaused);
  const name =
    endpointId === null
      ? healthWindowText.allEndpoints
      : endpointName(findEndpoint(connection === null ? [] : [connection], connectionId, endpointId));
  return (
    <SecondaryWindow
      name={healthWindowText.name(name)}
      icon={<HeartPulse />}
      title={healthWindowText.title}
      about={connection === null || connection.isSandbox ? null : connection.name}
      sandbox={sandboxOf(connection)}
      online={online}
      scope={
        connection === null
          ? plainScope(null, () => ({ title: '', commands: [] }))
          : plainScope(connection, () =>
              healthSection({ connection, endpointId, ranges: shownRanges(), show: setEndpointId }),
            )
      }
    >
      <WindowContent>
        <ErrorBoundary part={healthWindowText.part}>
          {connection === null ? (
            <EmptyState title={removedConnectionText.title} text={removedConnectionText.noEndpoints} />
          ) : (
            <HealthView
              connection={connection}
              endpointId={endpointId}
              isSecondaryWindow
              onEndpoint={setEndpointId}
              onShowJob={openJob}
            />
          )}
        </ErrorBoundary>
      </WindowContent>
    </SecondaryWindow>
  );
}

import { useEffect } from 'react';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { ProblemBanner } from '../design/banner.tsx';
import { useSameList } from './stack-chart.tsx';
import { healthPartText } from '../messages/health/pane.ts';
import { AllEndpoints } from './all-endpoints.tsx';
import { EndpointHealth } from './endpoint-health.tsx';
import { followHealth } from './follow-health.ts';
import { useHealth } from './health-store.ts';
import { PaneHead } from './pane-head.tsx';
import { useCurrentConnection } from '../data/session-store.ts';
import styles from './health-view.module.css';

interface HealthViewProps {
  connection: Connection;
  endpointId: string | null;
  isSecondaryWindow: boolean;
  onEndpoint: (endpointId: string | null) => void;
  /** Left out if there is no list to show them in. */
  onShowJobs?: (endpointId: string) => void;
  onShowJob: (key: string) => void;
}

/** The health of one endpoint or of all together, kept up to date while it is on screen. */
export function HealthView({
  connection,
  endpointId: wanted,
  isSecondaryWindow,
  onEndpoint,
  onShowJobs,
  onShowJob,
}: HealthViewProps) {
  // Endpoints of other connections and removed endpoints are not shown.
  const endpointId = isSecondaryWindow || connection.endpoints.some((one) => one.id === wanted) ? wanted : null;
  const endpointIds = useSameList(endpointId === null ? connection.endpoints.map((one) => one.id) : [endpointId]);
  useEffect(
    () => followHealth({ connectionId: connection.id, endpointId }, endpointIds),
    [connection.id, endpointId, endpointIds],
  );
  const problem = useHealth((state) => state.problem);
  const dismissProblem = useHealth((state) => state.dismissProblem);
  return (
    <section className={styles.view} aria-label={healthPartText.pane}>
      <PaneHead
        connection={connection}
        endpointId={endpointId}
        isSecondaryWindow={isSecondaryWindow}
        onEndpoint={onEndpoint}
      />
      <ProblemBanner problem={problem} onDismiss={dismissProblem} />
      {endpointId === null ? (
        <AllEndpoints connection={connection} onEndpoint={onEndpoint} />
      ) : (
        <EndpointHealth
          key={endpointKey({ connectionId: connection.id, endpointId })}
          connection={connection}
          endpointId={endpointId}
          onEndpoint={onEndpoint}
          onShowJobs={onShowJobs}
          onShowJob={onShowJob}
        />
      )}
    </section>
  );
}

interface HealthPaneProps {
  /** Null for all endpoints of the connection together. */
  endpointId: string | null;
  onEndpoint: (endpointId: string | null) => void;
  /** Shows the live jobs of an endpoint in the list. */
  onShowJobs: (endpointId: string) => void;
  onShowJob: (key: string) => void;
}

/** The health of the connection's endpoints. */
export function HealthPane(props: HealthPaneProps) {
  const connection = useCurrentConnection();
  return connection === null ? null : <HealthView {...props} connection={connection} isSecondaryWindow={false} />;
}

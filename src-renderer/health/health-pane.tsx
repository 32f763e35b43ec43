import { useCurrentConnection } from '../data/session-store.ts';
import { HealthView } from './health-view.tsx';

export interface HealthPaneProps {
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

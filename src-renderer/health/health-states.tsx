import { CircleAlert, Info } from 'lucide-react';
import type { Connection } from '../../src-preload/connection.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { Callout } from '../design/callout.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { useConnectionState } from '../data/connection-state.ts';
import { commonText } from '../messages/common.ts';
import { healthHeadText, healthStateText } from '../messages/health/pane.ts';
import { loadAll, readNow, useHealth } from './health-store.ts';
import { useAfterPause } from '../design/use-pause.ts';
import styles from './health-states.module.css';

/**
 * Placeholder blocks in the real geometry: not drawn for 120 ms, then without shimmer (design language: Loading).
 * `endpoints`: the number of rows, for all endpoints together.
 */
export function HealthSkeleton({ endpoints = null }: { endpoints?: number | null }) {
  const isDrawn = useAfterPause();
  return (
    <div className={classes(styles.skeleton, !isDrawn && styles.undrawn)} role="status" aria-label={commonText.loading}>
      {endpoints === null && (
        <div className={styles.calm}>
          <i />
        </div>
      )}
      <div className={styles.figures}>
        {[0, 1, 2, 3, 4].map((index) => (
          <div key={index}>
            <i />
            <i />
            <i />
          </div>
        ))}
      </div>
      {endpoints !== null && (
        <div className={styles.rows}>
          {Array.from({ length: endpoints }, (_, index) => (
            <div key={index}>
              <i />
              <i />
              <i />
            </div>
          ))}
        </div>
      )}
      <div className={styles.charts}>
        <i />
        <i />
      </div>
      {endpoints === null && (
        <div className={styles.rates}>
          {[0, 1, 2].map((index) => (
            <div key={index} className={styles.rate}>
              <i />
              <i />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface NeverSampledProps {
  connection: Connection;
  endpointId: string;
  onAll: () => void;
}

/** The endpoint was never read: what will be shown here, why that is not yet so, and how to get it. */
export function NeverSampled({ connection, endpointId, onAll }: NeverSampledProps) {
  const why = useHealth((state) => state.readFailures[endpointId]);
  return (
    <div className={styles.empty}>
      <EmptyState
        title={why === undefined ? healthStateText.neverSampledTitle : healthStateText.unreadTitle}
        text={why === undefined ? healthStateText.neverSampled : healthStateText.unread(why)}
        actions={
          <>
            <ReadNow connection={connection} />
            <Button onClick={onAll}>{healthHeadText.allEndpoints}</Button>
          </>
        }
      />
    </div>
  );
}

/** No endpoint of the connection was ever read. */
export function NoneSampled({ connection }: { connection: Connection }) {
  const why = useHealth((state) => Object.values(state.readFailures)[0]);
  const actions = <ReadNow connection={connection} />;
  return why === undefined ? (
    <Callout icon={<Info />} title={healthStateText.noneSampledTitle} actions={actions}>
      {healthStateText.noneSampled}
    </Callout>
  ) : (
    <Callout tone="error" icon={<CircleAlert />} title={healthStateText.unreadTitle} actions={actions}>
      {healthStateText.unread(why)}
    </Callout>
  );
}

function ReadNow({ connection }: { connection: Connection }) {
  const isReading = useHealth((state) => state.isReading);
  const isReady = useConnectionState(connection)?.kind === 'ready';
  return (
    <Button
      variant="primary"
      disabledReason={!isReady ? healthStateText.notResponding : isReading ? healthStateText.isReading : undefined}
      onClick={() => void readNow()}
    >
      {healthStateText.readNow}
    </Button>
  );
}

/** Shown instead of the series if it could not be read: why, and what still works. */
export function FailedSeries({ failure }: { failure: Failure }) {
  return (
    <Callout
      tone="error"
      icon={<CircleAlert />}
      title={healthStateText.failedTitle}
      actions={
        <Button size="sm" onClick={() => void loadAll()}>
          {commonText.tryAgain}
        </Button>
      }
    >
      {healthStateText.failed(failure.message)}
    </Callout>
  );
}

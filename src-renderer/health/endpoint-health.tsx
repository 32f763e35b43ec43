import { useMemo } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { AlertsCard } from '../alerts/alerts-card.tsx';
import { useFiringAt } from '../alerts/alerts.ts';
import { CostCard } from '../costs/cost-card.tsx';
import { PurgeCard } from '../purge/purge-card.tsx';
import { Afterwards } from '../design/afterwards.tsx';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { useNow } from '../data/use-now.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { healthPartText } from '../messages/health/pane.ts';
import { BudgetCard } from './budget-card.tsx';
import { ChartsCard } from './charts-card.tsx';
import { DiagnosisCard } from './diagnosis-card.tsx';
import { FiguresStrip } from './figures-strip.tsx';
import { useDiagnosis, useHealth, usePoints, useTimings } from './health-store.ts';
import { FailedSeries, HealthSkeleton, NeverSampled } from './health-states.tsx';
import { oldestWaiting } from './our-jobs.ts';
import { useIsStale } from './pane-head.tsx';
import { rangeOf } from './range.ts';
import { RateCards } from './rate-cards.tsx';
import { TimingsCard } from './timings-card.tsx';
import styles from './health-view.module.css';

export interface EndpointHealthProps {
  connection: Connection;
  endpointId: string;
  onEndpoint: (endpointId: string | null) => void;
  onShowJobs: ((endpointId: string) => void) | undefined;
  onShowJob: (key: string) => void;
}

/** One endpoint: its diagnosis, its state, its past, and its settings and actions. */
export function EndpointHealth({ connection, endpointId, onEndpoint, onShowJobs, onShowJob }: EndpointHealthProps) {
  const status = useHealth((state) => state.status);
  return (
    <div className={styles.scroll}>
      <PaneSplit
        pane="healthSide"
        className={styles.parts}
        edgeClass={styles.edge}
        left={
          <div className={styles.main}>
            {status === 'first' ? (
              <HealthSkeleton />
            ) : (
              <Sampled
                connection={connection}
                endpointId={endpointId}
                onEndpoint={onEndpoint}
                onShowJobs={onShowJobs}
                onShowJob={onShowJob}
              />
            )}
          </div>
        }
        right={
          <aside className={styles.side} aria-label={healthPartText.limitsAndActions}>
            <Afterwards>
              <ErrorBoundary part={healthPartText.alertRules} isCard>
                <AlertsCard connectionId={connection.id} endpointId={endpointId} />
              </ErrorBoundary>
              <ErrorBoundary part={healthPartText.budget} isCard>
                <BudgetCard connectionId={connection.id} endpointId={endpointId} />
              </ErrorBoundary>
              <ErrorBoundary part={healthPartText.purge} isCard>
                <PurgeCard connectionId={connection.id} endpointId={endpointId} onShowJob={onShowJob} />
              </ErrorBoundary>
              <ErrorBoundary part={healthPartText.costs} isCard>
                <CostCard connectionId={connection.id} endpointId={endpointId} />
              </ErrorBoundary>
            </Afterwards>
          </aside>
        }
      />
    </div>
  );
}

function Sampled({ connection, endpointId, onEndpoint, onShowJobs, onShowJob }: EndpointHealthProps) {
  const failure = useHealth((state) => state.failure);
  const rangeId = useHealth((state) => state.rangeId);
  const range = rangeOf(rangeId);
  const points = usePoints(endpointId);
  const health = useHealth((state) => state.latest[endpointId] ?? null);
  const diagnosis = useDiagnosis(connection.id, endpointId);
  const firingAlerts = useFiringAt(connection.id, endpointId);
  const timings = useTimings({ connectionId: connection.id, endpointId });
  const ourJobs = useHealth((state) => state.ourJobs);
  const jobs = useMemo(() => Object.values(ourJobs), [ourJobs]);
  const oldest = useMemo(() => oldestWaiting(ourJobs), [ourJobs]);
  const isStale = useIsStale(connection);
  // A chart's edge moves once a second, or once per column if columns are longer.
  const nowMs = useNow(Math.min(15_000, Math.max(1_000, range.columnMs)));
  const last = points.at(-1);
  if (last === undefined)
    return failure === null ? (
      <NeverSampled connection={connection} endpointId={endpointId} onAll={() => onEndpoint(null)} />
    ) : (
      <FailedSeries failure={failure} />
    );
  return (
    <>
      <ErrorBoundary part={healthPartText.diagnosis} isCard>
        <DiagnosisCard
          endpointId={endpointId}
          diagnosis={diagnosis}
          firingAlerts={firingAlerts}
          ourJobs={jobs}
          nowMs={nowMs}
          onShowJobs={onShowJobs}
        />
      </ErrorBoundary>
      <ErrorBoundary part={healthPartText.figures} isCard>
        <FiguresStrip
          points={points}
          last={last}
          health={health}
          oldest={oldest}
          isStale={isStale}
          nowMs={nowMs}
          onShowJob={onShowJob}
        />
      </ErrorBoundary>
      <Afterwards>
        {failure !== null ? (
          <FailedSeries failure={failure} />
        ) : (
          <ErrorBoundary part={healthPartText.charts} isCard>
            <ChartsCard points={points} range={range} nowMs={nowMs} isStale={isStale} />
          </ErrorBoundary>
        )}
        <ErrorBoundary part={healthPartText.rates} isCard>
          <RateCards points={points} totals={last} range={range} nowMs={nowMs} />
        </ErrorBoundary>
        <ErrorBoundary part={healthPartText.timings} isCard>
          <TimingsCard
            timings={timings.data?.find((one) => one.endpointId === endpointId) ?? null}
            failure={timings.error}
            range={range}
          />
        </ErrorBoundary>
      </Afterwards>
    </>
  );
}

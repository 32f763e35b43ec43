import { hourMs } from '../../src-preload/durations.ts';
import { CircleCheck, Cpu, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { HealthPoint } from '../../src-preload/health.ts';
import { AlertsCard } from '../alerts/alerts-card.tsx';
import { useFiring } from '../alerts/alerts.ts';
import { Afterwards } from '../design/afterwards.tsx';
import { classes } from '../design/class-names.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { formatCount } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { useNow } from '../data/use-now.ts';
import { noFindingText } from '../messages/health/endpoint.tsx';
import { figureText, totalsText } from '../messages/health/figures.ts';
import { healthPartText } from '../messages/health/pane.ts';
import { ChartsCard } from './charts-card.tsx';
import { EndpointRows } from './endpoint-rows.tsx';
import { BigFigure } from './figures-strip.tsx';
import { useDiagnoses, useHealth, useTimings } from './health-store.ts';
import { FailedSeries, HealthSkeleton, NoneSampled } from './health-states.tsx';
import { useIsStale } from './pane-head.tsx';
import { rangeOf } from './range.ts';
import { RateCards } from './rate-cards.tsx';
import { counterIncreaseSince } from './rates.ts';
import { runsOf, thin } from './runs.ts';
import { sumPoints } from './sums.ts';
import { TimingsCard } from './timings-card.tsx';
import { countersOf, newestTogether } from './totals.ts';
import figures from './figures-strip.module.css';
import styles from './health-view.module.css';

interface AllEndpointsProps {
  connection: Connection;
  onEndpoint: (endpointId: string) => void;
}

/** All endpoints of a connection: totals, their sum over time, and each endpoint with its findings. */
export function AllEndpoints({ connection, onEndpoint }: AllEndpointsProps) {
  const status = useHealth((state) => state.status);
  return (
    <div className={styles.scroll}>
      <div className={styles.main}>
        {status === 'first' ? (
          <HealthSkeleton endpoints={connection.endpoints.length} />
        ) : (
          <Together connection={connection} onEndpoint={onEndpoint} />
        )}
      </div>
    </div>
  );
}

function Together({ connection, onEndpoint }: { connection: Connection; onEndpoint: (endpointId: string) => void }) {
  const failure = useHealth((state) => state.failure);
  const all = useHealth((state) => state.points);
  const diagnoses = useDiagnoses(connection.id);
  const timings = useTimings({ connectionId: connection.id, endpointId: null });
  const rangeId = useHealth((state) => state.rangeId);
  const range = rangeOf(rangeId);
  const isStale = useIsStale(connection);
  const nowMs = useNow(Math.min(15_000, Math.max(1_000, range.columnMs)));
  const ids = connection.endpoints.map((endpoint) => endpoint.id).join('\n');
  const series = useMemo(() => ids.split('\n').map((id) => all[id] ?? []), [ids, all]);
  const sum = useMemo(
    () =>
      sumPoints(
        series.map((points) => runsOf(points).flatMap((run) => thin(run, range.columnMs))),
        range.columnMs,
      ),
    [series, range],
  );
  const firingAlerts = useFiring(connection.id).length;
  const found = connection.endpoints.filter(({ id }) => isShown(diagnoses[id], nowMs)).length;
  return (
    <>
      {failure !== null && <FailedSeries failure={failure} />}
      {sum.length > 0 && (
        <Totals
          series={series}
          isStale={isStale}
          nowMs={nowMs}
          found={found}
          firingAlerts={firingAlerts}
          endpoints={connection.endpoints.length}
        />
      )}
      <ErrorBoundary part={healthPartText.endpoints} isCard>
        <EndpointRows connection={connection} isStale={isStale} nowMs={nowMs} onEndpoint={onEndpoint} />
      </ErrorBoundary>
      {sum.length === 0 && failure === null && connection.endpoints.length > 0 && (
        <NoneSampled connection={connection} />
      )}
      {sum.length > 0 && (
        <Afterwards>
          {failure === null && (
            <>
              <ErrorBoundary part={healthPartText.charts} isCard>
                <ChartsCard points={sum} range={range} nowMs={nowMs} isStale={isStale} />
              </ErrorBoundary>
              <ErrorBoundary part={healthPartText.counters} isCard>
                <RateCards
                  points={sum}
                  totals={countersOf(newestTogether(series).together)}
                  range={range}
                  nowMs={nowMs}
                />
              </ErrorBoundary>
            </>
          )}
          <ErrorBoundary part={healthPartText.timings} isCard>
            <TimingsCard
              timings={timings.data?.find((one) => one.endpointId === null) ?? null}
              failure={timings.error}
              range={range}
            />
          </ErrorBoundary>
          <RulesOfAll connectionId={connection.id} />
        </Afterwards>
      )}
      {sum.length === 0 && <RulesOfAll connectionId={connection.id} />}
    </>
  );
}

/** Comes with what is above it, so that it does not move. */
function RulesOfAll({ connectionId }: { connectionId: string }) {
  return (
    <aside className={styles.below} aria-label={healthPartText.allAlertRules}>
      <ErrorBoundary part={healthPartText.alertRules} isCard>
        <AlertsCard connectionId={connectionId} endpointId={null} />
      </ErrorBoundary>
    </aside>
  );
}

/** Whether there is a finding that the user has not muted. */
function isShown(diagnosis: EndpointDiagnosis | undefined, nowMs: number): boolean {
  return diagnosis !== undefined && diagnosis.findings.length > 0 && (diagnosis.mutedUntilMs ?? 0) <= nowMs;
}

export interface TotalsProps {
  series: readonly (readonly HealthPoint[])[];
  isStale: boolean;
  nowMs: number;
  found: number;
  firingAlerts: number;
  endpoints: number;
}

/** The endpoints added up, as far as they were read at about the same time. */
export function Totals({ series, isStale, nowMs, found, firingAlerts, endpoints }: TotalsProps) {
  const { together, tooOld } = useMemo(() => newestTogether(series), [series]);
  const total = (figureOf: (point: HealthPoint) => number): number =>
    together.reduce((sum, point) => sum + figureOf(point), 0);
  const failed = series.reduce<number | null>((sum, points) => {
    const risen = counterIncreaseSince(points, 'failed', nowMs - hourMs);
    return risen === null ? sum : (sum ?? 0) + risen;
  }, null);
  const inQueue = total((point) => point.inQueue);
  const inProgress = total((point) => point.inProgress);
  const waiting = together.filter((point) => point.inQueue > 0).length;
  return (
    <div className={classes(figures.strip, isStale && figures.stale)} role="group" aria-label={totalsText.totals}>
      <BigFigure
        name={figureText.inQueue}
        icon={<StatusGlyph kind="queue" />}
        value={formatCount(inQueue)}
        unit={figureText.jobs(inQueue)}
        note={totalsText.waiting(waiting)}
        tone={inQueue > 0 ? 'queue' : undefined}
      />
      <BigFigure
        name={figureText.inProgress}
        icon={<StatusGlyph kind="run" />}
        value={formatCount(inProgress)}
        unit={figureText.jobs(inProgress)}
        note={totalsText.sampled(together.length, endpoints, tooOld)}
      />
      <BigFigure
        name={figureText.workersRunning}
        icon={<Cpu size={14} />}
        value={formatCount(total((point) => point.running))}
        unit=""
        note={totalsText.idle(total((point) => point.idle))}
      />
      <BigFigure
        name={totalsText.failed}
        icon={<StatusGlyph kind="fail" />}
        value={failed === null ? '–' : formatCount(failed)}
        unit={figureText.jobs(failed ?? 0)}
        note={failed === null ? totalsText.thisHourUnknown : totalsText.thisHour}
      />
      <BigFigure
        name={totalsText.findings}
        icon={found > 0 ? <TriangleAlert size={14} /> : <CircleCheck size={14} />}
        value={formatCount(found)}
        unit={totalsText.endpoints(found)}
        note={found === 0 ? noFindingText(firingAlerts) : totalsText.seeBelow}
      />
    </div>
  );
}

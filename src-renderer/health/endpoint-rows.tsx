import { ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import type { Connection, Endpoint } from '../../src-preload/connection.ts';
import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { HealthPoint, JobTimings } from '../../src-preload/health.ts';
import { classes } from '../design/class-names.ts';
import { FlavourIcon } from '../design/flavour-icon.tsx';
import { formatCount, formatDuration } from '../design/format.ts';
import { SeverityIcon } from './diagnosis-card.tsx';
import { useDiagnoses, useHealth, usePoints, useTimings } from './health-store.ts';
import { workersNote } from './figures.ts';
import { rangeOf } from './range.ts';
import { sparkSteps } from './spark-steps.ts';
import { dayAndTime } from './time-and-rate.ts';
import styles from './endpoint-rows.module.css';

/** Each endpoint in a line that leads to it. */
export function EndpointRows({
  connection,
  isStale,
  nowMs,
  onEndpoint,
}: {
  connection: Connection;
  isStale: boolean;
  nowMs: number;
  onEndpoint: (endpointId: string) => void;
}) {
  const timings = useTimings({ connectionId: connection.id, endpointId: null }).data;
  const diagnoses = useDiagnoses(connection.id);
  return (
    <section className={classes(styles.card, isStale && styles.stale)} aria-label="Endpoints">
      <div className={styles.names} aria-hidden="true">
        <span>Endpoint</span>
        <span className={styles.spark}>Queue and work</span>
        <span>In queue</span>
        <span>In progress</span>
        <span>Workers</span>
        <span className={styles.wide}>p95 run</span>
        <span className={styles.last}>Finding</span>
      </div>
      <ul>
        {connection.endpoints.map((endpoint) => (
          <EndpointRow
            key={endpoint.id}
            endpoint={endpoint}
            timings={timings?.find(({ endpointId }) => endpointId === endpoint.id)}
            diagnosis={diagnoses[endpoint.id]}
            nowMs={nowMs}
            onGo={() => onEndpoint(endpoint.id)}
          />
        ))}
      </ul>
      {connection.endpoints.length === 0 && (
        <p className={styles.none}>This connection has no endpoints yet. Add one by its id in the sidebar.</p>
      )}
    </section>
  );
}

function EndpointRow({
  endpoint,
  timings,
  diagnosis,
  nowMs,
  onGo,
}: {
  endpoint: Endpoint;
  timings: JobTimings | undefined;
  diagnosis: EndpointDiagnosis | undefined;
  nowMs: number;
  onGo: () => void;
}) {
  const points = usePoints(endpoint.id);
  const health = useHealth((state) => state.latest[endpoint.id] ?? null);
  const timing = timings?.execution ?? null;
  const last = points.at(-1);
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        aria-label={endpointName(endpoint)}
        aria-description={
          last === undefined
            ? 'not sampled yet'
            : `${formatCount(last.inQueue)} in queue, ${formatCount(last.inProgress)} in progress, ` +
              `${formatCount(last.running)} running, ${workersNote(last, health)}`
        }
        onClick={onGo}
      >
        <span className={styles.name}>
          <FlavourIcon flavour={endpoint.flavour} />
          <span className="trunc">{endpointName(endpoint)}</span>
        </span>
        <span className={styles.spark}>
          <QueueSpark points={points} nowMs={nowMs} />
        </span>
        {last === undefined ? (
          <span className={styles.unsampled}>not sampled yet</span>
        ) : (
          <>
            <span className={classes(styles.number, last.inQueue > 0 && styles.queue)}>
              {formatCount(last.inQueue)}
            </span>
            <span className={styles.number}>{formatCount(last.inProgress)}</span>
            <span className={styles.workers}>
              {formatCount(last.running)} running<span className="t3">{`, ${workersNote(last, health)}`}</span>
            </span>
          </>
        )}
        <span className={classes(styles.number, styles.wide)}>
          {timing === null ? <span className="t3">–</span> : formatDuration(timing.p95Ms)}
        </span>
        <span className={classes(styles.finding, styles.last)}>
          <FindingText diagnosis={diagnosis} nowMs={nowMs} />
          <ChevronRight className={styles.chevron} />
        </span>
      </button>
    </li>
  );
}

function FindingText({ diagnosis, nowMs }: { diagnosis: EndpointDiagnosis | undefined; nowMs: number }) {
  if (diagnosis === undefined) return <span className="grow t3">–</span>;
  const [worst] = diagnosis.findings;
  if (diagnosis.mutedUntilMs !== null && diagnosis.mutedUntilMs > nowMs)
    return <span className="grow t3 trunc">{`muted until ${dayAndTime(diagnosis.mutedUntilMs, nowMs)}`}</span>;
  if (worst === undefined) return <span className="grow t3 trunc">nothing stands out</span>;
  return (
    <span className={classes(styles.headline, styles[worst.severity])}>
      <SeverityIcon of={worst} />
      <span className="trunc">{worst.headline}</span>
    </span>
  );
}

const width = 132;
const height = 22;

/** Queued on in progress over the range, drawn small. */
function QueueSpark({ points, nowMs }: { points: readonly HealthPoint[]; nowMs: number }) {
  const rangeId = useHealth((state) => state.rangeId);
  const { spanMs } = rangeOf(rangeId);
  const { queued, running } = useMemo(
    () => sparkSteps(points, nowMs - spanMs, nowMs, { width, height }),
    [points, nowMs, spanMs],
  );
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles['spark-queued']} d={queued} />
      <path className={styles['spark-running']} d={running} />
      <path className={styles['spark-base']} d={`M0 ${height - 0.5}H${width}`} />
    </svg>
  );
}

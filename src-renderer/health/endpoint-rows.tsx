import styles from './endpoint-rows.module.css';
import { ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { endpointName, type Connection, type Endpoint } from '../../src-preload/connection.ts';
import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { HealthPoint, JobTimings } from '../../src-preload/health.ts';
import { useFiring } from '../alerts/alerts.ts';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { formatCount, formatMeasured } from '../../src-preload/format.ts';
import { endpointRowsText, noFindingText } from '../messages/health/endpoint.tsx';
import { workersNote } from '../messages/health/figures.ts';
import { SeverityIcon } from './diagnosis-card.tsx';
import { useDiagnoses, useHealth, useTimings } from './health-store.ts';
import { rangeOf } from './range.ts';
import { chartColumns } from './columns.ts';
import { endOf } from './runs.ts';
import { isBeside, newestOf } from './totals.ts';

interface EndpointRowsProps {
  connection: Connection;
  isStale: boolean;
  nowMs: number;
  onEndpoint: (endpointId: string) => void;
}

/** One row per endpoint. A click opens the endpoint. */
export function EndpointRows({ connection, isStale, nowMs, onEndpoint }: EndpointRowsProps) {
  const timings = useTimings({ connectionId: connection.id, endpointId: null }).data;
  const diagnoses = useDiagnoses(connection.id);
  const firing = useFiring(connection.id);
  const points = useHealth((state) => state.points);
  const newestMs = newestOf(connection.endpoints.map(({ id }) => points[id] ?? []));
  return (
    <section className={classes(styles.card, isStale && styles.stale)} aria-label={endpointRowsText.endpoints}>
      <div className={styles.names} aria-hidden="true">
        <span>{endpointRowsText.endpoint}</span>
        <span className={styles.spark} aria-hidden="true">
          {endpointRowsText.queueAndWork}
        </span>
        <span>{endpointRowsText.inQueue}</span>
        <span>{endpointRowsText.inProgress}</span>
        <span>{endpointRowsText.workers}</span>
        <span className={styles.wide}>{endpointRowsText.p95Run}</span>
        <span className={styles.last}>{endpointRowsText.finding}</span>
      </div>
      <ul>
        {connection.endpoints.map((endpoint) => (
          <EndpointRow
            key={endpoint.id}
            firingAlerts={firing.filter(({ endpointId }) => endpointId === endpoint.id).length}
            endpoint={endpoint}
            timings={timings?.find(({ endpointId }) => endpointId === endpoint.id)}
            diagnosis={diagnoses[endpoint.id]}
            points={points[endpoint.id] ?? noPoints}
            newestMs={newestMs}
            nowMs={nowMs}
            onGo={() => onEndpoint(endpoint.id)}
          />
        ))}
      </ul>
      {connection.endpoints.length === 0 && <p className={styles.none}>{endpointRowsText.empty}</p>}
    </section>
  );
}

const noPoints: readonly HealthPoint[] = [];

interface EndpointRowProps {
  endpoint: Endpoint;
  points: readonly HealthPoint[];
  timings: JobTimings | undefined;
  diagnosis: EndpointDiagnosis | undefined;
  firingAlerts: number;
  /** When the last of the endpoints was read. */
  newestMs: number;
  nowMs: number;
  onGo: () => void;
}

/** An endpoint with its newest reading, or with how old that is if the other endpoints were read long after. */
export function EndpointRow({
  endpoint,
  points,
  timings,
  diagnosis,
  firingAlerts,
  newestMs,
  nowMs,
  onGo,
}: EndpointRowProps) {
  const health = useHealth((state) => state.latest[endpoint.id] ?? null);
  const timing = timings?.execution ?? null;
  const last = points.at(-1);
  const isOld = last !== undefined && !isBeside(last, newestMs);
  const age = isOld ? endpointRowsText.asOf(nowMs - endOf(last)) : '';
  return (
    <li className={classes(isOld && styles.stale)}>
      <button
        type="button"
        className={styles.row}
        aria-description={
          last === undefined
            ? endpointRowsText.noData
            : endpointRowsText.summary(last.inQueue, last.inProgress, last.running, workersNote(last, health)) + age
        }
        onClick={onGo}
      >
        <span className={styles.name}>
          <EndpointIcon endpoint={endpoint} />
          <span className="trunc">{endpointName(endpoint)}</span>
        </span>
        <span className={styles.spark} aria-hidden="true">
          <QueueSpark points={points} nowMs={nowMs} />
        </span>
        {last === undefined ? (
          <>
            <span className={classes(styles.number, 't3')} aria-hidden="true">
              –
            </span>
            <span className={classes(styles.number, 't3')} aria-hidden="true">
              –
            </span>
            <span className={classes(styles.workers, 't3')} aria-hidden="true">
              {endpointRowsText.noData}
            </span>
          </>
        ) : (
          <>
            <span className={classes(styles.number, last.inQueue > 0 && styles.queue)} aria-hidden="true">
              {formatCount(last.inQueue)}
            </span>
            <span className={styles.number} aria-hidden="true">
              {formatCount(last.inProgress)}
            </span>
            <span className={styles.workers} aria-hidden="true">
              {endpointRowsText.running(last.running)}
              <span className="t3">{`, ${workersNote(last, health)}${age}`}</span>
            </span>
          </>
        )}
        <span className={classes(styles.number, styles.wide)} aria-hidden="true">
          {timing === null ? <span className="t3">–</span> : formatMeasured(timing.p95Ms)}
        </span>
        <span className={classes(styles.finding, styles.last)} aria-hidden="true">
          <FindingText diagnosis={diagnosis} firingAlerts={firingAlerts} nowMs={nowMs} />
          <ChevronRight className={styles.chevron} />
        </span>
      </button>
    </li>
  );
}

interface FindingTextProps {
  diagnosis: EndpointDiagnosis | undefined;
  firingAlerts: number;
  nowMs: number;
}

function FindingText({ diagnosis, firingAlerts, nowMs }: FindingTextProps) {
  if (diagnosis === undefined) return <span className="grow t3">–</span>;
  const [worst] = diagnosis.findings;
  if (diagnosis.mutedUntilMs !== null && diagnosis.mutedUntilMs > nowMs)
    return <span className="grow t3 trunc">{endpointRowsText.mutedUntil(diagnosis.mutedUntilMs, nowMs)}</span>;
  if (worst === undefined) return <span className="grow t3 trunc">{noFindingText(firingAlerts)}</span>;
  return (
    <span className={classes(styles.headline, styles[worst.severity])}>
      <SeverityIcon of={worst} />
      <span className="trunc">{worst.headline}</span>
    </span>
  );
}

const width = 132;
const height = 22;

/** Queued and in-progress jobs over the range, as a small stacked chart. */
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

/** The smallest value for the full height, so that a single job does not fill the chart. */
const minTop = 4;
/** How many steps the chart has. */
const stepCount = 66;

/**
 * The area paths of a small chart: queued stacked on in progress, and in progress alone. Nothing is drawn in gaps.
 * Pure.
 */
export function sparkSteps(
  points: readonly HealthPoint[],
  fromMs: number,
  toMs: number,
  size: { width: number; height: number },
): { queued: string; running: string } {
  const { atMs, values } = chartColumns(points, fromMs, toMs, (toMs - fromMs) / stepCount);
  const totals = atMs.map((_, index) =>
    values.inProgress[index] == null ? null : (values.inProgress[index] ?? 0) + (values.queued[index] ?? 0),
  );
  const top = Math.max(minTop, ...totals.map((total) => total ?? 0));
  const x = (time: number): number =>
    Math.round(Math.max(0, ((time - fromMs) / (toMs - fromMs)) * size.width) * 10) / 10;
  const y = (value: number): number => Math.round((size.height - 1 - (value / top) * (size.height - 2)) * 10) / 10;
  const path = (heights: readonly (number | null)[]): string =>
    heights
      .map((value, index) => {
        const begin = atMs[index];
        const end = atMs[index + 1];
        if (value === null || value === 0 || begin === undefined || end === undefined || end <= fromMs) return '';
        return `M${x(begin)} ${size.height - 1}V${y(value)}H${x(end)}V${size.height - 1}Z`;
      })
      .join('');
  return { queued: path(totals), running: path(values.inProgress) };
}

import { useId, type ReactNode } from 'react';
import { formatCount } from '../../src-preload/format.ts';
import { instrumentsText } from '../messages/stream/output.tsx';
import { asPercent, linePath, linePoints, type Series, type StreamMetrics } from './stream-metrics.ts';
import styles from './instruments.module.css';

const box = { width: 170, height: 46 } as const;

/** True if the worker reports anything that has a chart. */
export function hasInstruments(metrics: StreamMetrics): boolean {
  const { series } = metrics;
  return (
    series.avg_gen_throughput !== undefined || series.gpu_kv_cache_usage !== undefined || series.running !== undefined
  );
}

interface InstrumentsProps {
  metrics: StreamMetrics;
  firstChunkMs: number | null;
  /** It is being read at the moment: a dot is at the end of each line. */
  isLive: boolean;
}

/**
 * The strip under streamed text: generation speed, KV cache and batch, each only if the worker reports it (spec: Stream
 * chunk, metrics). `firstChunkMs` is the time from acceptance to the first chunk, by our clock.
 */
export function Instruments({ metrics, firstChunkMs, isLive }: InstrumentsProps) {
  const {
    avg_gen_throughput: generation,
    gpu_kv_cache_usage: gpu,
    cpu_kv_cache_usage: cpu,
    running,
    pending,
    swapped,
  } = metrics.series;
  const streamIndex = metrics.latest?.['stream_index'];
  return (
    <section className={styles.strip} aria-label={instrumentsText.title}>
      {generation !== undefined && (
        <Instrument
          title={instrumentsText.generation}
          value={rateText(generation.last)}
          unit={instrumentsText.tokensPerSecond}
          left={instrumentsText.average(rateText(generation.mean))}
          right={firstChunkMs === null ? '' : instrumentsText.firstChunk(firstChunkMs)}
        >
          <Line series={generation} ceiling={generation.max * 1.25} tone="run" isLive={isLive} />
        </Instrument>
      )}
      {gpu !== undefined && (
        <Instrument
          title={instrumentsText.gpuCache}
          value={percentText(gpu.last)}
          unit="%"
          left={cpu === undefined ? '' : instrumentsText.cpuCache(percentText(cpu.last))}
          right={instrumentsText.peak(percentText(gpu.max))}
        >
          <Line
            series={{ ...gpu, values: gpu.values.map(asPercent) }}
            ceiling={Math.max(10, asPercent(gpu.max) * 1.6)}
            tone="plain"
            isLive={isLive}
          />
        </Instrument>
      )}
      {running !== undefined && (
        <Instrument
          title={instrumentsText.batch}
          value={String(running.last)}
          unit={instrumentsText.running}
          more={pending === undefined ? '' : instrumentsText.pending(pending.last)}
          left={swapped === undefined ? '' : instrumentsText.swapped(swapped.last)}
          right={typeof streamIndex === 'number' ? instrumentsText.index(streamIndex) : ''}
        >
          <Batch running={running} pending={pending} />
        </Instrument>
      )}
    </section>
  );
}

/** A rate with one decimal, or with thousands separators. */
function rateText(rate: number): string {
  return rate < 1_000 ? rate.toFixed(1) : formatCount(Math.round(rate));
}

function percentText(usage: number): string {
  const percent = asPercent(usage);
  return percent === 0 ? '0' : percent < 1 ? percent.toFixed(2) : percent.toFixed(1);
}

interface InstrumentProps {
  title: string;
  value: string;
  unit: string;
  /** NotificationRow after the unit where there is room. */
  more?: string;
  left: string;
  right: string;
  children: ReactNode;
}

function Instrument({ title, value, unit, more = '', left, right, children }: InstrumentProps) {
  return (
    <div className={styles.instrument}>
      <span className="micro t3">{title}</span>
      <p className={styles.reading}>
        <span className={styles.figure}>{value}</span>
        <span className="cap t3 trunc" title={`${unit}${more}`}>
          {unit}
          <span className={styles.more}>{more}</span>
        </span>
      </p>
      {children}
      <p className={styles.foot}>
        <span className="trunc">{left}</span>
        <span className="trunc">{right}</span>
      </p>
    </div>
  );
}

function Chart({ children }: { children: ReactNode }) {
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${box.width} ${box.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.grid} d="M0 15.5H170M0 30.5H170" />
      {children}
    </svg>
  );
}

interface LineProps {
  series: Series;
  ceiling: number;
  tone: 'run' | 'plain';
  isLive: boolean;
}

function Line({ series, ceiling, tone, isLive }: LineProps) {
  const gradient = useId();
  const points = linePoints(series.values, box.width, box.height - 4, ceiling).map(([x, y]): [number, number] => [
    x,
    y + 3,
  ]);
  const line = linePath(points, false);
  const end = points.at(-1);
  return (
    <div className={styles.plot} data-tone={tone}>
      <Chart>
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" className={styles.from} />
            <stop offset="1" className={styles.to} />
          </linearGradient>
        </defs>
        <path d={`${line}L${box.width} ${box.height}L0 ${box.height}Z`} fill={`url(#${gradient})`} />
        <path d={line} className={styles.line} vectorEffect="non-scaling-stroke" />
      </Chart>
      {isLive && end !== undefined && <i className={styles.dot} style={{ top: `${(end[1] / box.height) * 100}%` }} />}
    </div>
  );
}

function Batch({ running, pending }: { running: Series; pending: Series | undefined }) {
  const hatch = useId();
  const ceiling = Math.max(4, running.max + (pending?.max ?? 0)) * 1.1;
  const runs = linePath(linePoints(running.values, box.width, box.height, ceiling), true);
  // Both series are thinned in the same way as long as every chunk reports both. A shorter one is drawn over the newest
  // part.
  const both =
    pending === undefined
      ? null
      : linePath(
          linePoints(
            running.values.map((value, index) => value + (pending.values[index] ?? 0)),
            box.width,
            box.height,
            ceiling,
          ),
          true,
        );
  const area = (line: string): string => `${line}L${box.width} ${box.height}L0 ${box.height}Z`;
  return (
    <div className={styles.plot} data-tone="run">
      <Chart>
        <defs>
          <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(35)">
            <rect width="5" height="5" className={styles['hatch-ground']} />
            <rect width="1.6" height="5" className={styles['hatch-line']} />
          </pattern>
        </defs>
        {both !== null && <path d={area(both)} fill={`url(#${hatch})`} />}
        <path d={area(runs)} className={styles.cover} />
        <path d={area(runs)} className={styles.level} />
        <path d={runs} className={styles.line} vectorEffect="non-scaling-stroke" />
      </Chart>
    </div>
  );
}

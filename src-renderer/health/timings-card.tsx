import type { Failure } from '../../src-preload/failure.ts';
import type { JobTimings, Percentiles } from '../../src-preload/health.ts';
import { formatMeasured } from '../../src-preload/format.ts';
import { timingsText } from '../messages/health/charts.ts';
import type { HealthRange } from './range.ts';
import card from './card.module.css';

interface TimingsCardProps {
  timings: JobTimings | null;
  /** Why the last read failed. */
  failure: Failure | null;
  range: HealthRange;
}

/** How long saved jobs waited and ran (spec: Job record; ruling 3: milliseconds). */
export function TimingsCard({ timings, failure, range }: TimingsCardProps) {
  const count = timings?.count ?? 0;
  return (
    <section className={card.block} aria-label={timingsText.title}>
      <div className={card.head}>
        <h3>{timingsText.title}</h3>
        <span className="grow" />
        <span className={card.note}>
          {failure !== null
            ? timingsText.failed(failure.message)
            : count === 0
              ? timingsText.none(range.phrase)
              : timingsText.count(count, range.phrase)}
        </span>
      </div>
      {timings !== null && count > 0 && (
        <table className={card.table}>
          <caption className="visually-hidden">{timingsText.caption(range.phrase)}</caption>
          <thead>
            <tr>
              <th scope="col">{timingsText.time}</th>
              <th scope="col">p50</th>
              <th scope="col">p90</th>
              <th scope="col">p95</th>
              <th scope="col">p99</th>
            </tr>
          </thead>
          <tbody>
            <Line name={timingsText.delay} of={timings.delay} />
            <Line name={timingsText.execution} of={timings.execution} />
          </tbody>
        </table>
      )}
    </section>
  );
}

function Line({ name, of }: { name: string; of: Percentiles | null }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {of === null ? (
        <td colSpan={4} className="t3">
          {timingsText.notReported}
        </td>
      ) : (
        [of.p50Ms, of.p90Ms, of.p95Ms, of.p99Ms].map((ms, index) => <td key={index}>{formatMeasured(ms)}</td>)
      )}
    </tr>
  );
}

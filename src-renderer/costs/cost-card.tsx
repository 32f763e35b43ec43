import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isSameEndpoint, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import { currentRate, type CostSum, type EndpointCost, type EndpointCostSums } from '../../src-preload/cost.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { makeStale, useCall } from '../data/calls.ts';
import { onNewDay } from '../data/new-day.ts';
import { useNow } from '../data/use-now.ts';
import { commonText, countText } from '../messages/common.ts';
import { costCardText, hourlyRateText, rateOrigin } from '../messages/costs/endpoint-cost.ts';
import { unpricedText } from '../messages/costs/list-cost.ts';
import { useEndpointCost, useRates, useAskedRate } from './rates.ts';
import { RateForm } from './rate-form.tsx';
import styles from './cost-card.module.css';

/** What an endpoint costs: its rate, the sums of today, seven and thirty days, and the limits that notify. */
export function CostCard({ connectionId, endpointId }: EndpointRef) {
  const cost = useEndpointCost(connectionId, endpointId);
  const card = useRef<HTMLElement>(null);
  // A job may have led here, to enter the rate.
  const [isAsked] = useState(() => {
    const { endpoint } = useAskedRate.getState();
    return endpoint !== null && isSameEndpoint(endpoint, { connectionId, endpointId });
  });
  const [isEditing, setEditing] = useState(isAsked);
  useEffect(() => useAskedRate.setState({ endpoint: null }), []);
  useEffect(() => {
    if (isAsked && cost !== undefined) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isAsked, cost]);
  const { error: ratesError } = useRates();
  const { data: sums, error: sumsError } = useCall('cost:ofEndpoint', { connectionId, endpointId });
  const error = ratesError ?? sumsError;
  useEffect(() => onNewDay(() => makeStale('cost:ofEndpoint', null)), []);
  const nowMs = useNow(60_000);
  const creditsPerHour = cost == null ? null : currentRate(cost.rates);
  const current = cost?.rates.at(-1) ?? null;
  return (
    <section ref={card} className={styles.card} aria-label={costCardText.title}>
      <div className={styles.head}>
        <h3>{costCardText.title}</h3>
        {!isEditing && cost !== undefined && (
          <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
            {creditsPerHour === null ? costCardText.setRate : commonText.edit}
          </Button>
        )}
      </div>
      {isEditing && cost !== undefined ? (
        <RateForm connectionId={connectionId} endpointId={endpointId} cost={cost} onDone={() => setEditing(false)} />
      ) : (
        <>
          {/* Until it is read, two lines without words. */}
          <p className={styles.rate}>{cost === undefined ? '\u00a0' : hourlyRateText(creditsPerHour)}</p>
          <p className={styles.cap}>
            {cost === undefined
              ? '\u00a0'
              : current === null || creditsPerHour === null
                ? costCardText.noRate
                : rateOrigin(current, nowMs)}
          </p>
        </>
      )}
      {error !== null && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
      {sums !== undefined && cost != null && cost.rates.length > 0 && <Sums sums={sums} cost={cost} />}
    </section>
  );
}

function Sums({ sums, cost }: { sums: EndpointCostSums; cost: EndpointCost }) {
  const { perDay, perJob } = cost.limits;
  const rest = unpricedText(sums.days30);
  return (
    <>
      <dl className={styles.sums}>
        <Sum name={costCardText.today} sum={sums.today} isOver={perDay !== null && sums.today.credits >= perDay} />
        <Sum name={costCardText.days7} sum={sums.days7} isOver={false} />
        <Sum name={costCardText.days30} sum={sums.days30} isOver={false} />
        <div className={styles.sum}>
          <dt>{costCardText.medianJob}</dt>
          <dd>{sums.jobP50 === null ? costCardText.noData : costCardText.about(sums.jobP50)}</dd>
        </div>
      </dl>
      <p className={styles.cap}>
        {[
          costCardText.estimated,
          ...(rest === '' ? [] : [costCardText.notCounted(rest)]),
          ...(perJob === null ? [] : [costCardText.warnPerJob(perJob)]),
          ...(perDay === null ? [] : [costCardText.warnPerDay(perDay)]),
        ].join(' ')}
      </p>
    </>
  );
}

function Sum({ name, sum, isOver }: { name: string; sum: CostSum; isOver: boolean }) {
  return (
    <div className={styles.sum}>
      <dt>{name}</dt>
      <dd className={classes(isOver && styles.over)}>
        <span className={styles.jobs}>{countText.jobs(sum.pricedJobs)}</span>
        {isOver && <TriangleAlert size={12} aria-hidden="true" />}
        {costCardText.about(sum.credits)}
        {isOver && <span className="visually-hidden">{costCardText.overLimit}</span>}
      </dd>
    </div>
  );
}

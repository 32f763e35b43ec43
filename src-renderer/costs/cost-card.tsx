import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { rateAt, type CostSum, type EndpointCost, type EndpointCostSums } from '../../src-preload/cost.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { formatCountOf } from '../../src-preload/format.ts';
import { useCall } from '../data/calls.ts';
import { useNow } from '../data/session-store.ts';
import { formatCredits, rateOrigin, hourlyRateText, unpricedText } from './cost-messages.ts';
import { useEndpointCost } from './rates.ts';
import { RateForm } from './rate-form.tsx';
import styles from './cost-card.module.css';

/** What an endpoint costs: its rate, the sums of today, seven and thirty days, and the limits that notify. */
export function CostCard({ connectionId, endpointId }: { connectionId: string; endpointId: string }) {
  const cost = useEndpointCost(connectionId, endpointId);
  const [isEditing, setEditing] = useState(false);
  const { data: sums, error } = useCall('cost:ofEndpoint', { connectionId, endpointId });
  const nowMs = useNow(60_000);
  const creditsPerHour = cost === null ? null : rateAt(cost.rates, nowMs);
  const current = cost?.rates.at(-1) ?? null;
  return (
    <section className={styles.card} aria-label="Costs">
      <div className={styles.head}>
        <h3>Costs</h3>
        {!isEditing && (
          <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
            {creditsPerHour === null ? 'Set a rate' : 'Edit'}
          </Button>
        )}
      </div>
      {isEditing ? (
        <RateForm connectionId={connectionId} endpointId={endpointId} cost={cost} onDone={() => setEditing(false)} />
      ) : (
        <>
          <p className={styles.rate}>{hourlyRateText(creditsPerHour)}</p>
          <p className={styles.cap}>
            {current === null || creditsPerHour === null
              ? 'Set a price per worker-hour to see estimated costs.'
              : rateOrigin(current, nowMs)}
          </p>
        </>
      )}
      {error !== null && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
      {sums !== undefined && (cost?.rates.length ?? 0) > 0 && <Sums sums={sums} cost={cost} />}
    </section>
  );
}

function Sums({ sums, cost }: { sums: EndpointCostSums; cost: EndpointCost | null }) {
  const perDay = cost?.limits.perDay ?? null;
  const perJob = cost?.limits.perJob ?? null;
  const rest = unpricedText(sums.days30);
  return (
    <>
      <dl className={styles.sums}>
        <Sum name="Today" sum={sums.today} isOver={perDay !== null && sums.today.credits >= perDay} />
        <Sum name="7 days" sum={sums.days7} isOver={false} />
        <Sum name="30 days" sum={sums.days30} isOver={false} />
        <div className={styles.sum}>
          <dt>Median job</dt>
          <dd>{sums.jobP50 === null ? 'no data yet' : `about ${formatCredits(sums.jobP50)}`}</dd>
        </div>
      </dl>
      <p className={styles.cap}>
        Credits, estimated from execution times.{rest === '' ? '' : ` Not counted in 30 days: ${rest}.`}
        {perJob === null ? '' : ` Warn above ${formatCredits(perJob)} a job.`}
        {perDay === null ? '' : ` Warn above ${formatCredits(perDay)} a day. Jobs are not stopped.`}
      </p>
    </>
  );
}

function Sum({ name, sum, isOver }: { name: string; sum: CostSum; isOver: boolean }) {
  return (
    <div className={styles.sum}>
      <dt>{name}</dt>
      <dd className={classes(isOver && styles.over)}>
        <span className={styles.jobs}>{formatCountOf(sum.pricedJobs, 'job')}</span>
        {isOver && <TriangleAlert size={12} aria-hidden="true" />}
        {`about ${formatCredits(sum.credits)}`}
        {isOver && <span className="visually-hidden">, over the limit for a day</span>}
      </dd>
    </div>
  );
}

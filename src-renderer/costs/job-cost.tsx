import { TriangleAlert } from 'lucide-react';
import { attemptsOf, estimateCost, isRunningJob } from '../../src-preload/cost.ts';
import type { JobDetail } from '../../src-preload/job.ts';
import { classes } from '../design/class-names.ts';
import { useNow } from '../data/session-store.ts';
import { useEndpointCost } from './rates.ts';
import { formatCredits, jobCostText, hourlyRateText } from './cost-messages.ts';
import styles from './job-cost.module.css';

/** What the job costs by its endpoint's rate, as facts of the job pane; nothing for a job that was never taken. */
export function JobCostFacts({
  detail,
  className,
  titleClass,
}: {
  detail: JobDetail;
  className?: string | undefined;
  titleClass?: string | undefined;
}) {
  const { job } = detail;
  const cost = useEndpointCost(job.connectionId, job.endpointId);
  const nowMs = useNow(isRunningJob(job) ? 1_000 : 60_000);
  if (job.jobId === null) return null;
  const estimate = estimateCost(attemptsOf(job, detail.attempts, nowMs), cost?.rates ?? [], nowMs);
  const limit = cost?.limits.perJob ?? null;
  const isOver = estimate.kind === 'estimate' && limit !== null && estimate.credits >= limit;
  const facts: { name: string; value: string }[] = [
    ...(estimate.kind === 'estimate' ? [{ name: 'Rate', value: hourlyRateText(estimate.creditsPerHour) }] : []),
    ...(limit === null ? [] : [{ name: 'Limit for a job', value: `${formatCredits(limit)} credits` }]),
  ];
  return (
    <section className={className} aria-label="Cost">
      <h3 className={titleClass}>Cost</h3>
      <dl className={styles.facts}>
        <div className={styles.fact}>
          <dt>Estimate</dt>
          <dd className={classes(isOver && styles.over)}>
            {isOver && <TriangleAlert size={12} aria-hidden="true" />}
            {jobCostText(estimate)}
            {isOver && <span className="visually-hidden">, over the limit for a job</span>}
          </dd>
        </div>
        {facts.map((fact) => (
          <div key={fact.name} className={styles.fact}>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

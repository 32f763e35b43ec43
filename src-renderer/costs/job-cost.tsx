import { attemptsOf, estimateCost, isRunningJob } from '../../src-preload/cost.ts';
import type { JobDetail } from '../../src-preload/job.ts';
import { FactList, type Fact } from '../design/fact-list.tsx';
import { useNow } from '../data/session-store.ts';
import { useEndpointCost } from './rates.ts';
import { formatCredits, jobCostText, hourlyRateText } from './cost-messages.ts';

interface JobCostFactsProps {
  detail: JobDetail;
  className?: string | undefined;
  titleClass?: string | undefined;
}

/**
 * What the job costs by its endpoint's rate, as facts of the job pane. Nothing for a job that the service never
 * accepted.
 */
export function JobCostFacts({ detail, className, titleClass }: JobCostFactsProps) {
  const { job } = detail;
  const cost = useEndpointCost(job.connectionId, job.endpointId);
  const nowMs = useNow(isRunningJob(job) ? 1_000 : 60_000);
  if (job.jobId === null) return null;
  const estimate = estimateCost(attemptsOf(job, detail.attempts, nowMs), cost?.rates ?? [], nowMs);
  const limit = cost?.limits.perJob ?? null;
  const isOver = estimate.kind === 'estimate' && limit !== null && estimate.credits >= limit;
  const facts: Fact[] = [
    {
      name: 'Estimate',
      value: jobCostText(estimate),
      ...(isOver && { warning: 'over the limit for a job' }),
    },
    ...(estimate.kind === 'estimate' ? [{ name: 'Rate', value: hourlyRateText(estimate.creditsPerHour) }] : []),
    ...(limit === null ? [] : [{ name: 'Limit for a job', value: `${formatCredits(limit)} credits` }]),
  ];
  return (
    <section className={className} aria-label="Cost">
      <h3 className={titleClass}>Cost</h3>
      <FactList facts={facts} />
    </section>
  );
}

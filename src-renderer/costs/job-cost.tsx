import { attemptsOf, estimateCost, isRunningJob } from '../../src-preload/cost.ts';
import type { JobDetail } from '../../src-preload/job.ts';
import { FactList, type Fact } from '../design/fact-list.tsx';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import { useNow } from '../data/use-now.ts';
import { hourlyRateText, jobCostText, jobCostTitles } from '../messages/costs/endpoint-cost.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import { isMainWindow } from '../navigation/route.ts';
import { showPane } from '../navigation/go.ts';
import { useEndpointCost, useAskedRate } from './rates.ts';

interface JobCostFactsProps {
  detail: JobDetail;
  className?: string | undefined;
  titleClass?: string | undefined;
  /** In the column the facts are one block of a region; in the tab they are a region of their own. */
  place: 'column' | 'tab';
}

/**
 * What the job costs by its endpoint's rate, as facts of the job pane. Nothing for a job that the service never
 * accepted.
 */
export function JobCostFacts({ detail, className, titleClass, place }: JobCostFactsProps) {
  const { job } = detail;
  const isHere = useCurrentConnection()?.id === job.connectionId && isMainWindow();
  const cost = useEndpointCost(job.connectionId, job.endpointId);
  const asOfMs = useCertainUntil(isRunningJob(job) ? knownAtMs(job) : null, job.connectionId);
  const clockMs = useNow(isRunningJob(job) ? 1_000 : 60_000);
  // A job may have ended while nothing is known of it, so its cost stops with its time.
  const nowMs = asOfMs ?? clockMs;
  if (job.jobId === null || cost === undefined) return null;
  const estimate = estimateCost(attemptsOf(job, detail.attempts, nowMs), cost?.rates ?? [], nowMs);
  const limit = cost?.limits.perJob ?? null;
  const isOver = estimate.kind === 'estimate' && limit !== null && estimate.credits >= limit;
  const setRate = (): void => {
    const { connectionId, endpointId } = job;
    useAskedRate.setState({ endpoint: { connectionId, endpointId } });
    showPane({ kind: 'health', endpointId });
  };
  const hasWay = estimate.kind === 'no-rate' && isHere;
  const facts: Fact[] = [
    {
      name: jobCostTitles.estimate,
      value: hasWay ? jobCostTitles.setRate : jobCostText(estimate),
      ...(hasWay && { action: { label: jobCostTitles.setRateHint, onSelect: setRate } }),
      ...(isOver && { warning: jobCostTitles.overLimit }),
    },
    ...(estimate.kind === 'estimate'
      ? [{ name: jobCostTitles.rate, value: hourlyRateText(estimate.creditsPerHour) }]
      : []),
    ...(limit === null ? [] : [{ name: jobCostTitles.limit, value: jobCostTitles.credits(limit) }]),
  ];
  const Heading = place === 'tab' ? 'h3' : 'h2';
  return (
    <section className={className} aria-label={place === 'tab' ? jobCostTitles.cost : undefined}>
      <Heading className={titleClass}>{jobCostTitles.cost}</Heading>
      <FactList facts={facts} />
    </section>
  );
}

import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import { currentRate } from '../../../src-preload/cost.ts';
import { submitLimits } from '../../../src-preload/batch.ts';
import type { Job } from '../../../src-preload/job.ts';
import { useEndpointCost } from '../../costs/rates.ts';
import { useSession } from '../../data/session-store.ts';
import { useNow } from '../../data/use-now.ts';
import { validReading } from '../../data/watch-health.ts';
import { estimateGrid, type GridEstimate } from './grid-estimate.ts';

interface JobsToEstimate {
  connectionId: string;
  endpointId: string;
  operation: Job['operation'];
  /** How many may be in progress at the same time. Null: any number. */
  maxLive: number | null;
}

/** The probable cost and duration of `jobs` jobs of an endpoint, from its earlier jobs. */
export function useJobsEstimate(of: JobsToEstimate, jobs: number): GridEstimate {
  const { connectionId, endpointId, operation, maxLive } = of;
  const runTimes = useSession((state) =>
    state.runTimesOf === connectionId ? (state.runTimes[endpointKey({ connectionId, endpointId })] ?? null) : undefined,
  );
  const rateShare = useSession((state) => state.settings.rateShare);
  const health = useSession((state) => state.health[endpointKey({ connectionId, endpointId })]);
  const workers = validReading(health, useNow(15_000))?.workers;
  const cost = useEndpointCost(connectionId, endpointId);
  return estimateGrid(jobs, {
    runTimes,
    creditsPerHour: cost == null ? cost : currentRate(cost.rates),
    workers: workers === undefined ? undefined : workers.idle + workers.running,
    maxLive,
    perWindow: Math.max(1, Math.floor(submitLimits[operation] * rateShare)),
  });
}

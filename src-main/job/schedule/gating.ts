import type { SubmitOperation } from '../../../src-preload/job.ts';
import { sweepIntervalMs } from './cadence.ts';
import { isReliable, unexplainedEnds } from './health-gate.ts';
import type { UnexplainedEnds } from './health-gate.ts';
import type { PlannedEndpoint, PlannedJob, ScheduleInput } from './plan.ts';

/** How the jobs of an endpoint are asked about. */
export interface Gating {
  /**
   * `health`: one health call stands for all. `single`: one by one, they are few. `broken`: one by one, since health
   * cannot be read.
   */
  by: 'health' | 'single' | 'broken';
  /** Those that one health call stands for; empty while they are asked about one by one. */
  behind: readonly PlannedJob[];
  isBehind(job: PlannedJob): boolean;
  /** Ends that the counters showed and nobody has found yet; null while there are none. */
  unexplained: UnexplainedEnds | null;
  /** How often each of them is looked at all the same. */
  sweepMs: Readonly<Record<SubmitOperation, number>>;
}

/**
 * This many jobs of an endpoint are polled one by one; more are asked about with one health call (ruling 20: one a
 * second at most).
 */
const mostWithoutHealth = 3;

/** Jobs on view are near-live, and never behind the health of their endpoint. */
export function gatingOf(
  { gate }: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  input: Pick<ScheduleInput, 'isWindowVisible' | 'isOnBattery' | 'nowMs'>,
): Gating {
  const mayBeBehind = (job: PlannedJob): boolean => job.stage === 'active' && !(job.isWatched && input.isWindowVisible);
  const candidates = jobs.filter(mayBeBehind);
  const by = candidates.length <= mostWithoutHealth ? 'single' : isReliable(gate) ? 'health' : 'broken';
  const isGated = by === 'health';
  return {
    by,
    behind: isGated ? candidates : [],
    isBehind: (job) => isGated && mayBeBehind(job),
    unexplained: isGated ? unexplainedEnds(gate, input.nowMs) : null,
    sweepMs: {
      run: sweepIntervalMs('run', candidates.length, input),
      runsync: sweepIntervalMs('runsync', candidates.length, input),
    },
  };
}

import { attemptsOf, estimateCost, isRunningJob } from '../../src-preload/cost.ts';
import type { Job } from '../../src-preload/job.ts';
import { markWord, type Mark } from '../../src-preload/judgement.ts';
import { formatCredits } from '../../src-preload/format.ts';
import { useEndpointCost } from '../costs/rates.ts';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import { useNow } from '../data/use-now.ts';
import { classes } from '../design/class-names.ts';
import { MarkGlyph } from '../job/mark-glyph.tsx';
import styles from './job-row.module.css';

/** The user's mark as a glyph and a word. */
export function MarkCell({ mark }: { mark: Mark | undefined }) {
  if (mark === undefined) return <span />;
  return (
    <span className={styles.ownMark}>
      <MarkGlyph mark={mark} />
      <span className="trunc">{markWord(mark)}</span>
    </span>
  );
}

/**
 * The cost of a job by its endpoint's rates; for a running job, the cost so far. Nothing if no rate or time is known.
 */
export function CostCell({ job }: { job: Job }) {
  return (
    <span className={classes(styles.figure, styles.dim)}>
      {isRunningJob(job) ? <RunningCost job={job} /> : <Cost job={job} nowMs={0} />}
    </span>
  );
}

/** It grows as long as it is certain that the job runs, as the job's time does. */
function RunningCost({ job }: { job: Job }) {
  const asOfMs = useCertainUntil(knownAtMs(job), job.connectionId);
  const nowMs = useNow(1_000);
  return <Cost job={job} nowMs={asOfMs ?? nowMs} />;
}

function Cost({ job, nowMs }: { job: Job; nowMs: number }) {
  const rates = useEndpointCost(job.connectionId, job.endpointId)?.rates ?? [];
  // The attempts before a retry are not in the list, so the cost is at least this.
  const cost = estimateCost(attemptsOf(job, [], nowMs), rates, nowMs);
  if (cost.kind !== 'estimate') return null;
  return (
    <>
      {(cost.isPartial || job.attempt > 1) && '≥ '}
      {formatCredits(cost.credits)}
    </>
  );
}

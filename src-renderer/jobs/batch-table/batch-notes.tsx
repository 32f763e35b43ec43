import { ArrowDownUp } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { commonText } from '../../messages/common.ts';
import { batchTableText } from '../../messages/jobs/batch-table.ts';
import type { BatchRows } from './use-batch-rows.ts';
import { isLive, statusKind, statusWord, type Job, type StatusKind } from '../../../src-preload/job.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import type { BatchRow } from './batch-columns.ts';
import styles from './batch-table.module.css';

/** What is shown of a row instead of an output. `kind`: the hue of its words; null for those that report no state. */
interface OutcomeNote {
  kind: StatusKind | null;
  text: string;
}

/** Why a row has no output. Null if it has one, or may still get one. */
export function outcomeNote({ job, cells }: BatchRow): OutcomeNote | null {
  if (cells !== null && cells.output.size > 0) return null;
  if (isLive(job)) return null;
  const kind = statusKind(job);
  if (kind !== 'done') return { kind, text: problemOf(job, cells?.error ?? null) };
  if (cells === null) return null;
  return {
    kind: null,
    text: job.outputForgottenAtMs === undefined ? batchTableText.noOutput : batchTableText.outputDeleted,
  };
}

/** In one line: the words of the service, or else what Jobdeck knows. */
function problemOf(job: Job, error: string | null): string {
  const said = job.reason === null ? error : reasonText(job.reason);
  return (said ?? statusWord(job)).replaceAll(/\s+/g, ' ');
}

/** The values could not be read. The facts of the jobs are shown all the same. */
export function BatchProblem({ rows: { reading, retry } }: { rows: BatchRows }) {
  if (reading.problem === null) return null;
  return (
    <div className={styles.problem} role="alert">
      <span>{batchTableText.couldNotRead(reading.problem.message)}</span>
      <Button size="sm" onClick={retry}>
        {commonText.tryAgain}
      </Button>
    </div>
  );
}

/** How many rows would be elsewhere by now. A press sorts them again. */
export function MovedRows({ rows: { moved, sortAgain } }: { rows: BatchRows }) {
  if (moved === 0) return null;
  return (
    <button type="button" className={styles.moved} onClick={sortAgain}>
      <ArrowDownUp size={12} />
      {batchTableText.moved(moved)}
    </button>
  );
}

import { ArrowDownUp } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { commonText } from '../../messages/common.ts';
import { batchTableText } from '../../messages/jobs/batch-table.ts';
import type { BatchRows } from './use-batch-rows.ts';
import styles from './batch-table.module.css';

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

import type { Job } from '../../src-preload/job.ts';
import { batchText } from '../messages/batches.ts';
import { showBatch } from './batch-actions.ts';
import { useBatch } from './batches.ts';
import styles from './batch-link.module.css';

/** The batch and row of a job. It opens the batch in the list. */
export function BatchLink({ job }: { job: Job }) {
  const batch = useBatch(job.batchId);
  const { batchId, batchRow } = job;
  if (batchId === null || batchRow === null) return null;
  return (
    <button type="button" className={styles.link} title={batch?.name} onClick={() => showBatch(batchId)}>
      <span className="trunc">{batchText.rowOf(batchRow, batch?.name ?? null)}</span>
    </button>
  );
}

import type { Job } from '../../src-preload/job.ts';
import { batchText } from '../messages/batches.ts';
import { showBatch } from './batch-actions.ts';
import { useBatch } from './batches.ts';
import styles from './batch-link.module.css';

/** The batch and row of a job. In the job pane it opens the batch. */
export function BatchLink({ job, layout }: { job: Job; layout: 'pane' | 'window' }) {
  const batch = useBatch(job.batchId);
  const { batchId, batchRow } = job;
  if (batchId === null || batchRow === null) return null;
  const text = batchText.rowOf(batchRow, batch?.name ?? null);
  return layout === 'window' ? (
    <span className="trunc">{text}</span>
  ) : (
    <button type="button" className={styles.link} title={batch?.name} onClick={() => showBatch(batchId)}>
      <span className="trunc">{text}</span>
    </button>
  );
}

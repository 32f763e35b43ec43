import { useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { formatClock, formatDay } from '../design/format.ts';
import { Select } from '../design/select.tsx';
import { toast } from '../design/toast.tsx';
import { useNow } from '../data/session-store.ts';
import styles from './job-pane.module.css';

const choices = [
  { value: '1800000', label: '30 minutes' },
  { value: '3600000', label: '1 hour' },
  { value: '21600000', label: '6 hours' },
  { value: '86400000', label: '24 hours' },
  { value: '604800000', label: '7 days' },
] as const;
type Choice = (typeof choices)[number]['value'];

/** Restarts the ttl clock of a live job (ruling 19). */
export function ExtendDialog({ job, isOpen, onClose }: { job: Job; isOpen: boolean; onClose: () => void }) {
  const [ttl, setTtl] = useState<Choice>('86400000');
  const [problem, setProblem] = useState<Failure | null>(null);
  const nowMs = useNow(1_000);
  const endsAtMs = nowMs + Number(ttl);
  const extend = async (): Promise<void> => {
    setProblem(null);
    const result = await call('job:extendTtl', { key: job.key, ttlMs: Number(ttl) });
    if (!result.ok) {
      setProblem(result.failure);
      return;
    }
    toast('Lifetime extended');
    onClose();
  };
  return (
    <Dialog
      title="Extend lifetime"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" onClick={() => void extend()}>
            Extend
          </Button>
        </>
      }
    >
      <p>
        The ttl restarts now. It covers waiting and running together; when it ends, the service deletes the job whatever
        its state.
      </p>
      <div className={styles['dialog-row']}>
        <Select label="New ttl" value={ttl} options={choices} onChange={setTtl} />
        <span className="small t3 num">
          ends {formatDay(endsAtMs, nowMs)}, {formatClock(endsAtMs)}
        </span>
      </div>
      {problem !== null && (
        <p className={styles['dialog-problem']} role="alert">
          {problem.message}
        </p>
      )}
    </Dialog>
  );
}

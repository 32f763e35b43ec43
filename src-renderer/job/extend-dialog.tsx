import { useState } from 'react';
import { create } from 'zustand';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { formatClock, formatDay } from '../../src-preload/format.ts';
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

/** The job whose lifetime is extended, or null while the dialog is closed. */
export const useExtendDialog = create<{ jobKey: string | null; open: (jobKey: string) => void; close: () => void }>(
  (set) => ({
    jobKey: null,
    open: (jobKey) => set({ jobKey }),
    close: () => set({ jobKey: null }),
  }),
);

/** Restarts the ttl clock of a live job (ruling 19). Mounted once. */
export function ExtendDialog() {
  const jobKey = useExtendDialog((state) => state.jobKey);
  const [ttl, setTtl] = useState<Choice>('86400000');
  const [problem, setProblem] = useState<Failure | null>(null);
  const close = (): void => {
    setProblem(null);
    useExtendDialog.getState().close();
  };
  const extend = async (): Promise<void> => {
    if (jobKey === null) return;
    setProblem(null);
    const result = await call('job:extendTtl', { key: jobKey, ttlMs: Number(ttl) });
    if (!result.ok) {
      setProblem(result.failure);
      return;
    }
    toast('Lifetime extended');
    close();
  };
  return (
    <Dialog
      title="Extend lifetime"
      isOpen={jobKey !== null}
      onClose={close}
      actions={
        <>
          <Button variant="ghost" onClick={close}>
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
        <NewEnd ttlMs={Number(ttl)} />
      </div>
      {problem !== null && (
        <p className={styles['dialog-problem']} role="alert">
          {problem.message}
        </p>
      )}
    </Dialog>
  );
}

/** When the job will end, by the clock. */
function NewEnd({ ttlMs }: { ttlMs: number }) {
  const nowMs = useNow(1_000);
  const endsAtMs = nowMs + ttlMs;
  return (
    <span className="small t3 num">
      ends {formatDay(endsAtMs, nowMs)}, {formatClock(endsAtMs)}
    </span>
  );
}

import { useState } from 'react';
import type { Failure } from '../../../src-preload/failure.ts';
import { call } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Select } from '../../design/form/select.tsx';
import { toast } from '../../design/toast.tsx';
import { useNow } from '../../data/use-now.ts';
import { commonText } from '../../messages/common.ts';
import { extendText } from '../../messages/job/dialogs.ts';
import { useExtendDialog } from './dialog-stores.ts';
import styles from '../job-pane.module.css';

const choices = [
  { value: '1800000', label: extendText.halfHour },
  { value: '3600000', label: extendText.hour },
  { value: '21600000', label: extendText.sixHours },
  { value: '86400000', label: extendText.day },
  { value: '604800000', label: extendText.week },
] as const;
type Choice = (typeof choices)[number]['value'];

/** Restarts the ttl clock of a live job (ruling 19). Mounted once. */
export function ExtendDialog() {
  const jobKey = useExtendDialog((state) => state.jobKey);
  const [ttl, setTtl] = useState<Choice>('86400000');
  const [problem, setProblem] = useState<Failure | null>(null);
  const close = (): void => {
    setProblem(null);
    useExtendDialog.getState().close();
  };
  const extend = (): void => {
    if (jobKey === null) return;
    setProblem(null);
    void extendLifetime(jobKey, Number(ttl), setProblem);
  };
  return (
    <Dialog
      title={extendText.title}
      isOpen={jobKey !== null}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{commonText.cancel}</Button>
          <Button variant="primary" onClick={extend}>
            {extendText.extend}
          </Button>
        </>
      }
    >
      <p>{extendText.whatHappens}</p>
      <div className={styles['dialog-row']}>
        <Select label={extendText.newTtl} value={ttl} options={choices} onChange={setTtl} />
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

/** The jobs whose lifetime is being extended. */
const extending = new Set<string>();

/**
 * Extends the lifetime of a job, once at a time. The service may answer when the dialog is closed, or open for another
 * job, which the answer must not close: then a failure is a toast. Otherwise `onRefused` gets it.
 */
export async function extendLifetime(key: string, ttlMs: number, onRefused: (failure: Failure) => void): Promise<void> {
  if (extending.has(key)) return;
  extending.add(key);
  const result = await call('job:extendTtl', { key, ttlMs });
  extending.delete(key);
  const { jobKey, close } = useExtendDialog.getState();
  if (!result.ok && jobKey === key) return onRefused(result.failure);
  toast(result.ok ? extendText.extended : result.failure.message);
  if (jobKey === key) close();
}

/** When the job will end, by the clock. */
function NewEnd({ ttlMs }: { ttlMs: number }) {
  const nowMs = useNow(1_000);
  return <span className="small t3 num">{extendText.ends(nowMs + ttlMs, nowMs)}</span>;
}

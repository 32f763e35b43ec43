import type { Job } from '../../src-preload/job.ts';
import { Button } from '../design/button.tsx';
import { useIsBusy } from './action-store.ts';
import { checkNow } from './actions.ts';

/** Reads the status of a job on request. It is disabled meanwhile. */
export function CheckButton({ job, label }: { job: Job; label: string }) {
  const isChecking = useIsBusy(job.key, 'check');
  return (
    <Button size="sm" disabled={isChecking} onClick={() => void checkNow(job)}>
      {label}
    </Button>
  );
}
